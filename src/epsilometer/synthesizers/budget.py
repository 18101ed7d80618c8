"""What a synthesizer may spend, and what its looks at the records come to together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from epsilometer.errors import OutOfRange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.vocabulary.spending import Spending


@dataclass(frozen=True, slots=True)
class Budget:
    """A guarantee to keep: (epsilon, delta)-differential privacy, one record added or removed.

    >>> Budget(1.0).parts(3, 1)
    (Budget(epsilon=0.75, delta=0.0), Budget(epsilon=0.25, delta=0.0))
    """

    epsilon: float
    delta: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.epsilon < float("inf"):
            raise OutOfRange("epsilon", self.epsilon, "(0, inf)", hint="A smaller epsilon means more noise.")
        if not 0 <= self.delta < 1:
            raise OutOfRange("delta", self.delta, "[0, 1)", hint="Far below one over the number of people is usual.")

    def check_delta(self, method: str) -> None:
        """Refuse a budget without a delta for a method that needs one."""
        if self.delta == 0:
            hint = f"{method} needs one: 1e-6 is typical, and far below one over the number of people."
            raise OutOfRange("delta", self.delta, "(0, 1)", hint=hint)

    def parts(self, *weights: int) -> tuple[Budget, ...]:
        """Split in proportion to whole numbers, each part rounded down so that the parts never exceed the whole."""
        whole = sum(weights)
        return tuple(
            Budget(*(_at_most(Fraction(amount) * weight / whole) for amount in (self.epsilon, self.delta)))
            for weight in weights
        )


def _at_most(exact: Fraction) -> float:
    """Return the largest float not above a fraction: parts must not exceed the whole."""
    rounded = float(exact)
    return rounded if Fraction(rounded) <= exact else math.nextafter(rounded, -math.inf)


def noise_scale(sensitivity: float, epsilon: float) -> float:
    """Scale of Laplace or geometric noise that hides a change of ``sensitivity``, rounded to more noise.

    >>> noise_scale(1, 0.1) * 0.1 >= 1
    True
    """
    scale = sensitivity / epsilon
    enough = Fraction(scale) * Fraction(epsilon) >= Fraction(sensitivity)
    return scale if enough else math.nextafter(scale, math.inf)


def total(spendings: Sequence[Spending]) -> tuple[float, float]:
    """Epsilon and delta of several looks at the same records together: they add up, rounded once.

    >>> from epsilometer.vocabulary.spending import Spending
    >>> total([Spending("margins", 0.5), Spending("pairs", 0.25, delta=1e-6)])
    (0.75, 1e-06)
    """
    return math.fsum(spending.epsilon for spending in spendings), math.fsum(spending.delta for spending in spendings)
