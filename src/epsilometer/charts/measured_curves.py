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
from epsilometer.vocabulary.language import ENGLISH

if TYPE_CHECKING:
    from epsilometer.charts.theme import Shade
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.synthetic_choice import MeasuredCurve, SyntheticChoice

RISK_HEIGHT: Final = 220
LOSS_HEIGHT: Final = 150
GAP: Final = 30


def draw_measured_curves(
    choice: SyntheticChoice, *, width: int = WIDE, language: Language = ENGLISH
) -> alt.VConcatChart:
    """Draw both curves with their bands, every measured table as a dot, the targets, and the epsilon recommended."""
    is_distance = choice.measure == "nearest-distance"
    risk = panel(
        choice.risk.grid,
        _risk_lines(choice, language),
        title=_text(f"{choice.measure}_axis", language),
        width=width,
        height=RISK_HEIGHT,
        labels=False,
        reach=float(choice.risk.values.max()),
        value_axis=number_axis if is_distance else percent_axis,
        language=language,
    )
    loss = panel(
        choice.loss.grid,
        _loss_lines(choice, language),
        title=_text("loss_axis", language),
        width=width,
        height=LOSS_HEIGHT,
        reach=float(choice.loss.values.max()),
        language=language,
    )
    for drawn, curve in ((risk, choice.risk), (loss, choice.loss)):
        drawn.layer = [*drawn.layer, _dots(curve), *_mark(choice)]
    chart = alt.vconcat(risk, loss, spacing=GAP)
    title, subtitle = _finding(choice, language), _reading(choice, language)
    return dressed(chart, title=title, subtitle=subtitle, width=width, language=language)


def _text(key: str, language: Language) -> str:
    return language.text(f"chart.measured.{key}")


def _risk_lines(choice: SyntheticChoice, language: Language) -> list[Line]:
    drawn = [_fitted(language.text("chart.this_table"), choice.risk, BLUE)]
    if choice.target_risk is not None:
        drawn.append(_level(_text("target", language), choice.target_risk, choice.risk, VERMILLION, DASHED))
    if choice.no_release is not None:
        drawn.append(_level(language.text("chart.no_release"), choice.no_release, choice.risk, QUIET, DOTTED))
    return drawn


def _loss_lines(choice: SyntheticChoice, language: Language) -> list[Line]:
    drawn = [_fitted(_text("loss", language), choice.loss, PURPLE)]
    if choice.max_loss is not None:
        drawn.append(_level(_text("target", language), choice.max_loss, choice.loss, VERMILLION, DASHED))
    return drawn


def _fitted(name: str, curve: MeasuredCurve, shade: Shade) -> Line:
    return Line(name, curve.curve, shade, band=(curve.low, curve.high))


def _level(name: str, value: float, curve: MeasuredCurve, shade: Shade, dash: tuple[int, int]) -> Line:
    return Line(name, np.full(curve.grid.shape, value), shade, dash)


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


def _finding(choice: SyntheticChoice, language: Language) -> str:
    if choice.recommended is None:
        binding = language.texts.get(f"chart.measured.binding.{choice.binding}", choice.binding)
        return language.text("chart.measured.none", binding=binding)
    return language.text("chart.measured.met", epsilon=language.number(choice.recommended, "g"))


def _reading(choice: SyntheticChoice, language: Language) -> str:
    return language.text(
        "chart.measured.reading",
        runs=choice.n_runs,
        method=choice.method,
        epsilons=len(np.unique(choice.risk.epsilons)),
        risk=language.line(choice.risk.family),
        loss=language.line(choice.loss.family),
        confidence=f"{100 * choice.risk.confidence:.0f}",
    )
