"""Where are both targets met? The risk is certified everywhere, the loss evaluated at every end."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from epsilometer.assessments.choosing.subject import worse_end
from epsilometer.assessments.simulated_loss import SIMULATING
from epsilometer.solvers.feasible import runs
from epsilometer.vocabulary.stretch import Stretch, common
from epsilometer.vocabulary.telling import one_by_one
from epsilometer.vocabulary.wording import rounded_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.assessments.choosing.axis import Axis
    from epsilometer.assessments.choosing.subject import Subject
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.feasible import Feasible

HALVINGS: Final = 6  # of a step of the grid, a third of epsilon: the ends are found to half a percent


class Targets(NamedTuple):
    """The largest risk and the largest loss that are acceptable."""

    max_risk: float
    max_loss: float


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What meets which target.

    Attributes:
        targets: the targets.
        risks: what the risk of each subject allows.
        risk_stretches: what all of them allow.
        loss_stretches: where the loss of every subject meets its target, of what was looked at.
        stretches: where both do, and a point was found that does.
        recommended: the safest of these points; ``None`` without any.
        within: the stretch of the recommended point.
    """

    targets: Targets
    risks: tuple[Feasible, ...]
    risk_stretches: tuple[Stretch, ...]
    loss_stretches: tuple[Stretch, ...]
    stretches: tuple[Stretch, ...]
    recommended: float | None
    within: Stretch | None


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """One parameter for several subjects, of which each must meet both targets."""

    axis: Axis
    subjects: tuple[Subject, ...]

    def search(self, targets: Targets) -> Found:
        """Find every stretch that meets both targets, and the safest point that does when it is looked at itself."""
        return self._with_loss(targets, self._risks(targets), self.axis.points)

    def search_if_risk_allows(self, targets: Targets) -> Found | None:
        """Search as well, but simulate nothing where the risk rules everything out."""
        risks = self._risks(targets)
        if not (allowed := _allowed(risks)):
            return None
        low, high = min(stretch.low for stretch in allowed), max(stretch.high for stretch in allowed)
        return self._with_loss(targets, risks, [point for point in self.axis.points if low <= point <= high])

    def _risks(self, targets: Targets) -> tuple[Feasible, ...]:
        return tuple(subject.feasible(targets.max_risk) for subject in self.subjects)

    def _with_loss(self, targets: Targets, risks: tuple[Feasible, ...], points: Sequence[float]) -> Found:
        risk_stretches = _allowed(risks)
        ends = [end for stretch in risk_stretches for end in (stretch.low, stretch.high)]
        looked_at = np.union1d(points, ends)
        loss_stretches = reduce(common, (_accurate(subject, looked_at, targets.max_loss) for subject in self.subjects))
        both = common(risk_stretches, loss_stretches)
        safest = {stretch: point for stretch in both if (point := self._safest(stretch, targets)) is not None}
        within = min(safest, key=lambda stretch: self._danger(safest[stretch]), default=None)
        return Found(
            targets=targets,
            risks=risks,
            risk_stretches=risk_stretches,
            loss_stretches=loss_stretches,
            stretches=tuple(safest),
            recommended=None if within is None else safest[within],
            within=within,
        )

    def risk(self, point: float) -> float:
        """Return the largest risk of a subject."""
        return max(subject.risk(point) for subject in self.subjects)

    def loss(self, point: float) -> float:
        """Return the largest loss of a subject, at the worse end of its interval."""
        return max(worse_end(subject.loss(point)) for subject in self.subjects)

    def _safest(self, stretch: Stretch, targets: Targets) -> float | None:
        """Return the safest point that meets both targets itself, not only on the way between others."""
        for point in sorted(self.axis.candidates(stretch), key=self._danger):
            if self.risk(point) <= targets.max_risk and self.loss(point) <= targets.max_loss:
                return point
        return None

    def _danger(self, point: float) -> float:
        """Order points: a smaller epsilon guarantees more; no threshold does, so the risk itself decides.

        An epsilon counts as the round number above it, which comes before it.
        """
        return rounded_up(point, 3) if self.axis.name == "epsilon" else self.risk(point)


def _allowed(risks: tuple[Feasible, ...]) -> tuple[Stretch, ...]:
    return reduce(common, (found.stretches for found in risks))


def _accurate(subject: Subject, points: FloatArray, max_loss: float) -> tuple[Stretch, ...]:
    """Return the stretches between points that meet the target, extended towards the next point that misses it."""

    def meets(point: float) -> bool:
        return worse_end(subject.loss(point)) <= max_loss

    def last_met(met: float, missed: float) -> float:
        for _ in range(HALVINGS):
            middle = math.sqrt(met * missed)
            met, missed = (middle, missed) if meets(middle) else (met, middle)
        return met

    x = points.tolist()
    met = np.array([meets(point) for point in one_by_one(SIMULATING, x)])
    return tuple(
        Stretch(
            low=last_met(x[first], x[first - 1]) if first > 0 else x[0],
            high=last_met(x[last - 1], x[last]) if last < len(x) else x[-1],
            bounded_below=first > 0,
            bounded_above=last < len(x),
        )
        for first, last in runs(met)
    )
