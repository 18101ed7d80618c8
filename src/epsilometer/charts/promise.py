"""What does a plan promise for any table, and how would another epsilon change it? No table plays a part in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.lines import DASHED, DOTTED, Line, marked, panel
from epsilometer.charts.theme import BLUE, QUIET, VERMILLION, WIDE, dressed
from epsilometer.vocabulary.language import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Sequence

    import altair as alt

    from epsilometer.publication.promise import Promise
    from epsilometer.vocabulary.language import Language

HEIGHT: Final = 220
COIN: Final = 0.5


def draw_promises(
    promised: Sequence[Promise], asked: Promise, *, width: int = WIDE, language: Language = ENGLISH
) -> alt.LayerChart:
    """Draw what is promised over epsilon, marked at the epsilon asked for, next to what a coin gets right."""
    epsilons = np.array([promise.epsilon for promise in promised])
    told = np.array([promise.told_right for promise in promised])
    worst = [promise.worst_risk for promise in promised if promise.worst_risk is not None]
    lines = [
        Line(language.text("chart.promise.coin"), np.full(told.shape, COIN), QUIET, DOTTED),
        Line(language.text("chart.promise.own"), told, BLUE),
        *[Line(language.text("chart.promise.worst"), np.array(worst), VERMILLION, DASHED)] * bool(worst),
    ]
    chart = panel(
        epsilons, lines, title=language.text("chart.promise.axis"), width=width, height=HEIGHT, language=language
    )
    epsilon = asked.epsilon or 0.0
    title = language.text(
        "chart.promise.finding", epsilon=language.number(epsilon), right=language.percent(asked.told_right)
    )
    return dressed(
        marked(chart, (epsilon, asked.told_right)),
        title=title,
        subtitle=language.text("chart.promise.reading"),
        width=width,
        language=language,
    )
