"""Counts of subsets of the quasi-identifiers in memory: joint counts fetched once as codes, added up by numpy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np

from epsilometer.errors import BadTable
from epsilometer.tables.column_sets import columns_of
from epsilometer.tables.engine import fetch
from epsilometer.tables.engine_errors import reported_as
from epsilometer.vocabulary.distinct_rows import distinct_rows
from epsilometer.vocabulary.long_arrays import ranked
from epsilometer.vocabulary.profile import Profile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from epsilometer.tables.counting import JointCounts
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

    Numbers: TypeAlias = NDArray[np.int32]  # of combinations and of their cells, the most that is held in memory

MOST_COUNTS: Final = 4 * 10**8  # of a profile, before equal cells are taken together
DENSE: Final = 8  # a table of counts may have so many entries for each combination; beyond that, sorting is faster
SMALL: Final = 2**12  # entries that are always worth a dense table
LARGEST_KEY: Final = 2**62


@dataclass(frozen=True, eq=False)
class SubsetArrays:
    """Counts of the combinations that occur, as numbers, ready to be added up for any subset of the columns.

    Attributes:
        columns: names of the quasi-identifiers, those with the fewest values first.
        n_codes: number of values of each, missing being one.
        n_values: number of sensitive values K.
        n: number of records of each combination, as floats: whole and exact up to 2**53.
        pairs: for each column, its code in each combination, times K, plus the code of the sensitive value.
        n_records: number of records.
        note: a sentence on where the counts are added up.
    """

    columns: tuple[str, ...]
    n_codes: tuple[int, ...]
    n_values: int
    n: FloatArray
    pairs: tuple[IntArray, ...]
    n_records: int
    note: str

    @cached_property
    def values(self) -> IntArray:
        """Number of the sensitive value of each combination."""
        return self.pairs[0] % self.n_values

    def nothing_known(self) -> Cells:
        """Return the cells of no column: a single one with everybody in it."""
        totals = np.bincount(self.values, self.n, self.n_values)
        everybody = np.zeros(len(self.n), np.int32)
        before = Unsettled(np.arange(len(self.n), dtype=np.int32), everybody, 1, 0)
        return Cells(before, self.values, self.n_values, totals.max()[None], totals.sum()[None])

    def named_right(self, sets: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield each set, and the number of records whose value is the most frequent one of their cell.

        The cells of a set are those of the set without its lowest column, split by it. In increasing order of the
        sets that one was often split already: what the last set of each size left to split is kept, and no more.
        """
        kept: dict[int, tuple[int, Unsettled]] = {}

        def cells(known: int) -> Cells:
            return left_by(known & known - 1).split(self, next(columns_of(known))) if known else self.nothing_known()

        def left_by(known: int) -> Unsettled:
            size = known.bit_count()
            if size not in kept or kept[size][0] != known:
                kept[size] = known, cells(known).unsettled()
            return kept[size][1]

        for known in sets:
            yield known, cells(known).named_right

    def profile(self, columns: Iterable[int]) -> Profile:
        """Return the profile of the cells of some columns, by number; the sensitive values are in no special order."""
        key, size = np.zeros(len(self.n), np.int64), 1
        for column in columns:
            if size * self.n_codes[column] * self.n_values > LARGEST_KEY:
                key, size = ranked(key)
            key, size = key * self.n_codes[column] + self.pairs[column] // self.n_values, size * self.n_codes[column]
        if size * self.n_values > max(SMALL, DENSE * len(key)):
            key, size = ranked(key)
        if size * self.n_values > MOST_COUNTS:
            raise BadTable(f"{size:,} cells of {self.n_values:,} sensitive values are too many. Put them into bins.")
        table = np.bincount(key * self.n_values + self.values, self.n, size * self.n_values)
        return profile_of_cells(table.astype(np.int64).reshape(size, self.n_values))


