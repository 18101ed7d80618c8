"""The true count of the value that is published with the largest noisy count."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.fft import irfft, rfft

from epsilometer.formulas.sampling.bracket import Bracket
from epsilometer.formulas.sampling.largest_sample_count import expected_largest_count
from epsilometer.formulas.sampling.noise_panels import (
    NEGLIGIBLE,
    NoiseByWholeNumbers,
    noise_panels,
    noise_reach,
)
from epsilometer.formulas.sampling.smooth_sums import sum_over_integers
from epsilometer.formulas.sampling.symmetric_counts import SymmetricCounts
from epsilometer.formulas.sampling.truncated_counts import fast_period, negligible_beyond
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.noise import Noise

LARGEST_EXACT = 3 * 10**7  # numbers to transform for an exact answer: about a second
_LONGEST_REACH = 2**17  # of noise whose every move is tabulated
_LEVELS = 1500  # of the winning count that a sum over all of them looks at, or all if they are fewer
_SMALLEST_PROBABILITY = 1e-10  # of the total; the relative error of the transforms, 3e-14 down to here, then grows
_WORKING_SET = 2**18  # numbers per intermediate array: fits a cache


@source("gonze-2023", "Section 3.3: the gain of a guess, here the largest of K noisy counts")
def expected_winner_count(sample: int, n_values: int, alpha: float, noise: Noise) -> Bracket:
    """Expected true count of the value that is published with the largest count, ties broken uniformly.

    Exact up to about 1e-12 of itself as long as that takes about a second: with ``alpha`` 1 and whole-number noise
    for three values and a sample of 3000, or ten values and a sample of 500; with an infinite ``alpha`` for a
    sample of 10^4. Beyond that a :func:`bounded_winner_count`. Noise that cannot move a count by one half changes
    nothing. ``n_values`` is at least 3; the noise has one privacy parameter.

    >>> from epsilometer.mechanisms import Geometric
    >>> round(expected_winner_count(3, 3, 1.0, Geometric(epsilon=1.0)).value, 9)
    1.871308143
    """
    if noise.probability_at_least(0.5) <= NEGLIGIBLE:
        return expected_largest_count(sample, n_values, alpha)
    if noise_reach(noise) <= _LONGEST_REACH:
        panels = noise_panels(noise, n_values=n_values, widest=1.0)
        histograms = _Histograms.of(SymmetricCounts(sample, n_values, alpha), panels.by_whole_numbers())
        if histograms.can_be_summed:
            return Bracket.exactly(histograms.expected_winner())
    return bounded_winner_count(sample, n_values, alpha, noise)


@source("gonze-2023", "Section 3.3: the gain of a guess, here the largest of K noisy counts")
def bounded_winner_count(sample: int, n_values: int, alpha: float, noise: Noise) -> Bracket:
    r"""Two numbers that certainly hold :func:`expected_winner_count` between them, the upper one for a value.

    .. math:: E[y_{max}] - E[e_{max} - e_{min}] \le E[y_{win}] \le
        \min\Big( E[y_{max}], \; \frac mK + (K-1) \, \kappa \, E(y_1 - y_2)^2 \Big), \quad \kappa = \int f^2

    - *low*: what the winner's count lacks, its noise makes up for.
    - *high*: K times :math:`E[y_{win}] - m/K` is the sum over pairs of values of the expected
      :math:`(y_i - y_j)(\Pr(i \text{ wins}) - \Pr(j \text{ wins}))`. With d = y_i - y_j > 0 the second factor is at
      most what it is for those two alone, because the noise is log-concave:
      :math:`\Pr(|e_i - e_j| < d) \le 2 \kappa d`.

    :math:`E(y_1 - y_2)^2 = \frac{2m}K \frac{m + K\alpha}{1 + K\alpha}`, and 2m/K for an infinite ``alpha``.

    >>> from epsilometer.mechanisms import Laplace
    >>> [round(number) for number in bounded_winner_count(10**6, 3, 1.0, Laplace(epsilon=0.1))]
    [611112, 611089, 611112]
    """
    m, k = sample, n_values
    largest, panels = expected_largest_count(m, k, alpha), noise_panels(noise, n_values=k)
    squared_difference = 2 * m / k * (1.0 if math.isinf(alpha) else (m + k * alpha) / (1 + k * alpha))
    high = min(largest.high, m / k + (k - 1) * panels.collision_density * squared_difference)
    low = max(m / k, largest.low - panels.mean_spread(k))
    return Bracket(high, min(low, high), high)


@dataclass(frozen=True, slots=True, eq=False)
class _Histograms:
    r"""All histograms of the sample, summed over by generating functions.

    .. math:: E[y_{win}] \, W_m = K \int [x^m] \Big( \sum_y y w_y f(v-y) x^y \Big)
        \Big( \sum_c w_c F(v-c) x^c \Big)^{K-1} dv

    The counts are independent with probabilities w, given their total m, which has probability W. The nodes of the
    integral lie at the same places between any two whole numbers, so one table of the noise serves every v and y,
    and what is left is a sum over the whole numbers below v, of something smooth.

    Attributes:
        law: of the counts.
        noise: its tables.
        first: smallest count of one value that has a probability worth the name.
        n_counts: how many counts have, from there on.
        period: length of the transforms; totals a period away from the sample have no probability left.
        probability: W.
    """

    law: SymmetricCounts
    noise: NoiseByWholeNumbers
    first: int
    n_counts: int
    period: int
    probability: float

    @classmethod
    def of(cls, law: SymmetricCounts, noise: NoiseByWholeNumbers) -> _Histograms:
        m, k = law.sample, law.n_values
        overdispersion = 1 + m / (k * law.alpha)
        reach = negligible_beyond(
            lambda count: law.log_probability(count, 1), m // k, math.sqrt(m / k * overdispersion)
        )
        first = max(0, m // k - reach)
        n_counts = min(m, m // k + reach) + 1 - first
        alone = negligible_beyond(lambda total: law.log_probability(total, k), m, math.sqrt(m * overdispersion))
        period = fast_period(max(min(alone, (k - 1) * m + 1), n_counts))
        return cls(law, noise, first, n_counts, period, float(np.exp(law.log_probability(np.array(float(m)), k))))

    @property
    def can_be_summed(self) -> bool:
        levels = min(_LEVELS, self.n_counts + 2 * self.noise.reach)
        size = levels * self.period * len(self.noise.weights)
        return size <= LARGEST_EXACT and self.probability >= _SMALLEST_PROBABILITY

    def expected_winner(self) -> float:
        m, k = self.law.sample, self.law.n_values
        start, stop = m // k - self.noise.reach, self.first + self.n_counts + self.noise.reach
        at_least = m / k * self.probability / k
        won = sum_over_integers(self._won_just_above, start, stop, added_to=at_least)
        return won * k / self.probability

    def _won_just_above(self, levels: IntArray) -> FloatArray:
        step = max(1, _WORKING_SET // (self.period * len(self.noise.weights)))
        return np.concatenate([self._won(levels[i : i + step]) for i in range(0, len(levels), step)])

    def _won(self, levels: IntArray) -> FloatArray:
        """Integral over v between each level and the next one, not yet multiplied by K."""
        counts = self.first + np.arange(self.n_counts)
        weights = np.exp(self.law.log_probability(counts.astype(np.float64), 1))
        at = self.noise.column(levels[:, None] - counts)
        others = rfft(weights * self.noise.below[:, at], self.period)  # nodes x levels x frequencies
        winner = rfft(counts * weights * self.noise.density[:, at], self.period)
        total = np.tensordot(self.noise.weights, winner * others ** (self.law.n_values - 1), axes=1)
        excess = self.law.sample - self.law.n_values * self.first
        return irfft(total, self.period)[:, excess % self.period]
