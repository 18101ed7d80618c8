"""Where did the privacy budget go?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.charts.rows import MOST, Row, bars, up_to_longest
from epsilometer.charts.theme import BLUE, WIDE, dressed, short
from epsilometer.vocabulary.wording import shown_up

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.synthetic_table import SyntheticTable

LONGEST: Final = 80  # characters of what was looked at


def draw_spending(table: SyntheticTable, *, width: int = WIDE) -> alt.LayerChart:
    """Draw each look at the original records by its part of epsilon, the largest ones where there are many."""
    rows = [
        Row(short(look.what, LONGEST), look.epsilon, shown_up(look.epsilon), BLUE)
        for look in sorted(table.spent, key=lambda look: -look.epsilon)[:MOST]
    ]
    looks = "one look" if len(table.spent) == 1 else f"{len(table.spent):,} looks"
    title = f"{table.n_rows:,} synthetic rows, made from {looks} at the data that cost ε = {shown_up(table.epsilon)}"
    delta = f" with δ = {shown_up(table.delta)}" if table.delta else ""
    shown = f" The {MOST} most expensive looks are shown." if len(table.spent) > MOST else ""
    subtitle = (
        f"Each look at the original records, by its part of ε. The guarantee is that of all together{delta}.{shown}"
    )
    chart = bars(rows, up_to_longest(rows, "privacy parameter ε", format="~g"), width=width)
    return dressed(chart, title=title, subtitle=subtitle, width=width)
