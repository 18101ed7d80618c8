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

    The search runs on log x. The root finder may land on either side of the root, so the result is checked
    and moved up until it meets the target. A curve that stays above the target up to 1e300 raises.

    >>> smallest_meeting(lambda x: 1 / x, 0.5, name="x")
    2.0
    """
    from scipy.optimize import brentq  # here, because a release with Laplace noise never needs it

    def excess(log_x: float) -> float:
        return curve(math.exp(log_x)) - target

    low, high = -STEP, 0.0
    while excess(high) > 0:
        low, high = high, high + STEP
        if high > LARGEST_LOG:
            raise OutOfRange(name, target, "the range the curve can reach", hint="No finite value meets it.")
    while excess(low) <= 0:
        low, high = low - STEP, low
    root, step = math.exp(brentq(excess, low, high, xtol=1e-15)), 1e-16
    while curve(root) > target:
        root, step = root * (1 + step), 2 * step
    return root
