"""The result of asking which parameters meet a risk target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.vocabulary.shown import Confidential

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.stretch import Stretch


@dataclass(frozen=True, slots=True, kw_only=True)
class Feasible(Confidential):
    """Every stretch of a parameter on which a risk stays at or below a target.

    Risk need not rise with epsilon, so there may be several. Their ends are certified: the risk was evaluated
    there and meets the target, and between them it cannot exceed it.

    Attributes:
        parameter: ``"epsilon"``, ``"delta"`` or ``"threshold"``.
        max_risk: the target.
        stretches: where it is met, ascending; empty if nowhere.
        searched: smallest and largest parameter looked at.
        smallest_risk: the smallest risk that was seen.
        smallest_at: the parameter at which it was seen.
        no_release: share of people whose value is guessed right without any release, by naming the most common one.
        noise_limit: what the risk tends to as noise grows without bound.
        in_words: the answer in a sentence or two.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "feasible"

    parameter: str
    max_risk: float
    stretches: tuple[Stretch, ...]
    searched: tuple[float, float]
    smallest_risk: float
    smallest_at: float
    no_release: float
    noise_limit: float
    in_words: str

    @property
    def value(self) -> float | None:
        """The largest parameter that meets the target; ``None`` if none does."""
        return self.stretches[-1].high if self.stretches else None

    def __bool__(self) -> bool:
        return bool(self.stretches)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "evidence": "exact",
            "parameter": self.parameter,
            "max_risk": self.max_risk,
            "stretches": [stretch.to_dict() for stretch in self.stretches],
            "searched": list(self.searched),
            "smallest_risk": self.smallest_risk,
            "smallest_at": self.smallest_at,
            "no_release": self.no_release,
            "noise_limit": self.noise_limit,
            "in_words": self.in_words,
        }

    def plot(self) -> alt.LayerChart:
        """Draw where the target is met."""
        from epsilometer.charts.stretches import draw_feasible

        return draw_feasible(self)
