"""What every result with one number in it offers."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from epsilometer.vocabulary.shown import Shown

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.evidence import Answer


class Answered(Shown):
    """A result whose number is inside a typed answer."""

    __slots__ = ()

    schema: ClassVar[str] = "epsilometer/result/1"

    answer: Answer

    @property
    def value(self) -> float | FloatArray:
        """The number inside the answer; an array, in the order of what was asked for, when that was a curve."""
        return self.answer.value

    @property
    def evidence(self) -> str:
        """How the number is known: exact, upper bound, estimate, heuristic or as printed."""
        return self.answer.kind
