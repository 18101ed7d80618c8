"""What can anyone learn about one person from a published release, at most, whatever the table?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.charts.rows import Row, Scale, bars
from epsilometer.charts.theme import BLUE, VERMILLION, WIDE, dressed, short
from epsilometer.vocabulary.wording import percent, shown_up

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.passport import Passport, StatedNumber

READING: Final = (
    "Upper bounds that hold for any table and any attacker. Nothing here was computed from the table itself."
)
NOTHING_STATED: Final = Row("The passport states no bound", 1.0, "no bound", VERMILLION)


def draw_passport(passport: Passport, *, width: int = WIDE) -> alt.LayerChart:
    """Draw the bounds that the passport states; where it states that there is none, as far as a chance can go."""
    rows = [_row(number) for number in passport.risks] or [NOTHING_STATED]
    chart = bars(rows, Scale("at most (%)"), width=width)
    return dressed(chart, title=_finding(passport), subtitle=READING, width=width)


def _row(number: StatedNumber) -> Row:
    name = f"{number.name}: {number.meaning}"
    name = f"{name[:1].upper()}{name[1:]}"
    if number.value is None:
        return Row(name, 1.0, "no bound", VERMILLION)
    return Row(name, min(1.0, number.value), percent(number.value), BLUE)


def _finding(passport: Passport) -> str:
    guarantee = passport.guarantee
    if passport.kind == "sample":
        return (
            f"{short(passport.dataset)}: each person was drawn with a chance of at most {percent(guarantee.delta)}, "
            "and whoever was drawn is shown as they are"
        )
    delta = f", δ = {shown_up(guarantee.delta)}" if guarantee.delta else ""
    return f"{short(passport.dataset)}: the {passport.kind} release guarantees ε = {shown_up(guarantee.epsilon)}{delta}"
