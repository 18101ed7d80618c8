"""The result of taking several looks at the same data together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.privacy_loss import ROW
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
        unit: whose part all of this is about: ``"person"`` for all rows of a person, ``"row"`` for one row.
        apart: what the looks guarantee together that are about rows, where the others are about people and nobody has
            declared how many rows a person has; ``None`` if there are none.
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
    unit: str = ROW
    apart: Composition | None = None

    @property
    def epsilon(self) -> float:
        """The smaller of the two bounds."""
        return min(self.added_up, self.tight)

    @property
    def largest(self) -> float:
        """The larger epsilon of those about people and those about rows: a budget must hold for each."""
        return max(self.epsilon, self.apart.epsilon) if self.apart else self.epsilon

    @property
    def in_words(self) -> str:
        """The answer in words."""
        if not self.n_looks:
            return "Nothing has been published."
        if self.apart:
            return (
                f"Per person: {self._alone_in_words} Per row, of releases for which nobody declared how many rows a "
                f"person has: {self.apart.in_words} The two are not added up, because they are not about the same."
            )
        return self._alone_in_words

    @property
    def _alone_in_words(self) -> str:
        looks = "" if self.n_looks == 1 else f"{self.n_looks} looks at the data together: "
        if math.isinf(self.epsilon):
            return f"{looks}{'no' if looks else 'No'} epsilon holds at δ = {self.delta:g}, because {self._obstacle}."
        replaced = self.adjacency == Adjacency.REPLACE.value
        one, two = ("a row", "two rows") if self.unit == ROW else ("a person", "two people")
        told = f"which of {two} is in the data" if replaced else f"whether {one} is in the data"
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
        by_row = (
            "A row was taken for a person, and nobody declared how many rows a person has: somebody with several rows "
            "is protected less, by as many times."
        )
        unprotected = (f"Nothing protects {look}: there is no guarantee for it." for look in self.unguaranteed)
        said = {
            adaptive: self.n_looks > 1,
            replaced: self.n_looks > 1 and self.adjacency == Adjacency.REPLACE.value,
            by_row: self.n_looks and self.unit == ROW,
        }
        own = (*(line for line, holds in said.items() if holds), *unprotected)
        return tuple(dict.fromkeys((*own, *(self.apart.caveats if self.apart else ()))))

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON; ``None`` stands for a number that is infinite."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "answer": self.in_words,
            "n_looks": self.n_looks,
            "adjacency": self.adjacency,
            "unit": self.unit,
            "evidence": "upper bound",
            "delta": self.delta,
            "epsilon": _finite(self.epsilon),
            "added_up": _finite(self.added_up),
            "added_delta": _finite(self.added_delta),
            "tight": _finite(self.tight),
            "membership_advantage": self.membership_advantage,
            "unguaranteed": list(self.unguaranteed),
            "caveats": list(self.caveats),
            "apart": None if self.apart is None else self.apart.to_dict(),
        }

    def plot(self) -> alt.LayerChart:
        """Draw what the looks cost together, added up and by the laws of the noise."""
        from epsilometer.charts.composition import draw_composition

        return draw_composition(self)


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _shown(number: float) -> str:
    return "none at this δ" if math.isinf(number) else shown_up(number)
