"""What does noise make of the cells: how many show the truth, something false, or nothing?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.lines import DASHED, DOTTED, SOLID, Line, panel
from epsilometer.charts.rows import Row, Scale, bars
from epsilometer.charts.theme import BLUE, PURPLE, QUIET, VERMILLION, WIDE, dressed
from epsilometer.vocabulary.wording import percent

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.charts.theme import Shade
    from epsilometer.vocabulary.scenario_shares import ScenarioShares

HEIGHT: Final = 240
TRUE, FALSE, SEVERAL, EMPTY = "one, true", "one, false", "several", "empty"
SHOWS: Final = (TRUE, FALSE, SEVERAL, EMPTY, SEVERAL, EMPTY, FALSE, TRUE)  # by each of the eight scenarios
LOOKS: Final[dict[str, tuple[Shade, tuple[int, int]]]] = {
    TRUE: (VERMILLION, SOLID),
    FALSE: (PURPLE, DASHED),
    SEVERAL: (BLUE, SOLID),
    EMPTY: (QUIET, DOTTED),
}
READING: Final = "First the true cell, then the published one. A cell is one combination of what the attacker knows."
COURSE: Final = "How many values the published cell shows, and whether somebody in the cell has the only one it shows."


def draw_scenarios(shares: ScenarioShares, *, width: int = WIDE) -> alt.LayerChart:
    """Draw the share of the cells in each scenario: bars for one epsilon, for a curve lines of what cells show."""
    table, epsilons = np.atleast_2d(shares.probability), np.atleast_1d(shares.mechanism["epsilon"])
    last = int(np.argmax(epsilons))
    shown = {what: table[:, [each == what for each in SHOWS]].sum(axis=1) for what in LOOKS}
    title = (
        f"At ε = {epsilons[last]:.3g}, {percent(float(shown[TRUE][last]))} of the cells show a single value that is "
        f"true of somebody, {percent(float(shown[FALSE][last]))} one that is not"
    )
    if len(epsilons) == 1:
        rows = [
            Row(f"{what[:1].upper()}{what[1:]}", float(share), percent(float(share)), LOOKS[shows][0])
            for what, share, shows in zip(shares.scenarios, table[0], SHOWS, strict=True)
        ]
        chart = bars(rows, Scale("share of the cells (%)"), width=width)
        return dressed(chart, title=title, subtitle=READING, width=width)
    drawn = [Line(what, shown[what], *look) for what, look in LOOKS.items()]
    chart = panel(epsilons, drawn, title="share of the cells that show … values (%)", width=width, height=HEIGHT)
    return dressed(chart, title=title, subtitle=COURSE, width=width)
