"""Intervals for shares of successes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.vocabulary.evidence import Estimate, Interval
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray

ROUNDING: Final = 1e-9  # of a sum of expected successes that should be a whole number


@source("wilson-1927", "score interval")
def score_interval(share: float | FloatArray, trials: float, confidence: float) -> Interval:
    r"""All shares that a score test does not reject, where a share of the trials succeeded. Approximate.

    .. math:: \frac{\hat p + z^2/2n \pm z \sqrt{\hat p (1 - \hat p)/n + z^2/4n^2}}{1 + z^2/n}

    with :math:`\hat p` = ``share``, n = ``trials`` and z the normal quantile of ``confidence``. The lower end is the
    product of both, :math:`\hat p^2 / (1 + z^2/n)`, over the upper one, which does not cancel near zero; the upper end
    is one less the lower one for the failures.

    >>> interval = score_interval(81 / 263, 263, 0.95)
    >>> f"{interval.low:.4f} to {interval.high:.4f}"
    '0.2553 to 0.3662'
    """
    from scipy.special import ndtri

    z = float(ndtri((1 + confidence) / 2))

    def lower_end(of: float | FloatArray) -> float | FloatArray:
        return of**2 / (of + z**2 / (2 * trials) + z * np.sqrt(of * (1 - of) / trials + (z / (2 * trials)) ** 2))

    return Interval(lower_end(share), 1 - lower_end(1 - share), confidence)


@source("wilson-1927", "score interval")
def wilson(successes: float, trials: int, confidence: float = 0.95) -> Estimate:
    """Share of successes, with its score interval. Approximate.

    ``successes`` may be a sum of probabilities, which varies less than a count: the upper end is then that of the
    next whole number, and the lower end that of the one before.

    >>> wilson(5, 10).value
    0.5
    """
    fewest, most = math.floor(successes + ROUNDING), math.ceil(successes - ROUNDING)
    low = score_interval(fewest / trials, trials, confidence).low
    high = score_interval(most / trials, trials, confidence).high
    return Estimate(successes / trials, Interval(float(low), float(high), confidence))


@source("newcombe-1998", "Method 10")
def difference(one: Estimate, other: Estimate) -> Estimate:
    r"""By how much does one share exceed another, of other trials? Approximate.

    .. math:: \hat p_1 - \hat p_2 - \sqrt{(\hat p_1 - l_1)^2 + (u_2 - \hat p_2)^2}, \quad
        \hat p_1 - \hat p_2 + \sqrt{(u_1 - \hat p_1)^2 + (\hat p_2 - l_2)^2}

    with the two shares and the ends of their intervals by Wilson, l and u, of one confidence.

    >>> found = difference(wilson(56, 70), wilson(48, 80))
    >>> round(found.value, 4), round(found.interval.low, 4), round(found.interval.high, 4)
    (0.2, 0.0524, 0.3339)
    """
    excess = one.value - other.value
    below = math.hypot(one.value - one.interval.low, other.interval.high - other.value)
    above = math.hypot(one.interval.high - one.value, other.value - other.interval.low)
    return Estimate(excess, Interval(excess - below, excess + above, one.interval.confidence))


@source("clopper-pearson-1934", "equal tails")
def clopper_pearson(successes: int, trials: int, confidence: float = 0.95) -> Estimate:
    """Share of successes, with the interval that covers the truth at least with this confidence.

    >>> round(clopper_pearson(20, 20).interval.low, 4)
    0.8316
    """
    from scipy.stats import binomtest

    ends = binomtest(successes, trials).proportion_ci(confidence, method="exact")
    return Estimate(successes / trials, Interval(float(ends.low), float(ends.high), confidence))
