"""Risk and loss of synthetic tables against epsilon: what was measured, and the curves through it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import altair as alt
import numpy as np

from epsilometer.charts.lines import DASHED, DOTTED, Line, panel
from epsilometer.charts.theme import (
    BLUE,
    GREEN,
    INK,
    PURPLE,
    QUIET,
    VERMILLION,
    WIDE,
    dressed,
    number_axis,
    percent_axis,
)

if TYPE_CHECKING:
    from epsilometer.charts.theme import Shade
    from epsilometer.vocabulary.synthetic_choice import MeasuredCurve, SyntheticChoice

RISK_HEIGHT: Final = 220
LOSS_HEIGHT: Final = 150
GAP: Final = 30


def draw_measured_curves(choice: SyntheticChoice, *, width: int = WIDE) -> alt.VConcatChart:
    """Draw both curves with their bands, every measured table as a dot, the targets, and the epsilon recommended."""
    risk_lines = [_fitted("this table", choice.risk, BLUE)]
    risk_lines += [_level("target", choice.target_risk, choice.risk, VERMILLION)] * (choice.target_risk is not None)
    risk_lines += [_level("no release", choice.no_release, choice.risk, QUIET)] * (choice.no_release is not None)
    loss_lines = [_fitted("loss", choice.loss, PURPLE)]
    loss_lines += [_level("target", choice.max_loss, choice.loss, VERMILLION)] * (choice.max_loss is not None)
    is_distance = choice.measure == "nearest-distance"
    risk = panel(
        choice.risk.grid,
        risk_lines,
        title=choice.risk.name if is_distance else f"Risk: {choice.risk.name} (%)",
        width=width,
        height=RISK_HEIGHT,
        labels=False,
        reach=float(choice.risk.values.max()),
        value_axis=number_axis if is_distance else percent_axis,
    )
    loss = panel(
        choice.loss.grid,
        loss_lines,
        title="Loss: mean distance of 1- and 2-way shares (%)",
        width=width,
        height=LOSS_HEIGHT,
        reach=float(choice.loss.values.max()),
    )
    for drawn, curve in ((risk, choice.risk), (loss, choice.loss)):
        drawn.layer = [*drawn.layer, _dots(curve), *_mark(choice)]
    return dressed(alt.vconcat(risk, loss, spacing=GAP), title=_finding(choice), subtitle=_reading(choice), width=width)


def _fitted(name: str, curve: MeasuredCurve, shade: Shade) -> Line:
    return Line(name, curve.curve, shade, band=(curve.low, curve.high))


def _level(name: str, value: float | None, curve: MeasuredCurve, shade: Shade) -> Line:
    return Line(name, np.full(curve.grid.shape, value), shade, DASHED if name == "target" else DOTTED)


def _dots(curve: MeasuredCurve) -> alt.Chart:
    rows = [{"x": float(x), "value": float(y)} for x, y in zip(curve.epsilons, curve.values, strict=True)]
    return (
        alt.Chart(alt.InlineData(values=rows))
        .mark_circle(color=INK.light, size=28, opacity=0.7)
        .encode(x="x:Q", y="value:Q")
    )


def _mark(choice: SyntheticChoice) -> list[alt.Chart]:
    """Return a vertical line at the epsilon recommended, if there is one."""
    rows = [{"x": choice.recommended}] if choice.recommended is not None else []
    mark = alt.Chart(alt.InlineData(values=rows)).mark_rule(color=GREEN.light, strokeDash=[2, 3], strokeWidth=2)
    return [mark.encode(x="x:Q")] if rows else []


def _finding(choice: SyntheticChoice) -> str:
    if choice.recommended is None:
        return f"No measured ε meets the targets: {choice.binding}"
    return f"ε = {choice.recommended:g} meets the targets, as far as the tables that were made can say"


def _reading(choice: SyntheticChoice) -> str:
    n_epsilons = len(np.unique(choice.risk.epsilons))
    return (
        f"Dots: {choice.n_runs} tables by {choice.method} at each of {n_epsilons} epsilons. "
        f"Lines: {choice.risk.family} and {choice.loss.family} curves, with {choice.risk.confidence:.0%} bands."
    )
