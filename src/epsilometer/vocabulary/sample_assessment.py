"""What publishing a sample of one size comes to, and what other sizes would."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.vocabulary.shown import Shown

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.sample_loss import SampleLoss
    from epsilometer.vocabulary.sample_release import SampleRelease
    from epsilometer.vocabulary.sample_risk import SampleRisk


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampleCurves:
    """Risk of each adversary and loss of the analyst, over the size of the sample or at one size.

    Attributes:
        risks: one for each adversary that there can be.
        loss: the analyst's.
    """

    risks: tuple[SampleRisk, ...]
    loss: SampleLoss

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {"risks": [risk.to_dict() for risk in self.risks], "loss": self.loss.to_dict()}

    def risk(self, adversary: str) -> SampleRisk | None:
        """Return the risk of an adversary; ``None`` where there can be none."""
        return next((risk for risk in self.risks if risk.adversary == adversary), None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampleAssessment(Shown):
    """A release by sampling, for the people and for the analyst.

    Attributes:
        release: what is published.
        at_size: risks and loss at the size asked for.
        over_sizes: the same over sizes around it.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "sample-assessment"

    release: SampleRelease
    at_size: SampleCurves
    over_sizes: SampleCurves

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "release": self.release.to_dict(),
            "at_size": self.at_size.to_dict(),
            "over_sizes": self.over_sizes.to_dict(),
        }

    def plot(self) -> alt.VConcatChart:
        """Draw risks and loss over the size of the sample."""
        from epsilometer.charts.sample_curve import draw_sample

        return draw_sample(self)
