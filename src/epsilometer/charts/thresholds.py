"""What does a publication threshold do to the risk?"""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.lines import DASHED, DOTTED, SOLID, Line, panel
from epsilometer.charts.theme import BLUE, GREEN, INK, PURPLE, VERMILLION, WIDE, dressed
from epsilometer.vocabulary.language import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt

    from epsilometer.vocabulary.arrays import ArrayLike
    from epsilometer.vocabulary.language import Language

HEIGHT: Final = 260
LOOKS: Final = tuple(
    (shade, dash) for dash in (SOLID, DASHED, DOTTED) for shade in (BLUE, VERMILLION, GREEN, PURPLE, INK)
)


def draw_thresholds(
    epsilons: ArrayLike,
    risks_by_threshold: Mapping[float, ArrayLike],
    *,
    width: int = WIDE,
    language: Language = ENGLISH,
) -> alt.LayerChart:
    """Draw the risk over epsilon, a line for each threshold below which a noisy count is published as zero."""
    grid, thresholds = np.asarray(epsilons, dtype=np.float64), sorted(risks_by_threshold)
    drawn = [
        Line(
            f"τ = {language.number(threshold, 'g')}", np.asarray(risks_by_threshold[threshold], dtype=np.float64), *look
        )
        for threshold, look in zip(thresholds, cycle(LOOKS), strict=False)
    ]
    axis = language.text("chart.thresholds.axis")
    chart = panel(grid, drawn, title=axis, width=width, height=HEIGHT, language=language)
    last = int(np.argmax(grid))
    ends = [
        language.text(
            "chart.thresholds.risk", risk=language.percent_under_noise(float(line.values[last])), threshold=line.name
        )
        for line in (drawn[0], drawn[-1])
    ]
    title = language.text(
        "chart.thresholds.finding",
        epsilon=language.number(grid[last], ".3g"),
        risks=language.joined(dict.fromkeys(ends)),
    )
    subtitle = language.text("chart.thresholds.reading")
    return dressed(chart, title=title, subtitle=subtitle, width=width, language=language)
