"""How far the analyst's estimate of the shares of K values is from the shares of the population.

The distance between two distributions is their total variation, half the sum of the absolute differences. The
analyst answers with the posterior mean of the shares: it is a distribution, known in closed form. For two values
that is the loss of Paper 002 but for the mean in place of the median. For more, no distribution beats guessing
each share by its own posterior median (these may not sum to one), so the loss of the best answer lies between
K/2 times the median's mean deviation and the loss given here: it is exact for the analyst who answers with the
mean, and an upper bound for the best one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.sampling.beta_binomial import binomial_mean_deviation, mean_deviation, ripple
from epsilometer.formulas.sampling.bracket import Bracket
from epsilometer.formulas.sampling.sample_counts import LARGEST_SUM, THINNING_ERROR, every_count, thinned_counts
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray

_MOST_KINKS = 2**14  # with more people outside the sample, the kinks of E|X - mu| are too small to cut at each


@source("gonze-2023", "Definition 3.4.4, for K values and the mean as the guess")
@source("johnson-kemp-kotz-2005", "Chapter 6: mean deviation of the beta-binomial law")
def prior_shares_loss(population: int, n_values: int, alpha: float) -> float:
    r"""Expected total variation distance between the shares of a population and 1/K each. Exact.

    .. math:: \frac{K}{2n} E|S - n/K|, \qquad S \sim \mathrm{BetaBin}(n, \alpha, (K-1)\alpha)

    with :math:`n` = ``population`` >= 1, :math:`K` = ``n_values`` >= 2 and ``alpha`` in (0, inf].

    >>> round(prior_shares_loss(2, 2, 1.0), 12)
    0.333333333333
    """
    if math.isinf(alpha):
        deviation = binomial_mean_deviation(population, 1 / n_values)
    else:
        deviation = float(mean_deviation(population, np.array([alpha]), np.array([(n_values - 1) * alpha]))[0])
    return n_values / 2 * deviation / population


@source("gonze-2023", "Definition 3.4.4, for K values and the mean as the guess")
def shares_loss(population: int, sample: int, n_values: int, alpha: float) -> Bracket:
    r"""Expected total variation distance between the shares of a population and what a sample of it suggests.

    .. math:: \frac{K}{2n} \sum_y \Pr(y) \, E|X_y - \mu_y|, \qquad
        y \sim \mathrm{BetaBin}(m, \alpha, (K-1)\alpha), \quad
        X_y \sim \mathrm{BetaBin}(n-m, y+\alpha, m-y+(K-1)\alpha)

    with :math:`n` = ``population``, :math:`m` = ``sample`` in 0 .. n, :math:`K` = ``n_values`` >= 2, ``alpha`` in
    (0, inf], y the people in the sample who have the first value and X those outside: the K values are alike, so
    one stands for all. If alpha is infinite the sample says nothing about the others.

    Exact up to m = 2^20. For larger samples not every y is visited (see ``sample_counts``): the bracket holds the
    error of that, with what :math:`E|X - \mu|` gains from :math:`\mu` falling between whole numbers.

    >>> round(shares_loss(2, 1, 2, 1.0).value, 12)
    0.222222222222
    """
    n, m, outside = population, sample, population - sample
    if m == 0:
        return Bracket.exactly(prior_shares_loss(n, n_values, alpha))
    if outside == 0:
        return Bracket.exactly(0.0)
    scale = n_values / 2 / n
    if math.isinf(alpha):
        return Bracket.exactly(scale * binomial_mean_deviation(outside, 1 / n_values))
    return _mean_deviation_outside(outside, m, alpha, (n_values - 1) * alpha).mapped(scale, 0.0)


def _mean_deviation_outside(outside: int, sample: int, first: float, others: float) -> Bracket:
    """E|X - mu| over X and y, with ``first`` and ``others`` the parameters of the law of y."""

    def deviation(y: FloatArray) -> FloatArray:
        return mean_deviation(outside, y + first, sample - y + others)

    def unknown(y: FloatArray) -> FloatArray:
        return ripple(outside, y + first, sample - y + others)

    alike = first == others  # then each half of the numbers stands for the other
    if sample <= LARGEST_SUM:
        every = every_count(sample, first, others)
        return Bracket.exactly((every.lower_half() if alike else every).mean(deviation))
    kinked = outside <= _MOST_KINKS
    whole_means = np.arange(1, outside) * ((sample + first + others) / outside) - first if kinked else ()
    thinned = thinned_counts(sample, first, others, whole_means)
    counts = thinned.lower_half() if alike else thinned
    value = counts.mean(deviation)
    error = value * THINNING_ERROR + (value * outside / sample**2 if kinked else counts.mean(unknown))
    return Bracket(value, max(value - error, 0.0), value + error)
