"""Numbers as people give them, checked."""

from __future__ import annotations

from numbers import Real
from typing import Final, TypeGuard

from epsilometer.errors import OutOfRange

LARGEST_COUNT: Final = 10**15  # people or values; beyond it a count is no longer an exact double with room to add


def whole(name: str, value: object, low: int, high: int, *, hint: str) -> int:
    """Return a whole number in [low, high], or say why it is none."""
    if not is_number(value) or not low <= value <= high or value != int(value):
        raise OutOfRange(name, value, f"the whole numbers [{low}, {high}]", hint=hint)
    return int(value)


def is_number(value: object) -> TypeGuard[float]:
    """Say whether something is a real number; True and False are none here, though Python counts with them."""
    return isinstance(value, Real) and not isinstance(value, bool)
