"""How many there are of each: a bar beside each name, with its number at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import altair as alt

from epsilometer.charts.theme import QUIET, short
from epsilometer.vocabulary.wording import readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from epsilometer.charts.theme import Shade

ROW: Final = 24  # pixels
CHARACTER: Final = 7.4  # width of a character, in pixels: most are digits
PADDING: Final = 8  # between a bar and the words on both sides of it
LONGEST: Final = 0.34  # of the width of a chart: room for names
GAP: Final = 26  # between two tallies: the title of the lower one


class Bar(NamedTuple):
    """A number with its name on the left of it and its text on the right."""

    name: str
    number: float
    text: str
    shade: Shade


def room_for_names(bars: Iterable[Bar], *, width: int) -> int:
    """Return how many pixels the names of bars need, or get if they need too many.

    >>> from epsilometer.charts.theme import BLUE
    >>> room_for_names([Bar("digestive", 3, "3", BLUE)], width=860)
    82
    """
    return min(int(width * LONGEST), int(max(len(bar.name) for bar in bars) * CHARACTER) + 2 * PADDING)


def stacked(*tallies: alt.LayerChart) -> alt.VConcatChart:
    """Put tallies under each other, each with a scale of its own."""
    return alt.VConcatChart(vconcat=list(tallies), spacing=GAP)


def tally(bars: Sequence[Bar], *, title: str, names: int, width: int) -> alt.LayerChart:
    """Draw bars, all from zero, under a title.

    Args:
        bars: from top to bottom; names need not differ and may come from data.
        title: what is counted.
        names: pixels for the names, which are cut where they need more; see :func:`room_for_names`.
        width: of the chart, names and numbers included.
    """
    rows = [
        {"row": i, "number": bar.number, "name": readable(short(bar.name)), "text": bar.text, "shade": bar.shade.light}
        for i, bar in enumerate(bars)
    ]
    room = int(max(len(bar.text) for bar in bars) * CHARACTER) + 2 * PADDING
    top = max(bar.number for bar in bars) or 1
    drawn = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("number:Q", scale=alt.Scale(domain=[0, top], nice=False), axis=None),
        y=alt.Y("row:O", axis=None),
    )
    heading = alt.Chart(alt.InlineData(values=[{"title": title}])).mark_text(align="left", color=QUIET.light)
    marks = [
        heading.encode(x=alt.value(PADDING - names), y=alt.value(-14), text="title:N"),
        drawn.mark_bar(height=ROW * 0.7).encode(color=alt.Color("shade:N", scale=None)),
        drawn.mark_text(align="left", dx=PADDING).encode(text="text:N"),
        drawn.mark_text(align="right", dx=-PADDING, limit=names - 2 * PADDING).encode(x=alt.value(0), text="name:N"),
    ]
    return alt.LayerChart(layer=marks, width=width - names - room, height=ROW * len(bars))
