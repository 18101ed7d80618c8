"""What a release of counts is made of: counts to which each person adds a bounded number of ones, in their engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from epsilometer.tables.counting import count_combinations
from epsilometer.tables.engine import fetch
from epsilometer.tables.engine_errors import reported_as
from epsilometer.tables.in_parts import mapped
from epsilometer.tables.people import people_by_combination
from epsilometer.tables.people_counted import PeopleCounted, key_names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ibis.expr.types import Table as Expression

    from epsilometer.tables.roles import Roles
    from epsilometer.tables.table import Table
    from epsilometer.vocabulary.arrays import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class PeopleCombined:
    """How many people have each combination that occurs, for their engine to find out.

    Attributes:
        rows: a row for each combination, in no order: values of the columns or codes of bins, and last the number.
        columns: the columns.
        name: what to call the table in messages.
    """

    rows: Expression
    columns: tuple[str, ...]
    name: str

    def fetch(self) -> PeopleCounted:
        """Bring all combinations to Python."""
        with reported_as(self.name):
            return _counted(fetch(self.rows), self.columns)

    def fetch_from(self, lowest: int, changed: Callable[[IntArray], IntArray]) -> PeopleCounted:
        """Bring the combinations to Python whose numbers, changed where they are, are at least this; as changed.

        Each number is changed once, and no other one leaves the engine's machines: see
        :func:`epsilometer.tables.in_parts.mapped` for what ``changed`` must be like, and for what may fail.

        >>> from epsilometer.tables.opening import open_table
        >>> from epsilometer.tables.roles import assign_roles
        >>> table = open_table(pa.table({"sex": ["f", "f", "m"], "job": ["cook", "cook", "cook"]}))
        >>> (sexes,) = combine_people(table, assign_roles(table.columns, ["sex"], "job"), [["sex"]], most=1)
        >>> sexes.fetch_from(12, lambda numbers: numbers + 10).keys.to_pylist()
        [{'sex': 'f'}]
        """
        with reported_as(self.name):
            found = mapped(self.rows, _Changed(lowest, changed), self.rows.schema().to_pyarrow())
        return _counted(found, self.columns)


def combine_people(
    table: Table, roles: Roles, sets: Sequence[Sequence[str]], *, most: int, where: str | None = None
) -> tuple[PeopleCombined, ...]:
    """Count people by the combinations of each set of columns, in one scan; a person adds one to ``most`` at most."""
    read, combinations = count_combinations(table, roles, where)
    counted, keys = combinations.rows, key_names(roles)
    return tuple(
        PeopleCombined(
            people_by_combination(counted, [keys[name] for name in names], most=most), tuple(names), read.name
        )
        for names in sets
    )


@dataclass(frozen=True, slots=True)
class _Changed:
    """Changes the numbers of a part, and leaves out the rows whose numbers are then too low."""

    lowest: int
    changed: Callable[[IntArray], IntArray]

    def __call__(self, part: pa.Table) -> pa.Table:
        numbers = self.changed(np.asarray(part.column(-1).cast("int64").to_numpy()))
        last = part.num_columns - 1
        return part.set_column(last, part.column_names[last], pa.array(numbers)).filter(
            pa.array(numbers >= self.lowest)
        )


def _counted(rows: pa.Table, columns: Sequence[str]) -> PeopleCounted:
    *keys, n = rows.column_names
    return PeopleCounted(rows.select(keys).rename_columns(list(columns)), np.asarray(rows[n].cast("int64").to_numpy()))
