"""The profile: which count vectors occur in a table, and in how many cells."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.errors import BadCounts
from epsilometer.vocabulary.distinct_rows import distinct_rows
from epsilometer.vocabulary.long_arrays import histogram, of_cells, row_sums, totals_of_values

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray

LARGEST_COUNT = 2**53  # beyond this a count is no longer an exact double


@dataclass(frozen=True, eq=False)
class Profile:
    """Distinct count vectors with the number of cells that have each.

    The profile is the sufficient statistic of every counting attack: two tables with the same profile
    suffer the same risks. Columns keep the meaning of the sensitive values, so that measures that look at
    the overall shares (t-closeness, the modal guess) can be read off it too.

    Attributes:
        counts: whole numbers, one row per distinct count vector, one column per sensitive value; every row
            has at least one record. Where there are more rows than columns they are kept column by column: sums
            and maxima of millions of short rows then run at the speed of memory, where row by row numpy takes
            ten to forty times as long.
        n_cells: number of cells with that count vector.
        values: what the columns of ``counts`` stand for.
    """

    counts: IntArray
    n_cells: IntArray
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        along = np.asfortranarray if len(self.counts) > self.counts.shape[1] else np.ascontiguousarray
        object.__setattr__(self, "counts", _frozen(along(self.counts)))
        object.__setattr__(self, "n_cells", _frozen(self.n_cells))

    @classmethod
    def from_counts(cls, counts: ArrayLike, values: tuple[str, ...] | None = None) -> Profile:
        """Group the rows of a cells x values array; cells without records are left out.

        >>> Profile.from_counts([[3, 0], [2, 1], [3, 0]]).n_cells
        array([1, 2])
        """
        checked = whole_counts(counts)
        occupied = row_sums(checked) > 0
        if not occupied.any():
            raise BadCounts("counts has no record in any cell. Give at least one positive count.")
        distinct, n_cells = distinct_rows(checked if occupied.all() else checked[occupied])
        labels = values or tuple(f"value {k + 1}" for k in range(checked.shape[1]))
        if len(labels) != checked.shape[1]:
            raise BadCounts(f"counts has {checked.shape[1]} columns, got {len(labels)} value labels.")
        return cls(distinct, n_cells, labels)

    @cached_property
    def sizes(self) -> IntArray:
        """Records per cell, for each distinct count vector."""
        return _frozen(row_sums(self.counts))

    @cached_property
    def largest_size(self) -> int:
        """Records in the largest cell."""
        return max(of_cells(lambda n: int(row_sums(n).max()), self.counts))

    @cached_property
    def cells_of_sizes(self) -> tuple[IntArray, IntArray]:
        """Different sizes of cells, and the number of cells of each."""
        sizes, n_cells = histogram(row_sums, self.largest_size, self.counts, self.n_cells)
        return _frozen(sizes), _frozen(n_cells.astype(np.int64))

    @cached_property
    def total_cells(self) -> int:
        """Number of non-empty cells M."""
        return int(self.n_cells.sum())

    @property
    def total_records(self) -> int:
        """Number of records n."""
        return int(self.totals.sum())

    @property
    def n_values(self) -> int:
        """Number of sensitive values K."""
        return int(self.counts.shape[1])

    @cached_property
    def totals(self) -> IntArray:
        """Records in the table with each sensitive value."""
        return _frozen(totals_of_values(self.counts, self.n_cells))

    @property
    def shares(self) -> FloatArray:
        """Overall share of each sensitive value in the table."""
        return np.asarray(self.totals / self.totals.sum(), dtype=np.float64)

    def plot(self) -> alt.VConcatChart:
        """Draw the sizes of the cells, how many values they mix, and how common each value is."""
        from epsilometer.charts.profile import draw_profile

        return draw_profile(self)


def _frozen(numbers: IntArray) -> IntArray:
    """Return a view that nobody can change anything through."""
    view = numbers.view()
    view.setflags(write=False)
    return view


def whole_counts(counts: ArrayLike) -> IntArray:
    """Return ``counts`` as a cells x values array of whole numbers, itself if it is one, or say why it is not."""
    try:
        given = np.asarray(counts)
        is_whole = given.dtype.kind in "iu"
        array = given if is_whole else given.astype(np.float64)
    except (TypeError, ValueError):
        raise BadCounts(
            "counts must be a rectangular array of numbers, one row per cell; rows differ in length or hold text."
        ) from None
    if array.ndim != 2 or 0 in array.shape:  # noqa: PLR2004
        raise BadCounts(f"counts must have one row per cell and one column per value, got shape {array.shape}.")
    if is_whole and all(of_cells(lambda n: bool(n.min() >= 0 and n.max() <= LARGEST_COUNT), array)):
        return array.astype(np.int64, copy=False)
    for wrong, problem in (
        (~np.isfinite(array), "must be finite"),
        (array < 0, "must not be negative"),
        (array != np.floor(array), "must be whole numbers"),
        (array > LARGEST_COUNT, f"must not exceed {LARGEST_COUNT}"),
    ):
        if wrong.any():
            row, column = np.argwhere(wrong)[0]
            raise BadCounts(f"counts {problem}, got {array[row, column]} in row {row}, column {column}.")
    return array.astype(np.int64)
