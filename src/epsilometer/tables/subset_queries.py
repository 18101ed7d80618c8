"""Counts of subsets of the quasi-identifiers inside the engine: of each set, one number comes to Python."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import ibis

from epsilometer.tables.column_sets import columns_of
from epsilometer.tables.engine import fetch, keep
from epsilometer.tables.engine_errors import reported_as
from epsilometer.tables.kept_counts import KeptCounts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ibis.expr.types import Table as Expression

    from epsilometer.tables.counting import JointCounts
    from epsilometer.vocabulary.profile import Profile

SETS_AT_ONCE: Final = 32  # sets in one query: more take more memory, fewer more planning


@dataclass(frozen=True, slots=True, eq=False)
class SubsetQueries:
    """Joint counts that stay in their engine, to be added up there for any subset of the columns.

    Attributes:
        joint: the counts.
        note: a sentence on where they are added up.
    """

    joint: JointCounts
    note: str

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers."""
        return self.joint.roles.quasi_identifiers

    @property
    def n_records(self) -> int:
        """Number of records."""
        return self.joint.n_records

    def named_right(self, sets: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield each set, and the number of records whose value is the most frequent one of their cell."""
        rows = self.joint.rows
        # Spark makes a program of each part of a query, which takes longer than running it: there, all is one part.
        query = _in_one_part if rows.get_backend().name == "pyspark" else _in_parts
        for first in range(0, len(sets), SETS_AT_ONCE):
            some = sets[first : first + SETS_AT_ONCE]
            with reported_as(self.joint.name):
                found = fetch(query(rows, self._values, some))
            named_right = dict(zip(found["place"].to_pylist(), map(int, found["n"].to_pylist()), strict=True))
            yield from ((known, named_right[place]) for place, known in enumerate(some))

    def profile(self, columns: Iterable[int]) -> Profile:
        """Return the profile of the cells of some columns, by number, from joint counts of these alone."""
        joint, rows = self.joint, self.joint.rows
        known = {f"q{place}": rows[f"q{column}"] for place, column in enumerate(columns)}
        known = known or {"q0": ibis.literal(0)}  # an engine has to group by something
        roles = replace(joint.roles, quasi_identifiers=tuple(known))
        fewer = rows.select(*self._values, "n", **known)
        with reported_as(joint.name):
            counts = KeptCounts(keep(_added_up(fewer, [*known, *self._values])))
        return replace(joint, combinations=counts, roles=roles).frequency_table(roles.sensitive).profile

    @property
    def _values(self) -> list[str]:
        return [f"s{i}" for i in range(len(self.joint.roles.sensitive))]


def _in_parts(rows: Expression, values: Sequence[str], sets: Sequence[int]) -> Expression:
    """Count one set after the other."""
    parts = []
    for place, known in enumerate(sets):
        best = _best(rows, [f"q{column}" for column in columns_of(known)], values)
        parts.append(best.agg(n=best.n.sum()).mutate(place=ibis.literal(place, "int64")))
    return ibis.union(*parts) if len(parts) > 1 else parts[0]


def _in_one_part(rows: Expression, values: Sequence[str], sets: Sequence[int]) -> Expression:
    """Count every row once for each set, with the columns that are not in it taken away."""
    spread = rows.mutate(place=ibis.literal(list(range(len(sets))), "array<int64>").unnest())
    keys = {}
    for column in sorted({column for known in sets for column in columns_of(known)}):
        holding = [place for place, known in enumerate(sets) if known >> column & 1]
        key = spread[f"q{column}"]
        keys[f"q{column}"] = ibis.ifelse(spread.place.isin(holding), key, ibis.null(key.type()))
    best = _best(spread.mutate(**keys), ["place", *keys], values)
    return best.agg(by="place", n=best.n.sum())


def _best(rows: Expression, cell: list[str], values: Sequence[str]) -> Expression:
    """Records of the most frequent value of each cell."""
    counts = _added_up(rows, [*cell, *values])
    return counts.agg(by=cell, n=counts.n.max())


def _added_up(rows: Expression, keys: list[str]) -> Expression:
    return rows.agg(by=keys, n=rows.n.sum().cast("int64"))
