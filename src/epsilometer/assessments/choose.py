"""Choose epsilon for a counts release: little enough risk, little enough loss."""

from __future__ import annotations

import math
from functools import reduce
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.counted import counted
from epsilometer.assessments.curves import risk_and_loss
from epsilometer.assessments.inverse import epsilon_for_risk
from epsilometer.errors import OutOfRange
from epsilometer.plans.release_kinds import Counts
from epsilometer.solvers.feasible import runs
from epsilometer.vocabulary.choice import Choice
from epsilometer.vocabulary.stretch import Stretch, common
from epsilometer.vocabulary.wording import rounded_down, rounded_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.plans.plan import Plan
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.curves import Curves

CAVEATS: Final = (
    "Epsilon was chosen by looking at the table: the choice itself tells a little about it.",
    "Between the points of its grid the loss is read off straight lines in log epsilon.",
)


def choose(plan: Plan) -> Choice:
    """Find every epsilon that meets the plan's targets for each of its sensitive attributes.

    The share of people disclosed must be at most ``plan.max_risk``: certified, not sampled. The loss must be at
    most ``plan.max_loss`` at the worse end of its interval. The smallest epsilon that is accurate enough is
    recommended: it gives the strongest guarantee.

    >>> from epsilometer import Plan, example_table
    >>> plan = Plan(table=example_table(), quasi_identifiers=("sex", "district"), sensitive=("reason",),
    ...             max_risk=0.02, max_loss=0.1)
    >>> choose(plan).recommended is not None
    True
    """
    max_risk, max_loss = _target("max_risk", plan.max_risk), _target("max_loss", plan.max_loss)
    mechanism, tables = plan.released_as(Counts).mechanism, counted(plan).tables
    curves = tuple(risk_and_loss(freq, mechanism) for freq in tables)
    grid = np.asarray(curves[0].people.mechanism["epsilon"])
    between = float(grid[0]), float(grid[-1])
    risks = [epsilon_for_risk(freq, mechanism, max_risk, average="records", between=between) for freq in tables]
    risk_stretches = reduce(common, (found.stretches for found in risks))
    loss_stretches = reduce(common, (_accurate(curve, max_loss) for curve in curves))
    stretches = common(risk_stretches, loss_stretches)
    recommended = _most_private(stretches[0]) if stretches else None
    return Choice(
        max_risk=max_risk,
        max_loss=max_loss,
        stretches=stretches,
        risk_stretches=risk_stretches,
        loss_stretches=loss_stretches,
        recommended=recommended,
        binding=_binding(stretches, risk_stretches, loss_stretches),
        in_words=_in_words(stretches, recommended, [found.in_words for found in risks], curves, plan),
        mechanism=(mechanism if recommended is None else mechanism.at(recommended)).describe(),
        curves=curves,
        caveats=CAVEATS,
    )


def _accurate(curves: Curves, max_loss: float) -> tuple[Stretch, ...]:
    """Return the stretches on which the upper end of the loss, joined by straight lines, meets the target."""
    epsilons = np.asarray(curves.loss.mechanism["epsilon"])
    x = np.log(epsilons)
    y = np.asarray(curves.loss.answer.interval.high)
    return tuple(
        Stretch(
            low=math.exp(_crossing(x, y, first - 1, max_loss)) if first > 0 else float(epsilons[0]),
            high=math.exp(_crossing(x, y, last - 1, max_loss)) if last < len(x) else float(epsilons[-1]),
            bounded_below=first > 0,
            bounded_above=last < len(x),
        )
        for first, last in runs(y <= max_loss)
    )


def _crossing(x: FloatArray, y: FloatArray, i: int, level: float) -> float:
    return float(x[i] + (level - y[i]) / (y[i + 1] - y[i]) * (x[i + 1] - x[i]))


def _most_private(stretch: Stretch) -> float:
    """Return the low end rounded up to three digits, if that stays inside the stretch."""
    rounded = rounded_up(stretch.low, 3)
    return rounded if rounded <= stretch.high else stretch.low


def _binding(stretches: Sequence[Stretch], risk: Sequence[Stretch], loss: Sequence[Stretch]) -> str:
    if not risk:
        return "risk"
    if not loss:
        return "loss"
    if not stretches:
        return "risk and loss together"
    low = "loss" if stretches[0].bounded_below and any(s.low == stretches[0].low for s in loss) else "risk"
    high = "risk" if any(s.high == stretches[0].high and s.bounded_above for s in risk) else "loss"
    below = f"{low} below" if stretches[0].bounded_below else "nothing below"
    above = f"{high} above" if stretches[0].bounded_above else "nothing above"
    return f"{below}, {above}"


def _in_words(
    stretches: Sequence[Stretch],
    recommended: float | None,
    risks: Sequence[str],
    curves: Sequence[Curves],
    plan: Plan,
) -> str:
    if recommended is None:
        best = min(float(np.min(curve.loss.answer.interval.high)) for curve in curves)
        return (
            f"No epsilon discloses at most {plan.max_risk:g} of the people and loses at most {plan.max_loss:g} of "
            f"the accuracy. {' '.join(risks)} The smallest loss on the grid is {best:.3g}."
        )
    shown = " or ".join(f"{rounded_up(s.low, 3):g} to {rounded_down(s.high, 3):g}" for s in stretches)
    return (
        f"Publish with epsilon = {recommended:g}. From {shown} at most {plan.max_risk:g} of the people are "
        f"disclosed and at most {plan.max_loss:g} of the accuracy is lost; {recommended:g} is the smallest, "
        "and so the most private."
    )


def _target(name: str, value: float | None) -> float:
    if value is None or not 0 <= value <= 1:
        raise OutOfRange(name, value, "[0, 1]", hint="Choosing needs both targets: max_risk and max_loss.")
    return value