class Unsettled(NamedTuple):
    """What is left to split.

    Attributes:
        rows: the combinations in cells with more than one sensitive value.
        cell: the cell of each.
        n_cells: number of such cells.
        settled: records in all other cells.
    """

    rows: Numbers
    cell: Numbers
    n_cells: int
    settled: int

    def split(self, counts: SubsetArrays, column: int) -> Cells:
        """Return the cells of the same columns and one more, by number."""
        n_values, width = counts.n_values, counts.n_codes[column] * counts.n_values
        # cell and sensitive value in one number
        pair = self.cell.astype(np.int64) * width + counts.pairs[column][self.rows]
        n = counts.n[self.rows]
        if self.n_cells * width <= max(SMALL, DENSE * len(pair)):
            table = np.bincount(pair, n, self.n_cells * width).reshape(-1, n_values)
            return Cells(self, pair, n_values, table.max(axis=1), table.sum(axis=1))
        return _sorted_cells(self, pair, n, n_values)


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells of some columns, as far as the best guess of a sensitive value depends on them.

    A cell whose records all have one value is settled: whatever else the attacker knows, the guess stays right. Its
    combinations are not looked at again, so that the work shrinks as more columns are known.

    Attributes:
        before: what was unsettled before the last column.
        pair: the cell of each of those combinations, times K, plus a number below K.
        n_values: number of sensitive values K.
        best: records of the most frequent value of each cell.
        total: records of each cell.
    """

    before: Unsettled
    pair: IntArray
    n_values: int
    best: FloatArray
    total: FloatArray

    @property
    def named_right(self) -> int:
        """Number of records whose value is the most frequent one of their cell: the best guess is right for them."""
        return self.before.settled + int(self.best.sum())

    def unsettled(self) -> Unsettled:
        """Return the cells that another column may split."""
        open_ = self.best < self.total
        cell = self.pair // self.n_values
        inside = open_[cell]
        number = np.cumsum(open_, dtype=np.int32) - 1
        settled = self.before.settled + int(self.total[~open_].sum())
        return Unsettled(self.before.rows[inside], number[cell[inside]], int(open_.sum()), settled)


def subset_arrays(joint: JointCounts, note: str) -> SubsetArrays:
    """Fetch the joint counts once, as codes; several sensitive columns are taken as combinations."""
    roles = joint.roles
    with reported_as(joint.name):
        found = fetch(joint.rows)
    value, n_values = np.zeros(found.num_rows, np.int64), 1
    for i in range(len(roles.sensitive)):
        codes, n_codes = _codes(found[f"s{i}"])
        value, n_values = ranked(value * n_codes + codes.astype(np.int64))
    coded = [(*_codes(found[f"q{i}"]), name) for i, name in enumerate(roles.quasi_identifiers)]
    coded.sort(key=lambda one: one[1])
    most_codes = coded[-1][1]
    if found.num_rows * most_codes * n_values > LARGEST_KEY:
        raise BadTable(
            f"{coded[-1][2]} has {most_codes:,} values and {' | '.join(roles.sensitive)} {n_values:,}: too many to "
            "count together. Put them into bins."
        )
    return SubsetArrays(
        columns=tuple(name for *_, name in coded),
        n_codes=tuple(n_codes for _, n_codes, _ in coded),
        n_values=n_values,
        n=_numbers(found["n"].cast("int64")).astype(np.float64),
        pairs=tuple(
            (codes.astype(np.int64) * n_values + value).astype(np.min_scalar_type(-n_codes * n_values))
            for codes, n_codes, _ in coded
        ),
        n_records=joint.n_records,
        note=note,
    )


def profile_of_cells(counts: IntArray) -> Profile:
    """Return the profile of the cells that are not empty; one row for each cell, one column for each value."""
    vectors, n_cells = distinct_rows(counts[counts.any(axis=1)])
    return Profile(vectors, n_cells, tuple(f"value {k + 1}" for k in range(counts.shape[1])))


def _codes(column: pa.ChunkedArray) -> tuple[Numbers, int]:
    """Number the values of a column; missing is a value."""
    encoded = column.combine_chunks().dictionary_encode(null_encoding="encode")
    return np.asarray(np.from_dlpack(encoded.indices), np.int32), len(encoded.dictionary)


def _numbers(column: pa.ChunkedArray) -> IntArray:
    # Arrow's own to_numpy loads pandas, which takes longer than counting a small table.
    return np.concatenate([np.from_dlpack(chunk) for chunk in column.chunks])


def _sorted_cells(before: Unsettled, pair: IntArray, n: FloatArray, n_values: int) -> Cells:
    """Cells of combinations by sorting them: for more possible cells than a table of counts may have."""
    order = np.argsort(pair)
    in_order = pair[order]
    first_of_pair = np.flatnonzero(np.diff(in_order, prepend=-1))
    records = np.add.reduceat(n[order], first_of_pair)
    starts_cell = np.diff(in_order // n_values, prepend=-1) != 0
    first_of_cell = np.flatnonzero(starts_cell[first_of_pair])
    numbered = np.empty_like(pair)
    numbered[order] = (np.cumsum(starts_cell) - 1) * n_values
    best, total = np.maximum.reduceat(records, first_of_cell), np.add.reduceat(records, first_of_cell)
    return Cells(before, numbered, n_values, best, total)
