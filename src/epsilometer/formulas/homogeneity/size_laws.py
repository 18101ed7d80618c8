"""How many records a cell has: laws for the sizes of cells.

The cells of a table are those with records, so a law speaks of the sizes from one on: ``truncated`` is the law
given that the cell is not empty. Papers 000 and 001 use the untruncated laws, by which a cell may be empty and
then carries no risk (erratum E11).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import betainc, gammainc

from epsilometer.errors import OutOfRange
from epsilometer.formulas.count_laws import log_negative_binomial, log_poisson
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

_SMALLEST_RATE = 1e-200  # stands for the limit zero, in which every non-empty cell has one record


@dataclass(frozen=True, slots=True)
class Poisson:
    """Poisson sizes of mean ``rate`` before truncation; a rate of zero is the limit: cells of one record.

    >>> Poisson(2.0).probability([1, 2]).round(6)
    array([0.313035, 0.313035])
    """

    rate: float
    truncated: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.rate < np.inf:
            raise OutOfRange("rate", self.rate, "[0, inf)")

    @property
    def positive_rate(self) -> float:
        """The rate, or a number near zero that stands for the limit zero."""
        return max(self.rate, _SMALLEST_RATE)

    @property
    def nonempty(self) -> float:
        """Probability, before truncation, that a cell has records."""
        return float(-np.expm1(-self.positive_rate))

    @source("homogeneity-v2", "Eq. (14) for Poisson sizes")
    def probability(self, n: ArrayLike) -> FloatArray:
        """Probability of each size n >= 1."""
        return np.exp(log_poisson(n, self.positive_rate)) / (self.nonempty if self.truncated else 1.0)

    def probability_above(self, n: ArrayLike) -> FloatArray:
        """Probability of a size above n."""
        return gammainc(np.add(n, 1), self.positive_rate) / (self.nonempty if self.truncated else 1.0)


@dataclass(frozen=True, slots=True)
class NegativeBinomial:
    r"""Negative binomial sizes: :math:`\binom{n+r-1}{n} (1-p)^n p^r` before truncation.

    ``p`` is the success probability, written lambda in Paper 001; Paper 000 swaps the letters (erratum E8).

    >>> NegativeBinomial(1.0, 0.25).probability([1, 2]).round(6)
    array([0.25  , 0.1875])
    """

    r: float
    p: float
    truncated: bool = True

    def __post_init__(self) -> None:
        if not 0 < self.r < np.inf:
            raise OutOfRange("r", self.r, "(0, inf)")
        if not 0 < self.p < 1:
            raise OutOfRange("p", self.p, "(0, 1)")

    @property
    def nonempty(self) -> float:
        """Probability, before truncation, that a cell has records."""
        return float(-np.expm1(self.r * np.log(self.p)))

    @source("homogeneity-v2", "Eq. (14) for negative binomial sizes")
    def probability(self, n: ArrayLike) -> FloatArray:
        """Probability of each size n >= 1."""
        return np.exp(log_negative_binomial(n, self.r, 1 - self.p)) / (self.nonempty if self.truncated else 1.0)

    def probability_above(self, n: ArrayLike) -> FloatArray:
        """Probability of a size above n."""
        return betainc(np.add(n, 1), self.r, 1 - self.p) / (self.nonempty if self.truncated else 1.0)


@dataclass(frozen=True, slots=True)
class ZeroInflated:
    """A law with extra empty cells; they change nothing if the law is truncated: no cell of a table is empty.

    >>> float(ZeroInflated(Poisson(2.0), extra_zeros=0.4).probability(1).round(6))
    0.313035
    """

    law: Poisson | NegativeBinomial
    extra_zeros: float

    def __post_init__(self) -> None:
        if not 0 <= self.extra_zeros < 1:
            raise OutOfRange("extra_zeros", self.extra_zeros, "[0, 1)")

    @property
    def kept(self) -> float:
        """Factor on every probability of a size n >= 1."""
        return 1.0 if self.law.truncated else 1 - self.extra_zeros

    @source("homogeneity-v1", "Corollary 3.6: zero-inflated sizes")
    def probability(self, n: ArrayLike) -> FloatArray:
        """Probability of each size n >= 1."""
        return self.kept * self.law.probability(n)

    def probability_above(self, n: ArrayLike) -> FloatArray:
        """Probability of a size above n."""
        return self.kept * self.law.probability_above(n)


SizeLaw = Poisson | NegativeBinomial | ZeroInflated


def size_exceeded_with(probability: float, sizes: SizeLaw) -> int:
    """Smallest size that a cell exceeds with at most this probability.

    >>> size_exceeded_with(0.05, Poisson(2.0))
    5
    """
    high = 1
    while sizes.probability_above(high) > probability:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if sizes.probability_above(middle) > probability else (low, middle)
    return high
