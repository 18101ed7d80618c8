"""What comes out when papers are worked through again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.reproduction.finding import Severity
from epsilometer.vocabulary.shown import Shown

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.reproduction.comparison import Comparison
    from epsilometer.reproduction.confirmation import Confirmation
    from epsilometer.reproduction.finding import Finding


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reproduction(Shown):
    """Printed numbers next to ours, simulations next to formulas, and the errors found.

    Attributes:
        about: which papers these are, in a sentence.
        papers: what was worked through.
        data: where the counts come from, in words.
        comparisons: every printed number.
        confirmations: the papers' simulations, repeated.
        findings: the errata.
        left_out: what could not be compared, and why.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "reproduction"

    about: str
    papers: tuple[str, ...]
    data: str
    comparisons: tuple[Comparison, ...]
    confirmations: tuple[Confirmation, ...]
    findings: tuple[Finding, ...]
    left_out: tuple[str, ...]

    @property
    def summary(self) -> str:
        """The whole in one paragraph."""
        agreeing = sum(comparison.agrees for comparison in self.comparisons)
        critical = [finding.id for finding in self.findings if finding.severity is Severity.CRITICAL]
        severe = f"of which {', '.join(critical)} are critical" if critical else "none of them critical"
        return (
            f"In {agreeing} of {len(self.comparisons)} comparisons the printed number comes out; why not in the "
            f"others stands beside them. There are {len(self.findings)} errata, {severe}.{self._simulations}"
        )

    @property
    def _simulations(self) -> str:
        if not self.confirmations:
            return ""
        confirmed = sum(confirmation.agrees for confirmation in self.confirmations)
        return (
            f" {confirmed} of {len(self.confirmations)} simulated numbers have the exact one in their 95 % interval; "
            "one in twenty is expected outside."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "about": self.about,
            "papers": list(self.papers),
            "data": self.data,
            "summary": self.summary,
            "comparisons": [comparison.to_dict() for comparison in self.comparisons],
            "confirmations": [confirmation.to_dict() for confirmation in self.confirmations],
            "findings": [finding.to_dict() for finding in self.findings],
            "left_out": list(self.left_out),
        }

    def plot(self) -> alt.LayerChart:
        """Draw how many of the printed numbers come out."""
        from epsilometer.reproduction.agreement import draw_agreement

        return draw_agreement(self)
