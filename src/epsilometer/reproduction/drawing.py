"""A figure as a chart: panels in rows and columns, colour for the line, style for how it is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import altair as alt

from epsilometer.charts.theme import BLUE, GREEN, INK, PURPLE, QUIET, VERMILLION, WIDE, dressed, ticks

if TYPE_CHECKING:
    from epsilometer.reproduction.figure import Figure

COLOURS: Final = [shade.light for shade in (BLUE, VERMILLION, GREEN, PURPLE, INK, QUIET)]
HEIGHT: Final = 190
LABELS: Final = 70  # pixels beside each panel
LEGEND: Final = 110
FEW: Final = 4  # ticks of an axis too short for round numbers


def draw_figure(figure: Figure) -> alt.VConcatChart:
    """Draw all panels of a figure; those of a row share their axis of values."""
    rows = dict.fromkeys(drawn.row for drawn in figure.curves)
    columns = dict.fromkeys(drawn.column for drawn in figure.curves)
    width = (WIDE - LEGEND) // len(columns) - LABELS
    drawn_rows = (alt.hconcat(*(_panel(figure, row, column, width) for column in columns)) for row in rows)
    grid = alt.vconcat(*(row.resolve_scale(y="shared") for row in drawn_rows))
    return dressed(grid, title=figure.title, subtitle=figure.subtitle, width=WIDE)


def _panel(figure: Figure, row: str, column: str, width: int) -> alt.LayerChart | alt.FacetChart:
    points = [point for point in figure.points() if (point["row"], point["column"]) == (row, column)]
    y = alt.Y("value:Q", title=figure.y_title, scale=alt.Scale(zero=figure.from_zero))
    base = alt.Chart(alt.InlineData(values=points)).encode(x=_logarithmic(figure), y=y, color=_colour(figure))
    kinds = dict.fromkeys(str(point["known"]) for point in points)
    layers = [layer for known in kinds for layer in _marks(base, known)]
    return alt.layer(*layers).properties(title=f"{row}: {column}", width=width, height=HEIGHT)


def _logarithmic(figure: Figure) -> alt.X:
    low = min(float(drawn.x.min()) for drawn in figure.curves)
    high = max(float(drawn.x.max()) for drawn in figure.curves)
    round_numbers = ticks(low, high)
    marked = {"values": round_numbers} if len(round_numbers) > 1 else {"tickCount": FEW}
    axis = alt.Axis(format="~g", **marked)
    return alt.X("x:Q", title=figure.x_title, scale=alt.Scale(type="log", domain=[low, high], nice=False), axis=axis)


def _colour(figure: Figure) -> alt.Color:
    lines = list(dict.fromkeys(drawn.line for drawn in figure.curves))
    legend = None if len(lines) == 1 else alt.Undefined
    scale = alt.Scale(domain=lines, range=COLOURS[: len(lines)])
    return alt.Color("line:N", title=None, sort=None, scale=scale, legend=legend)


def _marks(base: alt.Chart, known: str) -> tuple[alt.Chart, ...]:
    chosen = base.transform_filter(alt.datum.known == known)
    if known == "simulated":
        return chosen.mark_point(filled=True, size=36), chosen.mark_rule().encode(y="low:Q", y2="high:Q")
    if known == "counted":
        return (chosen.mark_bar(width=2),)
    return (chosen.mark_line(strokeDash=[5, 4] if known == "as printed" else [1, 0]),)
