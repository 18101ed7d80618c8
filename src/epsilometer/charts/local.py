"""Reports that people randomised themselves: what they tell of one person, and what of all together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.lines import band_of
from epsilometer.charts.rows import MOST, Row, Scale, bars, dots
from epsilometer.charts.theme import BLUE, GREEN, QUIET, VERMILLION, WIDE, dressed, short
from epsilometer.vocabulary.language import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Sequence

    import altair as alt

    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.local_release import LocalRelease, Statistic
    from epsilometer.vocabulary.local_risk import LocalRisk

MARGIN: Final = 0.02  # of the numbers shown, on either side


def draw_local_risk(risk: LocalRisk, *, width: int = WIDE, language: Language = ENGLISH) -> alt.LayerChart:
    """Draw the chance to name a person's value without a report, from shuffled reports, from their own report."""
    after, band = float(np.max(risk.shuffled.value)), band_of(risk.shuffled)
    shuffled = "shuffled_bound" if risk.shuffled.kind == "upper bound" else "shuffled"
    before, named = language.percent_at_least(risk.no_release), language.percent(risk.value)
    rows = [
        Row(language.text("chart.local.before"), risk.no_release, before, QUIET),
        Row(
            language.text(f"chart.local.{shuffled}", people=risk.n_people),
            after,
            language.percent(after),
            GREEN,
            None if band is None else (float(band[0][0]), float(band[1][0])),
        ),
        Row(language.text("chart.local.own"), risk.value, named, BLUE),
        Row(language.text("chart.local.worst"), risk.any_table, language.percent(risk.any_table), VERMILLION),
    ]
    title = language.text("chart.local.finding", risk=named, before=before)
    chart = bars(rows, Scale(language.text("chart.named.axis")), width=width)
    return dressed(chart, title=title, subtitle=language.line(risk.question), width=width, language=language)


def draw_local_release(made: LocalRelease, *, width: int = WIDE, language: Language = ENGLISH) -> alt.LayerChart:
    """Draw what an analyst reads off the reports, with intervals: the shares of the values, or else the mean."""
    shares = sorted((each for each in made.statistics if each.name in made.labels), key=lambda each: -each.value)
    shown: Sequence[Statistic] = shares[:MOST] or made.statistics
    written = _as_percent if shares else _as_number
    rows = [
        Row(
            short(each.name),
            each.value,
            written(each.value, language),
            BLUE,
            (float(each.interval.low), float(each.interval.high)),
        )
        for each in shown
    ]
    ends = [end for row in rows for end in row.band or ()]
    margin = MARGIN * (max(ends) - min(ends))
    axis = (
        language.text("chart.local.share_axis", people=made.n_people)
        if shares
        else language.text("chart.local.mean_axis", column=short(made.column))
    )
    scale = Scale(axis, min(0.0, *ends) - margin, max(ends) + margin, "~%" if shares else "~g")
    low, high = (written(float(end), language) for end in (shown[0].interval.low, shown[0].interval.high))
    title = (
        language.text("chart.local.share", column=short(made.column), value=short(shown[0].name), low=low, high=high)
        if shares
        else language.text("chart.local.mean", column=short(made.column), low=low, high=high)
    )
    subtitle = _reading(made, len(shares), language)
    return dressed(dots(rows, scale, width=width), title=title, subtitle=subtitle, width=width, language=language)


def _reading(made: LocalRelease, n_shares: int, language: Language) -> str:
    confidence = f"{100 * made.statistics[0].interval.confidence:.0f}"
    reading = language.text("chart.local.reading", people=made.n_people, confidence=confidence)
    if n_shares <= MOST:
        return reading
    return f"{reading} {language.text('chart.local.more', shown=MOST, values=n_shares)}"


def _as_percent(value: float, language: Language) -> str:
    return language.text("writing.percent", number=language.number(100 * value, ".1f"))


def _as_number(value: float, language: Language) -> str:
    return language.number(value, ".4g")
