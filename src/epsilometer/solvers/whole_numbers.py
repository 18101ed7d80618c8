"""The smallest whole number from which a condition holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def first_meeting(meets: Callable[[int], bool], low: int, high: int, guess: int) -> int | None:
    """Find the smallest number in [low, high] that meets a condition which, once met, stays met.

    The search steps away from ``guess`` in doubling steps and then halves, so that a guess that is off by d
    costs about 2 log2(d) evaluations. ``None`` if no number meets it.

    >>> first_meeting(lambda m: m * m >= 1_000, 1, 10**9, guess=30)
    32
    """
    at, step = min(max(guess, low), high), 1
    if meets(at):
        met, missed = at, low - 1
        while met > low:
            at = max(low, met - step)
            if not meets(at):
                missed = at
                break
            met, step = at, 2 * step
    else:
        missed = at
        while True:
            if missed == high:
                return None
            at = min(high, missed + step)
            if meets(at):
                met = at
                break
            missed, step = at, 2 * step
    while met - missed > 1:
        middle = (met + missed) // 2
        met, missed = (middle, missed) if meets(middle) else (met, middle)
    return met
