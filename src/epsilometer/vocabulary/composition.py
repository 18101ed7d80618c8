"""The result of taking several looks at the same data together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.shown import Shown
from epsilometer.vocabulary.wording import percent, shown_up

if TYPE_CHECKING:
    import altair as alt


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition(Shown):
    """What several looks at the same people guarantee together; every number is an upper bound.

    Attributes:
        n_looks: how many looks were taken.
        adjacency: what one person may change.
        delta: chance of failure at which epsilon is stated.
        added_up: sum of the epsilons, infinite where the deltas add up to more than ``delta``.
        added_delta: sum of the deltas.
        tight: epsilon from the laws of the noises, infinite where ``delta`` is too small for it.
        membership_advantage: how much better than a coin anybody can tell from everything that was published whether
            a person is in the data; for replacements, which of two people is.
        unguaranteed: the looks that guarantee nothing, in words.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "composition"

    n_looks: int
    adjacency: str
    delta: float
    added_up: float
    added_delta: float
    tight: float
    membership_advantage: float
    unguaranteed: tuple[str, ...]

    @property
    def epsilon(self) -> float:
        """The smaller of the two bounds."""
        return min(self.added_up, self.tight)

    @property
    def in_words(self) -> str:
        """The answer in words."""
        if not self.n_looks:
            return "Nothing has been published."
        looks = "" if self.n_looks == 1 else f"{self.n_looks} looks at the data together: "
        if math.isinf(self.epsilon):
            return f"{looks}{'no' if looks else 'No'} epsilon holds at δ = {self.delta:g}, because {self._obstacle}."
        replaced = self.adjacency == Adjacency.REPLACE.value
        told = "which of two people is in the data" if replaced else "whether a person is in the data"
        return (
            f"{looks}ε = {_shown(self.epsilon)} at δ = {self.delta:g}{self._both_ways}. Whoever sees everything "
            f"tells at most {percent(self.membership_advantage)} better than a coin {told}."
        )

    @property
    def _both_ways(self) -> str:
        """How each of the bounds comes out, where there are two to speak of."""
        if self.n_looks == 1 or math.isinf(self.tight):
            return ""
        return f" (added up: {_shown(self.added_up)}, by the laws of the noise: {_shown(self.tight)})"

    @property
    def _obstacle(self) -> str:
        if self.unguaranteed:
            return f"nothing protects {', '.join(self.unguaranteed)}"
        return f"the deltas add up to {_shown(self.added_delta)}"

    @property
    def caveats(self) -> tuple[str, ...]:
        """What to keep in mind."""
        adaptive = (
            "Adding up holds however the releases were chosen. The figure by the laws of the noise, and what it says "
            "about telling who is in the data, hold if no release had its settings chosen by looking at what an "
            "earlier one published."
        )
        replaced = (
            "Some of the looks hide which of two people is in the data, not how many are. All are counted like that: a "
            "look that hides more costs twice its epsilon."
        )
        unprotected = (f"Nothing protects {look}: there is no guarantee for it." for look in self.unguaranteed)
        replacing = self.n_looks > 1 and self.adjacency == Adjacency.REPLACE.value
        return (*([adaptive] if self.n_looks > 1 else []), *([replaced] if replacing else []), *unprotected)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON; ``None`` stands for a number that is infinite."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "answer": self.in_words,
            "n_looks": self.n_looks,
            "adjacency": self.adjacency,
            "evidence": "upper bound",
            "delta": self.delta,
            "epsilon": _finite(self.epsilon),
            "added_up": _finite(self.added_up),
            "added_delta": _finite(self.added_delta),
            "tight": _finite(self.tight),
            "membership_advantage": self.membership_advantage,
            "unguaranteed": list(self.unguaranteed),
            "caveats": list(self.caveats),
        }

    def plot(self) -> alt.LayerChart:
        """Draw what the looks cost together, added up and by the laws of the noise."""
        from epsilometer.charts.composition import draw_composition

        return draw_composition(self)


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _shown(number: float) -> str:
    return "none at this δ" if math.isinf(number) else shown_up(number)
