"""What does a release give away of each sensitive attribute, next to what it must be compared with?"""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.lines import DASHED, LONGEST_NAME, SOLID, Line, band_of, panel
from epsilometer.charts.risk_curve import draw_risk
from epsilometer.charts.rows import Row, Scale, bars
from epsilometer.charts.theme import BLUE, GREEN, INK, PURPLE, QUIET, VERMILLION, WIDE, dressed, short
from epsilometer.vocabulary.wording import percent, percent_at_least, percent_under_noise

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.assessments.assess import Assessment, AttributeAssessment

HEIGHT: Final = 240
LOOKS: Final = tuple((shade, dash) for dash in (SOLID, DASHED) for shade in (BLUE, VERMILLION, GREEN, PURPLE, INK))
READING: Final = (
    "People whose cell shows their true value and no other: without a release those guessed right by luck, in this "
    "table, and in the worst table there could be."
)


def draw_assessment(assessment: Assessment, *, width: int = WIDE) -> alt.LayerChart:
    """Draw three numbers for each attribute, or its risk over epsilon; a single attribute is drawn as its risk."""
    attributes = assessment.attributes
    if len(attributes) == 1:
        return draw_risk(attributes[0].people, width=width)
    epsilons = np.atleast_1d(attributes[0].people.mechanism["epsilon"])
    most = max(attributes, key=lambda attribute: float(np.max(attribute.people.value)))
    title = (
        f"{'At' if len(epsilons) == 1 else 'Up to'} ε = {epsilons.max():.3g}, "
        f"{percent_under_noise(float(np.max(most.people.value)))} of the people are disclosed by their "
        f"{short(most.sensitive)}, the most exposed attribute"
    )
    if len(epsilons) == 1:
        rows = [row for attribute in attributes for row in _three_numbers(attribute)]
        chart = bars(rows, Scale("share of the people (%)"), width=width)
    else:
        drawn = [
            Line(
                short(attribute.sensitive, LONGEST_NAME),
                np.asarray(attribute.people.value),
                *look,
                band_of(attribute.people.answer),
            )
            for attribute, look in zip(attributes, cycle(LOOKS), strict=False)
        ]
        chart = panel(epsilons, drawn, title="people disclosed (%)", width=width, height=HEIGHT)
    return dressed(chart, title=title, subtitle=READING, width=width)


def _three_numbers(attribute: AttributeAssessment) -> list[Row]:
    risk, name = attribute.people, short(attribute.sensitive)
    value, worst = float(np.max(risk.value)), float(np.max(risk.any_table))
    return [
        Row(f"{name}: no release", risk.no_release, percent_at_least(risk.no_release), QUIET),
        Row(f"{name}: this table", value, percent_under_noise(value), BLUE),
        Row(f"{name}: any table", worst, percent(worst), VERMILLION),
    ]
