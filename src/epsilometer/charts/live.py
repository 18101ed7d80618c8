"""Charts that move with a slider: drawn once, with named places for rows that change.

The frame of a chart holds no data. Whoever shows it fills in the rows and the ends of the axes, as often as they
change; :func:`filled` does so for a picture that is to be kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import altair as alt
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from epsilometer.charts import sample_curve
from epsilometer.charts.lines import DASHED, DOTTED, SOLID, above, band_mark, line_mark, name_mark, name_rows
from epsilometer.charts.risk_and_loss import LOSS_TITLE, RISK_TITLE
from epsilometer.charts.targets import run_rows, shading, target_line, target_rows
from epsilometer.charts.theme import (
    BLUE,
    CONFIG,
    GREEN,
    INK,
    LEFT,
    PURPLE,
    QUIET,
    RIGHT,
    VERMILLION,
    WIDE,
    dressed,
    epsilon_axis,
    percent_axis,
    plot_width,
    size_axis,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from epsilometer.assessments.exploring.counts_view import CountsTargets, CountsView
    from epsilometer.assessments.exploring.sample_view import SampleView
    from epsilometer.charts.theme import Shade
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.stretch import Stretch

GAP: Final = 30
NAME_ROOM: Final = 0.3  # of the axis that the name of a target takes, on a telephone
MARGINS: Final = LEFT + RIGHT + 2 * CONFIG["padding"]  # pixels beside the plot


class LiveLine(NamedTuple):
    """A line: the field of its rows, its name at its end, and its look."""

    field: str
    name: str
    shade: Shade
    dash: tuple[int, int] = SOLID


class LivePanel(NamedTuple):
    """Lines over one axis; the last of them is drawn on top, and has an interval where there is one."""

    kind: Literal["risk", "loss"]
    title: str
    height: int
    lines: tuple[LiveLine, ...]

    @property
    def top(self) -> str:
        """The name of where its axis ends."""
        return f"{self.kind}Top"


class Design(NamedTuple):
    """What the charts of counts and of samples differ in."""

    axis: Callable[..., alt.X]
    risk: LivePanel
    loss: LivePanel


NO_RELEASE: Final = LiveLine("no_release", "no release", QUIET, DOTTED)
LOSS: Final = (LiveLine("loss", "loss", PURPLE),)
COUNTS: Final = Design(
    epsilon_axis,
    LivePanel(
        "risk",
        RISK_TITLE,
        250,
        (
            NO_RELEASE,
            LiveLine("any_table", "any table", VERMILLION, DASHED),
            LiveLine("cells", "cells", GREEN, DASHED),
            LiveLine("people", "people", BLUE),
        ),
    ),
    LivePanel("loss", LOSS_TITLE, 150, LOSS),
)
SAMPLE: Final = Design(
    size_axis,
    LivePanel(
        "risk",
        sample_curve.RISK_TITLE,
        250,
        (
            NO_RELEASE,
            LiveLine("inside", "in sample", VERMILLION),
            LiveLine("outside", "outside", GREEN),
            LiveLine("unknown", "unknown", BLUE, DASHED),
        ),
    ),
    LivePanel("loss", sample_curve.LOSS_TITLE, 150, LOSS),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveData:
    """What fills a frame.

    Attributes:
        rows: the rows of each named place.
        tops: where the axes end, by name.
    """

    rows: Mapping[str, list[dict[str, Any]]]
    tops: Mapping[str, float]

    def __or__(self, other: LiveData) -> LiveData:
        return LiveData(rows={**self.rows, **other.rows}, tops={**self.tops, **other.tops})


@cache
def live_frame(design: Design, low: float, high: float, width: int = WIDE) -> alt.VConcatChart:
    """Draw risk and loss in two panels over one logarithmic axis, without data."""
    ends = np.array([low, high])
    tops = [alt.param(name=panel.top, value=1.0) for panel in (design.risk, design.loss)]
    upper = _panel(design.risk, design.axis(ends, labels=False), tops[0], width)
    lower = _panel(design.loss, design.axis(ends), tops[1], width)
    look = {**CONFIG, "background": "transparent"}  # whatever the page is
    chart: alt.VConcatChart = alt.vconcat(upper, lower, spacing=GAP).add_params(*tops).configure(**look)
    return chart


def filled(
    frame: alt.VConcatChart, data: LiveData, *, title: str, subtitle: str, width: int = WIDE
) -> alt.VConcatChart:
    """Return a picture to keep: a frame with its data, and a title that states the finding."""
    chart = dressed(frame.copy(deep=True), title=title, subtitle=subtitle, width=width)
    chart.datasets = dict(data.rows)
    chart.params = [alt.VariableParameter(name=name, value=top) for name, top in data.tops.items()]
    return chart


def counts_data(view: CountsView, *, near: bool = False) -> LiveData:
    """Return the rows of noisy counts at one setting; ``near`` shows the people of this very table alone, enlarged."""
    curves, targets, known = view.curves, view.targets, view.curves.loss
    risks = {"people": curves.people}
    if not near:
        guess = np.full(curves.people.shape, view.no_release)
        risks |= {"cells": curves.cells, "no_release": guess, "any_table": curves.any_table}
    losses = {} if known is None else {"loss": np.asarray(known.value)}
    interval = {} if known is None else {"low": np.asarray(known.interval.low), "high": np.asarray(known.interval.high)}
    here = {"x": view.setting.epsilon, "risk": float(np.asarray(view.people.value))}
    if view.loss is not None:
        here["loss"] = float(np.asarray(view.loss.value))
    return (
        _over_both(here, curves.epsilons, _met(targets))
        | _over_one(COUNTS.risk, curves.epsilons, risks, targets.max_risk)
        | _over_one(COUNTS.loss, curves.epsilons, losses, targets.max_loss)
        | LiveData(rows={"lossInterval": _rows(curves.epsilons, interval)}, tops={})
    )


def sample_data(view: SampleView) -> LiveData:
    """Return the rows of a sample of one size."""
    curves, targets = view.curves, view.targets
    guess = np.full(curves.unknown.shape, view.no_release)
    risks = {"no_release": guess, "inside": curves.inside, "outside": curves.outside, "unknown": curves.unknown}
    risk = {"unknown": view.unknown, "in": view.inside, "out": view.outside}[targets.adversary]
    here = {"x": float(view.setting.sample), "loss": float(np.asarray(view.loss.value))}
    if risk is not None:
        here["risk"] = float(np.asarray(risk.value))
    return (
        _over_both(here, curves.sizes, targets.both or ())
        | _over_one(SAMPLE.risk, curves.sizes, risks, targets.max_risk)
        | _over_one(SAMPLE.loss, curves.sizes, {"loss": curves.loss}, targets.max_loss)
    )


def _met(targets: CountsTargets) -> Sequence[Stretch]:
    """Return where every target that was given is met, as far as that is known."""
    if targets.max_risk is not None and targets.max_loss is not None:
        return targets.both or ()
    return targets.risk or targets.loss or ()


def _over_both(here: dict[str, float], places: FloatArray | IntArray, met: Sequence[Stretch]) -> LiveData:
    """Return what both panels show: the present position, if it is on the axis, and where the targets are met."""
    on_axis = [here] if places[0] <= here["x"] <= places[-1] else []
    return LiveData(rows={"here": on_axis, "band": run_rows([(each.low, each.high) for each in met])}, tops={})


def _over_one(
    panel: LivePanel, places: FloatArray | IntArray, values: Mapping[str, FloatArray], target: float | None
) -> LiveData:
    """Return what one panel shows: its lines, their names, and the target; a line without any number is none."""
    values = {field: line for field, line in values.items() if not np.isnan(line).all()}
    top = min(1.0, above(max([target or 0.0, *(float(np.nanmax(line)) for line in values.values())])))
    ends = [
        (line.name, float(values[line.field][~np.isnan(values[line.field])][-1]), line.shade)
        for line in panel.lines
        if line.field in values
    ]
    return LiveData(
        rows={
            panel.kind: _rows(places, values),
            f"{panel.kind}Interval": [],
            f"{panel.kind}Names": name_rows(ends, float(places[-1]), top=top, height=panel.height),
            f"{panel.kind}Target": target_rows(target, _clear_place(places, values, target or 0.0)),
        },
        tops={panel.top: top},
    )


def _clear_place(places: FloatArray | IntArray, values: Mapping[str, FloatArray], target: float) -> float:
    """Return where the name of a target can begin so that the lines stay away from it."""
    if not values:
        return float(places[0])
    away = np.nanmin([np.abs(line - target) for line in values.values()], axis=0)
    room = max(1, int(NAME_ROOM * len(places)))
    return float(places[np.argmax(sliding_window_view(away, room).min(axis=1))])


def _rows(places: FloatArray | IntArray, values: Mapping[str, FloatArray]) -> list[dict[str, Any]]:
    """Return a row for each place; what is not a number is left out."""
    if not values:
        return []
    columns = zip(places.tolist(), *(line.tolist() for line in values.values()), strict=True)
    return [
        {"x": x, **{field: value for field, value in zip(values, row, strict=True) if value == value}}  # noqa: PLR0124
        for x, *row in columns
    ]


def _panel(panel: LivePanel, x: alt.X, top: alt.Parameter, width: int) -> alt.LayerChart:
    def y(field: str) -> alt.Y:
        return percent_axis(panel.title, top, field=field)

    def rows(part: str = "") -> alt.NamedData:
        return alt.NamedData(name=f"{panel.kind}{part}")

    here = alt.Chart(alt.NamedData(name="here")).encode(x=x)
    marks = [
        shading(alt.NamedData(name="band")),
        band_mark(rows("Interval"), x, y("low"), panel.lines[-1].shade),
        *(line_mark(rows(), x, y(line.field), line.shade, line.dash) for line in panel.lines),
        *target_line(rows("Target"), "left"),
        here.mark_rule(color=INK.light, strokeWidth=1.5),
        here.mark_circle(color=INK.light, size=110, opacity=1).encode(y=y(panel.kind)),
        name_mark(rows("Names"), x, y("value")),
    ]
    return alt.LayerChart(layer=marks, width=plot_width(width), height=panel.height)
