"""DPCube: boxes of cells that look alike under noise are counted again, each as one."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from epsilometer.synthesizers.budget import noise_scale
from epsilometer.synthesizers.histogram import HistogramModel, check_size, model_from_noisy
from epsilometer.vocabulary.source import source
from epsilometer.vocabulary.spending import Spending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from epsilometer.synthesizers.budget import Budget
    from epsilometer.synthesizers.coded import CodedTable
    from epsilometer.synthesizers.noise import Noise
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

MOST_BOXES = 2**12
"""Boxes that are made at most: each is looked at once in Python, those with most to gain first."""


class PartitionSynthesizer:
    """Count cells, cut the table into boxes of like cells, count the boxes, and sample cells in proportion.

    Guarantee: epsilon, without delta. Half of the budget goes into the counts of all cells, half into the counts of
    the boxes: a record is in one cell and in one box, so that each look has sensitivity 1. The boxes are found from
    noisy counts alone and cost nothing. Both looks at a box are weighed by their precision, and the result is spread
    evenly over its cells.
    """

    name: ClassVar[str] = "dpcube"
    summary: ClassVar[str] = "counts boxes of like cells, found under noise; for few columns with even stretches"
    needs_delta: ClassVar[bool] = False

    def fit(self, table: CodedTable, budget: Budget, noise: Noise) -> HistogramModel:
        check_size(table)
        for_cells, for_boxes = budget.parts(1, 1)
        counts = table.counts(range(len(table.columns)))
        cell_scale, box_scale = (noise_scale(1, part.epsilon) for part in (for_cells, for_boxes))
        cells = noise.whole(counts, cell_scale)
        box = boxes(cells, [column.ordered for column in table.columns], geometric_variance(cell_scale))
        fresh = noise.whole(_sums(counts, box), box_scale)
        return model_from_noisy(
            spread(cells, fresh, box),
            (
                Spending("counts of all cells", for_cells.epsilon, noise=f"geometric, scale {cell_scale:g}"),
                Spending("counts of the boxes", for_boxes.epsilon, noise=f"geometric, scale {box_scale:g}"),
            ),
        )


def _sums(counts: IntArray, box: IntArray) -> IntArray:
    """Total of each box."""
    return np.bincount(box.ravel(), weights=counts.ravel()).astype(np.int64)


@source("xiao-2014", "Section 4")
def spread(cells: IntArray, fresh: IntArray, box: IntArray) -> FloatArray:
    r"""Best estimate of each count in boxes of equal cells, from noisy counts of cells and boxes. Exact.

    Both looks have noise of one variance v, so that the total of the m noisy cells of a box has variance m v and the
    fresh count of the box has v. Weighed by the inverse, and divided by m:

    .. math:: x = \frac{y_1 + m y_2}{m (m + 1)}

    with :math:`y_1` the total of ``cells`` in the box, :math:`y_2` = ``fresh``; ``box`` numbers the box of each cell.

    >>> spread(np.array([3, 5, 9]), np.array([5, 11]), np.array([0, 0, 1]))
    array([ 3.,  3., 10.])
    """
    n_cells = np.bincount(box.ravel())
    return ((_sums(cells, box) + n_cells * fresh) / (n_cells * (n_cells + 1)))[box]


def geometric_variance(scale: float) -> float:
    """Variance of two-sided geometric noise.

    >>> round(geometric_variance(10.0), 3)
    199.833
    """
    return 2 * math.exp(-1 / scale) / math.expm1(-1 / scale) ** 2


@source("xiao-2014", "Section 4")
def boxes(cells: IntArray, ordered: Sequence[bool], variance: float) -> IntArray:
    """Number the box of each cell: a box is cut in two while noise of this variance does not explain its differences.

    Of the boxes that may be cut, the one that gains most comes first, until there are ``MOST_BOXES``. When to stop
    cutting is a choice of this package, see ``cut_beyond_noise``; the paper takes a threshold instead.

    >>> boxes(np.array([10, 11, 10, 30, 31]), [True], variance=1.0)
    array([0, 0, 0, 1, 1])
    """
    box = np.zeros(cells.shape, dtype=np.int64)
    n_boxes = 1
    caution = 2 * math.log(cells.size)
    waiting: list[tuple[float, int, tuple[IntArray, ...], Cut]] = []

    def consider(codes: tuple[IntArray, ...], number: int) -> None:
        cut = cut_beyond_noise(cells[np.ix_(*codes)], ordered, variance, caution)
        if cut is not None:
            heapq.heappush(waiting, (-cut.gain, number, codes, cut))

    consider(tuple(np.arange(size) for size in cells.shape), 0)
    while waiting and n_boxes < MOST_BOXES:
        _, number, codes, cut = heapq.heappop(waiting)
        first, second = (
            (*codes[: cut.axis], codes[cut.axis][side], *codes[cut.axis + 1 :]) for side in (cut.first, ~cut.first)
        )
        box[np.ix_(*second)] = n_boxes
        consider(first, number)
        consider(second, n_boxes)
        n_boxes += 1
    return box


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """How a box is cut in two, and by how much that reduces the squared differences from the mean of a box.

    Attributes:
        gain: the reduction.
        axis: the column.
        first: whether each code of the box in that column is in the first part.
    """

    gain: float
    axis: int
    first: NDArray[np.bool_]


def cut_beyond_noise(cells: IntArray, ordered: Sequence[bool], variance: float, caution: float) -> Cut | None:
    r"""Cut of a box with most gain, unless noise of variance v alone would differ as much.

    Under noise alone a given cut gains v on average, and the squared differences of n cells from their mean add up
    to (n - 1) v, with a variance of about 5 n v^2 as for Laplace noise. A box is cut if its best cut gains more than
    ``caution`` times v, or if the sum exceeds its mean by the root of ``caution`` standard deviations: the first
    sees what a straight cut divides, the second also what none does, such as a diagonal.
    """
    n = cells.size
    if n == 1:
        return None
    cut = best_cut(cells.astype(np.float64), ordered)
    explained = variance * (n - 1 + math.sqrt(caution * 5 * n))
    return cut if cut.gain > caution * variance or n * cells.var() > explained else None


def best_cut(cells: FloatArray, ordered: Sequence[bool]) -> Cut:
    """Cut of a box with most gain: an ordered column anywhere, an unordered one into one value and all others.

    The code of missing values stands last in an ordered column, where one cut is enough to set it apart.

    >>> best_cut(np.array([[1.0, 9.0, 1.0], [1.0, 9.0, 1.0]]), [True, False])
    Cut(gain=85.3..., axis=1, first=array([False,  True, False]))
    """
    n, total = cells.size, cells.sum()
    cuts = []
    for axis, size in enumerate(cells.shape):
        if size == 1:
            continue
        sums = cells.sum(axis=tuple(other for other in range(cells.ndim) if other != axis))
        in_first = np.cumsum(sums)[:-1] if ordered[axis] else sums
        n_first = n / size * (np.arange(1, size) if ordered[axis] else np.ones(size))
        gains = (n * in_first - n_first * total) ** 2 / (n * n_first * (n - n_first))
        best = int(np.argmax(gains))
        first = np.arange(size) <= best if ordered[axis] else np.arange(size) == best
        cuts.append(Cut(float(gains[best]), axis, first))
    return max(cuts, key=lambda cut: cut.gain)
