"""Who is in one cell, and how many of them would noisy counts give away?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.charts.rows import MOST, Row, bars, up_to_longest
from epsilometer.charts.theme import BLUE, WIDE, dressed, short
from epsilometer.vocabulary.wording import percent_under_noise, shown_up

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.cell_risk import CellRisk


def draw_cell_risk(cell: CellRisk, *, width: int = WIDE) -> alt.LayerChart:
    """Draw the people of a cell by their sensitive value, the most common ones where there are many."""
    counts = sorted(cell.counts.items(), key=lambda item: -item[1])
    rows = [Row(short(value), count, f"{count:,}", BLUE) for value, count in counts[:MOST]]
    people = sum(cell.counts.values())
    where = ", ".join(f"{short(column)} {short(value)}" for column, value in cell.cell.items())
    title = f"{where}: of {people:,} people, noisy counts would disclose {shown_up(cell.people)} on average"
    subtitle = (
        f"A member drawn at random is disclosed with {percent_under_noise(cell.own_value)}; the cell shows a single "
        f"value that somebody in it has with {percent_under_noise(cell.any_value)}."
    )
    chart = bars(rows, up_to_longest(rows, "people in the cell", format=",~f"), width=width)
    return dressed(chart, title=title, subtitle=subtitle, width=width)
