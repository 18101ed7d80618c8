"""Counts with noise as a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.plans.release_kinds import Counts
from epsilometer.publication.counts import count_settled, publish_counted
from epsilometer.publication.settling import settle
from epsilometer.releases.file_sizes import file_sizes
from epsilometer.releases.joint import noisy_tables
from epsilometer.releases.passports import protected
from epsilometer.releases.prepared import Made, Prepared
from epsilometer.releases.targets import check_risk_target
from epsilometer.vocabulary.passport import MechanismUsed, Support

if TYPE_CHECKING:
    from epsilometer.plans.plan import Plan
    from epsilometer.publication.counts import CountNoise, PublishedCounts


def prepare_counts(plan: Plan, noise: CountNoise) -> Prepared:
    """Settle and count the tables of a plan for counts, up to what they cost; a missed risk target is an error."""
    asked, settled = plan.released_as(Counts), settle(plan)
    counted = count_settled(settled)  # now: a value that is not declared must be noticed before anything is entered
    check_risk_target(plan, settled)

    def make() -> Made:
        tables = publish_counted(settled, counted, noise)
        return Made(
            tables={f"{number}" if number > 1 else "": table.rows for number, table in enumerate(tables, start=1)},
            mechanisms=tuple(_mechanism(table) for table in tables),
        )

    return Prepared(
        looks=settled.looks,
        delta=asked.mechanism.delta + (asked.support_delta or 0.0),
        protection=protected(
            "counts",
            adjacency=asked.mechanism.adjacency.value,
            contributions=asked.cells_per_person,
            by_person=plan.person_id is not None,
        ),
        make=make,
        noisy_tables=noisy_tables(settled),
        sizes=file_sizes(settled.tables, counted),
        support=Support(kind=asked.support, delta=asked.support_delta or 0.0),
        post_processing=asked.post_processing,
    )


def _mechanism(table: PublishedCounts) -> MechanismUsed:
    return MechanismUsed(
        what=table.look.what,
        name=table.look.noise,
        scale=table.look.scale,
        threshold=table.mechanism.threshold if table.listed_from is None else table.listed_from,
        moved_counts=table.look.moved_counts,
    )
