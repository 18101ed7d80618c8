"""Where did the privacy budget go?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.charts.rows import MOST, Row, bars, up_to_longest
from epsilometer.charts.theme import BLUE, WIDE, dressed, short
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.wording import shown_up

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.synthetic_table import SyntheticTable

LONGEST: Final = 80  # characters of what was looked at


def draw_spending(table: SyntheticTable, *, width: int = WIDE, language: Language = ENGLISH) -> alt.LayerChart:
    """Draw each look at the original records by its part of epsilon, the largest ones where there are many."""
    rows = [
        Row(short(look.what, LONGEST), look.epsilon, language.number(shown_up(look.epsilon)), BLUE)
        for look in sorted(table.spent, key=lambda look: -look.epsilon)[:MOST]
    ]
    title = language.text(
        "chart.spending.finding",
        rows=table.n_rows,
        n=len(table.spent),
        epsilon=language.number(shown_up(table.epsilon)),
    )
    chart = bars(rows, up_to_longest(rows, language.text("chart.spending.axis"), format="~g"), width=width)
    return dressed(chart, title=title, subtitle=_reading(table, language), width=width, language=language)


def _reading(table: SyntheticTable, language: Language) -> str:
    reading = (
        language.text("chart.spending.reading_delta", delta=language.number(shown_up(table.delta)))
        if table.delta
        else language.text("chart.spending.reading")
    )
    if len(table.spent) <= MOST:
        return reading
    return f"{reading} {language.text('chart.spending.more', shown=MOST)}"
