"""A figure of a paper as numbers."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

COLUMNS: Final = ("row", "column", "line", "known", "x", "value", "low", "high")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curve:
    """One line, or one set of points, of a panel.

    Attributes:
        row, column: which panel, in words.
        line: what the line stands for.
        known: how its values are known: ``"as printed"``, ``"exact"``, ``"simulated"``, ``"counted"``, ``"fitted"``, or
            ``"joined"`` for a line that leads from one simulated value to the next.
        x: where.
        value: what.
        low, high: the interval of simulated values; the values themselves otherwise.
    """

    row: str
    column: str
    line: str
    known: str
    x: FloatArray
    value: FloatArray
    low: FloatArray
    high: FloatArray

    def points(self) -> Iterator[tuple[str | float, ...]]:
        """Yield the points in the order of ``COLUMNS``."""
        labels = (self.row, self.column, self.line, self.known)
        for numbers in zip(self.x, self.value, self.low, self.high, strict=True):
            yield (*labels, *map(float, numbers))


def curve(row: str, column: str, line: str, *, known: str, x: ArrayLike, value: ArrayLike) -> Curve:
    """Return a curve without intervals."""
    at, values = np.asarray(x, dtype=np.float64), np.asarray(value, dtype=np.float64)
    return Curve(row=row, column=column, line=line, known=known, x=at, value=values, low=values, high=values)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Figure:
    """A figure: panels in rows and columns.

    Attributes:
        name: of the files it is written to, such as ``"001-figure-4"``.
        title: what it shows, as a finding.
        subtitle: how to read it.
        x_title, y_title: of the axes.
        curves: all lines of all panels.
        from_zero: whether the axis of values begins at zero.
    """

    name: str
    title: str
    subtitle: str
    x_title: str
    y_title: str
    curves: tuple[Curve, ...]
    from_zero: bool = True

    def points(self) -> list[dict[str, str | float]]:
        """Return all points of all curves as records."""
        return [dict(zip(COLUMNS, point, strict=True)) for drawn in self.curves for point in drawn.points()]

    def to_csv(self) -> bytes:
        """Return the points as a CSV file."""
        text = io.StringIO()
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.points())
        return text.getvalue().encode()
