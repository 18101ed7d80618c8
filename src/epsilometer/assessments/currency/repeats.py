"""Means over repeated releases, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.special import stdtrit

from epsilometer.vocabulary.evidence import Estimate, Interval

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray

CONFIDENCE: Final = 0.95
MOST_NUMBERS: Final = 1e8  # random counts that a curve may draw: some seconds
FEWEST_REPEATS: Final = 4
BLOCK: Final = 2**21  # numbers per intermediate array


def mean_of_releases(values: FloatArray, largest: float = 1.0) -> Estimate:
    """Mean of a number between 0 and ``largest`` over independent releases, with Student's interval.

    >>> found = mean_of_releases(np.array([0.2, 0.3, 0.4]))
    >>> round(found.value, 3), round(found.interval.low, 3), round(found.interval.high, 3)
    (0.3, 0.052, 0.548)
    """
    mean, n = float(np.mean(values)), len(values)
    half = float(stdtrit(n - 1, (1 + CONFIDENCE) / 2) * np.std(values, ddof=1) / np.sqrt(n))
    return Estimate(mean, Interval(max(mean - half, 0.0), min(mean + half, largest), CONFIDENCE))


def affordable(repeats: int, numbers_per_release: int) -> int:
    """Return how often to simulate a curve, of which a release of all points draws so many numbers.

    Large tables are simulated less often, so that a curve takes seconds and not hours; the intervals say what that
    costs.

    >>> affordable(30, 1_000), affordable(30, 10**7)
    (30, 10)
    """
    return int(np.clip(MOST_NUMBERS / numbers_per_release, min(FEWEST_REPEATS, repeats), repeats))
