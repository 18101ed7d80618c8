"""How often an attacker who knows the population's counts names a person's value right from a sample's histogram.

The attacker knows how many of the n people have each of the K values (``counts``), but not who. m of them
(``sample``), drawn at random, are counted and the histogram published: its counts are multivariate hypergeometric.
Zero counts are allowed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.count_laws import log_binomial
from epsilometer.formulas.sampling.truncated_counts import (
    TruncatedCounts,
    fast_period,
    product_of_laws,
    reaches,
)
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray


@source("AlvimEtAl2020", "posterior Bayes vulnerability")
def inside(counts: ArrayLike, sample: int) -> float:
    r"""How often is the guess right about a person in the sample? Exact up to rounding.

    .. math:: E[\max_k y_k] / m

    with :math:`m` = ``sample``, from 1 to n, and :math:`y_k` the published counts: the largest is the best guess,
    because the target is one of the m people counted. Larger is riskier; does not increase with the sample, and
    is max N_k / n for m = n. The largest count is summed over its thresholds, by Fourier transforms whose number of
    terms is of the order of the square root of m (1 - m/n).

    >>> round(inside([2, 1], 2), 12)
    0.666666666667
    """
    return _expected_largest(np.asarray(counts, dtype=np.int64), sample) / sample


@source("AlvimEtAl2020", "posterior Bayes vulnerability")
def outside(counts: ArrayLike, sample: int) -> float:
    r"""How often is the guess right about a person who is not in the sample? Exact up to rounding.

    .. math:: E[\max_k (N_k - y_k)] / (n - m)

    with :math:`N_k` = ``counts`` and :math:`m` = ``sample``, from 0 to n - 1: the attacker subtracts. The n - m people
    left over are a random sample as well, so this is :func:`inside` of a sample of n - m. Does not decrease with the
    sample.

    >>> outside([2, 1], 2)
    1.0
    """
    return inside(counts, int(np.sum(counts)) - sample)


@source("AlvimEtAl2020", "prior Bayes vulnerability")
def unknown(counts: ArrayLike) -> float:
    r"""How often is the guess right about a random person? Exact: max N_k / n, whatever the sample.

    Whoever is drawn, a random person has value k with probability :math:`N_k / n`: in the sample with
    probability :math:`y_k / n`, outside it with :math:`(N_k - y_k) / n`. The histogram cancels, and the release tells
    nothing.

    >>> unknown([2, 1])
    0.6666666666666666
    """
    sizes = np.asarray(counts)
    return float(sizes.max() / sizes.sum())


def _expected_largest(counts: IntArray, sample: int) -> float:
    """Expectation of the largest count of a sample."""
    sizes, population = counts[counts > 0], int(counts.sum())
    if sample == population:
        return float(sizes.max())
    rate = sample / population
    centres = np.round(sizes * rate).astype(np.int64)
    *reach, reach_of_total = _reach(np.append(sizes, population), np.append(centres, sample), rate).tolist()
    first, last = np.maximum(centres - reach, 0), np.minimum(centres + reach, np.minimum(sizes, sample))
    if len(sizes) <= 2:  # noqa: PLR2004 - the count of one value tells the other
        return _larger_of_two(int(first[0]), int(last[0]), int(sizes[0]), population, sample)
    weights = _binomial_weights(first, last, sizes, rate)
    period = fast_period(min(reach_of_total, population) + 1)
    laws = TruncatedCounts(weights, first[:, None], product_of_laws, sample - int(first.sum()), period)
    start, stop = max(-(-sample // len(sizes)), int(first.max())), int(last.max())
    return laws.expected_largest(start, stop, float(laws.at_most(np.array([stop]))[0]))


def _reach(trials: IntArray, centres: IntArray, rate: float) -> IntArray:
    """How far binomial counts stray from their centres."""
    most = trials[:, None]

    def log_probability(count: FloatArray) -> FloatArray:
        return np.where(count <= most, log_binomial(np.minimum(count, most), most, rate), -np.inf)

    return reaches(log_probability, centres, np.sqrt(trials * rate * (1 - rate)))


def _binomial_weights(first: IntArray, last: IntArray, sizes: IntArray, rate: float) -> FloatArray:
    """Binomial probabilities of the counts from ``first`` to ``last``, a row per value: the same rate cancels."""
    counts = first[:, None] + np.arange((last - first).max() + 1)
    log_weights = log_binomial(np.minimum(counts, sizes[:, None]), sizes[:, None], rate)
    return np.where(counts <= last[:, None], np.exp(log_weights), 0.0)


def _larger_of_two(first: int, last: int, size: int, population: int, sample: int) -> float:
    """Mean of max(y, m - y) over the hypergeometric counts y that have any probability."""
    rate = sample / population
    count = np.arange(max(first, sample - (population - size)), last + 1, dtype=np.float64)
    log_weights = log_binomial(count, size, rate) + log_binomial(sample - count, population - size, rate)
    weights = np.exp(log_weights - log_weights.max())
    return float(weights @ np.maximum(count, sample - count) / weights.sum())
