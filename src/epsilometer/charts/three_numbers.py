"""No release, this table, any table: how do they compare at one epsilon?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import altair as alt
import numpy as np

from epsilometer.charts.lines import band_of
from epsilometer.charts.theme import BLUE, INK, LEFT, QUIET, VERMILLION, WIDE, dressed, plot_width
from epsilometer.vocabulary.wording import percent, percent_at_least

if TYPE_CHECKING:
    from epsilometer.vocabulary.risk import Risk

ROW: Final = 34  # pixels
NAMES: Final = 84 - LEFT  # the names of the bars are wider than the numbers of an axis
COUNTED: Final = {"cells": "cells", "records": "people"}


def draw_three_numbers(risk: Risk, *, width: int = WIDE) -> alt.LayerChart:
    """Draw a risk at one epsilon between what it must be compared with."""
    value, any_table = float(np.max(risk.value)), float(np.max(risk.any_table))
    rows = [
        _row("no release", risk.no_release, percent_at_least(risk.no_release), QUIET.light),
        _row("this table", value, percent(value), BLUE.light),
        _row("any table", any_table, percent(any_table), VERMILLION.light),
    ]
    names = alt.Axis(title=None, domain=False, ticks=False, labelPadding=6, labelFontSize=13, labelColor=INK.light)
    scale = alt.Scale(domain=[0, 1])
    bars = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("value:Q", scale=scale, axis=alt.Axis(format="~%", title=f"share of {counted(risk)} (%)", tickCount=5)),
        y=alt.Y("name:N", sort=None, axis=names),
    )
    marks = bars.mark_bar(height=ROW * 0.6).encode(color=alt.Color("colour:N", scale=None))
    texts = bars.mark_text(align="left", dx=6, fontWeight="bold", fontSize=13).encode(text="text:N")
    layers = [marks, *_interval(risk), texts]
    chart = alt.LayerChart(layer=layers, width=plot_width(width) - NAMES, height=ROW * len(rows))
    epsilon = float(np.max(risk.mechanism["epsilon"]))
    title = f"At ε = {epsilon:.3g}, {percent(value)} of the {counted(risk)} are disclosed"
    return dressed(chart, title=title, subtitle=risk.question, width=width)


def counted(risk: Risk) -> str:
    """Name what the risk is a share of."""
    return COUNTED.get(risk.average, risk.average)


def _row(name: str, value: float, text: str, colour: str) -> dict[str, object]:
    return {"name": name, "value": value, "text": text, "colour": colour}


def _interval(risk: Risk) -> list[alt.Chart]:
    band = band_of(risk.answer)
    if band is None:
        return []
    rows = [{"name": "this table", "value": float(band[0][0]), "high": float(band[1][0])}]
    mark = alt.Chart(alt.InlineData(values=rows)).mark_rule(color=INK.light, strokeWidth=2)
    return [mark.encode(x="value:Q", x2="high:Q", y=alt.Y("name:N", sort=None))]
