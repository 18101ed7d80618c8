"""The counts of K equally likely values in a sample, and the expectation of the largest one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.count_laws import log_negative_binomial, log_poisson
from epsilometer.formulas.sampling.truncated_counts import (
    TruncatedCounts,
    fast_period,
    negligible_beyond,
    power_of_law,
)
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray

_SMALLEST_SHAPE = 5.0  # of the total; a smaller one is tilted towards zero, or its tail would need a long period


@dataclass(frozen=True, slots=True)
class SymmetricCounts:
    """K independent counts of one law that are Dirichlet-multinomial given their total, the sample.

    Negative binomial counts; Poisson counts, multinomial given their total, where ``alpha`` is infinite.

    Attributes:
        sample: m, at least 1.
        n_values: K, at least 3.
        alpha: concentration of the symmetric Dirichlet distribution; infinite for known, equal shares.
    """

    sample: int
    n_values: int
    alpha: float

    @source("mosimann-1962", "compound multinomial distribution")
    def log_probability(self, count: FloatArray, n_counts: int) -> FloatArray:
        """Log of the probability that ``n_counts`` of the counts sum to ``count``."""
        if math.isinf(self.alpha):
            return log_poisson(count, self.sample * (n_counts / self.n_values))
        return log_negative_binomial(count, n_counts * self.alpha, self.sample / (self.sample + self._shape))

    @property
    def _shape(self) -> float:
        return max(self.n_values * self.alpha, _SMALLEST_SHAPE)

    @property
    def period(self) -> int:
        """Number of terms in the Fourier transforms, to which the cost of a sum is proportional."""
        m, k = self.sample, self.n_values
        needed = self._reach(m, k)
        largest_total = k * (m // 2 - 1)
        return fast_period(min(needed, max(m, largest_total - m) + 1))

    def expected_largest(self) -> float:
        r"""Expectation of the largest count. Exact up to rounding.

        .. math:: \sum_{t < m/2} \Pr(\max_k y_k > t) + \sum_{t \ge m/2} K \Pr(y_1 > t)

        because two counts cannot both exceed half of the sample.
        """
        m, k = self.sample, self.n_values
        half = m // 2
        start = min(-(-m // k), half)
        reach = self._reach(m // k, 1)
        first, stop = max(0, m // k - reach), min(half, m // k + reach)
        weights = np.exp(self.log_probability(np.arange(first, max(stop, first + 1), dtype=np.float64), 1))
        zero, weights[0] = float(weights[0]), 0.0
        excess = m - k * first
        counts = TruncatedCounts(weights[None, :], np.array([[first]]), power_of_law(zero, k), excess, self.period)
        if stop < half:  # nothing is cut off: the weights' own total, in which their roundings cancel
            return counts.expected_largest(start, stop, float(counts.at_most(np.array([stop]))[0]))
        log_probability = self.log_probability(np.array(m), k)
        return counts.expected_largest(start, stop, float(np.exp(log_probability))) + self._beyond_half()

    def _reach(self, centre: int, n_counts: int) -> int:
        """How far the sum of ``n_counts`` counts strays from its centre."""
        tail = self.sample / self._shape  # its probabilities fall off like exp(-count / tail)
        variance = self.sample * (n_counts / self.n_values) * (1 + self.sample / (self.n_values * self.alpha))
        spread = min(max(math.sqrt(variance), tail), self.sample)
        return negligible_beyond(lambda count: self.log_probability(count, n_counts), centre, spread)

    def _beyond_half(self) -> float:
        """K E max(y_1 - half, 0), half being the sample halved and rounded down."""
        m, k = self.sample, self.n_values
        beyond = np.arange(1.0, m - m // 2 + 1)
        count = m // 2 + beyond
        log_pmf = self.log_probability(count, 1) + self.log_probability(m - count, k - 1)
        return float(k * (beyond @ np.exp(log_pmf - self.log_probability(np.array(m), k))))
