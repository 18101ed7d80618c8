"""How often a cell published with one value tells the truth about a member picked at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.formulas.homogeneity.fates import fates_of, lone_sum
from epsilometer.formulas.homogeneity.totals import sum_of_parts, weighted_sum
from epsilometer.vocabulary.long_arrays import row_sums

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray
    from epsilometer.vocabulary.noise import Noise


def any_alone(counts: ArrayLike, noise: Noise) -> FloatArray:
    r"""Probability that a cell is published with a single value, present in it or not. Exact.

    .. math:: \sum_k (1 - z(n_k)) \prod_{j \ne k} z(n_j)

    >>> from epsilometer.mechanisms import Laplace
    >>> float(any_alone([3, 0], Laplace(epsilon=1.0)).round(6))
    0.680586
    """
    fates, place = fates_of(counts, noise)
    return lone_sum(place, fates.vanish, fates.survive)


def precision(counts: ArrayLike, n_cells: ArrayLike, noise: Noise, empty_cells: int = 0) -> FloatArray:
    r"""Share of the cells published with one value that is true of a member picked at random.

    .. math:: \sum_i w_i \sum_k \frac{n_{ik}}{n_i} a_{ik}
        \Big/ \Big( \sum_i w_i \sum_k a_{ik} + m \sum_k a_{0k} \Big)

    with :math:`w_i` = ``n_cells``, :math:`m` = ``empty_cells`` and :math:`a_{ik}` the probability that cell i
    shows value k alone (:math:`a_{0k}`: a cell without records). A ratio of two exact expected numbers of
    cells, hence the share in the long run. A release over a declared domain publishes its empty cells too,
    and a truth about nobody counts as false. Where no cell is ever published with one value it is NaN.

    >>> from epsilometer.mechanisms import Laplace
    >>> float(precision([[3, 0], [2, 1]], [1, 1], Laplace(epsilon=1.0), empty_cells=5).round(6))
    0.278177
    """
    if empty_cells < 0:
        raise OutOfRange("empty_cells", empty_cells, "[0, inf)", hint="It is a number of cells.")
    n = np.asarray(counts)

    def totals(some: IntArray, weights: FloatArray, known: Noise) -> FloatArray:
        fates, place = fates_of(some, known)
        people, shown = (lone_sum(place, fates.vanish, gain) for gain in (fates.people, fates.survive))
        return np.stack([weighted_sum(people, weights / row_sums(some)), weighted_sum(shown, weights)])

    true_cells, shown_cells = sum_of_parts(totals, n, n_cells, noise)
    shown_cells = shown_cells + empty_cells * any_alone(np.zeros(n.shape[-1]), noise)
    undefined = np.full_like(shown_cells, np.nan)
    return np.divide(true_cells, shown_cells, out=undefined, where=shown_cells > 0)
