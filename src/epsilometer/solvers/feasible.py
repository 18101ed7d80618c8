"""All the stretches on which a curve stays at or below a target, certified rather than sampled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.vocabulary.stretch import Stretch

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from epsilometer.vocabulary.arrays import FloatArray

    Flags = NDArray[np.bool_]
    Bound = Callable[[FloatArray, FloatArray], FloatArray]

START: Final = 64  # segments to begin with
FINEST: Final = 1e-9  # a segment still undecided at this width counts as not met: the safe side
MOST_UNDECIDED: Final = 20_000  # so do all that are left when there are more than this


def stretches_below(upper: Bound, lower: Bound, target: float, low: float, high: float) -> tuple[Stretch, ...]:
    """Find every stretch of [low, high] on which a curve is at most ``target``.

    The curve need not be monotone, and is never looked at itself: ``upper`` and ``lower`` bound it on segments, many
    at once, given their left and right ends. A segment whose upper bound meets the target is in; one whose lower
    bound misses it is out; the others are halved. Nothing is missed between points. What stays undecided, because
    the curve crosses the target there or runs along it, counts as not met.

    >>> def square(left, right):
    ...     return np.maximum(left**2, right**2)
    >>> def smallest(left, right):
    ...     return np.where((left < 0) & (right > 0), 0.0, np.minimum(left**2, right**2))
    >>> [(round(s.low, 6), round(s.high, 6)) for s in stretches_below(square, smallest, 2.0, -3.0, 5.0)]
    [(-1.414214, 1.414214)]
    """
    ends = np.linspace(low, high, START + 1)
    left, right = ends[:-1], ends[1:]
    decided: list[tuple[FloatArray, FloatArray, Flags]] = []
    while left.size:
        met, missed = upper(left, right) <= target, lower(left, right) > target
        missed |= ~met & ((right - left <= FINEST) | (left.size > MOST_UNDECIDED))
        done = met | missed
        decided.append((left[done], right[done], met[done]))
        left, right = left[~done], right[~done]
        middle = (left + right) / 2
        left, right = np.concatenate([left, middle]), np.concatenate([middle, right])
    starts, stops, verdicts = (np.concatenate(parts) for parts in zip(*decided, strict=True))
    order = np.argsort(starts)
    return tuple(
        Stretch(
            low=float(starts[order[first]]),
            high=float(stops[order[last - 1]]),
            bounded_below=bool(first > 0),
            bounded_above=bool(last < len(order)),
        )
        for first, last in runs(verdicts[order].astype(np.bool_))
    )


def runs(met: Flags) -> list[tuple[int, int]]:
    """Return the first and one past the last index of every run of true flags.

    >>> runs(np.array([True, False, True, True]))
    [(0, 1), (2, 4)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], met, [False]]).astype(np.int8)))
    return [(int(first), int(last)) for first, last in zip(edges[::2], edges[1::2], strict=True)]
