"""One table counted by several sets of roles at once, so that it is known who is in which cell of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.errors import BadTable
from epsilometer.tables.combinations import combination_numbers, value_numbers
from epsilometer.tables.counting import counted_key
from epsilometer.tables.engine import fetch
from epsilometer.tables.scanning import scan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ibis.expr.types import Table as Expression

    from epsilometer.tables.roles import Roles
    from epsilometer.tables.table import Table
    from epsilometer.vocabulary.arrays import IntArray

MOST_GROUPS: Final = 50_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The table as one set of roles reads it.

    Attributes:
        cells: for each group of people, which cell they are in.
        values: for each group, which sensitive value they have; several columns are one of combinations.
        counts: people by cell and value.
    """

    cells: IntArray
    values: IntArray
    counts: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class LinkedCounts:
    """Groups of people whom no set of roles tells apart.

    Attributes:
        n_people: number of people in each group.
        readings: one for each set of roles.
    """

    n_people: IntArray
    readings: tuple[Reading, ...]


def linked_counts(table: Table, roles: Sequence[Roles], *, where: str | None = None) -> LinkedCounts:
    """Count a table once for several sets of roles; a row is a person."""
    keys = [
        {(name, str(each.bins.get(name))): each.bins.get(name) for name in each.columns} for each in roles
    ]  # the same column may be in bins here and not there
    names = {key: f"k{i}" for i, key in enumerate(dict.fromkeys(key for each in keys for key in each))}
    bins = {key: found for each in keys for key, found in each.items()}

    def grouped(rows: Expression) -> Expression:
        selected = rows.select(**{names[key]: counted_key(rows, key[0], bins[key]) for key in names})
        return selected.group_by(list(names.values())).agg(n=selected.count())

    _, groups = scan(table, where, grouped)
    found = fetch(groups.limit(MOST_GROUPS + 1))
    if found.num_rows > MOST_GROUPS:
        raise BadTable(
            f"{table.name} has more than {MOST_GROUPS:,} combinations of the columns of all releases. "
            "Look at fewer releases at once."
        )
    n_people = np.asarray(found["n"].to_numpy(), dtype=np.int64)
    codes = {name: value_numbers(found[name]) for name in names.values()}
    readings = tuple(
        _reading(
            combination_numbers([codes[names[key]] for key in each if key[0] in role.quasi_identifiers], len(n_people)),
            combination_numbers([codes[names[key]] for key in each if key[0] in role.sensitive], len(n_people)),
            n_people,
        )
        for each, role in zip(keys, roles, strict=True)
    )
    return LinkedCounts(n_people, readings)


def _reading(cells: IntArray, values: IntArray, n_people: IntArray) -> Reading:
    shape = int(cells.max()) + 1, int(values.max()) + 1
    counts = np.bincount(cells * shape[1] + values, weights=n_people, minlength=shape[0] * shape[1])
    return Reading(cells, values, counts.astype(np.int64).reshape(shape))
