"""The parameter that is chosen: which values are tried, and what a value makes of the noise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.curves import grid
from epsilometer.assessments.inverse import THRESHOLDS
from epsilometer.assessments.simulated_loss import N_POINTS
from epsilometer.errors import OutOfRange, UnknownChoice
from epsilometer.vocabulary.stretch import DIGITS
from epsilometer.vocabulary.wording import rounded_down, rounded_up

if TYPE_CHECKING:
    from epsilometer.mechanisms import Mechanism
    from epsilometer.vocabulary.stretch import Stretch

PARAMETERS: Final = ("epsilon", "threshold")


@dataclass(frozen=True, slots=True)
class Axis:
    """A parameter of the noise.

    Attributes:
        name: ``"epsilon"`` or ``"threshold"``.
        points: the values that are tried, ascending.
        mechanism: the noise; its own value of the parameter does not matter.
    """

    name: str
    points: tuple[float, ...]
    mechanism: Mechanism

    @property
    def between(self) -> tuple[float, float]:
        """The smallest and the largest value looked at."""
        return self.points[0], self.points[-1]

    def at(self, point: float) -> Mechanism:
        """Return the noise at a value."""
        return self.mechanism.at(point) if self.name == "epsilon" else replace(self.mechanism, threshold=point)

    def candidates(self, stretch: Stretch) -> list[float]:
        """Return what may be recommended of a stretch: its ends, round numbers before them, and points between.

        Of a narrow stretch the numbers have more digits, as many as are shown of its ends.
        """
        inside = [point for point in self.points if stretch.low < point < stretch.high]
        lows = [*(rounded_up(stretch.low, digits) for digits in DIGITS), stretch.low]
        highs = [*(rounded_down(stretch.high, digits) for digits in DIGITS), stretch.high]
        return [point for point in (*lows, *inside, *highs) if stretch.low <= point <= stretch.high]


def axis_named(parameter: str, mechanism: Mechanism) -> Axis:
    """Return the axis of a parameter, with the mechanism's own value on it."""
    if parameter == "epsilon":
        points = grid(mechanism.epsilon_limit, np.atleast_1d(mechanism.epsilon))
        return Axis(parameter, tuple(points.tolist()), mechanism)
    if parameter != "threshold":
        raise UnknownChoice("parameter", parameter, PARAMETERS)
    if isinstance(mechanism.epsilon, tuple):
        hint = "A threshold is chosen at one epsilon."
        raise OutOfRange("epsilon", mechanism.epsilon, "the single numbers", hint=hint)
    own = np.clip(mechanism.threshold, *THRESHOLDS)
    thresholds = np.union1d(np.geomspace(*THRESHOLDS, N_POINTS), own)
    return Axis(parameter, tuple(thresholds.tolist()), mechanism)
