"""Results inside a notebook: the picture, how the number is known, and what to keep in mind.

The picture keeps its white paper, since a notebook need not follow the colours of the screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.charts.risk_curve import draw_risk
from epsilometer.charts.sample_curve import draw_sample_risk
from epsilometer.report.bibliography import works
from epsilometer.report.figures import picture
from epsilometer.report.sample_sentences import publication
from epsilometer.report.sentences import noise
from epsilometer.report.templating import environment

if TYPE_CHECKING:
    from epsilometer.charts.theme import AnyChart
    from epsilometer.vocabulary.risk import Risk
    from epsilometer.vocabulary.sample_risk import SampleRisk


def risk_card(risk: Risk) -> str:
    """Return the risk of a noisy release as a piece of HTML."""
    others = " and other ε" if np.size(risk.value) > 1 else ""
    return _card(risk, draw_risk(risk), f"{noise(risk)}{others}.")


def sample_card(risk: SampleRisk) -> str:
    """Return the risk of a published sample as a piece of HTML."""
    return _card(risk, draw_sample_risk(risk), publication(risk.release))


def _card(result: Risk | SampleRisk, chart: AnyChart, reading: str) -> str:
    template = environment().get_template("card.html.j2")
    return template.render(result=result, reading=reading, works=works(result.source), chart=picture(chart))
