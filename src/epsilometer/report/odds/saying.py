"""What a result says, in four parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from epsilometer.vocabulary.wording import has_grown

if TYPE_CHECKING:
    from epsilometer.vocabulary.language import Language


@dataclass(frozen=True, slots=True)
class Said:
    """A result in words.

    Attributes:
        finding: what the release gives away, as frequencies of people.
        baseline: what holds without a release.
        attacker: who the attacker is taken to be.
        known: how the numbers are known.
    """

    finding: str
    baseline: str
    attacker: str
    known: str

    @property
    def sentences(self) -> tuple[str, ...]:
        """The parts in the order in which they are read."""
        return (self.finding, self.baseline, self.attacker, self.known)

    @property
    def paragraph(self) -> str:
        """All of it."""
        return " ".join(self.sentences)


def noting_no_gain(words: Language, meaning: str, share: float, before: float) -> str:
    """Say of a risk that it has not grown: rounded up, it reads as larger than what it was before, rounded down."""
    return meaning if has_grown(share, before) else f"{meaning} {words.text('report.no_gain')}"
