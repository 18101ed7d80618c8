"""What does a larger sample cost and bring: to a person inside, to one outside, to the analyst?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import altair as alt
import numpy as np

from epsilometer.charts.lines import DASHED, DOTTED, SOLID, Line, band_of, panel
from epsilometer.charts.theme import BLUE, GREEN, INK, PURPLE, QUIET, VERMILLION, WIDE, dressed, size_axis
from epsilometer.vocabulary.wording import percent

if TYPE_CHECKING:
    from epsilometer.vocabulary.sample_assessment import SampleAssessment, SampleCurves
    from epsilometer.vocabulary.sample_risk import SampleRisk

RISK_TITLE: Final = "Risk: a person's value named right (%)"
LOSS_TITLE: Final = "Loss: expected error of the shares (%)"
RISK_HEIGHT: Final = 220
LOSS_HEIGHT: Final = 150
GAP: Final = 30
NAMES: Final = {"in": "in sample", "out": "outside", "unknown": "unknown"}


def draw_sample_risk(risk: SampleRisk, *, width: int = WIDE) -> alt.LayerChart:
    """Draw the risk of one adversary over the size of the sample."""
    sizes, values = risk.release.sizes.astype(np.float64), np.atleast_1d(risk.value)
    drawn = [
        Line("any table", np.broadcast_to(risk.any_table, values.shape), VERMILLION, DASHED),
        Line("no release", np.full(values.shape, risk.no_release), QUIET, DOTTED),
        Line(NAMES[risk.adversary], values, BLUE, band=band_of(risk.answer)),
    ]
    chart = panel(sizes, drawn, title="value named right (%)", width=width, height=RISK_HEIGHT, axis=size_axis)
    ends = dict.fromkeys((percent(float(values[0])), percent(float(values[-1]))))
    title = f"A person's value is named right with {' to '.join(ends)}, against {percent(risk.no_release)} without"
    return dressed(chart, title=title, subtitle=risk.question, width=width)


def draw_sample(assessment: SampleAssessment, *, width: int = WIDE) -> alt.VConcatChart:
    """Draw the risk of the three adversaries and the analyst's loss over the size, with the size asked about marked."""
    curves = assessment.over_sizes
    sizes = curves.loss.release.sizes.astype(np.float64)
    shades = {"in": VERMILLION, "out": GREEN, "unknown": BLUE}
    by_adversary = {risk.adversary: risk for risk in curves.risks}
    drawn = [
        Line(
            NAMES[adversary],
            np.asarray(by_adversary[adversary].value),
            shade,
            DASHED if adversary == "unknown" else SOLID,
        )
        for adversary, shade in shades.items()
        if adversary in by_adversary
    ]
    guess = Line("no release", np.full(sizes.shape, curves.risks[0].no_release), QUIET, DOTTED)
    risk = panel(
        sizes,
        [*drawn, guess],
        title=RISK_TITLE,
        width=width,
        height=RISK_HEIGHT,
        labels=False,
        axis=size_axis,
    )
    loss = panel(
        sizes,
        [Line("loss", np.asarray(curves.loss.value), PURPLE, band=band_of(curves.loss.answer))],
        title=LOSS_TITLE,
        width=width,
        height=LOSS_HEIGHT,
        axis=size_axis,
    )
    for drawn_panel in (risk, loss):
        drawn_panel.layer = [*drawn_panel.layer, *_marks_of(assessment)]
    chart = alt.vconcat(risk, loss, spacing=GAP)
    return dressed(chart, title=_finding(assessment), subtitle=_reading(curves), width=width)


def _marks_of(assessment: SampleAssessment) -> list[alt.Chart]:
    """Return a vertical line at the size asked about; a sample of everybody lies beyond the axis."""
    on_axis = np.intersect1d(assessment.release.sizes, assessment.over_sizes.loss.release.sizes)
    rows = [{"x": int(size)} for size in on_axis]
    mark = alt.Chart(alt.InlineData(values=rows)).mark_rule(color=INK.light, strokeDash=[2, 3]).encode(x="x:Q")
    return [mark] if rows else []


def _finding(assessment: SampleAssessment) -> str:
    found = assessment.at_size
    risk = found.risk("unknown") or found.risks[0]
    chance, error = percent(float(np.asarray(risk.value))), percent(float(np.asarray(found.loss.value)))
    size = int(assessment.release.sizes[0])
    return f"With {size:,} people a value is named right with {chance}, and shares are off by {error}"


def _reading(curves: SampleCurves) -> str:
    release = curves.loss.release
    noise = ""
    if release.mechanism is not None:
        noise = f", {release.mechanism['name']} noise at ε = {release.mechanism['epsilon']:g}"
    return f"{release.population:,} people, {release.n_values} values, prior on {release.prior}{noise}."
