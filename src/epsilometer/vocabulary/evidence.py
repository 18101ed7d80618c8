"""How a number is known is its type: exact, upper bound, estimate with interval, heuristic.

``value`` is a float, or an array with one entry per privacy parameter when a curve was asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from epsilometer.vocabulary.plain import plain

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval."""

    low: float | FloatArray
    high: float | FloatArray
    confidence: float


@dataclass(frozen=True, slots=True)
class Exact:
    """The number itself, up to floating-point rounding."""

    kind: ClassVar[str] = "exact"
    value: float | FloatArray


@dataclass(frozen=True, slots=True)
class UpperBound:
    """The truth is at most this."""

    kind: ClassVar[str] = "upper bound"
    value: float | FloatArray


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number from repeated random trials; one without an interval cannot be written down."""

    kind: ClassVar[str] = "estimate"
    value: float | FloatArray
    interval: Interval


@dataclass(frozen=True, slots=True)
class Heuristic:
    """A number that nobody has proved anything about."""

    kind: ClassVar[str] = "heuristic"
    value: float | FloatArray


@dataclass(frozen=True, slots=True)
class AsPrinted:
    """What an equation gives as printed in its paper, errors included; neither a bound nor an estimate."""

    kind: ClassVar[str] = "as printed"
    value: float | FloatArray


Answer = Exact | UpperBound | Estimate | Heuristic | AsPrinted


def interval_of(answer: Answer) -> dict[str, object] | None:
    """Return the interval of an estimate, ready for JSON; other answers have none."""
    if not isinstance(answer, Estimate):
        return None
    interval = answer.interval
    return {"low": plain(interval.low), "high": plain(interval.high), "confidence": interval.confidence}
