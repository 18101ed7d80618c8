"""Where a curve starts to climb."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike


def knee(x: ArrayLike, y: ArrayLike) -> float:
    """Return the x of largest upward curvature of a curve given on an even grid: where it starts to climb.

    A heuristic: curvature depends on the scale of the axes. Both are taken to run from 0 to 1 here, so the knee
    depends on the range of x that was asked for.

    >>> x = np.linspace(-6, 6, 241)
    >>> round(knee(x, 1 / (1 + np.exp(-x))), 1)
    -2.8
    """
    across, up = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    span, rise = np.ptp(across), np.ptp(up)
    if not rise:
        return float(across[-1])  # a flat curve never starts to climb
    slope = np.gradient(up / rise, across / span)
    bend = np.gradient(slope, across / span)
    return float(across[np.argmax(bend / (1 + slope**2) ** 1.5)])
