"""Room for labels: each goes where it is furthest from every line and from the other labels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.vocabulary.arrays import FloatArray

LINE_HEIGHT: Final = 15  # pixels
CHARACTER: Final = 6.6  # mean width of a character, in pixels
STEP: Final = 4.0  # pixels between two places of a line that labels keep away from
ENOUGH: Final = 14.0  # pixels of free room; more of it is no better


Side = Literal["left", "right", "center"]


class Label(NamedTuple):
    """A text beside a place on the chart, all in pixels from the upper left corner.

    Attributes:
        text: what it says.
        x: the end of the text at the place.
        y: its middle.
        align: on which side of ``x`` the text stands.
    """

    text: str
    x: float
    y: float
    align: Side

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the text."""
        width = CHARACTER * len(self.text)
        left = self.x - {"left": 0.0, "center": width / 2, "right": width}[self.align]
        return left, self.y - LINE_HEIGHT / 2, left + width, self.y + LINE_HEIGHT / 2


@dataclass(slots=True)
class Room:
    """What is taken on a chart of some size: places on lines, and the boxes of labels.

    Attributes:
        width: of the chart, in pixels.
        height: of the chart.
        taken: places that labels keep away from, in pixels: places x 2.
    """

    width: float
    height: float
    taken: FloatArray = field(default_factory=lambda: np.empty((0, 2)))

    def keep_free(self, places: FloatArray) -> None:
        """Let labels keep away from a line through places (places x 2, in pixels)."""
        self.taken = np.concatenate([self.taken, along(places)])

    def placed(self, possible: Sequence[Label], *, least: float) -> list[Label]:
        """Choose the label with the most room around it, of equal ones the first, and keep its box free.

        There is none if ``least`` pixels of room are nowhere to be had.
        """
        rooms = [self._free(label) for label in possible]
        if not rooms or max(rooms) < least:
            return []
        best = possible[max(range(len(possible)), key=lambda i: min(rooms[i], ENOUGH))]
        left, top, right, bottom = best.box
        middle = (top + bottom) / 2
        box = np.array([[left, top], [right, top], [right, middle], [left, middle], [left, bottom], [right, bottom]])
        self.keep_free(box)
        return [best]

    def _free(self, label: Label) -> float:
        """Return the distance from the box of a label to the nearest thing; below zero outside the chart."""
        left, top, right, bottom = label.box
        inside = min(left, top, self.width - right, self.height - bottom)
        if inside < 0 or not len(self.taken):
            return inside
        x, y = self.taken.T
        across = np.maximum(np.maximum(left - x, x - right), 0.0)
        down = np.maximum(np.maximum(top - y, y - bottom), 0.0)
        return float(np.hypot(across, down).min())


def along(places: FloatArray) -> FloatArray:
    """Return places a few pixels apart along the line through some places.

    >>> along(np.array([[0.0, 0.0], [0.0, 8.0]])).tolist()
    [[0.0, 0.0], [0.0, 4.0], [0.0, 8.0]]
    """
    if len(places) < 2:  # noqa: PLR2004
        return places
    travelled = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(places, axis=0).T))])
    stops = np.linspace(0.0, travelled[-1], int(np.ceil(travelled[-1] / STEP)) + 1)
    return np.column_stack([np.interp(stops, travelled, places[:, axis]) for axis in (0, 1)])


def beside(text: str, places: FloatArray, distance: float) -> list[Label]:
    """Return the labels that a text makes on every side of places (places x 2, in pixels)."""
    slant, half = 0.7 * distance, LINE_HEIGHT / 2
    sides: tuple[tuple[float, float, Side], ...] = (
        (slant, -slant - half / 2, "left"),
        (-slant, slant + half / 2, "right"),
        (slant, slant + half / 2, "left"),
        (-slant, -slant - half / 2, "right"),
        (distance, 0.0, "left"),
        (-distance, 0.0, "right"),
        (0.0, -distance - half, "center"),
        (0.0, distance + half, "center"),
    )
    return [Label(text, x + across, y + down, align) for x, y in places.tolist() for across, down, align in sides]
