"""The result of every question about the risk of a noisy release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from epsilometer.vocabulary.answered import Answered
from epsilometer.vocabulary.evidence import Estimate, interval_of
from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.shown import Confidential
from epsilometer.vocabulary.source import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt
    import pandas as pd

    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.evidence import Answer
    from epsilometer.vocabulary.source import Source


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Risk(Answered, Confidential):
    """A probability that an attack works, next to what it must be compared with.

    Attributes:
        question: what was asked, in words.
        measure: short name of the attack and measure.
        average: what the number is a mean over: ``"cells"`` or ``"records"``.
        answer: the number, in a type that says how it is known.
        no_release: share of people whose value an attacker names right without any table, knowing only the
            overall shares.
        any_table: the most this measure can come to, whatever the table.
        mechanism: the noise, as :meth:`Mechanism.describe` gives it.
        assumptions: what the number takes for granted.
        caveats: what to keep in mind when using it.
        source: where the formulas come from.
    """

    kind: ClassVar[str] = "risk"

    question: str
    measure: str
    average: str
    answer: Answer
    no_release: float
    any_table: float | FloatArray
    mechanism: Mapping[str, Any]
    assumptions: tuple[str, ...]
    caveats: tuple[str, ...]
    source: tuple[Source, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON; curves are lists in the order of epsilon."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "question": self.question,
            "measure": self.measure,
            "average": self.average,
            "evidence": self.evidence,
            "value": plain(self.value),
            "interval": interval_of(self.answer),
            "no_release": self.no_release,
            "any_table": plain(self.any_table),
            "mechanism": plain(self.mechanism),
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
            "no_release": self.no_release,
            "any_table": np.atleast_1d(self.any_table),
            "evidence": self.evidence,
            "measure": self.measure,
            "average": self.average,
        }
        if isinstance(self.answer, Estimate):
            columns |= {
                "low": np.atleast_1d(self.answer.interval.low),
                "high": np.atleast_1d(self.answer.interval.high),
            }
        return pd.DataFrame(columns)

    def plot(self) -> alt.LayerChart:
        """Draw the risk next to what it must be compared with."""
        from epsilometer.charts.risk_curve import draw_risk

        return draw_risk(self)
