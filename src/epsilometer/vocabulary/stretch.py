"""Stretches of a parameter, and what they have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from epsilometer.vocabulary.wording import rounded_down, rounded_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from epsilometer.vocabulary.language import Language


DIGITS: Final = (3, 5, 7)  # of an end of a stretch; more where fewer would leave nothing between them


@dataclass(frozen=True, slots=True)
class Stretch:
    """A closed stretch of the parameter on which the target is met.

    Attributes:
        low: smallest parameter of the stretch.
        high: largest parameter of the stretch.
        bounded_below: whether the target stops the stretch at ``low``; otherwise the search range does.
        bounded_above: whether the target stops the stretch at ``high``.
    """

    low: float
    high: float
    bounded_below: bool
    bounded_above: bool

    def on_scale(self, scale: Callable[[float], float]) -> Stretch:
        """Return the stretch on an increasing scale of the parameter."""
        return Stretch(scale(self.low), scale(self.high), self.bounded_below, self.bounded_above)

    def shown(self) -> tuple[str, str]:
        """Write the ends, rounded inwards to so few digits as leave something between them.

        >>> Stretch(0.12341, 0.5678, False, True).shown(), Stretch(38.0, 2_480.0, True, True).shown()
        (('0.124', '0.567'), ('38', '2,480'))
        """
        if all(end == int(end) for end in (self.low, self.high)):
            return f"{self.low:,.0f}", f"{self.high:,.0f}"
        rounded = ((rounded_up(self.low, digits), rounded_down(self.high, digits)) for digits in DIGITS)
        low, high = next(((low, high) for low, high in rounded if low < high), (self.low, self.high))
        return f"{low:.7g}", f"{high:.7g}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers, ready for JSON."""
        return {
            "low": self.low,
            "high": self.high,
            "bounded_below": self.bounded_below,
            "bounded_above": self.bounded_above,
        }


def common(first: Iterable[Stretch], second: Iterable[Stretch]) -> tuple[Stretch, ...]:
    """Return the stretches that lie in both.

    >>> both = common([Stretch(1, 5, False, True)], [Stretch(0, 2, False, True), Stretch(4, 9, True, False)])
    >>> [(s.low, s.high) for s in both]
    [(1, 2), (4, 5)]
    """
    second = tuple(second)
    return tuple(
        Stretch(
            low=max(a.low, b.low),
            high=min(a.high, b.high),
            bounded_below=max(a, b, key=lambda s: (s.low, s.bounded_below)).bounded_below,
            bounded_above=min(a, b, key=lambda s: (s.high, not s.bounded_above)).bounded_above,
        )
        for a in first
        for b in second
        if max(a.low, b.low) <= min(a.high, b.high)
    )


def not_looked_at(stretches: Sequence[Stretch], words: Language) -> str:
    """Say what lies beyond the search where not the target but the search range ends a stretch; otherwise nothing.

    >>> from epsilometer.vocabulary.language import ENGLISH
    >>> not_looked_at([Stretch(0.01, 0.5, False, True), Stretch(2.0, 10.0, True, False)], ENGLISH)
    'Nothing below 0.01 or above 10 was looked at.'
    """
    if not stretches:
        return ""
    ends = (stretches[0].bounded_below, stretches[-1].bounded_above)
    if all(ends):
        return ""
    key = {(False, False): "around", (False, True): "below", (True, False): "above"}[ends]
    low, high = words.number(stretches[0].shown()[0]), words.number(stretches[-1].shown()[1])
    return words.text(f"odds.stretch.nothing_{key}", low=low, high=high)
