"""How large is the risk, next to what it must be compared with?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.lines import DASHED, DOTTED, Line, band_of, panel
from epsilometer.charts.theme import BLUE, QUIET, VERMILLION, WIDE, dressed
from epsilometer.charts.three_numbers import counted, draw_three_numbers
from epsilometer.vocabulary.wording import percent

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.risk import Risk

HEIGHT: Final = 240


def draw_risk(risk: Risk, *, width: int = WIDE) -> alt.LayerChart:
    """Draw a risk: three bars for one epsilon, lines over epsilon for a curve."""
    if np.size(risk.value) == 1:
        return draw_three_numbers(risk, width=width)
    epsilons, values = np.asarray(risk.mechanism["epsilon"]), np.asarray(risk.value)
    drawn = [
        Line("any table", np.asarray(risk.any_table), VERMILLION, DASHED),
        Line("no release", np.full(values.shape, risk.no_release), QUIET, DOTTED),
        Line("this table", values, BLUE, band=band_of(risk.answer)),
    ]
    chart = panel(epsilons, drawn, title=f"share of {counted(risk)} (%)", width=width, height=HEIGHT)
    ends = dict.fromkeys((percent(float(values.min())), percent(float(values.max()))))
    title = (
        f"Between ε = {epsilons.min():.3g} and ε = {epsilons.max():.3g}, "
        f"{' to '.join(ends)} of the {counted(risk)} are disclosed"
    )
    return dressed(chart, title=title, subtitle=risk.question, width=width)
