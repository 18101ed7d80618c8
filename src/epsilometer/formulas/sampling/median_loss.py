"""How far the analyst's best estimate of the share of one of two values is from the population's share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import betaincinv

from epsilometer.formulas.count_laws import log_binomial
from epsilometer.formulas.sampling.beta_binomial import (
    CENTRAL_ERROR,
    ENOUGH_DRAWS,
    binomial_mean_deviation,
    central_median_deviation,
    median_deviation,
    ripple,
    variance,
)
from epsilometer.formulas.sampling.bracket import Bracket
from epsilometer.formulas.sampling.sample_counts import (
    LARGEST_SUM,
    SUMMED_ENDS,
    THINNING_ERROR,
    every_count,
    thinned_counts,
)
from epsilometer.formulas.sampling.shares_loss import prior_shares_loss, shares_loss
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray

_MOST_TERMS = 1.2e8  # of the sums for distribution functions: about half a second
_TERMS_BESIDES = 100  # what one law costs besides its sum
_SLOWER = 8  # a law that is not summed together with the others
_STANDARD_DEVIATIONS = 9  # further off, terms are below 1e-17 of their sum
_CENTRAL_FROM = 1000  # the smallest of a, b and the means of X and N - X from which the laws are close to normal
_TINY = 1e-280  # a median below it is as good as zero


@source("gonze-2023", "Theorem 4.2.1, Eq. (4.34), for alpha = 1; Theorem 4.2.2 for infinity")
def prior_loss(population: int, alpha: float) -> float:
    r"""Expected distance between the share of the first of two values and the guess 1/2. Exact.

    .. math:: \frac1n E|S - n/2| = \frac{(n-c)(c+\alpha)}{n \alpha} \Pr(S = c), \qquad
        S \sim \mathrm{BetaBin}(n, \alpha, \alpha), \quad c = \lfloor n/2 \rfloor

    with :math:`n` = ``population`` >= 1 and ``alpha`` in (0, inf]. One half is mean and median at once (for odd
    n, as good as the shares next to it), so this is :func:`prior_shares_loss` for two values. For alpha = 1 it is
    equation (4.34) of Paper 002; for infinity it is :math:`2^{-n} \binom{n-1}{\lfloor (n-1)/2 \rfloor}`, a closed
    form that the paper does without.

    >>> round(prior_loss(8, 1.0), 12), round(prior_loss(8, float("inf")), 12)
    (0.277777777778, 0.13671875)
    """
    return prior_shares_loss(population, 2, alpha)


@source("gonze-2023", "Theorem 4.2.3, Eq. (4.36), for alpha = 1; Theorem 4.2.4 for infinity")
def median_loss(population: int, sample: int, alpha: float) -> Bracket:
    r"""Expected distance between the share of the first of two values and the best guess of it from a sample.

    .. math:: \frac1n \sum_{y=0}^m \Pr(y) \, E|X_y - \mathrm{med}(X_y)|, \qquad
        y \sim \mathrm{BetaBin}(m, \alpha, \alpha), \quad X_y \sim \mathrm{BetaBin}(n-m, y+\alpha, m-y+\alpha)

    with :math:`n` = ``population``, :math:`m` = ``sample`` in 0 .. n, ``alpha`` in (0, inf], y the people in the
    sample who have the first value and X those outside: the best guess of the share is (y + median of X) / n.

    - alpha infinite: the sample says nothing about the others, the loss is that of n - m fair coins. Exact.
    - alpha = 1: :math:`U(n, m) = \frac{n-m}{m+1} U(n, n-m-1)`, since the sum over y equals
      :math:`\sum_{s=0}^{n+1} E|H_s - \mathrm{med}(H_s)|`, where :math:`H_s` counts the special ones among s drawn
      from n + 1 with m + 1 special, and the n - m others are as far from their median. So at most half of the
      population has to be gone through. Exact to rounding if m or n - m is at most 10^5.
    - Beyond, the laws close to normal are not summed, and above 2^20 not every y is visited. The bracket holds the
      errors of both, a known order times a measured factor with a margin: see ``central_median_deviation``,
      ``ripple`` and ``sample_counts``.
    - Another alpha is treated alike, without the step to n - m - 1. If it is not whole and less than about one in
      10^4 is sampled, or if n - m is below m / 300 and m above 10^6, the sums are too long: the bracket then
      reaches from a lower bound (``_between_bounds``) to the loss of guessing the mean, which is its value.

    >>> round(median_loss(2, 1, 1.0).value, 12), round(median_loss(8, 5, 1.0).value, 12)
    (0.166666666667, 0.078373015873)
    """
    n, m, outside = population, sample, population - sample
    if m == 0:
        return Bracket.exactly(prior_loss(n, alpha))
    if outside == 0:
        return Bracket.exactly(0.0)
    if math.isinf(alpha):
        return Bracket.exactly(binomial_mean_deviation(outside, 0.5) / n)
    if alpha == 1 and outside <= m:
        return median_loss(n, outside - 1, alpha).mapped(outside / (m + 1), 0.0)
    half, not_central = m // 2 + 1, _CENTRAL_FROM * max(1.0, (m + 2 * alpha) / outside) - alpha
    for edge in (half, max(0, math.ceil(not_central))):
        if edge <= half and _terms(edge, outside, m, alpha) <= _MOST_TERMS:
            return _median_deviation_outside(edge, outside, m, alpha).mapped(1 / n, 0.0)
    return _between_bounds(n, m, alpha)


def _terms(edge: int, outside: int, sample: int, alpha: float) -> float:
    """About how many terms the distribution functions for y < ``edge`` have together."""
    whole, both = alpha == math.floor(alpha), sample + 2 * alpha
    few = 0 if whole else min(edge, ENOUGH_DRAWS)
    spread = math.sqrt(variance(outside, edge + alpha, sample - edge + alpha)) * both / (outside + both)
    terms_of_few = few * (few / 2 + alpha) * outside / both
    return edge * (_STANDARD_DEVIATIONS * spread + _TERMS_BESIDES) + _SLOWER * terms_of_few


def _median_deviation_outside(edge: int, outside: int, sample: int, alpha: float) -> Bracket:
    """E|X - med(X)| over X and y: exact for y or m - y below ``edge``, close elsewhere."""
    all_exact = 2 * edge > sample
    thin = sample > LARGEST_SUM and not all_exact
    counts = (thinned_counts if thin else every_count)(sample, alpha, alpha).lower_half()
    edges, centre = counts.where(counts.count < edge), counts.where(counts.count >= edge)

    def exact(y: FloatArray) -> FloatArray:
        return median_deviation(outside, y + alpha, sample - y + alpha)

    def close(y: FloatArray) -> FloatArray:
        return central_median_deviation(outside, y + alpha, sample - y + alpha)

    def error_of_close(y: FloatArray) -> FloatArray:
        smallest = (y + alpha) * min(1.0, outside / (sample + 2 * alpha))
        return close(y) * (CENTRAL_ERROR / smallest**2)

    def unknown(y: FloatArray) -> FloatArray:
        return ripple(outside, y + alpha, sample - y + alpha)

    value = edges.mean(exact) + centre.mean(close)
    if all_exact:
        return Bracket.exactly(value)
    error = centre.mean(error_of_close) + (counts.mean(unknown) + value * THINNING_ERROR if thin else 0.0)
    return Bracket(value, value - error, value + error)


def _between_bounds(population: int, sample: int, alpha: float) -> Bracket:
    """What is certain without a distribution function; the value is the loss of guessing the mean."""
    mean_loss = shares_loss(population, sample, 2, alpha)
    low = mean_loss.low / 2  # E|X - mean| <= E|X - median| + |median - mean| <= 2 E|X - median|
    if population - sample > sample + 2 * alpha:
        low = max(low, _loss_without_chance(population, sample, alpha) * (1 - THINNING_ERROR))
    return Bracket(mean_loss.high, low, mean_loss.high)


def _loss_without_chance(population: int, sample: int, alpha: float) -> float:
    """Lower bound of the median loss, close if few of the population are sampled.

    Let the people outside have the first value with probability theta, Beta(y + alpha, m - y + alpha) distributed.
    By Jensen's inequality E|X - c| >= E|N theta - c|, least at the median t of theta, where E|theta - t| =
    2 t^a (1 - t)^b / ((a + b) B(a, b)).
    """

    def deviation(y: FloatArray) -> FloatArray:
        a, b = y + alpha, sample - y + alpha
        t = betaincinv(a, b, 0.5)
        log_ways = log_binomial(a, a + b, np.maximum(t, _TINY))
        return np.where(t > _TINY, 2 * a * b / (a + b) ** 2 * np.exp(log_ways), 0.0)

    few = sample <= 4 * SUMMED_ENDS
    counts = (every_count if few else thinned_counts)(sample, alpha, alpha)
    return (population - sample) / population * counts.lower_half().mean(deviation)
