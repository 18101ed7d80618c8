"""Lines over epsilon or over the size of a sample, each with its name at its end instead of a legend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import altair as alt
import numpy as np

from epsilometer.charts.theme import INK, epsilon_axis, percent_axis, plot_width
from epsilometer.vocabulary.evidence import Estimate
from epsilometer.vocabulary.language import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from epsilometer.charts.theme import Shade
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.evidence import Answer
    from epsilometer.vocabulary.language import Language

    Rows = alt.InlineData | alt.NamedData

LINE_HEIGHT: Final = 15  # pixels between two labels that would otherwise overlap
HEADROOM: Final = 1.06  # of the largest value
LONGEST_NAME: Final = 10  # characters of a name from the data at the end of a line
FINEST: Final = 1e-5  # the lowest top of an axis: below it, the labels of the ticks need more room than there is
SOLID: Final = (1, 0)
DASHED: Final = (7, 4)
DOTTED: Final = (2, 3)


class Line(NamedTuple):
    """One value per place on the axis, drawn as a line; ``band`` is the interval of an estimate."""

    name: str
    values: FloatArray
    shade: Shade
    dash: tuple[int, int] = SOLID
    band: tuple[FloatArray, FloatArray] | None = None


class Frame(NamedTuple):
    """What the marks of one panel share."""

    places: FloatArray
    x: alt.X
    y: alt.Y


def band_of(answer: Answer) -> tuple[FloatArray, FloatArray] | None:
    """Return the ends of the interval of an estimate; other answers have none."""
    if not isinstance(answer, Estimate):
        return None
    return np.atleast_1d(answer.interval.low), np.atleast_1d(answer.interval.high)


def panel(
    places: FloatArray,
    drawn: Sequence[Line],
    *,
    title: str,
    width: int,
    height: int,
    reach: float = 0.0,
    labels: bool = True,
    axis: Callable[..., alt.X] = epsilon_axis,
    value_axis: Callable[[str, float], alt.Y] = percent_axis,
    language: Language = ENGLISH,
) -> alt.LayerChart:
    """Draw lines on an axis that starts at zero and ends above the largest value and ``reach``; shares end at one."""
    highest = max(reach, *(float(np.max(line.band[1] if line.band else line.values)) for line in drawn))
    top = above(highest)
    if value_axis is percent_axis:
        top = min(1.0, top)
    frame = Frame(places, axis(places, labels=labels, language=language), value_axis(title, top))
    bands = [_band(line, frame) for line in drawn if line.band]
    last = int(np.argmax(places))
    ends = [(line.name, float(line.values[last]), line.shade) for line in drawn]
    names = alt.InlineData(values=name_rows(ends, float(places[last]), top=top, height=height))
    marks = [*bands, *(_line(line, frame) for line in drawn), name_mark(names, frame.x, frame.y)]
    return alt.LayerChart(layer=marks, width=plot_width(width), height=height)


def marked(lines: alt.LayerChart, here: tuple[float, float]) -> alt.LayerChart:
    """Mark one place: a line over the whole height, and a dot."""
    at = alt.Chart(alt.InlineData(values=[dict(zip(("x", "value"), here, strict=True))])).encode(x="x:Q")
    dot = at.mark_circle(color=INK.light, size=90, opacity=1).encode(y="value:Q")
    return alt.LayerChart(layer=[lines, at.mark_rule(color=INK.light, strokeWidth=1.5), dot])


def above(highest: float) -> float:
    """Return where an axis ends that has to show this value.

    >>> above(0.5), above(0.0)
    (0.53, 1.0)
    """
    return max(FINEST, highest * HEADROOM) if highest else 1.0


def spread(values: Sequence[float], gap: float, top: float = np.inf) -> list[float]:
    """Move values up as little as puts each at least ``gap`` above the next lower one, and down where the top is hit.

    >>> spread([0.5, 0.125, 0.625], 0.25)
    [0.5, 0.125, 0.75]
    >>> spread([0.5, 0.125, 0.625], 0.25, top=0.625)
    [0.375, 0.125, 0.625]
    """
    order = np.argsort(values, kind="stable")
    steps = gap * np.arange(len(values))
    placed = np.empty(len(values))
    upwards = np.maximum.accumulate(np.asarray(values)[order] - steps) + steps
    placed[order] = np.minimum(upwards, top - steps[::-1])
    return [float(value) for value in placed]


def line_mark(rows: Rows, x: alt.X, y: alt.Y, shade: Shade, dash: tuple[int, int] = SOLID) -> alt.Chart:
    """Draw a line through rows, without kinks: between two rows it never leaves the values of both."""
    mark = alt.Chart(rows).mark_line(color=shade.light, strokeWidth=2.5, strokeDash=list(dash), interpolate="monotone")
    return mark.encode(x=x, y=y)


def band_mark(rows: Rows, x: alt.X, y: alt.Y, shade: Shade) -> alt.Chart:
    """Fill what lies between a line and ``high``."""
    return alt.Chart(rows).mark_area(color=shade.light, opacity=0.25).encode(x=x, y=y, y2="high:Q")


def name_mark(rows: Rows, x: alt.X, y: alt.Y) -> alt.Chart:
    """Write names where lines end, each in the shade of its line."""
    mark = alt.Chart(rows).mark_text(align="left", dx=6, fontWeight="bold")
    return mark.encode(x=x, y=y, text="name:N", color=alt.Color("shade:N", scale=None))


def name_rows(
    ends: Sequence[tuple[str, float, Shade]], place: float, *, top: float, height: int
) -> list[dict[str, Any]]:
    """Return the rows of names at the ends of lines, moved apart so that none covers another.

    >>> from epsilometer.charts.theme import BLUE
    >>> name_rows([("people", 0.25, BLUE)], 10.0, top=1.0, height=200)
    [{'x': 10.0, 'value': 0.25, 'name': 'people', 'shade': '#0072b2'}]
    """
    values = spread([value for _, value, _ in ends], top * LINE_HEIGHT / height, top)
    return [
        {"x": place, "value": value, "name": name, "shade": shade.light}
        for (name, _, shade), value in zip(ends, values, strict=True)
    ]


def _line(line: Line, frame: Frame) -> alt.Chart:
    rows = [{"x": float(place), "value": float(value)} for place, value in zip(frame.places, line.values, strict=True)]
    return line_mark(alt.InlineData(values=rows), frame.x, frame.y, line.shade, line.dash)


def _band(line: Line, frame: Frame) -> alt.Chart:
    rows = [
        {"x": float(place), "value": float(low), "high": float(high)}
        for place, low, high in zip(frame.places, *(line.band or ()), strict=True)
    ]
    return band_mark(alt.InlineData(values=rows), frame.x, frame.y, line.shade)
