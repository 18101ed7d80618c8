"""Records as points: tables with columns of any kind in coordinates whose norm is the distance of two records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np

from epsilometer.errors import BadTable, UnknownChoice
from epsilometer.neighbors.points import LARGEST_NUMBER
from epsilometer.tables.records import check_alike, shared_codes
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.neighbors.points import Norm
    from epsilometer.tables.records import Records
    from epsilometer.vocabulary.arrays import FloatArray

Metric = Literal["euclidean", "gower"]

NUMBERS_AT_MOST: Final = 2**28  # of the points of all tables: two gigabytes


@dataclass(frozen=True, slots=True, eq=False)
class Encoding:
    """Several tables as points of the same coordinates.

    Attributes:
        points: records x coordinates of each table.
        metric: which distance of two records the norm of the difference of their points is.
        columns: the columns that were encoded; one may take several coordinates.
    """

    points: tuple[FloatArray, ...]
    metric: Metric
    columns: tuple[str, ...]

    @property
    def norm(self) -> Norm:
        """The norm to measure with."""
        return 2 if self.metric == "euclidean" else 1

    @property
    def words(self) -> str:
        """The distance of two records in words."""
        if self.metric == "euclidean":
            return f"the Euclidean distance in {len(self.columns)} columns, each in its own unit"
        return (
            f"the Gower distance, the mean over {len(self.columns)} columns: of numbers, their difference as a share of"
            " the original's range; of other values, 0 if equal and 1 if not; missing is a value of its own"
        )


def default_metric(tables: Sequence[Records]) -> Metric:
    """Return the paper's metric for tables of numbers without a missing one, and one that takes any table otherwise."""
    complete = all(
        records.is_numeric(name) and not np.isnan(records.numbers(name)).any()
        for records in tables
        for name in records.columns
    )
    return "euclidean" if complete else "gower"


def encode(tables: Sequence[Records], metric: Metric | None = None, *, landmarks: tuple[Records, ...] = ()) -> Encoding:
    """Encode tables of the same columns; the first is the original, which says how wide the range of a column is.

    Without a metric it is that of :func:`default_metric`. Parts of tables are encoded as the whole is by landmarks,
    which come first and show what the columns of the whole hold; they are not among the points.

    >>> import pyarrow as pa
    >>> from epsilometer.tables.records import Records
    >>> people = Records(pa.table({"age": [20, 70], "sex": ["f", "m"]}), "people")
    >>> encode([people], "gower").points[0]
    array([[0. , 0. ],
           [0.5, 0.5]])
    """
    shown = [*landmarks, *tables]
    chosen = metric or default_metric(shown)
    if chosen not in get_args(Metric):
        raise UnknownChoice("metric", chosen, get_args(Metric))
    for records in shown[1:]:
        check_alike(shown[0], records)
    encoded = _euclidean(shown) if chosen == "euclidean" else _gower(shown)
    points = tuple(np.column_stack(parts) for parts in zip(*encoded, strict=True))
    return Encoding(points[len(landmarks) :], chosen, shown[0].columns)


def _euclidean(tables: Sequence[Records]) -> list[list[FloatArray]]:
    """Numbers as they are: for each column, a coordinate of each table."""
    for name in tables[0].columns:
        if not tables[0].is_numeric(name):
            raise BadTable(
                f"Column {name!r} does not hold numbers, which the Euclidean distance needs."
                " Use the metric gower, or leave the column out."
            )
    encoded = [_numbers(tables, name) for name in tables[0].columns]
    for name, parts in zip(tables[0].columns, encoded, strict=True):
        for records, numbers in zip(tables, parts, strict=True):
            if np.isnan(numbers).any():
                raise BadTable(
                    f"Column {name!r} of {records.name} is missing in some rows, which have no"
                    " Euclidean distance. Use the metric gower, filter the rows out, or leave the column out."
                )
    return encoded


@source("gower-1971", "with the ranges of the original, and missing as a value")
def _gower(tables: Sequence[Records]) -> list[list[FloatArray]]:
    r"""Coordinates whose sum of differences is the mean over the columns of a difference between 0 and 1.

    Two numbers differ by :math:`|x - y| / (\max - \min)`, largest and smallest of the original. A synthetic number
    beyond them may differ by more than 1: a difference cut off would be no norm, and numbers cut off would make
    different records equal. Two values of a column without a range, all words among them, differ by 0 or 1.
    """
    n_columns = len(tables[0].columns)
    encoded, n_numbers = [], 0
    for name in tables[0].columns:
        low, high = _range(tables[0], name)
        parts = _scaled(tables, name, low, high) if low < high else _matched(tables, name, NUMBERS_AT_MOST - n_numbers)
        encoded.append([part / n_columns for part in parts])
        n_numbers += sum(part.size for part in parts)
    return encoded


def _range(original: Records, name: str) -> tuple[float, float]:
    """Smallest and largest number of a column; the same if there are none."""
    numbers = original.numbers(name) if original.is_numeric(name) else np.empty(0)
    known = numbers[~np.isnan(numbers)]
    return (known.min(), known.max()) if len(known) else (0.0, 0.0)


def _scaled(tables: Sequence[Records], name: str, low: float, high: float) -> list[FloatArray]:
    """Numbers as shares of a range.

    Where numbers are missing, x becomes (x, 1 - x, 0) / 2 and missing (0, 0, 1) / 2, which is 1 away from every
    number within the range.
    """
    shares = [(numbers - low) / (high - low) for numbers in _numbers(tables, name)]
    missing = [np.isnan(share) for share in shares]
    if not any(gone.any() for gone in missing):
        return shares
    return [
        np.column_stack([np.where(gone, 0.0, share), np.where(gone, 0.0, 1 - share), gone]) / 2
        for share, gone in zip(shares, missing, strict=True)
    ]


def _matched(tables: Sequence[Records], name: str, numbers_at_most: int) -> list[FloatArray]:
    """Coordinates of which two equal values have the same, and two different ones differ by 1 in all."""
    codes, values = shared_codes(name, tables)
    if len(values) <= 2:  # noqa: PLR2004
        return [part.astype(np.float64) for part in codes]
    if len(values) * sum(map(len, codes)) > numbers_at_most:
        raise BadTable(
            f"Column {name!r} has {len(values)} different values, too many to compare the records of these tables by."
            " Group its values, or leave it out if it names people."
        )
    halves = [np.zeros((len(part), len(values))) for part in codes]
    for half, part in zip(halves, codes, strict=True):
        half[np.arange(len(part)), part] = 0.5
    return halves


def _numbers(tables: Sequence[Records], name: str) -> list[FloatArray]:
    """Return a numeric column of each table, small enough to be subtracted and squared."""
    numbers = [records.numbers(name) for records in tables]
    if any((np.abs(part) > LARGEST_NUMBER).any() for part in numbers):
        raise BadTable(f"Column {name!r} holds numbers above {LARGEST_NUMBER:g} in size. Scale them, or leave it out.")
    return numbers
