"""What noise makes of the cells of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.shown import Confidential
from epsilometer.vocabulary.source import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt
    import pandas as pd

    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.source import Source


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScenarioShares(Confidential):
    """Expected share of the cells in each of paper 001's scenarios 1 to 8. Exact; they sum to one.

    Attributes:
        probability: scenarios along the last axis, after the axis of the epsilons if there are several.
        scenarios: what each of them is, in words: the true cell, and the published one.
        mechanism: the noise.
        source: where the formula comes from.
    """

    schema: ClassVar[str] = "epsilometer/result/1"
    kind: ClassVar[str] = "scenarios"

    probability: FloatArray
    scenarios: tuple[str, ...]
    mechanism: Mapping[str, Any]
    source: tuple[Source, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {
            "schema": self.schema,
            "kind": self.kind,
            "evidence": "exact",
            "scenarios": list(self.scenarios),
            "probability": plain(self.probability),
            "mechanism": plain(self.mechanism),
            "source": listed(self.source),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row per epsilon and scenario."""
        import pandas as pd

        table = np.atleast_2d(self.probability)
        epsilons = np.atleast_1d(self.mechanism["epsilon"])
        return pd.DataFrame(
            {
                "epsilon": np.repeat(epsilons, len(self.scenarios)),
                "scenario": np.tile(np.arange(1, len(self.scenarios) + 1), len(epsilons)),
                "meaning": list(self.scenarios) * len(epsilons),
                "probability": table.ravel(),
            }
        )

    def plot(self) -> alt.LayerChart:
        """Draw the share of the cells in each scenario, or over epsilon what cells show."""
        from epsilometer.charts.scenarios import draw_scenarios

        return draw_scenarios(self)
