"""The Gaussian on whole numbers: its tails, and how much of it a guarantee needs."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.formulas.safe_root import meeting_between, smallest_meeting
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.vocabulary.arrays import FloatArray

LARGEST_SIGMA = 1e6  # the tail table below then holds 39 million numbers
UNDERFLOW = 38.7  # exp(-x**2 / 2) is zero in double precision beyond this
ROUNDING = 1e-12  # of a tail, by which double precision may be off
FALLS_BELOW = 0.5  # below this epsilon delta only falls with sigma; it first rises somewhere near 0.75


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

    Rounded up by what double precision may lose in the difference.

    >>> round(delta_from_sigma(1.0, epsilon=1.0, moved_counts=1), 6)
    0.141351
    """
    tail = upper_tail(sigma) if moved_counts == 1 else _upper_tail_of_sum(sigma)
    first = math.floor(epsilon * sigma**2 - moved_counts / 2) + 1
    beyond_loss, beyond_gain = _at(tail, first), _at(tail, first + moved_counts)
    if not beyond_gain:
        return beyond_loss  # leaving out a term that underflows can only raise delta
    return max(beyond_loss * (1 + ROUNDING) - math.exp(epsilon + math.log(beyond_gain)), 0.0)


def calibrated_sigma(epsilon: float, delta: float, *, moved_counts: int) -> float:
    r"""Smallest sigma from which on all noise is (epsilon, delta)-DP: rounded up.

    Noise on whole numbers leaves no smooth delta. Between the values of sigma at which
    :math:`\varepsilon\sigma^2 + m/2` is a whole number k the same outcomes count, and delta rises there and falls
    again: a row of arches, each lower than the one before. Where an arch stands above delta, a narrow range of less
    noise before it is (epsilon, delta)-DP as well, but a little more noise than that is not; such a sigma is never
    taken, so that sigma may be rounded up. As epsilon grows, one arch after the other sinks below delta, and sigma
    drops to the arch before it at once: for delta = 1e-6 and m = 1 from 0.813 to 0.742 at epsilon = 6.351, and from
    0.597 to 0.521 at epsilon = 9.211.

    >>> round(calibrated_sigma(1.0, 1e-5, moved_counts=1), 6)
    3.740485
    """

    def delta_at(sigma: float) -> float:
        return delta_from_sigma(sigma, epsilon=epsilon, moved_counts=moved_counts)

    sigma = smallest_meeting(delta_at, delta, name="delta")
    return sigma if epsilon < FALLS_BELOW else _beyond_every_arch(delta_at, sigma, delta, epsilon, moved_counts / 2)


def _beyond_every_arch(
    delta_at: Callable[[float], float], sigma: float, delta: float, epsilon: float, half_moved: float
) -> float:
    """Smallest sigma, from one that keeps delta on, beyond which no arch of the curve stands above delta."""
    from scipy.optimize import minimize_scalar

    def top(low: float, high: float) -> float:
        found = minimize_scalar(lambda x: -delta_at(x), bounds=(low, high), options={"xatol": 1e-6 * low})
        return max(low, float(found.x), key=delta_at)

    low, arch = sigma, math.floor(epsilon * sigma**2 + half_moved)
    while True:
        arch += 1
        high = math.sqrt((arch - half_moved) / epsilon)
        highest = top(low, high)
        if delta_at(highest) > delta >= delta_at(high):
            sigma = meeting_between(delta_at, delta, highest, high)
        elif delta_at(highest) <= delta and low > sigma:  # a whole arch is low enough, and so are all that follow
            return sigma
        low = high


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
