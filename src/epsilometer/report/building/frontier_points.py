"""The points of a comparison that are worth a line, in a report and on a terminal."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from epsilometer.vocabulary.frontier import Frontier, FrontierCurve, FrontierPoint, Place

RECOMMENDED: Final = "recommended"


class Shown(NamedTuple):
    """A point that is worth a line: why it stands out, if it does."""

    curve: FrontierCurve
    point: FrontierPoint
    marks: tuple[str, ...]


def worth_a_line(frontier: Frontier) -> list[Shown]:
    """Return the points that stand out, and round ones between them."""
    every = (
        Shown(curve, point, _marks(frontier, Place(number, position), point))
        for number, curve in enumerate(frontier.curves)
        for position, point in enumerate(curve.points)
    )
    return [shown for shown in every if shown.marks or _is_round(shown.point)]


def _marks(frontier: Frontier, place: Place, point: FrontierPoint) -> tuple[str, ...]:
    marks = {
        RECOMMENDED: place == frontier.recommended,
        "planned": point.planned and point.parameter is not None,
        "unbeaten": place in frontier.pareto,
    }
    return tuple(mark for mark, holds in marks.items() if holds)


def _is_round(point: FrontierPoint) -> bool:
    return point.parameter is None or float(np.log10(point.parameter)).is_integer()
