"""How does the risk of people depend on epsilon and on one more parameter? A tile for every number computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import altair as alt
import numpy as np

from epsilometer.charts.theme import (
    BLUE,
    GRID,
    INK,
    LEFT,
    LYING_FLAT,
    VERMILLION,
    WIDE,
    dressed,
    epsilon_axis,
    how_known,
)
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.wording import rounded_down, shown_down

if TYPE_CHECKING:
    import numpy.typing as npt

    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.risk_grid import RiskGrid

ROW: Final = 22  # pixels
MARGIN: Final = 18  # right of the tiles: half of the last label of the axis
SEAM: Final = 0.5  # pixels of paper on each side of a tile
FAINTEST: Final = 0.06  # opacity of no risk: a tile that is still seen
SYMBOLS: Final = {"delta": "δ", "threshold": "τ"}


class Axes(NamedTuple):
    """What the marks share."""

    x: alt.X
    y: alt.Y


def draw_heat_map(
    grid: RiskGrid, *, max_risk: float | None = None, width: int = WIDE, language: Language = ENGLISH
) -> alt.LayerChart:
    """Draw the risk of people as tiles over epsilon and the other parameter, the deeper the riskier.

    A line parts what meets the target from what does not; a ring marks the release that was asked about.
    """
    edges = _edges(grid.epsilons)
    axes = Axes(_epsilon_axis(edges, language), _level_axis(grid, language))
    tiles = _tiles(grid, edges, axes, _depth(grid, 5 if width > WIDE / 2 else 3, language))
    marks = [tiles, *_border(grid, edges, max_risk, axes), *_ring(grid, axes)]
    chart = alt.LayerChart(layer=marks, width=width - LEFT - MARGIN, height=ROW * len(grid.levels))
    title, subtitle = _finding(grid, max_risk, language), _reading(grid, max_risk, language)
    return dressed(chart, title=title, subtitle=subtitle, width=width, language=language)


def _edges(epsilons: FloatArray) -> FloatArray:
    """Return where the tile of each epsilon starts and ends: half way, on the logarithm, to its neighbours."""
    logs = np.log(epsilons)
    steps = np.diff(logs) if len(logs) > 1 else np.array([np.log(2)])
    between = (logs[1:] + logs[:-1]) / 2
    return np.exp([logs[0] - steps[0] / 2, *between, logs[-1] + steps[-1] / 2])


def _epsilon_axis(edges: FloatArray, language: Language) -> alt.X:
    axis = epsilon_axis(edges, language=language)
    axis["axis"]["grid"] = False  # its lines would show through the tiles
    return axis


def _level_axis(grid: RiskGrid, language: Language) -> alt.Y:
    """Return an axis with a place for each level, whatever the distances between them."""
    names = [_level(grid, row, language) for row in range(len(grid.levels))]
    axis = alt.Axis(
        values=list(range(len(names))),
        labelExpr=f"{names}[datum.value]",
        title=language.text(f"chart.heat.{grid.parameter}"),
        grid=False,
        **LYING_FLAT,
    )
    return alt.Y("y:Q", scale=alt.Scale(domain=[-0.5, len(names) - 0.5], nice=False), axis=axis)


def _tiles(grid: RiskGrid, edges: FloatArray, axes: Axes, depth: alt.Opacity) -> alt.Chart:
    rows = [
        {"x": low, "x2": high, "y": level - 0.5, "y2": level + 0.5, "risk": risk}
        for level, risks in enumerate(grid.value.tolist())
        for low, high, risk in zip(edges[:-1].tolist(), edges[1:].tolist(), risks, strict=True)
    ]
    mark = alt.Chart(alt.InlineData(values=rows)).mark_rect(
        color=BLUE.light, xOffset=SEAM, x2Offset=-SEAM, yOffset=-SEAM, y2Offset=SEAM
    )
    return mark.encode(x=axes.x, y=axes.y, x2="x2:Q", y2="y2:Q", opacity=depth)


def _depth(grid: RiskGrid, shades: int, language: Language) -> alt.Opacity:
    return alt.Opacity(
        "risk:Q",
        title=language.text("chart.heat.legend"),
        scale=alt.Scale(domain=[0, float(grid.value.max()) or 1.0], range=[FAINTEST, 1], nice=False),
        legend=alt.Legend(
            orient="bottom",
            direction="horizontal",
            format="~%",
            tickCount=shades,
            symbolType="square",
            symbolFillColor=BLUE.light,
            symbolStrokeColor=BLUE.light,
            symbolSize=260,
            labelColor=INK.light,
            titleColor=INK.light,
            labelFontSize=12.5,
            titleFontSize=12.5,
            titleFontWeight="normal",
        ),
    )


def _border(grid: RiskGrid, edges: FloatArray, max_risk: float | None, axes: Axes) -> list[alt.Chart]:
    """Draw the line between tiles that meet the target and tiles that do not."""
    rows = [] if max_risk is None else border_rows(grid.value <= max_risk, edges)
    mark = alt.Chart(alt.InlineData(values=rows)).mark_rule(color=VERMILLION.light, strokeWidth=3, strokeCap="square")
    return [mark.encode(x=axes.x, y=axes.y, x2="x2:Q", y2="y2:Q")] if rows else []


def border_rows(met: npt.NDArray[np.bool_], edges: FloatArray) -> list[dict[str, float]]:
    """Return the sides that tiles which meet a target share with tiles that do not.

    >>> border_rows(np.array([[True, False]]), np.array([0.1, 1.0, 10.0]))
    [{'x': 1.0, 'x2': 1.0, 'y': -0.5, 'y2': 0.5}]
    """
    upright = [
        {"x": float(edges[column + 1]), "x2": float(edges[column + 1]), "y": row - 0.5, "y2": row + 0.5}
        for row, column in np.argwhere(met[:, 1:] != met[:, :-1]).tolist()
    ]
    level = [
        {"x": float(edges[column]), "x2": float(edges[column + 1]), "y": row + 0.5, "y2": row + 0.5}
        for row, column in np.argwhere(met[1:] != met[:-1]).tolist()
    ]
    return upright + level


def _ring(grid: RiskGrid, axes: Axes) -> list[alt.Chart]:
    """Draw a ring, with a rim that sets it off from tiles of any depth."""
    rows = [{"x": float(grid.epsilons[column]), "y": row} for row, column in _asked(grid)]
    base = alt.Chart(alt.InlineData(values=rows)).encode(x=axes.x, y=axes.y)
    looks = ((GRID, 6.0), (INK, 2.5)) if rows else ()
    return [base.mark_point(size=90, filled=False, color=shade.light, strokeWidth=pen) for shade, pen in looks]


def _asked(grid: RiskGrid) -> list[tuple[int, int]]:
    """Return the row and column of the release that was asked about, if it is one, and on the grid."""
    epsilon = grid.mechanism["epsilon"]
    if isinstance(epsilon, tuple):
        return []
    rows = np.flatnonzero(grid.levels == grid.mechanism[grid.parameter]).tolist()
    return [(row, int(np.searchsorted(grid.epsilons, epsilon))) for row in rows]


def _finding(grid: RiskGrid, max_risk: float | None, language: Language) -> str:
    if max_risk is None:
        ends = (np.unravel_index(at, grid.value.shape) for at in (grid.value.argmin(), grid.value.argmax()))
        lowest, highest = (_risk_at(grid, int(row), int(column), language) for row, column in ends)
        return language.text("chart.heat.between", lowest=lowest, highest=highest)
    met, target = grid.value <= max_risk, _target(max_risk, language)
    if met.all() or not met.any():
        return language.text("chart.heat.all" if met.all() else "chart.heat.none", target=target)
    column = int(np.flatnonzero(met.any(axis=0))[-1])
    row = int(np.flatnonzero(met[:, column])[0])
    return language.text("chart.heat.largest", target=target, place=_place(grid, row, column, language))


def _risk_at(grid: RiskGrid, row: int, column: int, language: Language) -> str:
    risk = language.percent_under_noise(float(grid.value[row, column]))
    return language.text("chart.heat.at", risk=risk, place=_place(grid, row, column, language))


def _place(grid: RiskGrid, row: int, column: int, language: Language) -> str:
    epsilon = language.number(rounded_down(float(grid.epsilons[column]), 2), "g")
    level = f"{SYMBOLS[grid.parameter]} = {_level(grid, row, language)}"
    return f"ε = {epsilon}{language.text('chart.separator')} {level}"


def _level(grid: RiskGrid, row: int, language: Language) -> str:
    level = float(grid.levels[row])
    if grid.parameter == "delta":
        return language.number(np.format_float_scientific(level, precision=2, trim="-", exp_digits=1))
    return language.number(level, "g")


def _target(max_risk: float, language: Language) -> str:
    return language.text("writing.percent", number=language.number(shown_down(max_risk * 100)))


def _reading(grid: RiskGrid, max_risk: float | None, language: Language) -> str:
    rings = (language.percent_under_noise(float(grid.value[at])) for at in _asked(grid))
    sentences = (
        language.text("chart.heat.reading", known=how_known(grid.evidence, language)),
        *([] if max_risk is None else [language.text("chart.heat.line", target=_target(max_risk, language))]),
        *(language.text("chart.heat.ring", risk=risk) for risk in rings),
        language.text("chart.luck", guess=language.percent_at_least(grid.no_release)),
    )
    return " ".join(sentences)
