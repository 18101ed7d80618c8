"""What does a sample of this very table give away to somebody who knows its shares?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.charts.rows import Row, Scale, bars
from epsilometer.charts.theme import GREEN, PURPLE, QUIET, VERMILLION, WIDE, dressed, short
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.wording import has_grown

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.table_sample import CellAverage, GroupSample, TableSample


def draw_table_sample(found: TableSample, *, width: int = WIDE, language: Language = ENGLISH) -> alt.LayerChart:
    """Draw the chance to name a person's value: by the shares of all, by those of their cell, and by a prior alone."""
    everybody, cells = found.everybody, short(language.joined(found.quasi_identifiers))
    model = everybody.model_unknown
    rows = [
        *_rows("chart.table_sample.all", everybody, language),
        *_rows("chart.table_sample.cells", found.average, language, cells=cells),
        Row(language.text("chart.table_sample.model"), model, language.percent(model), PURPLE),
    ]
    subtitle = language.text(
        "chart.table_sample.reading", sampled=everybody.sampled, people=everybody.people, cells=found.n_cells
    )
    chart = bars(rows, Scale(language.text("chart.named.axis")), width=width)
    return dressed(chart, title=_finding(found, language), subtitle=subtitle, width=width, language=language)


def _rows(knows: str, chances: GroupSample | CellAverage, language: Language, **of_whom: str) -> list[Row]:
    """Return the chance without a release, inside and outside; where nobody is, there is none."""
    given = (
        ("before", chances.no_release, QUIET),
        ("inside", chances.inside, VERMILLION),
        ("outside", chances.outside, GREEN),
    )
    return [
        Row(
            language.text(knows, what=language.text(f"chart.table_sample.{what}"), **of_whom),
            chance,
            language.percent_at_least(chance)
            if what == "before"
            else language.percent_beside(chance, chances.no_release),
            shade,
        )
        for what, chance, shade in given
        if chance is not None
    ]


def _finding(found: TableSample, language: Language) -> str:
    before, inside = found.everybody.no_release, found.everybody.inside
    sensitive, guessed = short(found.sensitive), language.percent_at_least(before)
    if inside is None or not has_grown(inside, before):
        return language.text("chart.table_sample.nothing", sensitive=sensitive, before=guessed)
    return language.text(
        "chart.table_sample.more", sensitive=sensitive, before=guessed, inside=language.percent(inside)
    )
