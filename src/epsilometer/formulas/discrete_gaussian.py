"""The Gaussian on whole numbers: its tails, and how much of it a guarantee needs."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.formulas.safe_root import smallest_meeting
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray

LARGEST_SIGMA = 1e6  # the tail table below then holds 39 million numbers
UNDERFLOW = 38.7  # exp(-x**2 / 2) is zero in double precision beyond this


@source("CanonneKamathSteinke2020", "Definition 1")
@lru_cache(maxsize=64)
def upper_tail(sigma: float) -> FloatArray:
    r"""Pr(e >= m) for m = 0, 1, 2, … up to where it underflows, :math:`\Pr(e = k) \propto e^{-k^2/2\sigma^2}`.

    Summed from the far end, so that every entry keeps its relative accuracy.

    >>> upper_tail(1.0)[:3].round(6)
    array([0.699471, 0.300529, 0.058558])
    """
    if not 0 < sigma <= LARGEST_SIGMA:
        raise OutOfRange("sigma", sigma, f"(0, {LARGEST_SIGMA:g}]", hint="Use Gaussian: at this scale the two agree.")
    weights = np.exp(-0.5 * (np.arange(math.ceil(UNDERFLOW * sigma) + 2) / sigma) ** 2)
    tail = np.cumsum(weights[::-1])[::-1]
    tail /= tail[0] + tail[1]
    tail.setflags(write=False)
    return tail


@source("CanonneKamathSteinke2020", "Theorem 7, carried over to two counts that move by one")
def delta_from_sigma(sigma: float, *, epsilon: float, moved_counts: int) -> float:
    r"""Smallest delta such that noise on every count is (epsilon, delta)-DP when one or two counts move by one.

    With S the sum of the noise of the m moved counts the privacy loss is :math:`(2S + m)/2\sigma^2`, so

    .. math:: \delta = \Pr(S > \varepsilon\sigma^2 - m/2) - e^\varepsilon \Pr(S > \varepsilon\sigma^2 + m/2).

    >>> round(delta_from_sigma(1.0, epsilon=1.0, moved_counts=1), 6)
    0.141351
    """
    tail = upper_tail(sigma) if moved_counts == 1 else _upper_tail_of_sum(sigma)
    beyond_loss = _at(tail, math.floor(epsilon * sigma**2 - moved_counts / 2) + 1)
    beyond_gain = _at(tail, math.floor(epsilon * sigma**2 + moved_counts / 2) + 1)
    if not beyond_gain:
        return beyond_loss  # leaving out a term that underflows can only raise delta
    return max(beyond_loss - math.exp(epsilon + math.log(beyond_gain)), 0.0)


def calibrated_sigma(epsilon: float, delta: float, *, moved_counts: int) -> float:
    """Smallest sigma that is (epsilon, delta)-DP: tight, rounded up.

    >>> round(calibrated_sigma(1.0, 1e-5, moved_counts=1), 6)
    3.740485
    """
    return smallest_meeting(
        lambda sigma: delta_from_sigma(sigma, epsilon=epsilon, moved_counts=moved_counts), delta, name="delta"
    )


def value_advantage(sigma: float) -> float:
    """Total variation distance when one count moves up by one and another down by one: Pr(S = 0 or S = 1).

    >>> round(value_advantage(1.0), 6)
    0.501797
    """
    tail = _upper_tail_of_sum(sigma)
    return float(tail[0] - tail[2]) if len(tail) > 2 else 1.0  # noqa: PLR2004


@lru_cache(maxsize=64)
def _upper_tail_of_sum(sigma: float) -> FloatArray:
    """Pr(S >= m), m = 0, 1, 2, …, for the sum S of two such noises.

    Completing the square in the convolution leaves a Gaussian of variance 2 sigma**2 times a theta sum that
    depends only on whether s is even or odd.
    """
    points = np.arange(-math.ceil(UNDERFLOW * sigma) - 1, math.ceil(UNDERFLOW * sigma) + 2)
    theta = [np.exp(-(((points - shift) / sigma) ** 2)).sum() for shift in (0.0, 0.5)]
    s = np.arange(math.ceil(UNDERFLOW * math.sqrt(2) * sigma) + 2)
    weights = np.exp(-((s / (2 * sigma)) ** 2)) * np.where(s % 2 == 0, theta[0], theta[1])
    tail = np.cumsum(weights[::-1])[::-1]
    tail /= tail[0] + tail[1]
    return tail


def _at(tail: FloatArray, m: int) -> float:
    """Pr(e >= m) for any whole m, from a table for m >= 0 of a symmetric noise."""
    if m <= 0:
        return 1.0 - _at(tail, 1 - m)
    return float(tail[m]) if m < len(tail) else 0.0
