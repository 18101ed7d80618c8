r"""The loss of the best estimate of a population's count from one noisy count of its sample, as a sum of tests.

S people of the population have the first of two values, y of them in the sample, and z = y + e is published. The
best guess g(z) of S is its median, and the mean distance to a median is

.. math:: E|S - g(z)| = \sum_{s=0}^{n-1} E \min\big( \Pr(S \le s \mid z), \Pr(S > s \mid z) \big):

for each s the error of the best test of S > s. The noise is log-concave, so that S grows with z and the best test
asks whether z is above a threshold: each term is the least error over all thresholds, a sum over y that needs
nothing but the noise's distribution function.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.count_laws import log_binomial
from epsilometer.formulas.sampling.noise_panels import comes_in_whole_numbers, noise_reach
from epsilometer.formulas.sampling.noisy_count import log_count
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.noise import Noise

LARGEST_TABLE = 2**20  # entries of the table of the population's count and the sample's
LARGEST_CHANNEL = 2**23  # entries of the table of the sample's count and all thresholds
LARGEST_PRODUCT = 4 * 10**9  # multiplications of the two
_WORKING_SET = 2**21  # numbers per intermediate array
_GOLDEN = (math.sqrt(5) - 1) / 2
_SECTIONS = 40  # of a range of two: the threshold is then known to 1e-8, and the error, flat there, to 1e-16


def can_be_tested(population: int, sample: int, noise: Noise) -> bool:
    """Whether :func:`loss_by_tests` takes a second or two at most."""
    n_tests, n_counts, n_thresholds = population // 2 + 1, sample + 1, sample + 2 * noise_reach(noise)
    fits = n_tests * n_counts <= LARGEST_TABLE and n_counts * n_thresholds <= LARGEST_CHANNEL
    return fits and n_tests * n_counts * n_thresholds <= LARGEST_PRODUCT


@source("gonze-2023", "Definition 3.4.4: the loss of the best guess, here from a noisy count")
def loss_by_tests(population: int, sample: int, alpha: float, noise: Noise) -> float:
    """Expected distance between the share of the first of two values and the best guess of it. Exact.

    >>> from epsilometer.mechanisms import Laplace
    >>> round(loss_by_tests(8, 5, 1.0, Laplace(epsilon=1.0)), 9)
    0.160121922
    """
    n, y = population, np.arange(sample + 1.0)
    s = np.arange((n + 1) // 2, dtype=np.float64)  # S <= s and S > n - 1 - s mirror each other
    occurs = np.where(2 * s == n - 1, 1, 2)
    at_most = np.cumsum(_joint_probability(s[:, None], y, n, sample, alpha), axis=0)
    odds = np.exp(log_count(y, sample, alpha)) - 2 * at_most  # Pr(y, S > s) - Pr(y, S <= s)
    return float(occurs @ (at_most.sum(axis=1) + _least(odds, y, noise))) / n


def _joint_probability(s: FloatArray, y: FloatArray, population: int, sample: int, alpha: float) -> FloatArray:
    """Pr(S = s, y), y being hypergeometric given s; written with binomial laws of one probability, whichever."""
    n, m, p = population, sample, sample / (population + 1)
    possible = (y <= s) & (m - y <= n - s)
    inside, outside = np.where(possible, y, 0.0), np.where(possible, m - y, 0.0)
    log_sampled = log_binomial(inside, s, p) + log_binomial(outside, n - s, p) - log_binomial(m, n, p)
    return np.where(possible, np.exp(log_count(s, n, alpha) + log_sampled), 0.0)


def _least(odds: FloatArray, y: FloatArray, noise: Noise) -> FloatArray:
    """Least sum over y of odds * Pr(y + e < threshold), over the threshold, for each row of odds."""
    reach = math.ceil(noise_reach(noise))
    thresholds = np.arange(-reach, len(y) + reach) - 0.5
    below = noise.probability_below(thresholds - y[:, None])
    step = max(1, _WORKING_SET // len(thresholds))
    parts = []
    for rows in (odds[i : i + step] for i in range(0, len(odds), step)):
        sums = rows @ below
        least = sums.min(axis=1)
        if not comes_in_whole_numbers(noise):
            least = np.minimum(least, _least_nearby(rows, y, noise, thresholds[sums.argmin(axis=1)]))
        parts.append(least)
    return np.concatenate(parts)


def _least_nearby(odds: FloatArray, y: FloatArray, noise: Noise, near: FloatArray) -> FloatArray:
    """Golden-section search of the threshold within one of ``near``; the sum has a single minimum."""

    def at(threshold: FloatArray) -> FloatArray:
        return np.asarray((odds * noise.probability_below(threshold[:, None] - y)).sum(axis=1))

    low, high = near - 1, near + 1
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = at(left), at(right)
    for _ in range(_SECTIONS):
        lower = at_left < at_right
        low, high = np.where(lower, low, left), np.where(lower, right, high)
        kept, at_kept = np.where(lower, left, right), np.where(lower, at_left, at_right)
        probe = low + high - kept
        at_probe = at(probe)
        left, right = np.where(lower, probe, kept), np.where(lower, kept, probe)
        at_left, at_right = np.where(lower, at_probe, at_kept), np.where(lower, at_kept, at_probe)
    return np.minimum(at_left, at_right)
