"""The result of asking what an attacker learns from a report that a person randomised themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.vocabulary.answered import Answered
from epsilometer.vocabulary.evidence import interval_of
from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.source import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt

    from epsilometer.vocabulary.evidence import Answer, Estimate, Exact, UpperBound
    from epsilometer.vocabulary.source import Source


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LocalRisk(Answered):
    """The chance that one person's value is named right from the reports, next to what it must be compared with.

    Attributes:
        question: what was asked, in words.
        randomizer: what each person does, as :meth:`Randomizer.describe` gives it.
        n_people: how many people report.
        answer: the chance from the person's own report, known to be theirs.
        shuffled: the chance once the reports were shuffled.
        no_release: the chance without a report: the share of the most common value.
        any_table: the chance for the population that suffers most.
        local_epsilon: what the person's own randomness guarantees.
        shuffled_epsilon: what it guarantees once shuffled, at ``shuffled_delta``; ``None`` where no bound is known.
        shuffled_delta: chance with which that may fail.
        assumptions: what the numbers take for granted.
        caveats: what to keep in mind.
        source: where the formulas come from.
    """

    kind: ClassVar[str] = "local-risk"

    question: str
    randomizer: Mapping[str, Any]
    n_people: int
    answer: Exact
    shuffled: Exact | Estimate | UpperBound
    no_release: float
    any_table: float
    local_epsilon: float
    shuffled_epsilon: float | None
    shuffled_delta: float
    assumptions: tuple[str, ...]
    caveats: tuple[str, ...]
    source: tuple[Source, ...]

    @property
    def value(self) -> float:
        """The chance from the person's own report."""
        return float(self.answer.value)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "question": self.question,
            "randomizer": plain(self.randomizer),
            "n_people": self.n_people,
            "evidence": self.evidence,
            "value": self.value,
            "shuffled": _known(self.shuffled),
            "no_release": self.no_release,
            "any_table": self.any_table,
            "local_epsilon": self.local_epsilon,
            "shuffled_epsilon": self.shuffled_epsilon,
            "shuffled_delta": self.shuffled_delta,
            "assumptions": list(self.assumptions),
            "caveats": list(self.caveats),
            "source": listed(self.source),
        }

    def plot(self) -> alt.LayerChart:
        """Draw the chance to name a person's value, with and without their report."""
        from epsilometer.charts.local import draw_local_risk

        return draw_local_risk(self)


def _known(answer: Answer) -> dict[str, Any]:
    return {"evidence": answer.kind, "value": plain(answer.value), "interval": interval_of(answer)}
