"""The result of asking how the risk of people depends on epsilon and on one more parameter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from epsilometer.vocabulary.answered import Answered
from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.shown import Confidential
from epsilometer.vocabulary.source import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt
    import pandas as pd

    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.evidence import Exact
    from epsilometer.vocabulary.source import Source


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RiskGrid(Answered, Confidential):
    """The share of people disclosed at every epsilon and every level of one more parameter.

    Attributes:
        question: what was asked, in words.
        answer: one row per level, one column per epsilon.
        parameter: what the rows vary: ``"delta"`` or ``"threshold"``.
        levels: its values, ascending.
        epsilons: the privacy parameters, ascending.
        no_release: share of people whose value an attacker names right without any table, knowing only the
            overall shares.
        any_table: the most the risk can come to, whatever the table; of the same shape as the answer.
        mechanism: the noise that was asked about, as :meth:`Mechanism.describe` gives it; the grid varies its
            epsilon and this parameter.
        assumptions: what the numbers take for granted.
        caveats: what to keep in mind when using them.
        source: where the formulas come from.
    """

    kind: ClassVar[str] = "risk-grid"

    question: str
    answer: Exact
    parameter: str
    levels: FloatArray
    epsilons: FloatArray
    no_release: float
    any_table: FloatArray
    mechanism: Mapping[str, Any]
    assumptions: tuple[str, ...]
    caveats: tuple[str, ...]
    source: tuple[Source, ...]

    @property
    def value(self) -> FloatArray:
        """The risks: one row per level, one column per epsilon."""
        return np.asarray(self.answer.value)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "question": self.question,
            "evidence": self.evidence,
            "parameter": self.parameter,
            "levels": plain(self.levels),
            "epsilons": plain(self.epsilons),
            "value": plain(self.value),
            "no_release": self.no_release,
            "any_table": plain(self.any_table),
            "mechanism": plain(self.mechanism),
            "assumptions": list(self.assumptions),
            "caveats": list(self.caveats),
            "source": listed(self.source),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row per level and epsilon."""
        import pandas as pd

        return pd.DataFrame(
            {
                "epsilon": np.tile(self.epsilons, len(self.levels)),
                self.parameter: np.repeat(self.levels, len(self.epsilons)),
                "value": self.value.ravel(),
                "no_release": self.no_release,
                "any_table": self.any_table.ravel(),
                "evidence": self.evidence,
            }
        )

    def plot(self, *, max_risk: float | None = None) -> alt.LayerChart:
        """Draw a tile for every risk, with a line around those that meet a target."""
        from epsilometer.charts.heat_map import draw_heat_map

        return draw_heat_map(self, max_risk=max_risk)
