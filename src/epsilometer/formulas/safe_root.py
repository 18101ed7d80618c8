"""Root finding with a safe side: what comes back meets the target, or nothing does."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from epsilometer.errors import OutOfRange

if TYPE_CHECKING:
    from collections.abc import Callable


def smallest_meeting(curve: Callable[[float], float], target: float, *, name: str) -> float:
    """Smallest positive x with ``curve(x) <= target``, for a decreasing curve; rounded up.

    The search runs on log x. The root finder may land on either side of the root, so the result is checked
    and moved up until it meets the target. A curve that stays above the target up to 1e300 raises.

    >>> smallest_meeting(lambda x: 1 / x, 0.5, name="x")
    2.0
    """
    from scipy.optimize import brentq  # here, because a release with Laplace noise never needs it

    low, high = 1e-3, 1.0
    while curve(high) > target:
        low, high = high, high * 8
        if high > 1e300:  # noqa: PLR2004
            raise OutOfRange(name, target, "the range the curve can reach", hint="No finite value meets it.")
    while curve(low) <= target:
        low, high = low / 8, low
    log_root = brentq(lambda log_x: curve(math.exp(log_x)) - target, math.log(low), math.log(high), xtol=1e-15)
    root, step = math.exp(log_root), 1e-16
    while curve(root) > target:
        root, step = root * (1 + step), 2 * step
    return root
