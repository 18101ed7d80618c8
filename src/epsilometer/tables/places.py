"""Combinations of whole numbers as one number each: the place of a combination among all that are possible."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import ibis

from epsilometer.tables.engine import fetch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ibis.expr.types import IntegerColumn
    from ibis.expr.types import Table as Expression

HALF_OF_INT32: Final = 2**30  # two such numbers can be added


class Digit(NamedTuple):
    """A column as a digit of a place.

    Attributes:
        name: of the column.
        low: its smallest value, which is the digit 0.
        n_values: number of whole numbers from the smallest to the largest value.
        has_missing: whether a last digit stands for a missing value.
        is_truth: whether 0 and 1 stand for false and true.
    """

    name: str
    low: int
    n_values: int
    has_missing: bool
    is_truth: bool

    @property
    def size(self) -> int:
        """Number of digits."""
        return self.n_values + self.has_missing

    @property
    def kind(self) -> str:
        """The type to compute with: numbers of half the size take an engine less time."""
        largest = max(abs(self.low), abs(self.low + self.n_values))
        return "int32" if largest < HALF_OF_INT32 else "int64"

    def value(self, digit: int) -> int | None:
        """What a digit stands for."""
        if digit == self.n_values:
            return None
        return bool(self.low + digit) if self.is_truth else self.low + digit


class Ranges(NamedTuple):
    """Number of rows, and the columns as digits."""

    n_rows: int
    digits: tuple[Digit, ...]

    @property
    def n_places(self) -> int:
        """Number of combinations that are possible."""
        return math.prod(digit.size for digit in self.digits)


def ranges_of(keys: Expression) -> Ranges | None:
    """Look up the ranges of columns of whole numbers and truth values; ``None`` if there are others, or no values.

    Files and databases that keep statistics answer without reading a row.
    """
    if not all(kind.is_integer() or kind.is_boolean() for kind in keys.schema().values()):
        return None
    figures = {"n_rows": keys.count()}
    for name in keys.columns:
        figures |= {f"n_{name}": keys[name].count(), f"low_{name}": keys[name].min(), f"high_{name}": keys[name].max()}
    found = fetch(keys.agg(**figures)).to_pylist()[0]
    if None in found.values():
        return None
    return Ranges(
        found["n_rows"],
        tuple(
            Digit(
                name,
                int(found[f"low_{name}"]),
                int(found[f"high_{name}"]) - int(found[f"low_{name}"]) + 1,
                has_missing=found[f"n_{name}"] < found["n_rows"],
                is_truth=keys[name].type().is_boolean(),
            )
            for name in keys.columns
        ),
    )


def place_of(keys: Expression, digits: Sequence[Digit]) -> IntegerColumn:
    """Return the place of each row's combination, the first column counting most; missing if a value is out of range.

    Statistics are what somebody wrote about a file: a value that they leave out must not be counted as another one.
    """
    place, within = ibis.literal(0, "int32"), []
    for digit in digits:
        value = keys[digit.name].cast(digit.kind) - digit.low
        within.append(value.between(0, digit.n_values - 1))
        if digit.has_missing:
            within[-1] |= value.isnull()
            value = value.fill_null(digit.n_values)
        place = place * digit.size + value
    return ibis.ifelse(ibis.and_(*within), place, ibis.null("int32"))


def combinations_at(counted: Expression, keys: Expression, digits: Sequence[Digit]) -> Expression:
    """Return the combinations at counted places: the columns of ``keys``, and ``n`` as it is."""
    columns, below = {}, 1
    for digit in reversed(digits):
        value, kind = counted.place // below % digit.size, keys[digit.name].type()
        columns[digit.name] = (value + digit.low).cast(kind)
        if digit.has_missing:
            columns[digit.name] = ibis.ifelse(value == digit.n_values, ibis.null(kind), columns[digit.name])
        below *= digit.size
    return counted.select(**{digit.name: columns[digit.name] for digit in digits}, n=counted.n)
