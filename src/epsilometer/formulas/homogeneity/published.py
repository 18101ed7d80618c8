"""Papers 000 and 001 as printed, errors included: for comparison, never for a decision.

The right numbers are in the neighbouring modules. Laplace and Gaussian equations are one expression in the
probabilities that a count vanishes or survives, for the threshold 1/2; where the printed Laplace factor is no
probability, the function says so. Functions of ``sizes`` return the summand of each cell; the papers take the
mean over cells. Functions of ``size_weights``, the law f(0), f(1), ... of the size of a cell, return the printed
sum up to the last weight. The standard deviations (3.8), (3.9), (20), (21) are calibrations of
:class:`~epsilometer.mechanisms.Gaussian`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.homogeneity.publication import surviving_probability, vanishing_probability
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
    from epsilometer.vocabulary.noise import Noise


@source("homogeneity-v1", "Corollary 3.5, Eq. (3.2); Corollary 3.8, Eq. (3.5); Corollary 3.12, Eq. (3.11)")
@source("homogeneity-v2", "Corollary 3, Eq. (18); Corollary 6, Eq. (28)")
def homogeneous(sizes: ArrayLike, n_values: int, noise: Noise) -> FloatArray:
    r"""Probability that a cell with one value is published with that value alone. Right as printed.

    .. math:: (1 - z(n)) z(0)^{K-1}

    with :math:`n` = ``sizes``, :math:`K` = ``n_values``.

    >>> from epsilometer.mechanisms import Laplace
    >>> homogeneous([1, 3], 2, Laplace(epsilon=1.0)).round(6)
    array([0.485439, 0.668139])
    """
    vanish = vanishing_probability(0, noise)[..., None]
    return surviving_probability(sizes, noise) * vanish ** (n_values - 1)


@source("homogeneity-v1", "Theorem 3.4, Eq. (3.1); Theorem 3.7, Eq. (3.4); Theorem 3.10, Eq. (3.7)")
@source("homogeneity-v1", "Theorem 3.11, Eq. (3.10)")
def remains_homogeneous(sizes: ArrayLike, alpha: ArrayLike, noise: Noise) -> FloatArray:
    r"""Probability that a cell has one value and is published with that value alone. Right as printed.

    .. math:: \sum_k \frac{\Gamma(\alpha_.) \Gamma(\alpha_k + n)}{\Gamma(\alpha_. + n) \Gamma(\alpha_k)}
        \, z(0)^{K-1} (1 - z(n))

    with :math:`n` = ``sizes`` and Dirichlet weights :math:`\alpha` = ``alpha`` of the shares. Paper 000 calls
    it the disclosure risk; it is Scenario 1 of paper 001 only. With two values it is the printed Beta form.

    >>> from epsilometer.mechanisms import Laplace
    >>> remains_homogeneous([1, 3], [1.0, 1.0], Laplace(epsilon=1.0)).round(6)
    array([0.485439, 0.334069])
    """
    n, weights = np.asarray(sizes), np.asarray(alpha, dtype=np.float64)
    return _one_value(n, weights).sum(axis=-1) * homogeneous(n, len(weights), noise)


@source("homogeneity-v1", "Corollary 3.6, Eq. (3.3); Corollary 3.9, Eq. (3.6)")
def global_remains_homogeneous_laplace(size_weights: ArrayLike, alpha: ArrayLike, noise: Noise) -> FloatArray:
    r"""Mean of :func:`remains_homogeneous` over a law of the cell size, Laplace noise. Wrong as printed.

    Erratum E7: the sum starts at n = 0, where the printed factor :math:`1 - e^{\varepsilon/2}/2` is no
    probability; the result can be negative. Empty cells carry no risk: the sum should start at n = 1.

    >>> from epsilometer.mechanisms import Laplace
    >>> poisson = np.exp(-1) / np.cumprod([1, *range(1, 40)])
    >>> float(global_remains_homogeneous_laplace(poisson, [1.0, 1.0], Laplace(epsilon=5.0)).round(4))
    -3.0999
    """
    terms = _remains_homogeneous_by_size(size_weights, alpha, noise)
    # for Laplace noise 1 - z(0) = e^(-epsilon/2) / 2, so the printed factor is 1 - 1 / (4 (1 - z(0)))
    survive = surviving_probability(0, noise)
    terms[..., 0] *= (1 - 0.25 / survive) / survive
    return terms.sum(axis=-1)


@source("homogeneity-v1", "Corollary 3.13, Eq. (3.12)")
def global_remains_homogeneous_gaussian(size_weights: ArrayLike, alpha: ArrayLike, noise: Noise) -> FloatArray:
    """Mean of :func:`remains_homogeneous` over a law of the cell size, Gaussian noise. Wrong as printed.

    Erratum E7: the sum starts at n = 0, although empty cells carry no risk.

    >>> from epsilometer.mechanisms import Gaussian
    >>> float(global_remains_homogeneous_gaussian([0.5, 0.5], [1.0, 1.0], Gaussian.with_sigma(2.0)).round(6))
    0.419482
    """
    return _remains_homogeneous_by_size(size_weights, alpha, noise).sum(axis=-1)


@source("homogeneity-v1", "Corollaries 3.6, 3.9 and 3.13, n ~ NegBin(lambda, r)")
def negative_binomial_weights(shape: float, success: float, n_max: int) -> FloatArray:
    r"""Weights of the cell sizes 0 to ``n_max`` that paper 000 prints as negative binomial. Wrong as printed.

    .. math:: \binom{n + \lambda + 1}{n} (1 - r)^n r^\lambda

    with :math:`\lambda` = ``shape``, :math:`r` = ``success``. Erratum E8: the upper entry must be
    :math:`n + \lambda - 1`; as printed the weights sum to :math:`r^{-2}`.

    >>> float(negative_binomial_weights(3.0, 0.4, 200).sum().round(6))
    6.25
    """
    n = np.arange(n_max)
    ratios = (n + shape + 2) / (n + 1) * (1 - success)
    return success**shape * np.concatenate([[1.0], np.cumprod(ratios)])


@source("homogeneity-v1", "Corollary 3.13, n ~ Poisson(lambda)")
def inverse_poisson_weights(rate: float, n_max: int) -> FloatArray:
    r"""Weights of the cell sizes 0 to ``n_max`` that paper 000 prints as Poisson with Gaussian noise.

    .. math:: e^{-\lambda} \lambda^{-n} / n!

    with :math:`\lambda` = ``rate``. Wrong as printed, erratum E9: the exponent must be :math:`n`.

    >>> float(inverse_poisson_weights(2.0, 50).sum().round(4))
    0.2231
    """
    return np.exp(-rate) * np.concatenate([[1.0], np.cumprod(1 / (rate * np.arange(1, n_max + 1)))])


@source("homogeneity-v2", "Theorem 1, Eq. (12); Corollary 2, Eq. (15)")
@source("homogeneity-v2", "Theorem 4, Eq. (22); Corollary 5, Eq. (25)")
def expected(sizes: ArrayLike, shares: ArrayLike, noise: Noise) -> FloatArray:
    r"""Printed bound on the expected risk of a cell whose values are drawn anew. A *lower* bound.

    .. math:: \sum_k p_k^n \, z(0)^{K-1} (1 - z(n))
        + 1_{n \ge 2} \sum_k p_k^{n-1} (1 - p_k) \, (1 - z(n-1)) z(1) z(0)^{K-2}

    with :math:`n` = ``sizes``, :math:`p` = ``shares`` (one row per cell). Erratum E1: printed as an upper bound;
    the number n of ways to be the odd one out and every other mixed cell are missing.

    >>> from epsilometer.mechanisms import Laplace
    >>> float(expected([2], [[0.5, 0.5]], Laplace(epsilon=1.0))[0].round(10))
    0.4151494402
    """
    n, p = np.asarray(sizes)[..., None], np.asarray(shares, dtype=np.float64)
    all_same = (p**n).sum(axis=-1)
    one_differs = (p ** np.maximum(n - 1, 0) * (1 - p)).sum(axis=-1)
    return _two_scenarios(sizes, p.shape[-1], all_same, one_differs, noise)


@source("homogeneity-v2", "Theorem 1, Eq. (13); Corollary 2, Eq. (16)")
@source("homogeneity-v2", "Theorem 4, Eq. (23); Corollary 5, Eq. (26)")
def shrinkage(sizes: ArrayLike, alpha: ArrayLike, noise: Noise) -> FloatArray:
    r"""Mean of :func:`expected` over shares with a Dirichlet law. A *lower* bound, printed as an upper one.

    .. math:: \sum_k \frac{\Gamma(\alpha_.) \Gamma(\alpha_k + n)}{\Gamma(\alpha_. + n) \Gamma(\alpha_k)}
        \, z(0)^{K-1} (1 - z(n))
        + 1_{n \ge 2} \sum_k (\alpha_. - \alpha_k)
        \frac{\Gamma(\alpha_.) \Gamma(\alpha_k + n - 1)}{\Gamma(\alpha_. + n) \Gamma(\alpha_k)}
        \, (1 - z(n-1)) z(1) z(0)^{K-2}

    with :math:`n` = ``sizes``, :math:`\alpha` = ``alpha``. Erratum E1. With two values it is the printed Beta
    form.

    >>> from epsilometer.mechanisms import Laplace
    >>> float(shrinkage([5], [1.0, 1.0, 1.0], Laplace(epsilon=0.1))[0].round(6))
    0.035989
    """
    n, weights = np.asarray(sizes), np.asarray(alpha, dtype=np.float64)
    all_same, one_differs = _one_value(n, weights).sum(axis=-1), _one_differs(n, weights)
    return _two_scenarios(n, len(weights), all_same, one_differs, noise)


@source("homogeneity-v2", "Theorem 1, Eq. (14); Corollary 2, Eq. (17); Theorem 4, Eq. (24)")
def global_shrinkage(size_weights: ArrayLike, alpha: ArrayLike, noise: Noise) -> FloatArray:
    """Mean of :func:`shrinkage` over a law of the cell size, from n = 1. A *lower* bound.

    Errata E1, printed as an upper bound, and E11: the law is not conditioned on n >= 1, although only
    non-empty cells are counted.

    >>> from epsilometer.mechanisms import Laplace
    >>> poisson = np.exp(-3) * np.cumprod([1, *(3 / n for n in range(1, 60))])
    >>> float(global_shrinkage(poisson, [0.7, 1.3, 0.5], Laplace(epsilon=1.0)).round(8))
    0.21192681
    """
    f = np.asarray(size_weights, dtype=np.float64)[1:]
    return shrinkage(np.arange(1, len(f) + 1), alpha, noise) @ f


@source("homogeneity-v2", "Corollary 5, Eq. (27)")
def global_shrinkage_two_values_gaussian(size_weights: ArrayLike, alpha: ArrayLike, noise: Noise) -> FloatArray:
    """Equation (24) for two values as printed once more in Corollary 5. Wrong as printed.

    Erratum E12: the second sum lacks the factor 1 + erf(-1/(2 sqrt(2) sigma)) = 2 z(1). E1 and E11 as well.

    >>> from epsilometer.mechanisms import Gaussian
    >>> poisson = np.exp(-3) * np.cumprod([1, *(3 / n for n in range(1, 60))])
    >>> float(global_shrinkage_two_values_gaussian(poisson, [1.0, 2.0], Gaussian.with_sigma(2.0)).round(7))
    0.3037847
    """
    f = np.asarray(size_weights, dtype=np.float64)[1:]
    sizes = np.arange(1, len(f) + 1)
    first = remains_homogeneous(sizes, alpha, noise)
    second = shrinkage(sizes, alpha, noise) - first
    return (first + second / (2 * vanishing_probability(1, noise)[..., None])) @ f


@source("homogeneity-v2", "Corollary 3, Eq. (19); Corollary 6, Eq. (29)")
def global_homogeneous(size_weights: ArrayLike, noise: Noise) -> FloatArray:
    """Mean of :func:`homogeneous` over a law of the cell size, from n = 1. Wrong as printed.

    Erratum E10: the exponent is that of two values although K is general. Erratum E11: the law is not
    conditioned on n >= 1, so that the result cannot exceed 1 - f(0).

    >>> from epsilometer.mechanisms import Laplace
    >>> poisson = np.exp(-2) * np.cumprod([1, *(2 / n for n in range(1, 60))])
    >>> float(global_homogeneous(poisson, Laplace(epsilon=1.0)).round(6))
    0.517943
    """
    f = np.asarray(size_weights, dtype=np.float64)[1:]
    return homogeneous(np.arange(1, len(f) + 1), 2, noise) @ f


def _two_scenarios(
    sizes: ArrayLike, n_values: int, all_same: FloatArray, one_differs: FloatArray, noise: Noise
) -> FloatArray:
    """Scenario 1, and of Scenario 8 the case that one record differs and vanishes."""
    n = np.asarray(sizes)
    vanish = vanishing_probability(0, noise)[..., None]
    vanish_single = vanishing_probability(1, noise)[..., None]
    majority_survives = np.where(n >= 2, surviving_probability(n - 1, noise), 0.0)  # noqa: PLR2004
    scenario_8 = one_differs * majority_survives * vanish_single * vanish ** (n_values - 2)
    return all_same * homogeneous(n, n_values, noise) + scenario_8


def _remains_homogeneous_by_size(size_weights: ArrayLike, alpha: ArrayLike, noise: Noise) -> FloatArray:
    f = np.asarray(size_weights, dtype=np.float64)
    return f * remains_homogeneous(np.arange(len(f)), alpha, noise)


def _one_value(n: ArrayLike, alpha: FloatArray) -> FloatArray:
    """Probability, for each value, that all n records have it: a product of (alpha_k + i)/(alpha. + i)."""
    at = np.asarray(n)
    i = np.arange(at.max())[:, None]
    products = np.cumprod((alpha + i) / (alpha.sum() + i), axis=0)
    return np.concatenate([np.ones((1, len(alpha))), products])[at]


def _one_differs(n: ArrayLike, alpha: FloatArray) -> FloatArray:
    """Probability that given n - 1 records have one value and the last another, summed over the value."""
    before = np.maximum(np.asarray(n) - 1, 0)
    last = (alpha.sum() - alpha) / (alpha.sum() + before[..., None])
    return (_one_value(before, alpha) * last).sum(axis=-1)
