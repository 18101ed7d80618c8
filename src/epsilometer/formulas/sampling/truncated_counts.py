"""Probability that none of several independent counts exceeds a threshold, given their total.

Each law is cut off at the threshold, the cut laws are convolved, and the value at the total is divided by what the
whole laws give there. The convolution is a product of Fourier transforms over one period, which has to be so long
that totals a period away have no probability left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.fft import next_fast_len, rfft

from epsilometer.formulas.sampling.smooth_sums import sum_over_integers

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from epsilometer.vocabulary.arrays import FloatArray, IntArray

    ComplexArray = NDArray[np.complex128]

_NEGLIGIBLE = -44.0  # log of a probability ratio that leaves no trace in a double
_FURTHER = 1.15 ** np.arange(60)  # multiples of the spread at which the tails are looked at
_WORKING_SET = 2**18  # numbers per intermediate array: fits a cache


@dataclass(frozen=True, slots=True, eq=False)
class TruncatedCounts:
    """Independent counts of which the total is known.

    Attributes:
        weights: probability of the i-th count of each law, shape (R, L).
        first: the 0-th count of each law, shape (R, 1).
        combine: what makes the transform of the sum from those of the laws: (T, R, F) to (T, F).
        excess: the total minus the sum of the 0-th counts of all laws.
        period: length of the transforms.
    """

    weights: FloatArray
    first: IntArray
    combine: Callable[[ComplexArray], ComplexArray]
    excess: int
    period: int

    def expected_largest(self, start: int, stop: int, probability: float) -> float:
        """Sum of Pr(largest count > t) over t < ``stop``; ``probability`` is that of the total.

        A largest count of at least ``start`` is certain.
        """

        def exceeds(thresholds: IntArray) -> FloatArray:
            return 1 - self.at_most(thresholds) / probability

        return start + sum_over_integers(exceeds, start, max(start, stop), added_to=start)

    def at_most(self, thresholds: IntArray) -> FloatArray:
        """Probability of the total with no count above a threshold, for each threshold."""
        numbers_per_threshold = len(self.weights) * max(self.weights.shape[1], self.period)
        step = max(1, _WORKING_SET // numbers_per_threshold)
        phases = self._phases()
        spectra = (self._spectrum(thresholds[i : i + step]) for i in range(0, len(thresholds), step))
        parts = [np.einsum("tf,f->t", spectrum, phases).real for spectrum in spectra]
        return np.concatenate([*parts, np.empty(0)])

    def _spectrum(self, thresholds: IntArray) -> ComplexArray:
        """Transform of the total with no count above a threshold."""
        n_laws, length = self.weights.shape
        counts = self.first + np.arange(length)
        kept = np.where(counts <= thresholds[:, None, None], self.weights, 0.0)  # thresholds x laws x counts
        n_periods = -(-length // self.period)
        if n_periods > 1:
            padding = [(0, 0), (0, 0), (0, n_periods * self.period - length)]
            kept = np.pad(kept, padding).reshape(len(thresholds), n_laws, n_periods, self.period).sum(axis=2)
        return self.combine(rfft(kept, self.period))

    def _phases(self) -> ComplexArray:
        """Weights of the frequencies 0 .. period / 2 in the inverse transform at the total."""
        frequencies = np.arange(self.period // 2 + 1)
        both_signs = np.where(frequencies % (self.period // 2) == 0, 1.0, 2.0)
        turns = frequencies * (self.excess % self.period) % self.period / self.period
        return np.asarray(both_signs * np.exp(2j * np.pi * turns) / self.period)


def product_of_laws(transforms: ComplexArray) -> ComplexArray:
    """Transform of the sum of counts of different laws."""
    return np.asarray(transforms.prod(axis=1))


def power_of_law(zero: float, n_counts: int) -> Callable[[ComplexArray], ComplexArray]:
    r"""Transform of the sum of ``n_counts`` counts of one law, where two of them at least are not the 0-th.

    .. math:: (w + r)^K - w^K - K w^{K-1} r

    with :math:`w` = ``zero``, the probability of the 0-th count, :math:`r` the transform of the law without it and
    :math:`K` = ``n_counts``. What is left out reaches the total only if one count is all of it, or if the 0-th
    count has no probability to speak of. Leaving it out keeps the digits where nearly all counts are zero.
    """

    def combine(transforms: ComplexArray) -> ComplexArray:
        r = transforms[:, 0]
        power, both, one = 1, np.zeros_like(r), r.copy()  # (w + r)^p = w^p + one + both
        for bit in bin(n_counts)[3:]:
            both = both * (2 * (zero**power + one) + both) + one * one
            power *= 2
            one = (power * zero ** (power - 1)) * r
            if bit == "1":
                both = both * (zero + r) + one * r
                power += 1
                one = (power * zero ** (power - 1)) * r
        return both

    return combine


def negligible_beyond(log_probability: Callable[[FloatArray], FloatArray], centre: int, spread: float) -> int:
    """Return how far from its centre, on either side, a count has no probability left compared with the centre."""
    return int(reaches(log_probability, np.array([centre]), np.array([spread]))[0])


def reaches(log_probability: Callable[[FloatArray], FloatArray], centres: IntArray, spreads: FloatArray) -> IntArray:
    """:func:`negligible_beyond` for R laws at once: ``log_probability`` takes counts of shape (R, any)."""
    middle = centres[:, None].astype(np.float64)
    distances = np.ceil(np.maximum(spreads, 1.0)[:, None] * _FURTHER)
    left = np.where(middle >= distances, log_probability(np.maximum(middle - distances, 0.0)), -np.inf)
    farther = np.maximum(left, log_probability(middle + distances)) - log_probability(middle)
    farther[:, -1] = -np.inf  # the last distance has to do; one too long costs time only
    nearest = np.argmax(farther < _NEGLIGIBLE, axis=1)
    return np.asarray(distances[np.arange(len(centres)), nearest], dtype=np.int64)


def fast_period(at_least: int) -> int:
    """Return an even number, at least the given one, whose Fourier transform is fast."""
    return int(2 * next_fast_len(-(-at_least // 2), real=True))
