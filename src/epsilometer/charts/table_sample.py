"""What does a sample of this very table give away to somebody who knows its shares?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.charts.rows import Row, Scale, bars
from epsilometer.charts.theme import GREEN, PURPLE, QUIET, VERMILLION, WIDE, dressed, short
from epsilometer.vocabulary.wording import joined, percent, percent_at_least

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.table_sample import CellAverage, GroupSample, TableSample

UNEQUAL: Final = 1e-12  # a difference that is more than rounding


def draw_table_sample(found: TableSample, *, width: int = WIDE) -> alt.LayerChart:
    """Draw the chance to name a person's value: by the shares of all, by those of their cell, and by a prior alone."""
    everybody, cells = found.everybody, short(joined(found.quasi_identifiers))
    model = everybody.model_unknown
    rows = [
        *_rows("Knows the shares of all people", everybody),
        *_rows(f"Knows the shares by {cells}", found.average),
        Row("Knows only what the model assumes, and the sample", model, percent(model), PURPLE),
    ]
    subtitle = f"A random sample of {everybody.sampled:,} of {everybody.people:,} people; {found.n_cells:,} cells."
    chart = bars(rows, Scale("chance to name a person's value (%)"), width=width)
    return dressed(chart, title=_finding(found), subtitle=subtitle, width=width)


def _rows(knows: str, chances: GroupSample | CellAverage) -> list[Row]:
    """Return the chance without a release, inside and outside; where nobody is, there is none."""
    before = chances.no_release
    given = (
        ("no release", before, QUIET),
        ("with the sample, about somebody in it", chances.inside, VERMILLION),
        ("with the sample, about somebody outside", chances.outside, GREEN),
    )
    return [
        Row(f"{knows}: {what}", chance, _written(chance, before), shade)
        for what, chance, shade in given
        if chance is not None
    ]


def _written(chance: float, before: float) -> str:
    """Write a chance rounded up, but never as more than there was before only because of that."""
    return percent(chance) if chance > before + UNEQUAL else percent_at_least(chance)


def _finding(found: TableSample) -> str:
    before, inside = found.everybody.no_release, found.everybody.inside
    guessed = f"Knowing the shares of {short(found.sensitive)}, a guess is right with {percent_at_least(before)}"
    if inside is None or inside <= before + UNEQUAL:
        return f"{guessed}, and the sample adds nothing to it"
    return f"{guessed}; with the sample, about somebody in it, with {percent(inside)}"
