"""What can anyone learn about one person from a published release, at most, whatever the table?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.charts.rows import Row, Scale, bars
from epsilometer.charts.theme import BLUE, VERMILLION, WIDE, dressed, short
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.wording import shown_up

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.passport import Passport, StatedNumber


def draw_passport(passport: Passport, *, width: int = WIDE, language: Language = ENGLISH) -> alt.LayerChart:
    """Draw the bounds that the passport states; where it states that there is none, as far as a chance can go."""
    nothing = _unbounded(language.text("chart.passport.nothing"), language)
    rows = [_row(number, language) for number in passport.risks] or [nothing]
    chart = bars(rows, Scale(language.text("chart.passport.axis")), width=width)
    subtitle = language.text("chart.passport.reading")
    return dressed(chart, title=_finding(passport, language), subtitle=subtitle, width=width, language=language)


def _row(number: StatedNumber, language: Language) -> Row:
    name = f"{language.line(number.name)}: {language.line(number.meaning)}"
    name = f"{name[:1].upper()}{name[1:]}"
    if number.value is None:
        return _unbounded(name, language)
    return Row(name, min(1.0, number.value), language.percent(number.value), BLUE)


def _unbounded(name: str, language: Language) -> Row:
    return Row(name, 1.0, language.text("chart.passport.no_bound"), VERMILLION)


def _finding(passport: Passport, language: Language) -> str:
    dataset, guarantee = short(passport.dataset), passport.guarantee
    if passport.kind == "sample":
        return language.text("chart.passport.sample", dataset=dataset, chance=language.percent(guarantee.delta))
    promised = f"ε = {language.number(shown_up(guarantee.epsilon))}"
    if guarantee.delta:
        promised += f"{language.text('chart.separator')} δ = {language.number(shown_up(guarantee.delta))}"
    return language.text(f"chart.passport.{passport.kind}", dataset=dataset, guarantee=promised)
