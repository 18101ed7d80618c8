"""Marginals of a table of counts, and how far those of a release are from them.

The columns with a role are the quasi-identifiers and the sensitive attribute. A marginal with the sensitive
attribute is that of its quasi-identifiers, value by value; one without it is that of the totals of the cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csc_array

from epsilometer.errors import OutOfRange
from epsilometer.tables.combinations import combination_numbers, value_numbers

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import pyarrow as pa

    from epsilometer.vocabulary.arrays import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Counts summed over the categories of all marginals: categories x values x tables.

    Attributes:
        by_value: for the marginals with the sensitive attribute.
        in_total: for those without it, with a single "value".
    """

    by_value: FloatArray
    in_total: FloatArray

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.by_value + other.by_value, self.in_total + other.in_total)


@dataclass(frozen=True, slots=True, eq=False)
class Marginals:
    """All marginals of a table over so many role columns at a time.

    Attributes:
        with_value: the groupings of the cells that the sensitive attribute is crossed with.
        without_value: the groupings of the marginals without it.
        ways: number of columns of each marginal, those with the sensitive attribute first.
    """

    with_value: Groupings
    without_value: Groupings
    ways: IntArray

    @classmethod
    def of_cells(cls, cells: pa.Table, n_values: int, ways: Collection[int]) -> Marginals:
        """Find the marginals of a table of cells: columns of labels, then ``n_values`` columns of counts.

        >>> import pyarrow as pa
        >>> cells = pa.table({"sex": ["f", "f", "m"], "age": [20, 30, 20], "no": [2, 1, 0], "yes": [1, 0, 4]})
        >>> Marginals.of_cells(cells, 2, ways=[1, 2]).ways
        array([1, 2, 2, 1, 1, 2])
        """
        labels = [value_numbers(column) for column in cells.columns[: cells.num_columns - n_values]]
        most = len(labels) + 1
        if not ways or any(way not in range(1, most + 1) for way in ways):
            raise OutOfRange("ways", tuple(ways), f"[1, {most}]", hint="Each is a number of role columns.")
        crossed = [subset for way in sorted(set(ways)) for subset in combinations(labels, way - 1)]
        plain = [subset for way in sorted(set(ways)) for subset in combinations(labels, way)]
        n_columns = [len(subset) + 1 for subset in crossed] + [len(subset) for subset in plain]
        with_value, without_value = (Groupings.of_columns(chosen, cells.num_rows) for chosen in (crossed, plain))
        return cls(with_value, without_value, np.array(n_columns))

    @property
    def cells_worth_a_sum(self) -> int:
        """How many cells have as many categories as there are in all: summing fewer would be mostly zeros."""
        groupings = (self.with_value, self.without_value)
        return sum(one.n_categories for one in groupings) // sum(len(one.starts) for one in groupings) + 1

    def sums(self, counts: FloatArray, cells: slice = slice(None)) -> Sums:
        """Sum tables (cells x values x tables) over the categories; sums of separate cells may be added up."""
        totals = np.einsum("cvt->ct", counts)  # a sum over the middle axis would take each cell by itself
        return Sums(self.with_value.sums(counts, cells), self.without_value.sums(totals[:, None], cells))

    def distances(self, original: FloatArray, released: FloatArray) -> FloatArray:
        """Total variation distance of each marginal of each released table: marginals x tables.

        The counts of a table, cells x values for ``original`` and cells x values x tables for ``released``, are
        taken as shares of their total; a table without any count has distance 1.
        """
        return self.distances_of_sums(self.sums(original[..., None]), self.sums(released))

    def distances_of_sums(self, original: Sums, released: Sums) -> FloatArray:
        """As :meth:`distances`, from the sums."""
        total_before, total = (
            sums.by_value.sum(axis=(0, 1)) / len(self.with_value.starts) for sums in (original, released)
        )
        divisor = np.where(total > 0, total, 1.0)
        crossed = self.with_value.total_variation(original.by_value / total_before, released.by_value / divisor)
        plain = self.without_value.total_variation(original.in_total / total_before, released.in_total / divisor)
        return np.where(total > 0, np.concatenate([crossed, plain]), 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Groupings:
    """Several ways to put the same cells into categories, numbered on from one to the next.

    Attributes:
        category: the category of each cell; cells x groupings.
        starts: the first category of each grouping.
        n_categories: number of categories of all groupings together.
    """

    category: IntArray
    starts: IntArray
    n_categories: int

    @classmethod
    def of_columns(cls, subsets: Sequence[Sequence[IntArray]], n_cells: int) -> Groupings:
        """Group the cells by each set of columns of codes; no column puts all cells into one category."""
        category = np.empty((n_cells, len(subsets)), dtype=np.int64)
        starts, n_categories = np.empty(len(subsets), dtype=np.int64), 0
        for grouping, subset in enumerate(subsets):
            codes = combination_numbers(subset, n_cells)
            category[:, grouping] = codes + n_categories
            starts[grouping] = n_categories
            n_categories += int(codes.max()) + 1
        return cls(category.astype(np.int32) if n_categories < 2**31 else category, starts, n_categories)

    def sums(self, counts: FloatArray, cells: slice) -> FloatArray:
        """Sum counts (cells x values x tables) over each category."""
        rows = self.category[cells]  # one column of the incidence matrix per cell
        entries = (np.ones(rows.size), rows.ravel(), np.arange(len(rows) + 1) * rows.shape[1])
        incidence = csc_array(entries, shape=(self.n_categories, len(rows)))
        sums = np.asarray(incidence @ counts.reshape(len(rows), -1))
        return sums.reshape(self.n_categories, *counts.shape[1:])

    def total_variation(self, before: FloatArray, after: FloatArray) -> FloatArray:
        """Half the sum of the absolute differences, for each grouping and table."""
        return np.add.reduceat(np.abs(after - before), self.starts, axis=0).sum(axis=1) / 2
