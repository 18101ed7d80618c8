"""Reports that people randomised themselves: what they tell of one person, and what of all together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.lines import band_of
from epsilometer.charts.rows import MOST, Row, Scale, bars, dots
from epsilometer.charts.theme import BLUE, GREEN, QUIET, VERMILLION, WIDE, dressed, short
from epsilometer.vocabulary.wording import percent, percent_at_least

if TYPE_CHECKING:
    from collections.abc import Sequence

    import altair as alt

    from epsilometer.vocabulary.local_release import LocalRelease, Statistic
    from epsilometer.vocabulary.local_risk import LocalRisk

MARGIN: Final = 0.02  # of the numbers shown, on either side


def draw_local_risk(risk: LocalRisk, *, width: int = WIDE) -> alt.LayerChart:
    """Draw the chance to name a person's value without a report, from shuffled reports, from their own report."""
    after, band = float(np.max(risk.shuffled.value)), band_of(risk.shuffled)
    at_most = ", at most" if risk.shuffled.kind == "upper bound" else ""
    rows = [
        Row("Without a report: the most common value", risk.no_release, percent_at_least(risk.no_release), QUIET),
        Row(
            f"From the reports of all {risk.n_people:,} people in random order{at_most}",
            after,
            percent(after),
            GREEN,
            None if band is None else (float(band[0][0]), float(band[1][0])),
        ),
        Row("From the person's own report", risk.value, percent(risk.value), BLUE),
        Row("From the own report, in the worst population", risk.any_table, percent(risk.any_table), VERMILLION),
    ]
    title = (
        f"From their own report, a person's value is named right with {percent(risk.value)}, against "
        f"{percent_at_least(risk.no_release)} without"
    )
    chart = bars(rows, Scale("chance to name a person's value (%)"), width=width)
    return dressed(chart, title=title, subtitle=risk.question, width=width)


def draw_local_release(made: LocalRelease, *, width: int = WIDE) -> alt.LayerChart:
    """Draw what an analyst reads off the reports, with intervals: the shares of the values, or else the mean."""
    shares = sorted((each for each in made.statistics if each.name in made.labels), key=lambda each: -each.value)
    shown: Sequence[Statistic] = shares[:MOST] or made.statistics
    written = _as_percent if shares else _as_number
    rows = [
        Row(
            short(each.name),
            each.value,
            written(each.value),
            BLUE,
            (float(each.interval.low), float(each.interval.high)),
        )
        for each in shown
    ]
    ends = [end for row in rows for end in row.band or ()]
    margin = MARGIN * (max(ends) - min(ends))
    axis = f"share of the {made.n_people:,} people (%)" if shares else f"{short(made.column)}, mean"
    scale = Scale(axis, min(0.0, *ends) - margin, max(ends) + margin, "~%" if shares else "~g")
    interval = shown[0].interval
    between = f"between {written(float(interval.low))} and {written(float(interval.high))}"
    told = f"{short(shown[0].name)} is reported for" if shares else "the mean lies"
    more = f" The {MOST} largest of {len(shares):,} values are shown." if len(shares) > MOST else ""
    subtitle = (
        f"Estimates from {made.n_people:,} randomised reports; lines: {interval.confidence:.0%} intervals. An unbiased "
        f"share may come out below 0.{more}"
    )
    title = f"Of {short(made.column)}, {told} {between}{' of the people' if shares else ''}"
    return dressed(dots(rows, scale, width=width), title=title, subtitle=subtitle, width=width)


def _as_percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _as_number(value: float) -> str:
    return f"{value:.4g}"
