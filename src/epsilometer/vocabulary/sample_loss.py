"""The result of asking how far off an analyst is who estimates the population from a sample."""

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

    from epsilometer.vocabulary.evidence import Answer
    from epsilometer.vocabulary.sample_release import SampleRelease
    from epsilometer.vocabulary.source import Source


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampleLoss(Answered):
    """Expected total variation distance between the shares an analyst reads off the release and the true ones.

    For two values it is the expected error of one share.

    Attributes:
        question: what was asked, in words.
        release: what is published.
        answer: the expected distance, in a type that says how it is known.
        fraction: the same as an exact fraction, where it is short enough to be read.
        no_release: the expected distance without a release.
        assumptions: what the number takes for granted.
        source: where the formulas come from.
    """

    kind: ClassVar[str] = "sample-loss"

    question: str
    release: SampleRelease
    answer: Answer
    fraction: Fraction | None
    no_release: float
    assumptions: tuple[str, ...]
    source: tuple[Source, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON; curves are lists in the order of the sample sizes."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "question": self.question,
            "release": self.release.to_dict(),
            "evidence": self.evidence,
            "value": plain(self.value),
            "interval": interval_of(self.answer),
            "fraction": None if self.fraction is None else str(self.fraction),
            "no_release": self.no_release,
            "assumptions": list(self.assumptions),
            "source": listed(self.source),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row per sample size."""
        import pandas as pd

        columns = {
            "sample": self.release.sizes,
            "value": np.atleast_1d(self.value),
            "no_release": self.no_release,
            "evidence": self.evidence,
        }
        return pd.DataFrame(columns)

    def plot(self) -> alt.LayerChart:
        """Draw the loss over the size of the sample, next to that without a release."""
        from epsilometer.charts.loss_curve import draw_sample_loss

        return draw_sample_loss(self)
