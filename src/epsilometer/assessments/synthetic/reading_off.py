"""Epsilons that keep the targets, read off curves through what was measured, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from epsilometer.solvers.measured_targets import feasible_epsilons, largest_epsilon_within, smallest_epsilon_within
from epsilometer.vocabulary.wording import percent, percent_at_least, rounded_down, rounded_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.assessments.synthetic.measures import Measure
    from epsilometer.formulas.curve_bands import CurveBand
    from epsilometer.solvers.measured_targets import FeasibleEpsilons, ReadOff, Target
    from epsilometer.vocabulary.stretch import Stretch


class Found(NamedTuple):
    """What the curves allow, and what it rests on."""

    stretches: tuple[Stretch, ...]
    recommended: float | None
    binding: str
    support: tuple[str, ...]


def read_off(bands: Sequence[CurveBand], target: Target | None, loss_target: Target | None) -> Found:
    """Read the epsilons that meet the targets that were given, off the bands of risk and loss; one was given."""
    risk, loss = bands
    if target is not None and loss_target is not None:
        return _meeting_both(feasible_epsilons(risk, target, loss, loss_target))
    if target is not None:
        return _meeting_one("risk", largest_epsilon_within(risk, target))
    assert loss_target is not None  # noqa: S101  (one was given)
    return _meeting_one("loss", smallest_epsilon_within(loss, loss_target))


def _meeting_both(both: FeasibleEpsilons) -> Found:
    support = tuple(f"{name}: {end.in_words}" for name, end in (("Risk", both.risk), ("Loss", both.loss)) if end)
    recommended = rounded_up(both.stretches[0].low, 3) if both.stretches else None
    if recommended is not None and recommended > both.stretches[0].high:
        recommended = both.stretches[0].low
    return Found(both.stretches, recommended, _binding(both), support)


def _meeting_one(name: str, end: ReadOff | None) -> Found:
    if end is None:
        return Found((), None, f"no measured epsilon meets the target for the {name}", ())
    ends = f"the target for the {name}" if end.set_by_target else "the measured epsilons"
    return Found(end.stretches, end.epsilon, f"{ends} sets the end", (f"{name.capitalize()}: {end.in_words}",))


def _binding(both: FeasibleEpsilons) -> str:
    if not both.stretches:
        if both.risk and both.loss:
            return "each target can be met, but not both at once"
        return f"no measured epsilon meets the target for the {' and none that for the '.join(both.binding)}"
    first = both.stretches[0]
    low = "the target for the loss" if first.bounded_below else "the smallest measured epsilon"
    high = "the target for the risk" if first.bounded_above else "the largest measured epsilon"
    return f"{low} sets the lower end, {high} the upper"


def in_words(found: Found, bands: Sequence[CurveBand], risk: Measure, no_release: float | None) -> str:
    """Say which epsilons will do, and what is to be expected at the one recommended."""
    measured = f"{bands[0].curve.smallest:g} to {bands[0].curve.largest:g}"
    if found.recommended is None:
        return f"No ε from {measured} will do: {found.binding}."
    shown = " and ".join(f"{rounded_up(part.low, 3):g} to {rounded_down(part.high, 3):g}" for part in found.stretches)
    at = np.array(found.recommended)
    expected, worst = float(bands[0].curve.at(at)), bands[0].at(at)
    if risk.larger_is_safer:
        seen = f"the {risk.title} is about {expected:.3g}, at least {float(worst.low):.3g}"
    else:
        against = "" if no_release is None else f", against {percent_at_least(no_release)} without a release"
        seen = f"{risk.title}: about {percent(expected)}, at most {percent(float(worst.high))}{against}"
    loss = float(bands[1].at(at).high)
    return (
        f"Epsilon from {shown} will do, as far as tables made at ε from {measured} can say; "
        f"{found.recommended:g} is recommended. There, {seen}; and the loss is at most {loss:.4f}."
    )
