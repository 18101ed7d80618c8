r"""How far the sensitive values of a cell stray from those of the whole table.

``counts`` and ``n_cells`` are as in :mod:`epsilometer.formulas.anonymity`. Throughout, :math:`q_{ik}` is the
share of value k in cell i and :math:`p_k` its share in the table. Values that no record has play no part in the
ratios q/p.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.vocabulary.long_arrays import of_cells, row_sums, totals_of_values
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray


@source("LiLiVenkatasubramanian2007", "t-closeness with the equal distance")
def t_equal(counts: ArrayLike, n_cells: ArrayLike) -> float:
    r"""How far is the worst cell from the table, all values being equally far apart? Exact.

    .. math:: t = \max_i \tfrac12 \sum_k |q_{ik} - p_k|

    the total variation distance. In [0, 1); larger is riskier.

    >>> t_equal([[4, 0], [0, 4]], [1, 3])
    0.75
    """
    return _of_worst_cell(lambda q, p: 0.5 * np.abs(q - p).sum(axis=1), counts, n_cells)


@source("LiLiVenkatasubramanian2007", "t-closeness with the ordered distance")
def t_ordered(counts: ArrayLike, n_cells: ArrayLike) -> float:
    r"""How far is the worst cell from the table, the columns being steps on a scale? Exact.

    .. math:: t = \max_i \frac{1}{K-1} \sum_{j=1}^{K-1} \Bigl| \sum_{k \le j} (q_{ik} - p_k) \Bigr|

    the earth mover's distance between neighbouring values 1/(K-1) apart. In [0, 1) and never above
    :func:`t_equal`; larger is riskier; 0 for K = 1. It means something only if the columns of ``counts`` are
    in their natural order and about evenly spaced.

    >>> t_ordered([[1, 0, 0], [0, 2, 0], [0, 0, 1]], [1, 1, 1])
    0.5
    """
    steps = max(np.shape(counts)[1] - 1, 1)
    return _of_worst_cell(_moved_over_steps, counts, n_cells) / steps


@source("CaoKarras2012", "basic beta-likeness")
def basic_beta(counts: ArrayLike, n_cells: ArrayLike) -> float:
    r"""By what factor, less one, does the attacker's belief in a value grow at most? Exact.

    .. math:: \beta = \max_i \max_k \frac{q_{ik} - p_k}{p_k}

    From 0 to 1/min p - 1; larger is riskier.

    >>> basic_beta([[4, 0], [0, 4]], [1, 3])
    3.0
    """
    return float(_largest_gains(counts, n_cells)[0].max())


@source("CaoKarras2012", "enhanced beta-likeness")
def enhanced_beta(counts: ArrayLike, n_cells: ArrayLike) -> float:
    r"""As :func:`basic_beta`, where the gain on a frequent value must also stay within its logarithm. Exact.

    .. math:: \frac{q_{ik} - p_k}{p_k} \le \min(\beta, -\ln p_k) \quad \text{for every } i, k

    The smallest such :math:`\beta` is the basic one, or infinity when some gain exceeds :math:`-\ln p_k`, for
    then no :math:`\beta` will do. A homogeneous cell gains :math:`1/p_k - 1 > -\ln p_k` and so always gives
    infinity, unless the table has one value only. Larger is riskier.

    >>> enhanced_beta([[3, 2], [2, 3]], [1, 1]), enhanced_beta([[4, 0], [0, 4]], [1, 3])
    (0.19999999999999996, inf)
    """
    gains, p = _largest_gains(counts, n_cells)
    return float("inf") if (gains > -np.log(p)).any() else float(gains.max())


@source("BrickellShmatikov2008", "delta-disclosure privacy")
def delta_disclosure(counts: ArrayLike, n_cells: ArrayLike) -> float:
    r"""How far does the attacker's belief in any value move, up or down, on the log scale? Exact.

    .. math:: \delta = \max_i \max_k |\ln(q_{ik} / p_k)|

    in natural logarithms; the table is d-disclosure private for every d above it. From 0; larger is riskier;
    infinite when a value of the table is absent from a cell: ruling a value out is knowledge too.

    >>> delta_disclosure([[4, 0], [4, 4]], [1, 1])
    inf
    """
    rarely, at_all = zip(*of_cells(lambda n: (n.min(axis=0), n.max(axis=0)), counts), strict=True)
    everywhere = np.min(rarely, axis=0)[np.max(at_all, axis=0) > 0].all()
    return delta_disclosure_present(counts, n_cells) if everywhere else float("inf")


@source("BrickellShmatikov2008", "delta-disclosure privacy, over the values present in a cell")
def delta_disclosure_present(counts: ArrayLike, n_cells: ArrayLike) -> float:
    """As :func:`delta_disclosure`, leaving out the values that a cell does not have. Exact.

    From 0; larger is riskier. Weaker than the definition, finite for every table, and what other tools report
    under its name.

    >>> round(delta_disclosure_present([[4, 0], [4, 4]], [1, 1]), 6)
    0.405465
    """
    p = _table_shares(counts, n_cells)
    largest, smallest = zip(*of_cells(_extreme_shares, counts), strict=True)
    extremes = np.array([np.max(largest, axis=0), np.min(smallest, axis=0)])  # the others lie between them
    return float(np.abs(np.log(extremes[:, p > 0] / p[p > 0])).max())


def _of_worst_cell(
    distance: Callable[[FloatArray, FloatArray], FloatArray], counts: ArrayLike, n_cells: ArrayLike
) -> float:
    p = _table_shares(counts, n_cells)
    return max(of_cells(lambda n: float(distance(_cell_shares(n), p).max()), counts))


def _moved_over_steps(q: FloatArray, p: FloatArray) -> FloatArray:
    """Shares that have to be moved from each value to the next, added up, for each cell."""
    by_value = (q - p).T[:-1]
    if len(by_value) > len(q):
        return np.abs(np.cumsum(by_value, axis=0)).sum(axis=0)
    # numpy's running sums take five times as long for many short rows
    return sum(map(np.abs, accumulate(by_value)), np.zeros(len(q)))


def _largest_gains(counts: ArrayLike, n_cells: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """How much the belief in each value that occurs grows in the cell where its share is largest, and the values' p."""
    p = _table_shares(counts, n_cells)
    largest = np.max(of_cells(lambda n: _cell_shares(n).max(axis=0), counts), axis=0)
    return (largest[p > 0] - p[p > 0]) / p[p > 0], p[p > 0]


def _extreme_shares(n: IntArray) -> tuple[FloatArray, FloatArray]:
    """Largest and smallest positive share of each value in any of some cells; one where it has none."""
    q = _cell_shares(n)
    return q.max(axis=0), np.where(q > 0, q, 1.0).min(axis=0)


def _table_shares(counts: ArrayLike, n_cells: ArrayLike) -> FloatArray:
    totals = totals_of_values(counts, n_cells)
    return np.asarray(totals / totals.sum())


def _cell_shares(n: IntArray) -> FloatArray:
    """Shares of the values in each cell, one row per count vector."""
    return np.asarray(n / row_sums(n)[:, None])
