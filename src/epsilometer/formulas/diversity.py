"""How many sensitive values a cell offers the attacker to choose from: three readings of l-diversity.

``counts`` is as in :mod:`epsilometer.formulas.anonymity`. Only which count vectors occur matters here, not in
how many cells: each measure is that of the worst cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.vocabulary.long_arrays import of_cells, row_sums
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, IntArray


@source("MachanavajjhalaEtAl2007", "distinct l-diversity")
def distinct_l(counts: ArrayLike) -> int:
    r"""How many sensitive values has the poorest cell? Exact.

    .. math:: l = \min_i |\{k : n_{ik} > 0\}|

    From 1 (some cell is homogeneous) to K; larger is safer. Blind to how uneven the values are.

    >>> distinct_l([[99, 1, 0], [2, 2, 2]])
    2
    """
    return min(of_cells(lambda n: int(np.count_nonzero(n, axis=1).min()), counts))


@source("MachanavajjhalaEtAl2007", "entropy l-diversity")
def entropy_l(counts: ArrayLike) -> float:
    r"""How many equally frequent values would leave the attacker as unsure as the worst cell does? Exact.

    .. math:: l = \min_i \exp\Bigl(-\sum_k q_{ik} \ln q_{ik}\Bigr), \quad q_{ik} = n_{ik} / n_i

    From 1 to K and never above :func:`distinct_l`; larger is safer. A real number: the table is entropy
    l-diverse for every l up to it, and the whole-number reading is the one below. Mind the last digit when
    rounding down: three equally frequent values may give 2.9999999999999996.

    >>> round(entropy_l([[9, 1], [1, 1]]), 6)
    1.384145
    """

    def least_entropy(n: IntArray) -> float:
        shares = n / row_sums(n)[:, None]
        return float(-np.einsum("ij,ij->i", shares, np.log(np.where(shares > 0, shares, 1.0))).max())

    return float(np.exp(min(of_cells(least_entropy, counts))))


@source("MachanavajjhalaEtAl2007", "recursive (c, l)-diversity")
def recursive_c(counts: ArrayLike, *, level: int) -> float:
    r"""How far does the most frequent value outweigh the rare ones in the worst cell? Exact.

    .. math:: c = \max_i \frac{r_{i1}}{r_{il} + \dots + r_{iK}}

    with :math:`r_{i1} \ge r_{i2} \ge \dots` the counts of cell i in falling order and :math:`l` = ``level``.
    The table is recursive (c', l)-diverse for every c' > c. Larger is riskier; infinite when some cell has
    fewer than l values, for then no c' exists.

    >>> recursive_c([[9, 1], [2, 2]], level=2), recursive_c([[9, 1], [2, 0]], level=2)
    (9.0, inf)
    """
    if level < 1:
        raise OutOfRange("level", level, "{1, 2, ...}", hint="It counts sensitive values.")

    def of_worst_cell(n: IntArray) -> float:
        largest = n.max(axis=1)
        rare = row_sums(n) - _sum_of_largest(n, level - 1)
        return float((largest / rare).max()) if rare.all() else float("inf")

    return max(of_cells(of_worst_cell, counts))


def _sum_of_largest(n: IntArray, how_many: int) -> IntArray:
    """Add up the largest counts of each row. One is what is mostly asked for."""
    if how_many <= 1:
        return how_many * n.max(axis=1)
    return row_sums(np.partition(n, -min(how_many, n.shape[1]), axis=1)[:, -how_many:])
