"""Risk of the homogeneity attack when even the size of a cell is drawn at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.count_laws import log_poisson
from epsilometer.formulas.homogeneity.alone import product_of_others
from epsilometer.formulas.homogeneity.expected import checked_shares, expected_up_to
from epsilometer.formulas.homogeneity.publication import surviving_probability, vanishing_probability
from epsilometer.formulas.homogeneity.shrinkage import shrinkage_up_to
from epsilometer.formulas.homogeneity.size_laws import (
    Poisson,
    SizeLaw,
    ZeroInflated,
    size_exceeded_with,
)
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.formulas.empirical_bayes import CommonShares, HomogeneousCells
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
    from epsilometer.vocabulary.noise import Noise

_NEGLIGIBLE = 1e-17  # probability of the sizes left out; it is added to the risk


@source("homogeneity-v2", "Definition 10 at fixed shares; Corollaries 3 and 6, Eqs. (19) and (29)")
def global_fixed(shares: ArrayLike, sizes: SizeLaw, noise: Noise) -> FloatArray:
    r"""Mean of the expected risk over the size of the cell, with the same shares for all sizes. Exact.

    .. math:: \tilde\rho^g = \sum_{n \ge 1} f(n) \, \rho^e(n)

    with :math:`f` = ``sizes``. Papers 000 and 001 forget that the cells of a table are not empty (erratum E11):
    ``truncated=False`` in the size law gives their reading.

    >>> from epsilometer.mechanisms import Laplace
    >>> float(global_fixed([0.9, 0.1], Poisson(2.43, truncated=False), Laplace(epsilon=1.0)).round(10))
    0.499264653
    """
    p = checked_shares(shares)
    match sizes:
        case ZeroInflated():
            return sizes.kept * global_fixed(p, sizes.law, noise)
        case Poisson():
            return _thinned(p, sizes, noise)
        case _:
            largest = size_exceeded_with(_NEGLIGIBLE, sizes)
            return _averaged(expected_up_to(largest, p, noise), sizes, noise)


@source("homogeneity-v2", "Definition 10; Theorem 1, Eq. (14), states its first terms as a bound")
def global_shrinkage(alpha: ArrayLike | HomogeneousCells | CommonShares, sizes: SizeLaw, noise: Noise) -> FloatArray:
    r"""Mean of the shrinkage risk over the size of the cell. Exact.

    .. math:: \rho^g = \sum_{n \ge 1} f(n) \, \rho^s(n)

    with :math:`f` = ``sizes``. The sizes that are left out have a probability of at most 1e-17, and count as
    disclosed.

    >>> from epsilometer.mechanisms import Laplace
    >>> float(global_shrinkage([1.0, 1.0, 1.0], Poisson(3.0), Laplace(epsilon=1.0)).round(10))
    0.2832635233
    """
    largest = size_exceeded_with(_NEGLIGIBLE, sizes)
    return _averaged(shrinkage_up_to(largest, alpha, noise), sizes, noise)


def _averaged(risks: FloatArray, sizes: SizeLaw, noise: Noise) -> FloatArray:
    n = np.arange(1, risks.shape[1] + 1)
    mean = risks @ sizes.probability(n) + sizes.probability_above(len(n))
    return mean.reshape(vanishing_probability(0, noise).shape)


@source("kingman-1993", "colouring theorem")
def _thinned(shares: FloatArray, sizes: Poisson, noise: Noise) -> FloatArray:
    """Poisson sizes make the counts of the values independent: the risk is a sum of products."""
    largest = size_exceeded_with(_NEGLIGIBLE * sizes.nonempty, Poisson(sizes.rate, truncated=False))
    c = np.arange(largest + 1)
    weights = np.exp(log_poisson(c, sizes.positive_rate * shares[:, None]))
    vanish = vanishing_probability(c, noise) @ weights.T
    survive = surviving_probability(c[1:], noise) @ weights[:, 1:].T
    risk: FloatArray = (survive * product_of_others(vanish)).sum(axis=-1)
    return risk / (sizes.nonempty if sizes.truncated else 1.0)
