"""What does a publication threshold do to the risk?"""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.lines import DASHED, DOTTED, SOLID, Line, panel
from epsilometer.charts.theme import BLUE, GREEN, INK, PURPLE, VERMILLION, WIDE, dressed
from epsilometer.vocabulary.wording import percent

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt

    from epsilometer.vocabulary.arrays import ArrayLike

HEIGHT: Final = 260
LOOKS: Final = tuple(
    (shade, dash) for dash in (SOLID, DASHED, DOTTED) for shade in (BLUE, VERMILLION, GREEN, PURPLE, INK)
)


def draw_thresholds(
    epsilons: ArrayLike, risks_by_threshold: Mapping[float, ArrayLike], *, width: int = WIDE
) -> alt.LayerChart:
    """Draw the risk over epsilon, a line for each threshold below which a noisy count is published as zero."""
    grid, thresholds = np.asarray(epsilons, dtype=np.float64), sorted(risks_by_threshold)
    drawn = [
        Line(f"τ = {threshold:g}", np.asarray(risks_by_threshold[threshold], dtype=np.float64), *look)
        for threshold, look in zip(thresholds, cycle(LOOKS), strict=False)
    ]
    chart = panel(grid, drawn, title="risk (%)", width=width, height=HEIGHT)
    last = int(np.argmax(grid))
    ends = [f"{percent(float(line.values[last]))} with {line.name}" for line in (drawn[0], drawn[-1])]
    title = f"At ε = {grid[last]:.3g}, the risk is {' and '.join(dict.fromkeys(ends))}"
    return dressed(chart, title=title, subtitle="A noisy count below τ is published as zero.", width=width)
