"""Places on the curves: round numbers, so that whoever takes one can say which."""

from __future__ import annotations

from typing import Final

import numpy as np

STEPS: Final = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)


def round_numbers(low: float, high: float, including: tuple[float, ...] = ()) -> list[float]:
    """Return the round numbers from low to high, and the numbers that must be among them.

    >>> round_numbers(0.3, 2.0, (1.2,))
    [0.3, 0.5, 0.7, 1.0, 1.2, 1.5, 2.0]
    """
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    even = [number for power in powers for step in STEPS if low <= (number := float(f"{step}e{power}")) <= high]
    return sorted({*even, *including})
