"""What a release gives away together with everything of the same data set that was published before."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from epsilometer.assessments.joint import NoisyTable, joint_risk
from epsilometer.plans.reading import Source
from epsilometer.plans.release_kinds import Counts
from epsilometer.plans.validation import plan_from
from epsilometer.publication.settling import settle
from epsilometer.releases.ledger_entries import FAILED
from epsilometer.releases.this_table import rows_are_people

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from epsilometer.plans.plan import Plan
    from epsilometer.publication.settling import SettledCounts
    from epsilometer.releases.ledger_entries import Entry
    from epsilometer.vocabulary.joint_risk import JointRisk


THIS: Final = {
    "counts": "this release of counts",
    "sample": "this release of a sample",
    "synthetic": "this release of a synthetic table",
    "local": "this release of local reports",
}
EARLIER: Final = {
    "counts": "the release of counts to {file} on {date}",
    "sample": "the release of a sample to {file} on {date}",
    "synthetic": "the release of a synthetic table to {file} on {date}",
    "local": "the release of local reports to {file} on {date}",
}


def joint_risk_of(plan: Plan, now: Sequence[NoisyTable], earlier: Sequence[Entry]) -> JointRisk | None:
    """Share of people whom the plan's release or an earlier one discloses; ``None`` where counts play no part.

    The plan's own tables come first. Earlier plans are read against the table of this one, which stands for the data
    set as it is now. Left out, by name, are releases of other kinds and those that count other rows or several rows of
    a person.
    """
    together = [*now] if _can_be_joined(plan, plan) else []
    left_out = [] if together else [THIS[plan.release.kind]]
    for entry in earlier:
        if entry.state == FAILED:  # it was paid for, and nobody has seen it
            continue
        tables = list(_published_before(entry, plan)) if entry.kind == Counts.kind else []
        together += tables
        if not tables:
            left_out.append(EARLIER[entry.kind].format(file=entry.output.name, date=entry.time[:10]))
    if not together:
        return None
    return joint_risk(plan.open(), together, where=plan.where, left_out=left_out)


def _published_before(entry: Entry, now: Plan) -> Iterator[NoisyTable]:
    before = replace(plan_from(Source(data=dict(entry.plan))), table=now.table, missing=now.missing)
    if _can_be_joined(before, now):
        yield from noisy_tables(settle(before))


def _can_be_joined(plan: Plan, now: Plan) -> bool:
    """Whether a release counts the rows of this one, each for a person."""
    return isinstance(plan.release, Counts) and plan.where == now.where and rows_are_people(plan)


def noisy_tables(settled: SettledCounts) -> tuple[NoisyTable, ...]:
    """Return the published tables that show a sensitive column, each with the noise on its counts."""
    return tuple(
        NoisyTable(
            replace(
                settled.roles,
                quasi_identifiers=_among(settled.roles.quasi_identifiers, table.columns),
                sensitive=_among(settled.roles.sensitive, table.columns),
            ),
            table.mechanism,
        )
        for table in settled.tables
        if _among(settled.roles.sensitive, table.columns)
    )


def _among(names: Iterable[str], columns: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name in columns)
