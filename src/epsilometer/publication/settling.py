"""What is settled of a release of counts before a row is read: tables, labels, noise, thresholds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from epsilometer.errors import BadQuestion, BadRoles, UnknownColumn
from epsilometer.plans.release_kinds import Counts
from epsilometer.publication.domains import (
    Labels,
    check_declared,
    check_size,
    declared_labels,
    n_combinations,
    within_domains,
)
from epsilometer.publication.listing import listing_threshold
from epsilometer.publication.noise_levels import NoiseLevel, noise_levels, optimal_shares
from epsilometer.synthesizers.budget import Budget
from epsilometer.tables.release_rows import Within, total_rows
from epsilometer.tables.roles import Roles, assign_roles
from epsilometer.vocabulary.privacy_loss import PrivacyLoss

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.mechanisms import Mechanism
    from epsilometer.plans.plan import Plan
    from epsilometer.tables.table import Table

COUNT: Final = "count"
"""Name of the column of published counts."""


@dataclass(frozen=True, slots=True)
class SettledTable:
    """A published table before a row is read.

    Attributes:
        columns: the columns it counts the combinations of.
        labels: for declared support, what each of them may say.
        level: the noise on its counts.
        listed_from: for thresholded support, the smallest noisy count that is listed.
    """

    columns: tuple[str, ...]
    labels: tuple[Labels, ...]
    level: NoiseLevel
    listed_from: int | None

    @property
    def mechanism(self) -> Mechanism:
        """The law of a published count: noise, and the count from which on it is not read as zero."""
        if self.listed_from is None:
            return self.level.mechanism
        return replace(self.level.mechanism, threshold=float(self.listed_from))

    @property
    def n_combinations(self) -> int | None:
        """Number of combinations in the domain, if there is one."""
        return n_combinations(self.labels) if self.labels else None


@dataclass(frozen=True, slots=True)
class SettledCounts:
    """A release of counts before a row is read.

    Attributes:
        counts: its settings.
        table: the opened table.
        where: its row filter.
        roles: the parts its columns play.
        tables: what is published.
    """

    counts: Counts
    table: Table
    where: str | None
    roles: Roles
    tables: tuple[SettledTable, ...]

    @property
    def looks(self) -> tuple[PrivacyLoss, ...]:
        """What it costs: one look for each table, and one for which combinations are listed."""
        looks = tuple(table.level.look for table in self.tables)
        if self.counts.support_delta is None:
            return looks
        listing = PrivacyLoss(
            what="which counts are listed",
            noise="any",
            epsilon=0.0,
            delta=self.counts.support_delta,
            adjacency=self.counts.mechanism.adjacency.value,
        )
        return (*looks, listing)


def settle(plan: Plan) -> SettledCounts:
    """Settle what depends on the plan and on the names and types of columns only."""
    counts = plan.released_as(Counts)
    table = plan.open_for_release()
    roles = assign_roles(
        table.columns, plan.quasi_identifiers, plan.sensitive, person_id=plan.person_id, bins=plan.bins
    )
    sets = tuple(each.columns for each in counts.tables) or (roles.columns,)
    _check(counts, roles, sets)
    for name in plan.domain:  # that of a column without a role does no harm, but what is no column is misspelt
        if name not in table.columns:
            raise UnknownColumn(name, table.columns)
    labels: list[tuple[Labels, ...]] = [()] * len(sets)
    within: dict[str, Within] = {}
    if counts.support == "declared":
        labels = _labels(plan, table, roles, sets)
        within = within_domains(plan, table.expression.schema().to_pyarrow(), chain.from_iterable(sets))
    levels = noise_levels(counts, _shares(counts, labels), [", ".join(columns) for columns in sets])
    listed_from = _listing_thresholds(counts, levels)
    tables = tuple(SettledTable(*each) for each in zip(sets, labels, levels, listed_from, strict=True))
    return SettledCounts(counts, total_rows(table, within), plan.where, roles, tables)


def _check(counts: Counts, roles: Roles, sets: Sequence[Sequence[str]]) -> None:
    if counts.cells_per_person > 1 and roles.person_id is None:
        raise BadQuestion("Without a person id a row is a person, who adds to one count: leave out cells_per_person.")
    if counts.support == "thresholded" and "totals" in counts.post_processing:
        raise BadQuestion("Tables with thresholded support leave counts out, so they have no totals to agree on.")
    seen: set[frozenset[str]] = set()
    for columns in sets:
        if unknown := sorted(set(columns) - set(roles.columns)):
            raise BadRoles(f"Column {unknown[0]!r} is to be published but has no role. Make it a quasi-identifier.")
        if len(set(columns)) < len(columns):
            raise BadQuestion(f"A published table has each column once; got {', '.join(columns)}.")
        if COUNT in columns:
            raise BadRoles(f"Column {COUNT!r} has the name of the published counts. Rename it.")
        if frozenset(columns) in seen:
            raise BadQuestion(f"The table of {', '.join(columns)} is asked for twice. Give it more weight instead.")
        seen.add(frozenset(columns))


def _labels(plan: Plan, table: Table, roles: Roles, sets: Sequence[Sequence[str]]) -> list[tuple[Labels, ...]]:
    check_declared(plan, chain.from_iterable(sets))
    schema = table.expression.schema().to_pyarrow()
    labels = [declared_labels(plan, roles, schema, columns) for columns in sets]
    for each in labels:
        check_size(each)
    return labels


def _shares(counts: Counts, labels: Sequence[Sequence[Labels]]) -> list[float]:
    if counts.split == "weights":
        return [table.weight for table in counts.tables] or [1.0]
    if counts.support == "thresholded":
        raise BadQuestion(
            "An optimised split needs to know how many counts there are: use declared support, or weights."
        )
    return optimal_shares(counts.mechanism, [n_combinations(columns) for columns in labels])


def _listing_thresholds(counts: Counts, levels: Sequence[NoiseLevel]) -> list[int | None]:
    """One threshold for each table; each gets the same part of ``support_delta``."""
    if counts.support_delta is None:
        return [None] * len(levels)
    moved = counts.cells_per_person * counts.mechanism.adjacency.moved_counts
    parts = Budget(1.0, counts.support_delta).parts(*[1] * len(levels))
    return [listing_threshold(level.mechanism, moved, part.delta) for level, part in zip(levels, parts, strict=True)]
