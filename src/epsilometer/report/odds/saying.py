"""What a result says, in four parts."""

from __future__ import annotations

from dataclasses import dataclass


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
