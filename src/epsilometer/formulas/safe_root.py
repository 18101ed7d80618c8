"""Root finding with a safe side: what comes back meets the target, or nothing does."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from epsilometer.errors import OutOfRange

if TYPE_CHECKING:
    from collections.abc import Callable

STEP: Final = 2.0  # of the search for a bracket, in log x
LARGEST_LOG: Final = 690.0  # exp of it is about 1e299


def smallest_meeting(curve: Callable[[float], float], target: float, *, name: str) -> float:
    """Smallest positive x with ``curve(x) <= target``, for a decreasing curve; rounded up.

    The search runs on log x. A curve that stays above the target up to 1e300 raises.

    >>> smallest_meeting(lambda x: 1 / x, 0.5, name="x")
    2.0
    """
    low, high = -STEP, 0.0
    while curve(math.exp(high)) > target:
        low, high = high, high + STEP
        if high > LARGEST_LOG:
            raise OutOfRange(name, target, "the range the curve can reach", hint="No finite value meets it.")
    while curve(math.exp(low)) <= target:
        low, high = low - STEP, low
    return meeting_between(curve, target, math.exp(low), math.exp(high))


def meeting_between(curve: Callable[[float], float], target: float, low: float, high: float) -> float:
    """Smallest x with ``curve(x) <= target``, for a curve that falls from above the target to it; rounded up.

    The root finder may land on either side of the root, so the result is checked and moved up until it meets the
    target.

    >>> round(meeting_between(lambda x: 1 / x, 0.25, 1.0, 10.0), 12)
    4.0
    """
    from scipy.optimize import brentq  # here, because a release with Laplace noise never needs it

    root, step = float(brentq(lambda x: curve(x) - target, low, high, xtol=1e-15 * low)), 1e-16
    while curve(root) > target:
        root, step = root * (1 + step), 2 * step
    return root
