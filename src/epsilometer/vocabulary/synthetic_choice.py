"""The result of choosing epsilon for a synthetic table from a few tables that were made and measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.shown import Confidential

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.stretch import Stretch


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeasuredCurve:
    """A risk or a loss against epsilon: what was measured, and the curve through it.

    Attributes:
        name: what is measured.
        epsilons: the epsilon of each run.
        values: what each run came to.
        family: kind of the fitted curve, the one with the smallest error at epsilons left out.
        leave_one_out: that error, in the unit of the values; ``None`` if there are too few epsilons.
        grid: epsilons at which the curve is given, from the smallest measured to the largest.
        curve: the fitted curve there.
        low, high: its band there; the curve itself without repeated runs.
        confidence: that of the band at each epsilon.
    """

    name: str
    epsilons: FloatArray
    values: FloatArray
    family: str
    leave_one_out: float | None
    grid: FloatArray
    curve: FloatArray
    low: FloatArray
    high: FloatArray
    confidence: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "name": self.name,
            "epsilons": plain(self.epsilons),
            "values": plain(self.values),
            "family": self.family,
            "leave_one_out": plain(self.leave_one_out),
            "grid": plain(self.grid),
            "curve": plain(self.curve),
            "low": plain(self.low),
            "high": plain(self.high),
            "confidence": self.confidence,
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SyntheticChoice(Confidential):
    """Which epsilon keeps a synthetic table within its targets, as far as a few measured ones can say.

    Attributes:
        method: what made the tables.
        measure: what the risk is: ``"inference"``, ``"hitting-rate"`` or ``"nearest-distance"``.
        target_risk: its target; a distance must not be smaller, the others not larger. ``None`` if none was given.
        max_loss: largest mean total variation distance of the marginals; ``None`` if none was given.
        no_release: the risk without any table, where that means something.
        raw: the risk if the table itself were published.
        stretches: every stretch of epsilon that meets all targets; empty if there is none.
        recommended: the smallest epsilon that meets them if accuracy asks for it, else the largest; ``None`` if none.
        binding: what sets the ends, or what rules everything out.
        support: how far the measurements support each end, in words.
        risk, loss: the curves.
        n_runs: number of tables made at each epsilon.
        seed: what the noise of the tables was drawn with.
        in_words: the answer in words.
        caveats: what to keep in mind.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "synthetic-choice"

    method: str
    measure: str
    target_risk: float | None
    max_loss: float | None
    no_release: float | None
    raw: float
    stretches: tuple[Stretch, ...]
    recommended: float | None
    binding: str
    support: tuple[str, ...]
    risk: MeasuredCurve
    loss: MeasuredCurve
    n_runs: int
    seed: int
    in_words: str
    caveats: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.recommended is not None

    def plot(self) -> alt.VConcatChart:
        """Draw both curves against epsilon, with what was measured and what the targets allow."""
        from epsilometer.charts.measured_curves import draw_measured_curves

        return draw_measured_curves(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "confidential": True,
            "evidence": "estimate",
            "answer": self.in_words,
            "method": self.method,
            "measure": self.measure,
            "target_risk": self.target_risk,
            "max_loss": self.max_loss,
            "no_release": self.no_release,
            "raw": self.raw,
            "stretches": [stretch.to_dict() for stretch in self.stretches],
            "recommended": self.recommended,
            "binding": self.binding,
            "support": list(self.support),
            "risk": self.risk.to_dict(),
            "loss": self.loss.to_dict(),
            "n_runs": self.n_runs,
            "seed": self.seed,
            "caveats": list(self.caveats),
        }
