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

START: Final = 64  # segments to begin with
FINEST: Final = 1e-9  # a segment still undecided at this width counts as not met: the safe side
MOST_UNDECIDED: Final = 20_000  # so do all that are left when there are more than this


def stretches_below(
    curve: Callable[[FloatArray], FloatArray],
    target: float,
    low: float,
    high: float,
    *,
    slope: Callable[[FloatArray], FloatArray],
) -> tuple[Stretch, ...]:
    """Find every stretch of [low, high] on which ``curve`` is at most ``target``.

    ``curve`` need not be monotone. It takes many points at once, and from a point on must not change faster than
    ``slope`` at that point, per unit of the parameter. A segment whose ends a, b are h apart then stays within
    (a + b ± slope h) / 2, which decides it or has it halved. Nothing is missed between points, and every end that
    comes back was evaluated and meets the target. What stays undecided, because the curve runs along the target,
    counts as not met.

    >>> steepest = np.ones_like
    >>> [(round(s.low, 6), round(s.high, 6)) for s in stretches_below(np.sin, 0.0, 1.0, 8.0, slope=steepest)]
    [(3.141593, 6.283185)]
    """
    starts, stops, met = _decided_segments(curve, target, low, high, slope)
    order = np.argsort(starts)
    starts, stops, met = starts[order], stops[order], met[order]
    return tuple(
        Stretch(
            low=float(starts[first]),
            high=float(stops[last - 1]),
            bounded_below=bool(starts[first] > low),
            bounded_above=bool(stops[last - 1] < high),
        )
        for first, last in runs(met)
    )


def runs(met: Flags) -> list[tuple[int, int]]:
    """Return the first and one past the last index of every run of true flags.

    >>> runs(np.array([True, False, True, True]))
    [(0, 1), (2, 4)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], met, [False]]).astype(np.int8)))
    return [(int(first), int(last)) for first, last in zip(edges[::2], edges[1::2], strict=True)]


def _decided_segments(
    curve: Callable[[FloatArray], FloatArray],
    target: float,
    low: float,
    high: float,
    slope: Callable[[FloatArray], FloatArray],
) -> tuple[FloatArray, FloatArray, Flags]:
    """Halve segments until each is decided; return starts, stops and whether the target is met."""
    points = np.linspace(low, high, START + 1)
    values = np.asarray(curve(points), dtype=np.float64)
    left, right, f_left, f_right = points[:-1], points[1:], values[:-1], values[1:]
    decided: list[tuple[FloatArray, FloatArray, Flags]] = []
    while left.size:
        centre, reach = (f_left + f_right) / 2, slope(left) * (right - left) / 2
        met, missed = centre + reach <= target, centre - reach > target
        missed |= ((right - left) <= FINEST) | ((left.size > MOST_UNDECIDED) & ~met)
        done = met | missed
        decided.append((left[done], right[done], met[done]))
        left, right, f_left, f_right = left[~done], right[~done], f_left[~done], f_right[~done]
        middle = (left + right) / 2
        f_middle = np.asarray(curve(middle), dtype=np.float64) if middle.size else middle
        left, right = np.concatenate([left, middle]), np.concatenate([middle, right])
        f_left, f_right = np.concatenate([f_left, f_middle]), np.concatenate([f_middle, f_right])
    starts, stops, verdicts = zip(*decided, strict=True)
    return np.concatenate(starts), np.concatenate(stops), np.concatenate(verdicts)
