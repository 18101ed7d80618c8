"""The result of every question about what a noisy release costs in accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from epsilometer.vocabulary.answered import Answered
from epsilometer.vocabulary.evidence import interval_of
from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.shown import Confidential
from epsilometer.vocabulary.source import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt
    import pandas as pd

    from epsilometer.vocabulary.evidence import Estimate, Exact, UpperBound
    from epsilometer.vocabulary.source import Source


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Loss(Answered, Confidential):
    """How far what an analyst reads off the release is from the table, on average over the noise.

    Attributes:
        question: what was asked, in words.
        answer: mean total variation distance over the marginals of the ways asked for; 0 is perfect, 1 useless.
        by_way: the same for the 1-, 2-, 3-way marginals each, by number of columns.
        table_l1: expected sum of the absolute errors of all published counts.
        table_largest: expected largest absolute error of a published count.
        mechanism: the noise, as :meth:`Mechanism.describe` gives it.
        repeats: how many releases were simulated for the marginals.
        seed: what they were seeded with.
        assumptions: what the numbers take for granted.
        caveats: what to keep in mind when using them.
        source: where the formulas come from.
    """

    kind: ClassVar[str] = "loss"

    question: str
    answer: Estimate
    by_way: Mapping[int, Estimate]
    table_l1: Exact
    table_largest: Exact | UpperBound
    mechanism: Mapping[str, Any]
    repeats: int
    seed: int
    assumptions: tuple[str, ...]
    caveats: tuple[str, ...]
    source: tuple[Source, ...]

    @property
    def value(self) -> Any:  # noqa: ANN401  (a float, or an array for a curve)
        """The number inside the answer; an array, in the order of epsilon, when a curve was asked for."""
        return self.answer.value

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON; curves are lists in the order of epsilon."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "question": self.question,
            "evidence": self.evidence,
            "value": plain(self.value),
            "interval": interval_of(self.answer),
            "by_way": {
                str(way): {"value": plain(estimate.value), "interval": interval_of(estimate)}
                for way, estimate in self.by_way.items()
            },
            "table_l1": plain(self.table_l1.value),
            "table_largest": plain(self.table_largest.value),
            "mechanism": plain(self.mechanism),
            "repeats": self.repeats,
            "seed": self.seed,
            "assumptions": list(self.assumptions),
            "caveats": list(self.caveats),
            "source": listed(self.source),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row per epsilon."""
        import pandas as pd

        columns = {
            "epsilon": np.atleast_1d(self.mechanism["epsilon"]),
            "value": np.atleast_1d(self.value),
            "low": np.atleast_1d(self.answer.interval.low),
            "high": np.atleast_1d(self.answer.interval.high),
            "table_l1": np.atleast_1d(self.table_l1.value),
            "table_largest": np.atleast_1d(self.table_largest.value),
        }
        return pd.DataFrame(columns)

    def plot(self) -> alt.LayerChart:
        """Draw the loss by number of columns, over epsilon if there are several."""
        from epsilometer.charts.loss_curve import draw_loss

        return draw_loss(self)
