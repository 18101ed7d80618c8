"""How does the risk of people depend on epsilon and on one more parameter? A tile for every number computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import altair as alt
import numpy as np

from epsilometer.charts.theme import BLUE, GRID, INK, LEFT, VERMILLION, WIDE, dressed, epsilon_axis
from epsilometer.vocabulary.wording import percent, percent_at_least, rounded_down, shown_down

if TYPE_CHECKING:
    import numpy.typing as npt

    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.risk_grid import RiskGrid

ROW: Final = 22  # pixels
MARGIN: Final = 18  # right of the tiles: half of the last label of the axis
SEAM: Final = 0.5  # pixels of paper on each side of a tile
FAINTEST: Final = 0.06  # opacity of no risk: a tile that is still seen
SYMBOLS: Final = {"delta": "δ", "threshold": "τ"}
NAMES: Final = {
    "delta": "delta δ (how often the guarantee may fail)",
    "threshold": "threshold τ (a noisy count below it shows as zero)",
}


class Axes(NamedTuple):
    """What the marks share."""

    x: alt.X
    y: alt.Y


def draw_heat_map(grid: RiskGrid, *, max_risk: float | None = None, width: int = WIDE) -> alt.LayerChart:
    """Draw the risk of people as tiles over epsilon and the other parameter, the deeper the riskier.

    A line parts what meets the target from what does not; a ring marks the release that was asked about.
    """
    edges = _edges(grid.epsilons)
    axes = Axes(_epsilon_axis(edges), _level_axis(grid))
    tiles = _tiles(grid, edges, axes, shades=5 if width > WIDE / 2 else 3)
    marks = [tiles, *_border(grid, edges, max_risk, axes), *_ring(grid, axes)]
    chart = alt.LayerChart(layer=marks, width=width - LEFT - MARGIN, height=ROW * len(grid.levels))
    return dressed(chart, title=_finding(grid, max_risk), subtitle=_reading(grid, max_risk), width=width)


def _edges(epsilons: FloatArray) -> FloatArray:
    """Return where the tile of each epsilon starts and ends: half way, on the logarithm, to its neighbours."""
    logs = np.log(epsilons)
    steps = np.diff(logs) if len(logs) > 1 else np.array([np.log(2)])
    between = (logs[1:] + logs[:-1]) / 2
    return np.exp([logs[0] - steps[0] / 2, *between, logs[-1] + steps[-1] / 2])


def _epsilon_axis(edges: FloatArray) -> alt.X:
    axis = epsilon_axis(edges)
    axis["axis"]["grid"] = False  # its lines would show through the tiles
    return axis


def _level_axis(grid: RiskGrid) -> alt.Y:
    """Return an axis with a place for each level, whatever the distances between them."""
    names = [_level(grid, row) for row in range(len(grid.levels))]
    axis = alt.Axis(
        values=list(range(len(names))),
        labelExpr=f"{names}[datum.value]",
        title=NAMES[grid.parameter],
        titleAngle=0,
        titleAlign="left",
        titleAnchor="end",
        titleX=-LEFT + 12,
        titleY=-12,
        domain=False,
        ticks=False,
        grid=False,
    )
    return alt.Y("y:Q", scale=alt.Scale(domain=[-0.5, len(names) - 0.5], nice=False), axis=axis)


def _tiles(grid: RiskGrid, edges: FloatArray, axes: Axes, *, shades: int) -> alt.Chart:
    rows = [
        {"x": low, "x2": high, "y": level - 0.5, "y2": level + 0.5, "risk": risk}
        for level, risks in enumerate(grid.value.tolist())
        for low, high, risk in zip(edges[:-1].tolist(), edges[1:].tolist(), risks, strict=True)
    ]
    depth = alt.Opacity(
        "risk:Q",
        title="people disclosed",
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
    mark = alt.Chart(alt.InlineData(values=rows)).mark_rect(
        color=BLUE.light, xOffset=SEAM, x2Offset=-SEAM, yOffset=-SEAM, y2Offset=SEAM
    )
    return mark.encode(x=axes.x, y=axes.y, x2="x2:Q", y2="y2:Q", opacity=depth)


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


def _finding(grid: RiskGrid, max_risk: float | None) -> str:
    if max_risk is None:
        ends = (np.unravel_index(at, grid.value.shape) for at in (grid.value.argmin(), grid.value.argmax()))
        lowest, highest = (f"{percent(float(grid.value[at]))} at {_place(grid, *map(int, at))}" for at in ends)
        return f"The risk to people is between {lowest} and {highest}"
    met, goal = grid.value <= max_risk, f"a risk of at most {_target(max_risk)}"
    if not met.any():
        return f"No combination on this chart has {goal}"
    if met.all():
        return f"Every combination on this chart has {goal}"
    column = int(np.flatnonzero(met.any(axis=0))[-1])
    row = int(np.flatnonzero(met[:, column])[0])
    return f"{goal[0].upper()}{goal[1:]}: the largest ε on this chart that meets it is at {_place(grid, row, column)}"


def _place(grid: RiskGrid, row: int, column: int) -> str:
    epsilon = rounded_down(float(grid.epsilons[column]), 2)
    return f"ε = {epsilon:g}, {SYMBOLS[grid.parameter]} = {_level(grid, row)}"


def _level(grid: RiskGrid, row: int) -> str:
    level = grid.levels[row]
    if grid.parameter == "delta":
        return np.format_float_scientific(level, precision=2, trim="-", exp_digits=1)
    return f"{level:g}"


def _target(max_risk: float) -> str:
    return f"{shown_down(max_risk * 100)} %"


def _reading(grid: RiskGrid, max_risk: float | None) -> str:
    line = f" Line: the target of {_target(max_risk)}, met where fainter." if max_risk is not None else ""
    ring = [f" Ring: the release asked about, {percent(float(grid.value[at]))}." for at in _asked(grid)]
    return (
        f"Share of people whose own value alone shows in their cell ({grid.evidence}).{line}{''.join(ring)} "
        f"A guess without a release is right for {percent_at_least(grid.no_release)}."
    )
