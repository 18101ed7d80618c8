"""Counts of every subset of the quasi-identifiers, from one scan: joint counts as codes, added up by numpy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from epsilometer.errors import BadTable
from epsilometer.tables.engine import fetch
from epsilometer.tables.engine_errors import reported_as
from epsilometer.vocabulary.profile import Profile

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa

    from epsilometer.tables.counting import JointCounts
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

MOST_NUMBERS: Final = 4 * 10**8  # codes held in memory: combinations times columns
DENSE: Final = 8  # a table of counts may have so many entries for each combination; beyond that, sorting is faster
SMALL: Final = 2**12  # entries that are always worth a dense table
LARGEST_KEY: Final = 2**62


@dataclass(frozen=True, eq=False)
class SubsetCounts:
    """Counts of the combinations that occur, as numbers, ready to be added up for any subset of the columns.

    Attributes:
        columns: names of the quasi-identifiers, those with the fewest values first.
        n_codes: number of values of each, missing being one.
        n_values: number of sensitive values K.
        n: number of records of each combination, as floats: whole and exact up to 2**53.
        pairs: for each column, its code in each combination, times K, plus the code of the sensitive value.
    """

    columns: tuple[str, ...]
    n_codes: tuple[int, ...]
    n_values: int
    n: FloatArray
    pairs: tuple[IntArray, ...]

    @cached_property
    def n_records(self) -> int:
        """Number of records."""
        return int(self.n.sum())

    @cached_property
    def _value(self) -> IntArray:
        return self.pairs[0] % self.n_values

    def nothing_known(self) -> Cells:
        """Return the cells of no column: a single one with everybody in it."""
        totals = np.bincount(self._value, self.n, self.n_values)
        everybody = np.zeros(len(self.n), np.int64)
        return Cells(self, Unsettled(slice(None), everybody, 1, 0), everybody, totals.max()[None], totals.sum()[None])

    def profile(self, columns: Iterable[int]) -> Profile:
        """Return the profile of the cells of some columns, by number; the sensitive values are in no special order."""
        key, size = np.zeros(len(self.n), np.int64), 1
        for column in columns:
            if size * self.n_codes[column] * self.n_values > LARGEST_KEY:
                key, size = _renumbered(key)
            key, size = key * self.n_codes[column] + self.pairs[column] // self.n_values, size * self.n_codes[column]
        if size * self.n_values > max(SMALL, DENSE * len(key)):
            key, size = _renumbered(key)
        if size * self.n_values > MOST_NUMBERS:
            raise BadTable(f"{size:,} cells of {self.n_values:,} sensitive values are too many. Put them into bins.")
        table = np.bincount(key * self.n_values + self._value, self.n, size * self.n_values)
        vectors, n_cells = _distinct(table.astype(np.int64).reshape(size, self.n_values))
        return Profile(vectors, n_cells, tuple(f"value {k + 1}" for k in range(self.n_values)))


class Unsettled(NamedTuple):
    """What is left to split.

    Attributes:
        rows: the combinations in cells with more than one sensitive value.
        cell: the cell of each.
        n_cells: number of such cells.
        settled: records in all other cells.
    """

    rows: IntArray | slice
    cell: IntArray
    n_cells: int
    settled: int


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells of some columns, as far as the best guess of a sensitive value depends on them.

    A cell whose records all have one value is settled: whatever else the attacker knows, the guess stays right. Its
    combinations are not looked at again, so that the work shrinks as more columns are known.

    Attributes:
        counts: the combinations.
        before: what was unsettled before the last column.
        cell: the cell of each of those combinations.
        best: records of the most frequent value of each cell.
        total: records of each cell.
    """

    counts: SubsetCounts
    before: Unsettled
    cell: IntArray
    best: FloatArray
    total: FloatArray

    @cached_property
    def named_right(self) -> int:
        """Number of records whose value is the most frequent one of their cell: the best guess is right for them."""
        return self.before.settled + int(self.best.sum())

    @cached_property
    def unsettled(self) -> Unsettled:
        """Return the cells that another column may split."""
        open_ = self.best < self.total
        inside = open_[self.cell]
        rows = np.flatnonzero(inside) if isinstance(self.before.rows, slice) else self.before.rows[inside]
        number = np.cumsum(open_) - 1
        settled = self.before.settled + int(self.total[~open_].sum())
        return Unsettled(rows, number[self.cell[inside]], int(open_.sum()), settled)

    def split(self, column: int) -> Cells:
        """Return the cells of the same columns and one more, by number."""
        counts, left = self.counts, self.unsettled
        width, n_values = counts.n_codes[column] * counts.n_values, counts.n_values
        pair = left.cell * width + counts.pairs[column][left.rows]  # cell and sensitive value in one number
        n = counts.n[left.rows]
        if left.n_cells * width <= max(SMALL, DENSE * len(pair)):
            table = np.bincount(pair, n, left.n_cells * width).reshape(-1, n_values)
            return Cells(counts, left, pair // n_values, table.max(axis=1), table.sum(axis=1))
        return Cells(counts, left, *_sorted_cells(pair, n, n_values))


def subset_counts(joint: JointCounts) -> SubsetCounts:
    """Fetch the joint counts once, as codes; several sensitive columns are taken as combinations."""
    roles = joint.roles
    found = _fetched(joint, len(roles.quasi_identifiers))
    value, n_values = np.zeros(found.num_rows, np.int64), 1
    for i in range(len(roles.sensitive)):
        codes, n_codes = _codes(found[f"s{i}"])
        value, n_values = _renumbered(value * n_codes + codes)
    coded = [(*_codes(found[f"q{i}"]), name) for i, name in enumerate(roles.quasi_identifiers)]
    coded.sort(key=lambda one: one[1])
    most_codes = coded[-1][1]
    if found.num_rows * most_codes * n_values > LARGEST_KEY:
        raise BadTable(
            f"{coded[-1][2]} has {most_codes:,} values and {' | '.join(roles.sensitive)} {n_values:,}: too many to "
            "count together. Put them into bins."
        )
    return SubsetCounts(
        columns=tuple(name for *_, name in coded),
        n_codes=tuple(n_codes for _, n_codes, _ in coded),
        n_values=n_values,
        n=_numbers(found["n"].cast("int64")).astype(np.float64),
        pairs=tuple(
            (codes * n_values + value).astype(np.min_scalar_type(-n_codes * n_values)) for codes, n_codes, _ in coded
        ),
    )


def _fetched(joint: JointCounts, n_columns: int) -> pa.Table:
    """Fetch one row per combination, unless there are too many for memory."""
    with reported_as(joint.name):
        n_rows = fetch(joint.rows.agg(n_rows=joint.rows.count()))["n_rows"][0].as_py()
        if n_rows * n_columns > MOST_NUMBERS:
            raise BadTable(
                f"{joint.name} has {n_rows:,} combinations of {n_columns} columns, more than fit in memory "
                f"({MOST_NUMBERS // n_columns:,}). Put columns into bins, name fewer candidates, or filter the rows."
            )
        return fetch(joint.rows)


def _codes(column: pa.ChunkedArray) -> tuple[IntArray, int]:
    """Number the values of a column; missing is a value."""
    encoded = column.combine_chunks().dictionary_encode(null_encoding="encode")
    return np.from_dlpack(encoded.indices).astype(np.int64), len(encoded.dictionary)


def _numbers(column: pa.ChunkedArray) -> IntArray:
    # Arrow's own to_numpy loads pandas, which takes longer than counting a small table.
    return np.concatenate([np.from_dlpack(chunk) for chunk in column.chunks])


def _renumbered(key: IntArray) -> tuple[IntArray, int]:
    """Number the keys that occur, and return how many there are."""
    distinct, number = np.unique(key, return_inverse=True)
    return number, len(distinct)


def _sorted_cells(pair: IntArray, n: FloatArray, n_values: int) -> tuple[IntArray, FloatArray, FloatArray]:
    """Cell of each combination, and the most frequent value's and all records of each cell, by sorting."""
    order = np.argsort(pair)
    in_order, cell_in_order = pair[order], pair[order] // n_values
    first_of_pair = np.flatnonzero(np.diff(in_order, prepend=-1))
    records = np.add.reduceat(n[order], first_of_pair)
    starts_cell = np.diff(cell_in_order, prepend=-1) != 0
    first_of_cell = np.flatnonzero(starts_cell[first_of_pair])
    cell = np.empty_like(pair)
    cell[order] = np.cumsum(starts_cell) - 1
    return cell, np.maximum.reduceat(records, first_of_cell), np.add.reduceat(records, first_of_cell)


def _distinct(table: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct rows that are not all zero, and how often each occurs."""
    occupied = table[table.any(axis=1)]
    bases = occupied.max(axis=0) + 1
    if np.prod(bases.astype(np.float64)) > LARGEST_KEY:
        return np.unique(occupied, axis=0, return_counts=True)
    place = np.cumprod(np.concatenate([[1], bases[:-1]]))
    _, first, n_cells = np.unique(occupied @ place, return_index=True, return_counts=True)
    return occupied[first], n_cells
