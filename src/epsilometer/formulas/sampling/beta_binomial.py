r"""How far a beta-binomial count X is from a good guess of it, on average.

X counts the successes in N trials whose common probability has a Beta(a, b) law; ``trials`` N is a number, ``a``
and ``b`` are arrays, one entry per law. Everything rests on one exact identity, which needs no sum:

.. math:: \sum_{x \le c} (\mu - x) \Pr(x) = \frac{(N-c)(c+a)}{a+b} \Pr(c), \qquad \mu = \frac{Na}{a+b}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.count_laws import log_binomial, log_negative_binomial
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray

CENTRAL_ERROR = 0.03  # measured: at most 0.017 for s of 30 .. 150,000 and N / (a + b) of 0.01 .. 10,000
ENOUGH_DRAWS = 40  # exp(-40) is negligible
_LARGEST_RATIO = 1 - 2.0**-40  # a tiny a + b would round it to one
_NEGLIGIBLE = 1e-17  # terms below this share of their sum do not change it
_CLOSE_ENOUGH = 1e-5  # the probability between guess and median below which the local parabola is exact to 1e-15


@source("johnson-kemp-kotz-2005", "Chapter 6: the beta-binomial law")
def log_beta_binomial(count: FloatArray, trials: float, a: float | FloatArray, b: float | FloatArray) -> FloatArray:
    r"""Natural logarithm of the probability of ``count`` successes. Exact; N, a and b are positive.

    .. math:: \Pr(c) = \binom{N}{c} \frac{(a)_c (b)_{N-c}}{(a+b)_N}
        = \frac{\mathrm{NB}_a(c) \, \mathrm{NB}_b(N-c)}{\mathrm{NB}_{a+b}(N)}

    with :math:`\mathrm{NB}_a` the negative binomial law of shape a and any ratio; the ratio N / (N + a + b) puts
    all three at their means, where rounding is smallest.

    >>> np.exp(log_beta_binomial(np.arange(3.0), 2, 1.0, 1.0)).round(12)
    array([0.33333333, 0.33333333, 0.33333333])
    """
    shape = a + b
    ratio = np.minimum(trials / (trials + shape), _LARGEST_RATIO)
    log_first, log_second = log_negative_binomial(count, a, ratio), log_negative_binomial(trials - count, b, ratio)
    log_both: FloatArray = log_first + log_second - log_negative_binomial(trials, shape, ratio)
    return log_both


def variance(trials: float, a: float | FloatArray, b: float | FloatArray) -> FloatArray:
    """Variance of X.

    >>> round(float(variance(2, 1.0, 1.0)), 12)
    0.666666666667
    """
    both = a + b
    return np.asarray(trials * (a / both) * (b / both) * (trials + both) / (both + 1))


def ripple(trials: float, a: FloatArray, b: FloatArray) -> FloatArray:
    """How much a deviation owes to the place of its mean or median between two whole numbers, at most.

    E|X - c| over whole c follows a smooth curve of curvature 2 Pr(c); its least value over whole numbers is above
    that over all numbers by up to Pr(c) / 4, and so is the straight line between two whole numbers above the curve.
    Pr(c) times the standard deviation is taken as 1/2 at most: it is 0.4 for a normal law.

    >>> bool(ripple(100, np.array([1.0]), np.array([1.0]))[0] > 1 / 101 / 4)
    True
    """
    return 0.125 / np.sqrt(variance(trials, a, b))


@source("gonze-2023", "Definition 3.4.4: the loss of a guess, here the mean")
def mean_deviation(trials: float, a: FloatArray, b: FloatArray) -> FloatArray:
    r"""Mean distance :math:`E|X - \mu|` from the mean. Exact, the identity of the module at c = floor(mu).

    >>> mean_deviation(2, np.array([1.0]), np.array([1.0])).round(12)
    array([0.66666667])
    """
    c = np.floor(_mean(trials, a, b))
    return 2 * _shortfall(c, trials, a, b, np.exp(log_beta_binomial(c, trials, a, b)))


@source("johnson-kemp-kotz-2005", "Chapter 3: De Moivre's mean deviation of the binomial law")
def binomial_mean_deviation(trials: float, probability: float) -> float:
    r"""Mean distance from the mean for a known probability: the limit of :func:`mean_deviation`. Exact.

    .. math:: E|X - Np| = 2 (N-c) p \Pr(c), \qquad c = \lfloor Np \rfloor

    >>> round(binomial_mean_deviation(4, 0.5), 12)
    0.75
    """
    c = np.floor(trials * probability)
    return float(2 * (trials - c) * probability * np.exp(log_binomial(c, trials, probability)))


@source("gonze-2023", "Definition 3.4.4: the loss of the best guess, the median")
def median_deviation(trials: float, a: FloatArray, b: FloatArray) -> FloatArray:
    r"""Mean distance :math:`E|X - c|` from the median c. Exact.

    .. math:: E|X - c| = (c - \mu)(2F(c) - 1) + 2 \frac{(N-c)(c+a)}{a+b} \Pr(c), \qquad F(c) = \Pr(X \le c)

    The guess starts at :func:`_near_median` and moves by Newton's step until the median is there, or so near that
    what is left to gain is known: one step up changes :math:`E|X - c|` by :math:`2F(c) - 1`, and F grows by
    :math:`\Pr(c)` from step to step, so k steps change it by :math:`k(2F(c)-1) + k(k-1)\Pr(c)`. F takes as many
    terms as the hypergeometric count of :func:`_cdf_by_draws` has in nine standard deviations, or, for a below
    ``ENOUGH_DRAWS`` and not whole, as X has up to c. Holds for a + b > 2/3, as it is after one observation.

    >>> median_deviation(1, np.array([1.0, 2.0]), np.array([1.0, 1.0])).round(12)
    array([0.5       , 0.33333333])
    """
    deviation, left = np.empty(len(a)), np.arange(len(a))
    guess = np.clip(np.ceil(_near_median(trials, a, b) - 0.5), 0, trials)
    while left.size:
        c, shape = guess[left], (a[left], b[left])
        probability = np.exp(log_beta_binomial(c, trials, *shape))
        excess = _cdf(c, trials, *shape, probability) - 0.5
        steps = np.floor(1 - excess / probability)
        change = steps * (2 * excess + (steps - 1) * probability)
        halved = (c - _mean(trials, *shape)) * excess + _shortfall(c, trials, *shape, probability)
        deviation[left] = 2 * halved + change
        guess[left] = np.clip(c + steps, 0, trials)
        left = left[(steps != 0) & (np.abs(excess) > _CLOSE_ENOUGH)]
    return deviation


@source("johnson-kemp-kotz-2005", "Chapter 6: Peizer's normal approximation of hypergeometric tails")
def central_median_deviation(trials: float, a: FloatArray, b: FloatArray) -> FloatArray:
    """:func:`median_deviation` without a sum, an approximation for laws that are close to normal.

    F(c) - 1/2 is taken as Pr(c) times the distance of c + 1/2 from :func:`_near_median`. With s the smallest of
    a, b and the means of X and N - X, the relative error is at most ``CENTRAL_ERROR / s**2``: the order is that of
    the first neglected term, the factor was measured against :func:`median_deviation` and nearly doubled.

    >>> a, b = np.array([2000.0]), np.array([3000.0])
    >>> bool(abs(central_median_deviation(9000, a, b) / median_deviation(9000, a, b) - 1) < CENTRAL_ERROR / 2000**2)
    True
    """
    median = _near_median(trials, a, b)
    c = np.ceil(median - 0.5)
    probability = np.exp(log_beta_binomial(c, trials, a, b))
    excess: FloatArray = (c + 0.5 - median) * probability
    return 2 * ((c - _mean(trials, a, b)) * excess + _shortfall(c, trials, a, b, probability))


def _mean(trials: float, a: FloatArray, b: FloatArray) -> FloatArray:
    return trials * a / (a + b)


def _shortfall(c: FloatArray, trials: float, a: FloatArray, b: FloatArray, probability: FloatArray) -> FloatArray:
    """Sum of (mean - x) Pr(x) over x <= c: the identity of the module."""
    return (trials - c) * (c + a) / (a + b) * probability


def _near_median(trials: float, a: FloatArray, b: FloatArray) -> FloatArray:
    """Where Peizer's normal approximation of F crosses 1/2, F(c) being its value at c + 1/2."""
    return (trials + 1 / 3) * (a - 1 / 3) / (a + b - 2 / 3) - 1 / 6


