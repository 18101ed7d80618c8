"""Kinds of release side by side: how often an attacker is right, and how wrong an analyst is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from epsilometer.vocabulary.evidence import Estimate, Exact, interval_of
from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.shown import Confidential
from epsilometer.vocabulary.source import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    import altair as alt
    import pandas as pd

    from epsilometer.vocabulary.source import Source

Known = Exact | Estimate


class Place(NamedTuple):
    """Where a point is found: the number of its curve and its number on the curve, both from 0."""

    curve: int
    point: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FrontierPoint:
    """One release: what it gives away, and what it loses.

    Attributes:
        parameter: its epsilon, or its number of rows; ``None`` for the raw table, which has none.
        risk: probability that the attacker names the value of a random person right.
        attacker: what that attacker does: the best of those that were tried.
        loss: mean total variation distance of the shares over one and two columns from those of the table.
        stronger: the same risk from an attacker who also knows how the cells are made up, where that was worked out.
        planned: whether a plan asks for this very release; the others show what would happen around it.
    """

    parameter: float | None
    risk: Known
    attacker: str
    loss: Known
    stronger: Exact | None = None
    planned: bool = False

    @property
    def risk_at_most(self) -> float:
        """The risk, at the upper end of its interval if it has one."""
        return upper_end(self.risk)

    @property
    def loss_at_most(self) -> float:
        """The loss, at the upper end of its interval if it has one."""
        return upper_end(self.loss)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "parameter": self.parameter,
            "planned": self.planned,
            "attacker": self.attacker,
            "risk": _answer(self.risk),
            "loss": _answer(self.loss),
            "stronger_attacker": None if self.stronger is None else _answer(self.stronger),
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FrontierCurve:
    """One kind of release over its parameter.

    Attributes:
        kind: counts, sample, synthetic, local or raw.
        name: the kind with what sets it apart from other curves of that kind.
        parameter: what varies along the curve: ``"epsilon"``, ``"rows"``, or nothing for the raw table.
        points: by ascending parameter.
        assumptions: what the numbers of this curve take for granted.
    """

    kind: str
    name: str
    parameter: str
    points: tuple[FrontierPoint, ...]
    assumptions: tuple[str, ...]

    def label(self, point: FrontierPoint) -> str:
        """What tells the point from the others of the curve: ``ε = 0.5``, ``800 rows``, or nothing."""
        if point.parameter is None:
            return ""
        return f"{point.parameter:,.0f} rows" if self.parameter == "rows" else f"ε = {point.parameter:.3g}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frontier(Confidential):
    """Kinds of release of one table in one currency.

    Attributes:
        sensitive: what the attacker wants; several columns count as one attribute of combinations.
        quasi_identifiers: what the attacker knows of a person.
        n_people: number of records.
        no_release: how often the attacker is right without any release: the share of the most common value.
        raw: how often with the raw table.
        max_risk: the largest risk that is acceptable, if said.
        max_loss: the largest loss that is acceptable, if said.
        curves: one for each kind of release.
        pareto: the points that no other one beats in risk and loss at once, by ascending loss; intervals count with
            their upper ends.
        meeting: the points that meet the targets at the upper ends of their intervals; empty without targets.
        recommended: the least risky of them that can be released, of equally risky ones of a kind that with the
            smallest epsilon or the fewest rows; or the most accurate if only the risk has a target.
        in_words: the answer in words.
        repeats: how many releases were simulated for each point, at most.
        runs: how many synthetic tables were made for each point.
        seed: what chance was seeded with.
        assumptions: what all the numbers take for granted.
        caveats: what to keep in mind.
        source: where the formulas come from.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "frontier"

    sensitive: str
    quasi_identifiers: tuple[str, ...]
    n_people: int
    no_release: float
    raw: float
    max_risk: float | None
    max_loss: float | None
    curves: tuple[FrontierCurve, ...]
    pareto: tuple[Place, ...]
    meeting: tuple[Place, ...]
    recommended: Place | None
    in_words: str
    repeats: int
    runs: int
    seed: int
    assumptions: tuple[str, ...]
    caveats: tuple[str, ...]
    source: tuple[Source, ...]

    def at(self, place: Place) -> tuple[FrontierCurve, FrontierPoint]:
        """Return the curve and the point at a place."""
        curve = self.curves[place.curve]
        return curve, curve.points[place.point]

    @property
    def has_targets(self) -> bool:
        """Whether a largest risk or a largest loss was said."""
        return self.max_risk is not None or self.max_loss is not None

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "confidential": True,
            "answer": self.in_words,
            "sensitive": self.sensitive,
            "quasi_identifiers": list(self.quasi_identifiers),
            "n_people": self.n_people,
            "no_release": self.no_release,
            "raw": self.raw,
            "max_risk": self.max_risk,
            "max_loss": self.max_loss,
            "curves": [
                {
                    "kind": curve.kind,
                    "name": curve.name,
                    "parameter": curve.parameter,
                    "points": [point.to_dict() for point in curve.points],
                    "assumptions": list(curve.assumptions),
                }
                for curve in self.curves
            ],
            "pareto": [place._asdict() for place in self.pareto],
            "meeting": [place._asdict() for place in self.meeting],
            "recommended": None if self.recommended is None else self.recommended._asdict(),
            "repeats": self.repeats,
            "runs": self.runs,
            "seed": self.seed,
            "assumptions": list(self.assumptions),
            "caveats": list(self.caveats),
            "source": listed(self.source),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row per point."""
        import pandas as pd

        pareto, meeting = set(self.pareto), set(self.meeting)
        return pd.DataFrame(
            {
                "release": curve.name,
                "parameter": point.parameter,
                "risk": float(point.risk.value),
                "risk_at_most": point.risk_at_most,
                "risk_evidence": point.risk.kind,
                "loss": float(point.loss.value),
                "loss_at_most": point.loss_at_most,
                "planned": point.planned,
                "pareto": place in pareto,
                "meets_targets": place in meeting,
                "recommended": place == self.recommended,
            }
            for place, curve, point in self._each()
        )

    def plot(self) -> alt.LayerChart:
        """Draw risk against loss, one line for each kind of release."""
        from epsilometer.charts.frontier import draw_frontier

        return draw_frontier(self)

    def _each(self) -> Iterator[tuple[Place, FrontierCurve, FrontierPoint]]:
        for number, curve in enumerate(self.curves):
            for position, point in enumerate(curve.points):
                yield Place(number, position), curve, point


def upper_end(answer: Known) -> float:
    """Return a number on its safe side: the upper end of the interval of an estimate."""
    return float(answer.interval.high if isinstance(answer, Estimate) else answer.value)


def _answer(answer: Known) -> dict[str, Any]:
    return {"evidence": answer.kind, "value": plain(answer.value), "interval": interval_of(answer)}
