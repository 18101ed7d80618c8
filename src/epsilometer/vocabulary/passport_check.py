"""The result of checking a passport: one finding for each thing that was held against something else."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from epsilometer.vocabulary.shown import Shown

if TYPE_CHECKING:
    import altair as alt


PASSED: Final = "passed"
FAILED: Final = "failed"
NOT_POSSIBLE: Final = "not possible"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was checked.

    Attributes:
        what: what was checked.
        outcome: ``"passed"``, ``"failed"`` or ``"not possible"``.
        expected: for what failed, what it should be.
        found: for what failed, what it is.
        missing: for what was not possible, what would be needed.
    """

    what: str
    outcome: str
    expected: str = ""
    found: str = ""
    missing: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain strings, ready for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class PassportCheck(Shown):
    """What a passport came to when it was held against its files, its own numbers, the ledger and the table.

    Attributes:
        passport: name of the passport's file.
        dataset: what the passport is about.
        released_at: when that was released.
        findings: everything that was checked.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "passport-check"

    passport: str
    dataset: str
    released_at: str
    findings: tuple[Finding, ...]

    def number(self, outcome: str) -> int:
        """Return how many checks ended so."""
        return sum(finding.outcome == outcome for finding in self.findings)

    @property
    def passed(self) -> bool:
        """Whether nothing differs."""
        return not self.number(FAILED)

    @property
    def in_words(self) -> str:
        """The answer in words."""
        made = self.number(PASSED) + self.number(FAILED)
        answer = (
            f"The passport holds: all {made} checks passed."
            if self.passed
            else f"The passport does NOT hold: {self.number(FAILED)} of {made} checks failed."
        )
        left = self.number(NOT_POSSIBLE)
        return f"{answer} {left} {'was' if left == 1 else 'were'} not possible." if left else answer

    def to_dict(self) -> dict[str, Any]:
        """Return plain strings, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "answer": self.in_words,
            "passed": self.passed,
            "passport": self.passport,
            "dataset": self.dataset,
            "released_at": self.released_at,
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def plot(self) -> alt.LayerChart:
        """Draw a line for each check, what failed first."""
        from epsilometer.charts.checklist import draw_checklist

        return draw_checklist(self)


def compared(what: str, expected: object, found: object) -> Finding:
    """Hold one thing against another."""
    if expected == found:
        return Finding(what=what, outcome=PASSED)
    return Finding(what=what, outcome=FAILED, expected=str(expected), found=str(found))


def not_possible(what: str, missing: str) -> Finding:
    """Say that something could not be checked, and what it would take."""
    return Finding(what=what, outcome=NOT_POSSIBLE, missing=missing)
