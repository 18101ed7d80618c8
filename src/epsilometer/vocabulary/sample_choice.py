"""The result of choosing the size of a sample for a risk target and an accuracy target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.shown import Shown

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.sample_release import SampleRelease


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """What one sample size means for a person in the sample, for one outside, and for the analyst.

    Attributes:
        sample: the size.
        inside: chance that the value of a person known to be in the sample is named right.
        outside: the same for a person known to be outside; ``None`` when nobody is.
        unknown: the same for a person of whom neither is known.
        loss: expected error of the analyst.
    """

    sample: int
    inside: float
    outside: float | None
    unknown: float
    loss: float

    @property
    def gap(self) -> float:
        """How much more a person in the sample is exposed than one outside."""
        return 0.0 if self.outside is None else self.inside - self.outside

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers, ready for JSON."""
        return {
            "sample": self.sample,
            "inside": self.inside,
            "outside": self.outside,
            "unknown": self.unknown,
            "gap": self.gap,
            "loss": self.loss,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleChoice(Shown):
    """Every sample size that meets the targets, and what stands in the way where none does.

    Risk, loss and the gap move one way with the size, so the sizes that meet all targets are one stretch.

    Attributes:
        release: what is published; its ``sample`` is the recommended size, or ``None``.
        adversary: whose risk the target is about.
        max_risk, max_loss, max_gap: the targets; ``None`` where none was given.
        smallest: the least informative size that meets all targets; ``None`` if there is none.
        largest: the most informative one.
        recommended: the smallest size if accuracy asks for it, else the largest.
        binding: what sets the two ends, or what rules everything out.
        ends: what the smallest and the largest size mean for people and analyst.
        evidence: how the numbers it rests on are known: ``"exact"``, or ``"upper bound"`` if some are such.
        in_words: the answer in words.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "sample-choice"

    release: SampleRelease
    adversary: str
    max_risk: float | None
    max_loss: float | None
    max_gap: float | None
    smallest: int | None
    largest: int | None
    recommended: int | None
    binding: str
    ends: tuple[Exposure, ...]
    evidence: str
    in_words: str

    def __bool__(self) -> bool:
        return self.recommended is not None

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "evidence": self.evidence,
            "answer": self.in_words,
            "release": self.release.to_dict(),
            "adversary": self.adversary,
            "max_risk": plain(self.max_risk),
            "max_loss": plain(self.max_loss),
            "max_gap": plain(self.max_gap),
            "smallest": self.smallest,
            "largest": self.largest,
            "recommended": self.recommended,
            "binding": self.binding,
            "ends": [end.to_dict() for end in self.ends],
        }

    def plot(self) -> alt.VConcatChart:
        """Draw the sizes that meet the targets, and what the smallest and the largest mean."""
        from epsilometer.charts.stretches import draw_sample_choice

        return draw_sample_choice(self)
