"""How often an attacker guesses right from the histogram of a sample, as exact fractions.

The same questions as in :mod:`~epsilometer.formulas.sampling.vulnerability` and
:mod:`~epsilometer.formulas.sampling.known_shares`, answered without rounding where that is affordable. ``alpha`` is a
fraction, an integer, a float (taken at its exact binary value) or infinity. Costs are in operations on integers whose
length grows with the sample.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Sequence


@source("gonze-2023", "equations (4.18) and (4.26), for any number of values and any Dirichlet prior")
def largest_count(sample: int, n_values: int, alpha: Fraction | float) -> Fraction:
    """Expectation of the largest count in the histogram of a sample. Exact.

    Cost: :func:`largest_count_of_uniform_shares` for alpha = 1, the sample m for two values, and K m^3 otherwise,
    which is for a hundred people.

    >>> largest_count(3, 3, Fraction(1, 2))
    Fraction(83, 35)
    """
    if alpha == 1:
        return largest_count_of_uniform_shares(sample, n_values)
    if n_values == 2:  # noqa: PLR2004 - the closed form for two values
        return Fraction(sample, 2) + _mean_distance_from_half(sample, alpha)
    weights = _rising_weights(sample, alpha)
    return _largest_given_total([weights] * n_values, sample)


@source("johnson-kemp-kotz-2005", "Chapter 6: the beta-binomial law")
def _mean_distance_from_half(sample: int, alpha: Fraction | float) -> Fraction:
    """E|y - m/2| for one of two counts: see ``largest_sample_count``."""
    half = sample // 2
    if math.isinf(alpha):
        return Fraction(sample * math.comb(sample - 1, half), 2**sample)
    a = Fraction(alpha)
    weights, whole = _rising_weights(sample - 1, a + 1), _rising_weights(sample - 1, 2 * a + 1)
    return Fraction(sample, 2) * weights[half] * weights[sample - 1 - half] / whole[sample - 1]


@source("gonze-2023", "equation (4.14), every histogram is equally likely, for any number of values")
def largest_count_of_uniform_shares(sample: int, n_values: int) -> Fraction:
    r"""Expectation of the largest count where every histogram is equally likely (alpha = 1). Exact.

    .. math:: \sum_{j=1}^{K} (-1)^{j+1} \binom Kj \sum_{i=1}^{\lfloor m/j \rfloor}
        \binom{m - ji + K - 1}{K - 1} \Big/ \binom{m + K - 1}{K - 1}

    with :math:`m` = ``sample`` and :math:`K` = ``n_values``: inclusion and exclusion of the values whose count is at
    least i. The inner sum is one of a polynomial of degree K - 1 over equidistant points, which Newton's forward
    differences give from its first K terms. Cost: at most K^3 operations, whatever the sample.

    >>> largest_count_of_uniform_shares(100, 3)
    Fraction(6214, 101)
    """
    m, k = sample, n_values
    total = sum(
        (-1) ** (j + 1) * math.comb(k, j) * _sum_of_histograms(m // j, start=m % j, step=j, n_values=k)
        for j in range(1, min(k, m) + 1)
    )
    return Fraction(total, math.comb(m + k - 1, k - 1))


def _sum_of_histograms(n_terms: int, *, start: int, step: int, n_values: int) -> int:
    """Sum of the numbers of histograms of ``start``, ``start + step``, ... people."""
    n_known = min(n_terms, n_values)
    terms = [math.comb(start + step * i + n_values - 1, n_values - 1) for i in range(n_known)]
    total = 0
    for order in range(n_known):
        total += terms[0] * math.comb(n_terms, order + 1)
        terms = [later - earlier for earlier, later in pairwise(terms)]
    return total


@source("gonze-2023", "equations (4.18) and (4.26), for any number of values and any Dirichlet prior")
def inside(sample: int, n_values: int, alpha: Fraction | float) -> Fraction:
    """How often is a guess about a person in the sample right? Exact; cost of :func:`largest_count`.

    >>> inside(2, 3, 1)
    Fraction(3, 4)
    """
    return largest_count(sample, n_values, alpha) / sample


@source("gonze-2023", "equations (4.19) and (4.27), for any number of values and any Dirichlet prior")
def outside(sample: int, n_values: int, alpha: Fraction | float) -> Fraction:
    """How often is a guess about a person outside the sample right? Exact; cost of :func:`largest_count`.

    >>> outside(3, 3, 1)
    Fraction(8, 15)
    """
    if math.isinf(alpha):
        return Fraction(1, n_values)
    a = Fraction(alpha)
    return (largest_count(sample, n_values, a) + a) / (sample + n_values * a)


@source("gonze-2023", "equations (4.20) and (4.28), corrected, for any number of values and any Dirichlet prior")
def unknown(population: int, sample: int, n_values: int, alpha: Fraction | float) -> Fraction:
    """How often is a guess about a random person right? Exact; cost of :func:`largest_count`.

    >>> unknown(4, 2, 3, Fraction(1, 2))
    Fraction(7, 10)
    """
    share = Fraction(sample, population)
    return share * inside(sample, n_values, alpha) + (1 - share) * outside(sample, n_values, alpha)


@source("AlvimEtAl2020", "posterior Bayes vulnerability")
def inside_known_shares(counts: Sequence[int], sample: int) -> Fraction:
    """How often is a guess about a person in the sample right, if the population's counts are known? Exact.

    Cost: K m^3 for a sample of m.

    >>> inside_known_shares([2, 1], 2)
    Fraction(2, 3)
    """
    weights = [[math.comb(count, in_sample) for in_sample in range(sample + 1)] for count in counts]
    return _largest_given_total(weights, sample) / sample


@source("AlvimEtAl2020", "posterior Bayes vulnerability")
def outside_known_shares(counts: Sequence[int], sample: int) -> Fraction:
    """How often is a guess about a person outside the sample right, if the population's counts are known? Exact.

    Cost: K (n - m)^3, of the people left over, who are a sample as well.

    >>> outside_known_shares([2, 1], 2)
    Fraction(1, 1)
    """
    return inside_known_shares(counts, sum(counts) - sample)


def _rising_weights(largest: int, alpha: Fraction | float) -> list[Fraction]:
    """Return what c people weigh in a histogram, (alpha)_c / c!, or 1 / c! for infinite alpha, c = 0 .. largest."""
    ratios = (Fraction(1 if math.isinf(alpha) else Fraction(alpha) + c - 1) / c for c in range(1, largest + 1))
    return list(accumulate(ratios, initial=Fraction(1), func=lambda weight, ratio: weight * ratio))


def _largest_given_total(weights: Sequence[Sequence[Fraction | int]], total: int) -> Fraction:
    """Expectation of the largest of independent counts with these weights, given their total."""
    whole = _weight_of_total(weights, total)
    at_most = (_weight_of_total([law[: t + 1] for law in weights], total) for t in range(total))
    return total - sum(at_most, Fraction()) / whole


def _weight_of_total(weights: Sequence[Sequence[Fraction | int]], total: int) -> Fraction:
    sums = [Fraction(1)] + [Fraction()] * total
    for law in weights:
        sums = [sum((law[c] * sums[s - c] for c in range(min(s + 1, len(law)))), Fraction()) for s in range(total + 1)]
    return sums[total]
