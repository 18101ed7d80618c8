"""One change that makes an impossible pair of targets possible, and what it costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from epsilometer.vocabulary.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from epsilometer.vocabulary.stretch import Stretch

# What is given up: small counts, detail, or a target.
ORDER: Final = {"threshold": 0, "bins": 1, "column": 1, "risk": 2, "loss": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Relaxation:
    """The cheapest change of one kind after which some parameter meets both targets.

    Attributes:
        kind: ``"threshold"``, ``"bins"``, ``"column"``, ``"risk"`` or ``"loss"``.
        change: what is changed, in words.
        setting: the change as a plan takes it: the new threshold, bins, dropped column or target.
        cost: bits per person of what the quasi-identifiers tell apart, for bins and columns; otherwise the relative
            change of the setting, infinite if it was zero.
        cost_in_words: what is given up.
        stretches: every stretch of the parameter that then meets both targets.
        recommended: the point that is then recommended.
        in_words: the change, what it makes possible and its cost, in words.
    """

    kind: str
    change: str
    setting: dict[str, str | float]
    cost: float
    cost_in_words: str
    stretches: tuple[Stretch, ...]
    recommended: float
    in_words: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON; an infinite cost is ``None``."""
        return {
            "kind": self.kind,
            "change": self.change,
            "setting": dict(self.setting),
            "cost": plain(self.cost),
            "cost_in_words": self.cost_in_words,
            "stretches": [stretch.to_dict() for stretch in self.stretches],
            "recommended": self.recommended,
            "answer": self.in_words,
        }


def cheapest_first(changes: Iterable[Relaxation]) -> tuple[Relaxation, ...]:
    """Order changes by what they give up, and changes that give up the same by how much of it.

    First what keeps all columns and both targets and hides small counts; then what keeps both targets and gives up
    detail, by bits; last what gives up a target, by its relative change. Bits and targets are never weighed against
    each other.
    """
    return tuple(sorted(changes, key=lambda change: (ORDER[change.kind], change.cost)))


def relative_change(before: float, after: float) -> float:
    """Return by which share of itself a number grows; infinite from zero on.

    >>> relative_change(0.5, 0.75)
    0.5
    """
    return after / before - 1 if before else math.inf
