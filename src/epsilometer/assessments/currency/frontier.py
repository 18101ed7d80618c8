"""Which releases nothing beats, which meet the targets, and which of those to take."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from epsilometer.vocabulary.frontier import Place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from epsilometer.vocabulary.arrays import ArrayLike
    from epsilometer.vocabulary.frontier import FrontierCurve, FrontierPoint


class Targets(NamedTuple):
    """The largest risk and the largest loss that are acceptable, where they were said."""

    max_risk: float | None
    max_loss: float | None

    def met_by(self, point: FrontierPoint) -> bool:
        """Whether a point meets what was said, at the upper ends of its intervals; nothing meets no target."""
        pairs = ((point.risk_at_most, self.max_risk), (point.loss_at_most, self.max_loss))
        asked = [(value, target) for value, target in pairs if target is not None]
        return bool(asked) and all(value <= target for value, target in asked)


class Found(NamedTuple):
    """Places of the points that stand out."""

    pareto: tuple[Place, ...]
    meeting: tuple[Place, ...]
    recommended: Place | None


def not_beaten(risks: ArrayLike, losses: ArrayLike) -> npt.NDArray[np.bool_]:
    """Tell which points no other one beats: none is at most as large in both, and smaller in one.

    >>> not_beaten([3, 2, 2, 1], [1, 2, 3, 4]).tolist()
    [True, True, False, True]
    """
    pairs = np.column_stack([losses, risks])
    different, number = np.unique(pairs, axis=0, return_inverse=True)  # by loss, then by risk
    least_before = np.minimum.accumulate(np.concatenate([[np.inf], different[:-1, 1]]))
    return np.asarray((different[:, 1] < least_before)[number.ravel()])


def judged(curves: Sequence[FrontierCurve], targets: Targets) -> Found:
    """Find the points that stand out on all curves together."""
    points = {Place(i, j): point for i, curve in enumerate(curves) for j, point in enumerate(curve.points)}
    risks, losses = ([getattr(point, end) for point in points.values()] for end in ("risk_at_most", "loss_at_most"))
    unbeaten = [place for place, stays in zip(points, not_beaten(risks, losses), strict=True) if stays]
    meeting = tuple(place for place, point in points.items() if targets.met_by(point))

    possible = {place: points[place] for place in meeting if curves[place.curve].kind != "raw"}
    return Found(
        pareto=tuple(sorted(unbeaten, key=lambda place: points[place].loss_at_most)),
        meeting=meeting,
        recommended=_to_take(curves, possible, targets),
    )


def _to_take(
    curves: Sequence[FrontierCurve], possible: Mapping[Place, FrontierPoint], targets: Targets
) -> Place | None:
    """Return the least risky release, or the most accurate if only the risk has a target.

    Of equally risky ones the one with the stronger guarantee is taken, which this risk does not see: an epsilon before
    a sample, and within a kind the smallest epsilon, or the fewest rows.
    """
    if not possible:
        return None
    if targets.max_loss is None:
        return min(possible, key=lambda place: (possible[place].loss_at_most, possible[place].risk_at_most))
    least = min(point.risk_at_most for point in possible.values())
    safest = [place for place, point in possible.items() if point.risk_at_most == least]
    first_of_kind = {place.curve: place for place in reversed(safest)}
    guaranteed = [place for place in first_of_kind.values() if curves[place.curve].parameter == "epsilon"]
    return min(guaranteed or first_of_kind.values(), key=lambda place: possible[place].loss_at_most)
