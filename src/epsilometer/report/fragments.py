"""Results inside a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.charts.risk_curve import draw_risk
from epsilometer.report.bibliography import works
from epsilometer.report.figures import picture
from epsilometer.report.templating import environment

if TYPE_CHECKING:
    from epsilometer.vocabulary.risk import Risk


def risk_card(risk: Risk) -> str:
    """Return a risk as a piece of HTML: the picture, how it is known, and what to keep in mind.

    The picture keeps its white paper, since a notebook need not follow the colours of the screen.
    """
    template = environment().get_template("risk_card.html.j2")
    return template.render(risk=risk, works=works(risk.source), chart=picture(draw_risk(risk)))
