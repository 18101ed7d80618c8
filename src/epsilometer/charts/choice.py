"""Which parameter meets both targets, what does it cost, and what lies around it?"""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Final

import altair as alt
import numpy as np

from epsilometer.charts.lines import DASHED, LONGEST_NAME, SOLID, Line, band_of, panel
from epsilometer.charts.risk_and_loss import target_mark
from epsilometer.charts.targets import as_asked, run_rows, shading
from epsilometer.charts.theme import (
    BLUE,
    GREEN,
    INK,
    PURPLE,
    VERMILLION,
    WIDE,
    dressed,
    epsilon_axis,
    short,
    size_axis,
    threshold_axis,
)
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.wording import shown_up

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from epsilometer.charts.theme import Shade
    from epsilometer.vocabulary.choice import Choice, TradeOff
    from epsilometer.vocabulary.language import Language

RISK_HEIGHT: Final = 210
LOSS_HEIGHT: Final = 160
GAP: Final = 34
LOOKS: Final = tuple((shade, dash) for dash in (SOLID, DASHED) for shade in (BLUE, VERMILLION, PURPLE, INK))
AXES: Final[Mapping[str, Callable[..., alt.X]]] = {
    "epsilon": epsilon_axis,
    "threshold": threshold_axis,
    "size": size_axis,
}


def draw_choice(choice: Choice, *, width: int = WIDE, language: Language = ENGLISH) -> alt.VConcatChart:
    """Draw risk and loss in two panels, with both targets, where they are met, and the point that is recommended."""
    axis, points = AXES[choice.parameter], choice.curves[0].points
    risk = panel(
        points,
        [_risk(curve, name, *look) for curve, name, look in _named(choice, "risk", language)],
        title=_risk_title(choice, language),
        width=width,
        height=RISK_HEIGHT,
        reach=choice.max_risk,
        labels=False,
        axis=axis,
        language=language,
    )
    loss = panel(
        points,
        [_loss(curve, name, *look) for curve, name, look in _named(choice, "loss", language)],
        title=language.text("chart.risk_and_loss.loss_axis"),
        width=width,
        height=LOSS_HEIGHT,
        reach=choice.max_loss,
        axis=axis,
        language=language,
    )
    runs = [(stretch.low, stretch.high) for stretch in choice.stretches]
    shaded = [shading(alt.InlineData(values=run_rows(runs)))] if runs else []
    left, right = float(points.min()), float(points.max())
    marks = _mark(choice)
    upper = alt.layer(*shaded, risk, *target_mark(choice.max_risk, left, "left", language), *marks)
    lower = alt.layer(*shaded, loss, *target_mark(choice.max_loss, right, "right", language), *marks)
    chart = alt.vconcat(upper, lower, spacing=GAP)
    title, subtitle = _finding(choice, language), _reading(choice, language)
    return dressed(chart, title=title, subtitle=subtitle, width=width, language=language)


def _named(choice: Choice, alone: str, language: Language) -> list[tuple[TradeOff, str, tuple[Shade, tuple[int, int]]]]:
    """Return each curve with its name, which is that of its attribute where there are several, and its look."""
    if len(choice.curves) == 1:
        name = language.text(f"chart.choice.{alone}")
        return [(choice.curves[0], name, (BLUE if alone == "risk" else VERMILLION, SOLID))]
    names = [short(curve.about, LONGEST_NAME) for curve in choice.curves]
    return list(zip(choice.curves, names, cycle(LOOKS), strict=False))


def _risk(curve: TradeOff, name: str, shade: Shade, dash: tuple[int, int]) -> Line:
    interval = curve.risk_interval
    band = None if interval is None else (np.atleast_1d(interval.low), np.atleast_1d(interval.high))
    return Line(name, curve.risk, shade, dash, band)


def _loss(curve: TradeOff, name: str, shade: Shade, dash: tuple[int, int]) -> Line:
    return Line(name, np.asarray(curve.loss.value), shade, dash, band_of(curve.loss))


def _risk_title(choice: Choice, language: Language) -> str:
    if choice.parameter == "size":
        return language.text("chart.choice.size_axis")
    return language.text(f"chart.choice.{'people' if choice.looked_at_the_data else 'declared'}_axis")


def _mark(choice: Choice) -> list[alt.Chart]:
    """Return a vertical line at the point that is recommended, if there is one."""
    if choice.recommended is None:
        return []
    data = alt.Chart(alt.InlineData(values=[{"x": choice.recommended}]))
    return [data.mark_rule(color=GREEN.light, strokeDash=[2, 3], strokeWidth=2).encode(x="x:Q")]


def _finding(choice: Choice, language: Language) -> str:
    risk, loss = (language.number(as_asked(target)) for target in (choice.max_risk, choice.max_loss))
    if choice.recommended is None:
        return language.text("chart.choice.none", risk=risk, loss=loss)
    at = f"{choice.recommended:,.0f}" if choice.parameter == "size" else shown_up(choice.recommended)
    return language.text(f"chart.choice.{choice.parameter}", at=language.number(at), risk=risk, loss=loss)


def _reading(choice: Choice, language: Language) -> str:
    if choice.recommended is None:
        said = f"{choice.binding[:1].upper()}{choice.binding[1:]}."
        return language.texts.get(f"chart.choice.binding.{choice.binding}", said)
    return language.text("chart.choice.reading")
