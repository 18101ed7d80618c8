"""How far off are the shares of a released table, and for which columns most?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.rows import MOST, Row, Scale, bars
from epsilometer.charts.theme import PURPLE, WIDE, dressed, short
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.wording import percent

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.utility.marginal_distances import MarginalDistance

LONGEST: Final = 80  # characters of the names of columns
READING: Final = "Distance of the shares of all combinations of values: 0 the same, 100 nothing in common."


def draw_marginals(distance: MarginalDistance, *, width: int = WIDE) -> alt.LayerChart:
    """Draw the distance for each set of columns, the largest ones where there are many."""
    worst = np.argsort(-distance.distances, kind="stable")[:MOST]
    rows = [
        Row(short(", ".join(distance.columns[each]), LONGEST), float(value), percent(float(value)), PURPLE)
        for each, value in zip(worst, distance.distances[worst], strict=True)
    ]
    columns = "one column" if distance.ways == 1 else f"{distance.ways} columns"
    title = (
        f"Shares of {columns} at a time are off by {ENGLISH.points(distance.mean)} on average, and by "
        f"{ENGLISH.points(distance.worst)} at worst"
    )
    more = f" The {MOST} largest of {len(distance.columns):,} are shown." if len(distance.columns) > MOST else ""
    chart = bars(rows, Scale("distance of the shares (%)"), width=width)
    return dressed(chart, title=title, subtitle=f"{READING}{more}", width=width)
