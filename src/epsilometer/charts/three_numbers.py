"""No release, this table, any table: how do they compare at one epsilon?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import altair as alt
import numpy as np

from epsilometer.charts.lines import band_of
from epsilometer.charts.theme import BLUE, INK, LEFT, QUIET, VERMILLION, WIDE, dressed, plot_width
from epsilometer.vocabulary.language import ENGLISH

if TYPE_CHECKING:
    from epsilometer.charts.theme import Shade
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.risk import Risk

ROW: Final = 34  # pixels
NAMES: Final = 84 - LEFT  # the names of the bars are wider than the numbers of an axis


def draw_three_numbers(risk: Risk, *, width: int = WIDE, language: Language = ENGLISH) -> alt.LayerChart:
    """Draw a risk at one epsilon between what it must be compared with."""
    value, any_table = float(np.max(risk.value)), float(np.max(risk.any_table))
    rows = [
        _row(language.text("chart.no_release"), risk.no_release, language.percent_at_least(risk.no_release), QUIET),
        _row(language.text("chart.this_table"), value, language.percent_under_noise(value), BLUE, band_of(risk.answer)),
        _row(language.text("chart.any_table"), any_table, language.percent(any_table), VERMILLION),
    ]
    names = alt.Axis(title=None, domain=False, ticks=False, labelPadding=6, labelFontSize=13, labelColor=INK.light)
    axis = alt.Axis(format="~%", title=share_title(risk, language), tickCount=5)
    bars = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("value:Q", scale=alt.Scale(domain=[0, 1]), axis=axis),
        y=alt.Y("name:N", sort=None, axis=names),
    )
    marks = bars.mark_bar(height=ROW * 0.6).encode(color=alt.Color("colour:N", scale=None))
    texts = bars.mark_text(align="left", dx=6, fontWeight="bold", fontSize=13).encode(x="end:Q", text="text:N")
    layers = [marks, *_interval(risk, language), texts]
    chart = alt.LayerChart(layer=layers, width=plot_width(width) - NAMES, height=ROW * len(rows))
    epsilon = float(np.max(risk.mechanism["epsilon"]))
    title = language.text(
        "chart.risk.one",
        epsilon=language.number(epsilon, ".3g"),
        risk=language.percent_under_noise(value),
        counted=counted(risk, language),
    )
    return dressed(chart, title=title, subtitle=language.line(risk.question), width=width, language=language)


def share_title(risk: Risk, language: Language) -> str:
    """Return the title of the axis of a risk."""
    return language.text("chart.risk.axis", counted=counted(risk, language))


def counted(risk: Risk, language: Language) -> str:
    """Name what the risk is a share of."""
    return language.text(f"chart.counted.{risk.average}")


def _row(
    name: str, value: float, text: str, shade: Shade, band: tuple[FloatArray, FloatArray] | None = None
) -> dict[str, object]:
    end = value if band is None else float(np.max(band[1]))
    return {"name": name, "value": value, "end": end, "text": text, "colour": shade.light}


def _interval(risk: Risk, language: Language) -> list[alt.Chart]:
    band = band_of(risk.answer)
    if band is None:
        return []
    rows = [{"name": language.text("chart.this_table"), "value": float(band[0][0]), "high": float(band[1][0])}]
    mark = alt.Chart(alt.InlineData(values=rows)).mark_rule(color=INK.light, strokeWidth=2)
    return [mark.encode(x="value:Q", x2="high:Q", y=alt.Y("name:N", sort=None))]
