"""One number per row, each under its name: bars from zero, or dots with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import altair as alt
import numpy as np

from epsilometer.charts.theme import INK, RIGHT, WIDE, lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from epsilometer.charts.theme import Shade

LINE: Final = 16  # pixels of a line of a name
BAR: Final = 15
DOT: Final = 110  # square pixels
GAP: Final = 12  # below each bar
MARGIN: Final = 22  # left of the chart: half of the first label of the axis
NAME_WIDER: Final = 1.2  # names are set smaller than the title that line widths are reckoned for
BESIDE: Final = 8  # pixels between a mark and its text
CHARACTER: Final = 7.4  # mean width of a character of a text, bold
LOWEST_TOP: Final = 1e-5  # of an axis: below it, the labels of its ticks need more room than there is
MOST: Final = 20  # rows of a chart that takes what the data hold


class Row(NamedTuple):
    """A number with its name above it and its text behind it; ``band`` is the interval of an estimate."""

    name: str
    value: float
    text: str
    shade: Shade
    band: tuple[float, float] | None = None

    @property
    def end(self) -> float:
        """Where the mark ends."""
        return self.value if self.band is None else max(self.value, self.band[1])


class Scale(NamedTuple):
    """The axis of the numbers: what it is called, where it starts and ends, and how its ticks are written."""

    title: str
    low: float = 0.0
    high: float = 1.0
    format: str = "~%"


class Axes(NamedTuple):
    """What the marks share: numbers across, pixels down."""

    x: alt.X
    y: alt.Y


def up_to_longest(rows: Sequence[Row], title: str, *, format: str = "~%") -> Scale:  # noqa: A002  (altair's word)
    """Return a scale from zero to the end of the longest row; where all are zero, to one.

    >>> from epsilometer.charts.theme import BLUE
    >>> up_to_longest([Row("a", 0.25, "25 %", BLUE), Row("b", 0.0, "0 %", BLUE)], "share").high
    0.25
    """
    longest = max(row.end for row in rows)
    return Scale(title, high=max(LOWEST_TOP, longest) if longest else 1.0, format=format)


def bars(rows: Sequence[Row], scale: Scale, *, width: int) -> alt.LayerChart:
    """Draw each number as a bar from zero."""
    return _layout(rows, scale, width, _bar)


def dots(rows: Sequence[Row], scale: Scale, *, width: int) -> alt.LayerChart:
    """Draw each number as a dot on the scale, which need not start at zero."""
    return _layout(rows, scale, width, _dot)


def _layout(
    rows: Sequence[Row], scale: Scale, width: int, mark: Callable[[Row, float, Axes], alt.Chart]
) -> alt.LayerChart:
    names = [lines(row.name, width * NAME_WIDER) for row in rows]
    bottoms = np.cumsum([LINE * len(name) + BAR + GAP for name in names])
    height = int(bottoms[-1])
    axes = _axes(scale, height, width)
    marks = []
    for row, name, bottom in zip(rows, names, bottoms.tolist(), strict=True):
        middle = bottom - GAP - BAR / 2
        top = middle - BAR / 2 - LINE * len(name)
        marks += [_name(name, top, scale, axes), mark(row, middle, axes), *_interval(row, middle, axes)]
        marks += [_text(row, middle, axes)]
    return alt.LayerChart(layer=marks, width=width - MARGIN - _room(rows), height=height)


def _room(rows: Sequence[Row]) -> float:
    """Return the pixels right of the scale: room for the longest text, even where its bar is the longest."""
    return max(RIGHT, BESIDE + CHARACTER * max(len(row.text) for row in rows))


def _axes(scale: Scale, height: int, width: int) -> Axes:
    axis = alt.Axis(format=scale.format, title=scale.title, tickCount=5 if width > WIDE / 2 else 3)
    return Axes(
        alt.X("x:Q", scale=alt.Scale(domain=[scale.low, scale.high], nice=False), axis=axis),
        alt.Y("y:Q", scale=alt.Scale(domain=[height, 0], nice=False), axis=None),
    )


def _bar(row: Row, middle: float, axes: Axes) -> alt.Chart:
    data = alt.Chart(alt.InlineData(values=[{"x": 0.0, "value": row.value, "y": middle}]))
    return data.mark_rule(color=row.shade.light, strokeWidth=BAR).encode(x=axes.x, x2="value:Q", y=axes.y)


def _dot(row: Row, middle: float, axes: Axes) -> alt.Chart:
    data = alt.Chart(alt.InlineData(values=[{"x": row.value, "y": middle}]))
    return data.mark_circle(color=row.shade.light, size=DOT, opacity=1).encode(x=axes.x, y=axes.y)


def _name(name: list[str], top: float, scale: Scale, axes: Axes) -> alt.Chart:
    data = alt.Chart(alt.InlineData(values=[{"x": scale.low, "y": top, "name": name}]))
    return data.mark_text(align="left", baseline="top", lineHeight=LINE).encode(x=axes.x, y=axes.y, text="name:N")


def _interval(row: Row, middle: float, axes: Axes) -> list[alt.Chart]:
    if row.band is None:
        return []
    data = alt.Chart(alt.InlineData(values=[{"x": row.band[0], "high": row.band[1], "y": middle}]))
    return [data.mark_rule(color=INK.light, strokeWidth=2).encode(x=axes.x, x2="high:Q", y=axes.y)]


def _text(row: Row, middle: float, axes: Axes) -> alt.Chart:
    data = alt.Chart(alt.InlineData(values=[{"x": row.end, "y": middle, "text": row.text}]))
    return data.mark_text(align="left", dx=BESIDE, fontWeight="bold").encode(x=axes.x, y=axes.y, text="text:N")
