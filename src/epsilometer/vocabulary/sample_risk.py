"""The result of asking how well an attacker names one person's value after a sample was published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from epsilometer.vocabulary.answered import Answered
from epsilometer.vocabulary.evidence import interval_of
from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.source import listed

if TYPE_CHECKING:
    from fractions import Fraction

    import altair as alt
    import pandas as pd

    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.evidence import Answer
    from epsilometer.vocabulary.sample_release import SampleRelease
    from epsilometer.vocabulary.source import Source


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampleRisk(Answered):
    """The posterior vulnerability of one person, next to what it must be compared with.

    Attributes:
        question: what was asked, in words.
        release: what is published.
        adversary: whether the attacker knows the target to be in the sample, to be outside, or neither.
        answer: probability that the attacker names the target's value, in a type that says how it is known.
        fraction: the same as an exact fraction, where it is short enough to be read.
        no_release: the probability without a release.
        any_table: the probability for the population that suffers most.
        assumptions: what the number takes for granted.
        caveats: what to keep in mind when using it.
        source: where the formulas come from.
    """

    kind: ClassVar[str] = "sample-risk"

    question: str
    release: SampleRelease
    adversary: str
    answer: Answer
    fraction: Fraction | None
    no_release: float
    any_table: float | FloatArray
    assumptions: tuple[str, ...]
    caveats: tuple[str, ...]
    source: tuple[Source, ...]

    @property
    def additive_leakage(self) -> float | FloatArray:
        """By how much the release raises the probability."""
        return self.value - self.no_release

    @property
    def multiplicative_leakage(self) -> float | FloatArray:
        """By which factor the release raises the probability."""
        return self.value / self.no_release

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON; curves are lists in the order of the sample sizes."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "question": self.question,
            "release": self.release.to_dict(),
            "adversary": self.adversary,
            "evidence": self.evidence,
            "value": plain(self.value),
            "interval": interval_of(self.answer),
            "fraction": None if self.fraction is None else str(self.fraction),
            "no_release": self.no_release,
            "any_table": plain(self.any_table),
            "additive_leakage": plain(self.additive_leakage),
            "multiplicative_leakage": plain(self.multiplicative_leakage),
            "assumptions": list(self.assumptions),
            "caveats": list(self.caveats),
            "source": listed(self.source),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row per sample size."""
        import pandas as pd

        columns = {
            "sample": self.release.sizes,
            "value": np.atleast_1d(self.value),
            "no_release": self.no_release,
            "any_table": np.broadcast_to(self.any_table, self.release.sizes.shape),
            "additive_leakage": np.atleast_1d(self.additive_leakage),
            "multiplicative_leakage": np.atleast_1d(self.multiplicative_leakage),
            "adversary": self.adversary,
            "evidence": self.evidence,
        }
        return pd.DataFrame(columns)

    def plot(self) -> alt.LayerChart:
        """Draw the risk over the sample size, next to what it must be compared with."""
        from epsilometer.charts.sample_curve import draw_sample_risk

        return draw_sample_risk(self)
