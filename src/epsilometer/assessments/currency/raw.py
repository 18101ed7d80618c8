"""The rows as they are: no loss, and the most that looking somebody up can give away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.assessments.currency.guess import LARGEST_COUNT
from epsilometer.vocabulary.evidence import Exact
from epsilometer.vocabulary.frontier import FrontierCurve, FrontierPoint

if TYPE_CHECKING:
    from epsilometer.assessments.currency.subject import Simulation, Subject
    from epsilometer.plans.release_kinds import Raw


def raw_curve(subject: Subject, _release: Raw, _parameters: tuple[float, ...], _chance: Simulation) -> FrontierCurve:
    """Return the one point of the raw table. Exact."""
    risk = Exact(subject.raw)
    point = FrontierPoint(parameter=None, risk=risk, attacker=LARGEST_COUNT, loss=Exact(0.0), planned=True)
    assumption = "Raw: the columns with a role are published as they are; the attacker looks up the person's cell."
    return FrontierCurve(kind="raw", name="raw table", parameter="", points=(point,), assumptions=(assumption,))
