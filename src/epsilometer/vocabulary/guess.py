"""The result of asking which epsilon keeps an attacker's guess from getting better than it may."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.vocabulary.answered import Answered
from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.source import listed

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.evidence import AsPrinted, Exact
    from epsilometer.vocabulary.source import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field that the attacker guesses.

    Attributes:
        name: what it is called.
        k: distinct values among the records of the group; ``None`` if the prior was given.
        n: records of the group, as the paper reads the birthday bound; ``None`` if the prior was given.
        prior: the attacker's chance without a release.
        sensitivity: the range of the field, in the unit in which epsilon is counted.
    """

    name: str
    k: int | None
    n: int | None
    prior: float
    sensitivity: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {"name": self.name, "k": self.k, "n": self.n, "prior": self.prior, "sensitivity": self.sensitivity}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Guess(Answered):
    """Epsilon and the guessing advantage it allows, one computed from the other.

    Attributes:
        question: what was asked, in words.
        event: ``"single"``, ``"all"`` or ``"any"`` of the fields guessed right.
        method: ``"exact"`` or ``"published"``.
        released: ``"separately"`` or ``"jointly"``.
        fields: what is guessed.
        no_release: probability of the event without a release.
        advantage: by how much a release may raise it.
        answer: epsilon per unit of the fields, in a type that says how it is known; infinite where the bound
            asks for no noise.
        no_noise: whether that asks for no noise to speak of, which is when to look twice.
        prior_free: epsilon that keeps the advantage whatever the attacker knows before.
        in_words: the answer in words.
        assumptions: what it takes for granted.
        caveats: what to keep in mind.
        source: where the formulas come from.
    """

    kind: ClassVar[str] = "guess"

    question: str
    event: str
    method: str
    released: str
    fields: tuple[Field, ...]
    no_release: float
    advantage: float
    answer: Exact | AsPrinted
    no_noise: bool
    prior_free: float
    in_words: str
    assumptions: tuple[str, ...]
    caveats: tuple[str, ...]
    source: tuple[Source, ...]

    @property
    def value(self) -> float:
        """Epsilon per unit of the fields."""
        return float(self.answer.value)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON; an infinite epsilon is ``None`` and ``no_noise``."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "question": self.question,
            "answer": self.in_words,
            "event": self.event,
            "method": self.method,
            "released": self.released,
            "fields": [field.to_dict() for field in self.fields],
            "no_release": self.no_release,
            "advantage": self.advantage,
            "evidence": self.evidence,
            "value": plain(self.value),
            "no_noise": self.no_noise,
            "prior_free": plain(self.prior_free),
            "assumptions": list(self.assumptions),
            "caveats": list(self.caveats),
            "source": listed(self.source),
        }

    def plot(self) -> alt.LayerChart:
        """Draw the chance of a right guess without a release and with it."""
        from epsilometer.charts.guess import draw_guess

        return draw_guess(self)
