"""How large is the risk, next to what it must be compared with?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.lines import DASHED, DOTTED, Line, band_of, panel
from epsilometer.charts.theme import BLUE, QUIET, VERMILLION, WIDE, dressed, span
from epsilometer.charts.three_numbers import counted, draw_three_numbers, share_title
from epsilometer.vocabulary.language import ENGLISH

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.risk import Risk

HEIGHT: Final = 240


def draw_risk(risk: Risk, *, width: int = WIDE, language: Language = ENGLISH) -> alt.LayerChart:
    """Draw a risk: three bars for one epsilon, lines over epsilon for a curve."""
    if np.size(risk.value) == 1:
        return draw_three_numbers(risk, width=width, language=language)
    epsilons, values = np.asarray(risk.mechanism["epsilon"]), np.asarray(risk.value)
    drawn = [
        Line(language.text("chart.any_table"), np.asarray(risk.any_table), VERMILLION, DASHED),
        Line(language.text("chart.no_release"), np.full(values.shape, risk.no_release), QUIET, DOTTED),
        Line(language.text("chart.this_table"), values, BLUE, band=band_of(risk.answer)),
    ]
    axis = share_title(risk, language)
    chart = panel(epsilons, drawn, title=axis, width=width, height=HEIGHT, language=language)
    title = language.text(
        "chart.risk.curve",
        low=language.number(epsilons.min(), ".3g"),
        high=language.number(epsilons.max(), ".3g"),
        span=span(float(values.min()), float(values.max()), language),
        counted=counted(risk, language),
    )
    return dressed(chart, title=title, subtitle=language.line(risk.question), width=width, language=language)