def _cdf(c: FloatArray, trials: float, a: FloatArray, b: FloatArray, probability: FloatArray) -> FloatArray:
    """Pr(X <= c), given Pr(c)."""
    by_draws = (a >= ENOUGH_DRAWS) | ((a == np.floor(a)) & (b == np.floor(b)))
    cdf = np.empty_like(c)
    for chosen, formula in ((by_draws, _cdf_by_draws), (~by_draws, _cdf_by_terms)):
        cdf[chosen] = formula(c[chosen], trials, a[chosen], b[chosen], probability[chosen])
    return cdf


def _cdf_by_draws(c: FloatArray, trials: float, a: FloatArray, b: FloatArray, probability: FloatArray) -> FloatArray:
    """1 - Pr(H <= a - 1), H the special ones among c + a drawn from N + a + b - 1 with a + b - 1 special.

    The standard deviation of H, hence the number of terms, is that of X times (a + b) / (N + a + b). From one term
    to the next this is Pr(X > c) with a lowered by one, b and c raised by one: it holds for any a, and what is left
    when a comes to an end is zero for whole a, about exp(-a) for the others.
    """
    term = probability * (c + a) * (trials - c) / ((c + 1) * b)
    total, k = term.copy(), 0
    while (term > _NEGLIGIBLE * total).any():
        term = term * (np.maximum(a - 1 - k, 0) * (trials - c - 1 - k) / ((c + 2 + k) * (b + 1 + k)))
        total += term
        k += 1
    return 1 - total


def _cdf_by_terms(c: FloatArray, trials: float, a: FloatArray, b: FloatArray, probability: FloatArray) -> FloatArray:
    """Pr(c) (1 + r_0 + r_0 r_1 + ...), r_k = Pr(c - k - 1) / Pr(c - k): as many terms as X has values up to c."""
    sums = np.ones_like(c)
    for i, (top, first, second) in enumerate(zip(c, a, b, strict=True)):
        x = np.arange(top, 0, -1)
        sums[i] += np.cumprod(x * (trials - x + second) / ((x - 1 + first) * (trials - x + 1))).sum()
    return probability * sums
