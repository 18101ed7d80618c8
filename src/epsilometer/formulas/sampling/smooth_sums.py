"""Sums of a function over consecutive integers that ask for far fewer values than there are integers."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.polynomial.legendre import legvander

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.vocabulary.arrays import FloatArray, IntArray

    Function = Callable[[IntArray], FloatArray]

_NODES = 17
_TOLERANCE = 1e-12
_SHORT = 64  # a panel of at most so many integers is summed in full


def sum_over_integers(function: Function, start: int, stop: int, *, added_to: float) -> float:
    r"""Sum of a function that is smooth but for some kinks.

    .. math:: \sum_{t = \text{start}}^{\text{stop} - 1} f(t)

    A panel of integers is replaced by the polynomial through 17 of them (crowded towards the ends, as Chebyshev's
    are), whose sum is known. A panel is halved until the halves agree with it to 1e-12 of the sum and of the number
    that the sum is ``added_to``. Where the function is smooth, the halves are then better than that by orders of
    magnitude; a kink ends in a panel so short that it is summed in full.

    >>> round(sum_over_integers(lambda t: (t + 1.0) ** -2, 0, 100_000, added_to=0.0), 12)
    1.644924066898
    """
    whole = _panel_sum(function, start, stop)
    return _refined(function, start, stop, whole, _TOLERANCE * (abs(whole) + added_to))


def _refined(function: Function, start: int, stop: int, whole: float, tolerance: float) -> float:
    if stop - start <= _SHORT:
        return whole
    middle = (start + stop) // 2
    left, right = _panel_sum(function, start, middle), _panel_sum(function, middle, stop)
    if abs(left + right - whole) <= tolerance:
        return left + right
    return _refined(function, start, middle, left, tolerance) + _refined(function, middle, stop, right, tolerance)


def _panel_sum(function: Function, start: int, stop: int) -> float:
    nodes, weights = _rule(stop - start)
    return float(weights @ function(start + nodes))


@lru_cache(maxsize=64)
def _rule(length: int) -> tuple[IntArray, FloatArray]:
    """Return integers of a panel from 0 on, and the weights that sum every polynomial through them exactly."""
    if length <= _SHORT:
        return np.arange(length), np.ones(length)
    angles = np.pi * np.arange(_NODES) / (_NODES - 1)
    nodes = np.round((length - 1) / 2 * (1 - np.cos(angles))).astype(np.int64)
    polynomials = legvander(np.linspace(-1, 1, length), _NODES - 1)
    return nodes, np.linalg.solve(polynomials[nodes].T, polynomials.sum(axis=0))
