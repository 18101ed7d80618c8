"""The attacker who names the value with the largest count of the person's cell, whatever the counts come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.vocabulary.evidence import Estimate, Exact, Interval

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.frontier import Known

LARGEST_COUNT: Final = "names the value with the largest count of the person's cell"
OVERALL: Final = "names the most common value of all, whatever the release says"


def right_by_largest_count(true: IntArray, shown: IntArray, fallback: FloatArray) -> FloatArray:
    """Share of people named right with each of several tables. Exact.

    Args:
        true: the table itself, cells x values.
        shown: what the attacker sees of it, cells x values x tables. Ties are broken at random.
        fallback: how probably each value is named for a cell that shows nothing.

    >>> true = np.array([[3, 1], [0, 2]])
    >>> right_by_largest_count(true, np.array([[[3, 1], [1, 1]], [[0, 0], [2, 0]]]), np.array([1.0, 0.0]))
    array([0.83333333, 0.33333333])
    """
    largest = (shown == shown.max(axis=1, keepdims=True)) & (shown > 0)
    n_largest = largest.sum(axis=1)
    by_count = np.einsum("ck,ckt->ct", true, largest) / np.maximum(n_largest, 1)
    by_fallback = (true @ fallback)[:, None]
    return np.asarray(np.where(n_largest > 0, by_count, by_fallback).sum(axis=0) / true.sum())


def better(found: Known, attacker: str, other: float, instead: str) -> tuple[Known, str]:
    """Return the risk from the better of two attackers, and what they do; of the other one the risk is known exactly.

    No end of an interval is below the other one, and where it reaches above that, its upper end is kept.

    >>> better(Exact(0.2), "looks", 0.3, "guesses")
    (Exact(value=0.3), 'guesses')
    """
    by, value = (attacker, float(found.value)) if float(found.value) >= other else (instead, other)
    if isinstance(found, Estimate) and found.interval.high > other:
        low, high = (max(float(end), other) for end in (found.interval.low, found.interval.high))
        return Estimate(value, Interval(low, high, found.interval.confidence)), by
    return Exact(value), by
