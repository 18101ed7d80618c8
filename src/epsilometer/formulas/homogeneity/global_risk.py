"""Risk of the homogeneity attack when even the size of a cell is drawn at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammainccinv, gammaincinv

from epsilometer.formulas.count_laws import log_poisson
from epsilometer.formulas.empirical_bayes import CommonShares
from epsilometer.formulas.homogeneity.equal_counts import product_of_other_values
from epsilometer.formulas.homogeneity.expected import checked_shares
from epsilometer.formulas.homogeneity.publication import surviving_probability, vanishing_probability
from epsilometer.formulas.homogeneity.shrinkage import shrinkage
from epsilometer.formulas.homogeneity.size_laws import (
    NegativeBinomial,
    Poisson,
    SizeLaw,
    ZeroInflated,
    size_exceeded_with,
)
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.formulas.empirical_bayes import HomogeneousCells
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
    from epsilometer.vocabulary.noise import Noise

_NEGLIGIBLE = 1e-17  # probability of the sizes left out; it is added to the risk
_FIRST_STEP = 0.4  # of log x, in widths of its law
_AGREEMENT = 1e-9
_PARTS = 8  # into which the rates are divided at least: small ones need not be summed as far as large ones
_WORKING_SET = 2**17  # numbers per intermediate array: fits a cache


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
            risk = _thinned(np.array([sizes.positive_rate]), p, noise)[0]
        case _:
            risk = _of_random_rate(sizes, p, noise)
    return risk / (sizes.nonempty if sizes.truncated else 1.0)


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
    if isinstance(alpha, CommonShares):
        return global_fixed(alpha.shares, sizes, noise)
    n = np.arange(1, size_exceeded_with(_NEGLIGIBLE, sizes) + 1)
    risks: FloatArray = shrinkage(n, alpha, noise) @ sizes.probability(n)
    return risks + sizes.probability_above(len(n))


@source("kingman-1993", "colouring theorem")
def _thinned(rates: FloatArray, shares: FloatArray, noise: Noise) -> FloatArray:
    """Risk for Poisson sizes, one row per rate; they make the counts independent: the risk is a sum of products."""
    negligible = _NEGLIGIBLE * min(1.0, float(rates.min())) / len(shares)
    c = np.arange(size_exceeded_with(negligible, Poisson(float(rates.max() * shares.max()), truncated=False)) + 1)
    distinct, n_values = np.unique(shares, return_counts=True)
    weights = np.exp(log_poisson(c, rates[:, None, None] * distinct[:, None]))  # rates x shares x counts
    vanish = np.tensordot(weights, vanishing_probability(c, noise), (-1, -1))
    survive = np.tensordot(weights[:, :, 1:], surviving_probability(c[1:], noise), (-1, -1))
    of_each = n_values.reshape(-1, *[1] * (vanish.ndim - 2))
    return np.asarray((of_each * survive * product_of_other_values(vanish, of_each, axis=1)).sum(axis=1))


@source("johnson-kemp-kotz-2005", "Chapter 5: the negative binomial law as a gamma mixture of Poisson laws")
def _of_random_rate(sizes: NegativeBinomial, shares: FloatArray, noise: Noise) -> FloatArray:
    r"""Risk for negative binomial sizes: they are Poisson, with a rate that is gamma distributed.

    .. math:: \int_0^\infty \frac{x^{r-1} e^{-x}}{\Gamma(r)} \, \rho\Big(\frac{1-p}{p} x\Big) \, dx

    by the trapezoidal rule in log x. The integrand is smooth and falls off fast on both sides (as a rate tends to zero
    so does the risk of its cells, most of which are empty), so that halving the step doubles the number of right
    digits: of two steps that agree to nine, the second has them all.
    """
    scale = (1 - sizes.p) / sizes.p
    first = np.log(gammaincinv(sizes.r + 1, _NEGLIGIBLE / max(1.0, sizes.r * scale)))
    last = np.log(gammainccinv(sizes.r, _NEGLIGIBLE))

    def mean_at(log_x: FloatArray) -> FloatArray:
        x = np.exp(log_x)
        density = sizes.r * np.exp(log_poisson(sizes.r, x))
        n_parts = min(len(x), _PARTS + int(len(x) * len(shares) * scale * x[-1] * shares.max() / _WORKING_SET))
        parts = np.array_split(np.arange(len(x)), n_parts)
        return np.sum([density[part] @ _thinned(scale * x[part], shares, noise) for part in parts], axis=0)

    step = _FIRST_STEP / np.sqrt(1 + sizes.r)
    mean = step * mean_at(np.arange(first, last, step))
    while True:
        before, mean = mean, (mean + step * mean_at(np.arange(first + step / 2, last, step))) / 2
        if (np.abs(mean - before) <= _AGREEMENT * mean + _NEGLIGIBLE).all():
            return mean + 2 * _NEGLIGIBLE
        step /= 2
