"""What does a larger sample cost and bring: to a person inside, to one outside, to the analyst?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import altair as alt
import numpy as np

from epsilometer.charts.lines import DASHED, DOTTED, SOLID, Line, band_of, panel
from epsilometer.charts.rows import Row, Scale, bars
from epsilometer.charts.theme import BLUE, GREEN, INK, PURPLE, QUIET, VERMILLION, WIDE, dressed, size_axis, span
from epsilometer.vocabulary.language import ENGLISH

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.sample_assessment import SampleAssessment, SampleCurves
    from epsilometer.vocabulary.sample_risk import SampleRisk

RISK_TITLE: Final = ENGLISH.text("chart.sample.risk_axis")
LOSS_TITLE: Final = ENGLISH.text("chart.sample.loss_axis")
RISK_HEIGHT: Final = 220
LOSS_HEIGHT: Final = 150
GAP: Final = 30
SHADES: Final = {"in": VERMILLION, "out": GREEN, "unknown": BLUE}


def draw_sample_risk(risk: SampleRisk, *, width: int = WIDE) -> alt.LayerChart:
    """Draw the risk of one adversary: three bars for one size of the sample, lines over the sizes for a curve."""
    sizes, values = risk.release.sizes.astype(np.float64), np.atleast_1d(risk.value)
    chart = _three_bars(risk, width) if len(sizes) == 1 else _three_lines(risk, sizes, values, width)
    ends, before = span(float(values[0]), float(values[-1]), ENGLISH), ENGLISH.percent_at_least(risk.no_release)
    title = f"A person's value is named right with {ends}, against {before} without"
    return dressed(chart, title=title, subtitle=risk.question, width=width)


def _three_bars(risk: SampleRisk, width: int) -> alt.LayerChart:
    value, worst, band = float(np.max(risk.value)), float(np.max(risk.any_table)), band_of(risk.answer)
    ends = None if band is None else (float(band[0][0]), float(band[1][0]))
    rows = [
        Row("Without a release", risk.no_release, ENGLISH.percent_at_least(risk.no_release), QUIET),
        Row(f"With a sample of {int(risk.release.sizes[0]):,} people", value, ENGLISH.percent(value), BLUE, ends),
        Row("In the population that suffers most", worst, ENGLISH.percent(worst), VERMILLION),
    ]
    return bars(rows, Scale("value named right (%)"), width=width)


def _three_lines(risk: SampleRisk, sizes: FloatArray, values: FloatArray, width: int) -> alt.LayerChart:
    drawn = [
        Line("any table", np.broadcast_to(risk.any_table, values.shape), VERMILLION, DASHED),
        Line("no release", np.full(values.shape, risk.no_release), QUIET, DOTTED),
        Line(ENGLISH.text(f"chart.sample.{risk.adversary}"), values, BLUE, band=band_of(risk.answer)),
    ]
    return panel(sizes, drawn, title="value named right (%)", width=width, height=RISK_HEIGHT, axis=size_axis)


def draw_sample(assessment: SampleAssessment, *, width: int = WIDE, language: Language = ENGLISH) -> alt.VConcatChart:
    """Draw the risk of the three adversaries and the analyst's loss over the size, with the size asked about marked."""
    curves = assessment.over_sizes
    sizes = curves.loss.release.sizes.astype(np.float64)
    guess = Line(language.text("chart.no_release"), np.full(sizes.shape, curves.risks[0].no_release), QUIET, DOTTED)
    risk = panel(
        sizes,
        [*_risks(curves, language), guess],
        title=language.text("chart.sample.risk_axis"),
        width=width,
        height=RISK_HEIGHT,
        labels=False,
        axis=size_axis,
        language=language,
    )
    name = language.text("chart.sample.loss")
    loss = panel(
        sizes,
        [Line(name, np.asarray(curves.loss.value), PURPLE, band=band_of(curves.loss.answer))],
        title=language.text("chart.sample.loss_axis"),
        width=width,
        height=LOSS_HEIGHT,
        axis=size_axis,
        language=language,
    )
    for drawn_panel in (risk, loss):
        drawn_panel.layer = [*drawn_panel.layer, *_marks_of(assessment)]
    chart = alt.vconcat(risk, loss, spacing=GAP)
    title, subtitle = _finding(assessment, language), _reading(curves, language)
    return dressed(chart, title=title, subtitle=subtitle, width=width, language=language)


def _risks(curves: SampleCurves, language: Language) -> list[Line]:
    """Return a line for each adversary that the curves know of."""
    by_adversary = {risk.adversary: risk for risk in curves.risks}
    return [
        Line(
            language.text(f"chart.sample.{adversary}"),
            np.asarray(by_adversary[adversary].value),
            shade,
            DASHED if adversary == "unknown" else SOLID,
        )
        for adversary, shade in SHADES.items()
        if adversary in by_adversary
    ]


def _marks_of(assessment: SampleAssessment) -> list[alt.Chart]:
    """Return a vertical line at the size asked about; a sample of everybody lies beyond the axis."""
    on_axis = np.intersect1d(assessment.release.sizes, assessment.over_sizes.loss.release.sizes)
    rows = [{"x": int(size)} for size in on_axis]
    mark = alt.Chart(alt.InlineData(values=rows)).mark_rule(color=INK.light, strokeDash=[2, 3]).encode(x="x:Q")
    return [mark] if rows else []


def _finding(assessment: SampleAssessment, language: Language) -> str:
    found = assessment.at_size
    risk = found.risk("unknown") or found.risks[0]
    return language.text(
        "chart.sample.finding",
        size=int(assessment.release.sizes[0]),
        chance=language.percent(float(np.asarray(risk.value))),
        error=language.points(float(np.asarray(found.loss.value))),
    )


def _reading(curves: SampleCurves, language: Language) -> str:
    release = curves.loss.release
    prior = language.text(f"chart.sample.{release.prior.lower()}")
    people, values, mechanism = release.population, release.n_values, release.mechanism
    if mechanism is None:
        return language.text("chart.sample.reading", people=people, values=values, prior=prior)
    return language.text(
        "chart.sample.reading_noise",
        people=people,
        values=values,
        prior=prior,
        noise=language.text(f"chart.noise.{mechanism['name']}"),
        epsilon=language.number(mechanism["epsilon"], "g"),
    )
