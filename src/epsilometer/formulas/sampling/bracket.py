"""A number with the two numbers that certainly hold it between them."""

from __future__ import annotations

from typing import NamedTuple


class Bracket(NamedTuple):
    """What a quantity comes to, and how far off that can be.

    Attributes:
        value: the number; never above ``high`` nor below ``low``.
        low: what the truth is at least.
        high: what the truth is at most.
    """

    value: float
    low: float
    high: float

    @classmethod
    def exactly(cls, value: float) -> Bracket:
        """Return a number that is known up to floating-point rounding."""
        return cls(value, value, value)

    @property
    def exact(self) -> bool:
        """Whether the number itself is known."""
        return self.low == self.high

    def mapped(self, slope: float, intercept: float) -> Bracket:
        """Return ``slope * number + intercept`` for a slope that is not negative.

        >>> Bracket(2.0, 1.0, 4.0).mapped(0.5, 1.0)
        Bracket(value=2.0, low=1.5, high=3.0)
        """
        return Bracket(*(slope * number + intercept for number in self))
