"""Counts with noise as a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.plans.release_kinds import Counts
from epsilometer.publication.counts import count_settled, publish_counted
from epsilometer.publication.settling import settle
from epsilometer.releases.file_sizes import file_sizes
from epsilometer.releases.filters import check_filter
from epsilometer.releases.joint import noisy_tables
from epsilometer.releases.passports import protected
from epsilometer.releases.prepared import Made, Prepared
from epsilometer.vocabulary.passport import MechanismUsed, Support

if TYPE_CHECKING:
    from epsilometer.plans.plan import Plan
    from epsilometer.publication.chance import Chance
    from epsilometer.publication.counts import PublishedCounts


def prepare_counts(plan: Plan, chance: Chance) -> Prepared:
    """Settle the tables of a plan for counts, up to what they cost."""
    asked, settled = plan.released_as(Counts), settle(plan)
    check_filter(settled.table, settled.where)

    def make() -> Made:
        tables = publish_counted(settled, count_settled(settled), chance.noise)
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
            unit=plan.unit,
            rows_per_person=plan.rows_per_person,
        ),
        make=make,
        examine=lambda: file_sizes(settled.tables, count_settled(settled)),
        noisy_tables=noisy_tables(settled),
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
