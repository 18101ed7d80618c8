"""What can anyone learn at most from the part that one person's own record plays?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.rows import Row, Scale, bars
from epsilometer.charts.theme import BLUE, QUIET, VERMILLION, WIDE, dressed
from epsilometer.vocabulary.wording import percent, percent_at_least

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.charts.theme import Shade
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.own_record import OwnRecord

READING: Final = (
    "Upper bounds for every table and every attacker, whatever they know of everybody else. What the records of others "
    "give away about a group is not in them."
)


def draw_own_record(bounds: OwnRecord, *, width: int = WIDE) -> alt.LayerChart:
    """Draw the bounds; of those for several epsilons, the bars are the largest."""
    prior = Row(
        "Belief in the most common value without a release", bounds.prior, percent_at_least(bounds.prior), QUIET
    )
    rows = [
        _row("Better than a coin at telling whether a person is in the table", bounds.membership_advantage, BLUE),
        _row("Better than a coin at telling which of two values a person has", bounds.value_advantage, BLUE),
        prior,
        _belief(bounds),
    ]
    worst = percent(float(np.max(bounds.value_advantage)))
    title = f"From one person's own record, anyone tells two values apart at most {worst} better than a coin"
    return dressed(bars(rows, Scale("at most (%)"), width=width), title=title, subtitle=READING, width=width)


def _row(name: str, values: float | FloatArray, shade: Shade) -> Row:
    low, high = float(np.min(values)), float(np.max(values))
    return Row(name, high, " to ".join(dict.fromkeys((percent(low), percent(high)))), shade)


def _belief(bounds: OwnRecord) -> Row:
    name = "What that belief can grow to"
    if bounds.value_posterior is None:
        return Row(f"{name}: no bound, as the guarantee may fail", 1.0, "no bound", VERMILLION)
    return _row(name, bounds.value_posterior, VERMILLION)
