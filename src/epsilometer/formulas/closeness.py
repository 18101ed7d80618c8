r"""How far the sensitive values of a cell stray from those of the whole table.

``counts`` and ``n_cells`` are as in :mod:`epsilometer.formulas.anonymity`. Throughout, :math:`q_{ik}` is the
share of value k in cell i and :math:`p_k` its share in the table. Values that no record has play no part in the
ratios q/p.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray


@source("LiLiVenkatasubramanian2007", "t-closeness with the equal distance")
def t_equal(counts: ArrayLike, n_cells: ArrayLike) -> float:
    r"""How far is the worst cell from the table, all values being equally far apart? Exact.

    .. math:: t = \max_i \tfrac12 \sum_k |q_{ik} - p_k|

    the total variation distance. In [0, 1); larger is riskier.

    >>> t_equal([[4, 0], [0, 4]], [1, 3])
    0.75
    """
    q, p = _shares(counts, n_cells)
    return float(0.5 * np.abs(q - p).sum(axis=1).max())


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
    q, p = _shares(counts, n_cells)
    steps = max(q.shape[1] - 1, 1)
    moved = np.cumsum(q - p, axis=1)[:, :-1]
    return float(np.abs(moved).sum(axis=1).max() / steps)


@source("CaoKarras2012", "basic beta-likeness")
def basic_beta(counts: ArrayLike, n_cells: ArrayLike) -> float:
    r"""By what factor, less one, does the attacker's belief in a value grow at most? Exact.

    .. math:: \beta = \max_i \max_k \frac{q_{ik} - p_k}{p_k}

    From 0 to 1/min p - 1; larger is riskier.

    >>> basic_beta([[4, 0], [0, 4]], [1, 3])
    3.0
    """
    return float(_largest_gains(*_occurring_shares(counts, n_cells)).max())


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
    q, p = _occurring_shares(counts, n_cells)
    gains = _largest_gains(q, p)
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
    q, _ = _occurring_shares(counts, n_cells)
    return delta_disclosure_present(counts, n_cells) if q.all() else float("inf")


@source("BrickellShmatikov2008", "delta-disclosure privacy, over the values present in a cell")
def delta_disclosure_present(counts: ArrayLike, n_cells: ArrayLike) -> float:
    """As :func:`delta_disclosure`, leaving out the values that a cell does not have. Exact.

    From 0; larger is riskier. Weaker than the definition, finite for every table, and what other tools report
    under its name.

    >>> round(delta_disclosure_present([[4, 0], [4, 4]], [1, 1]), 6)
    0.405465
    """
    q, p = _occurring_shares(counts, n_cells)
    largest, smallest = q.max(axis=0), np.where(q > 0, q, 1.0).min(axis=0)  # further ones lie between them
    return float(np.abs(np.log(np.array([largest, smallest]) / p)).max())


def _shares(counts: ArrayLike, n_cells: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Shares of the values in each cell, one row per count vector, and in the table."""
    n = np.asarray(counts)
    totals = np.asarray(n_cells) @ n
    # numpy's own sum along short rows takes five times as long
    return n / np.einsum("ij->i", n)[:, None], totals / totals.sum()


def _occurring_shares(counts: ArrayLike, n_cells: ArrayLike) -> tuple[FloatArray, FloatArray]:
    q, p = _shares(counts, n_cells)
    return (q, p) if p.all() else (q[:, p > 0], p[p > 0])


def _largest_gains(q: FloatArray, p: FloatArray) -> FloatArray:
    """How much the belief in each value grows in the cell where its share is largest."""
    return np.asarray((q.max(axis=0) - p) / p)
