"""Combinations of values as one number each: the place of a combination among all that are possible."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import ibis

from epsilometer.tables.engine import fetch

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ibis import Schema
    from ibis.expr.datatypes import DataType
    from ibis.expr.types import Column, IntegerColumn
    from ibis.expr.types import Table as Expression

HALF_OF_INT32: Final = 2**30  # two such numbers can be added
MOST_TEXTS: Final = 100  # values of a column: each is compared with every text of a dictionary
FIRST_ROWS: Final = 100_000


@ibis.udf.scalar.builtin  # type: ignore[untyped-decorator]
def list_position(texts: list[str], text: str) -> int:  # type: ignore[empty-body]
    """DuckDB's own function, counting from one: as a function of one column it looks at a dictionary alone."""


class Digit(NamedTuple):
    """A column as a digit of a place.

    Attributes:
        name: of the column.
        low: its smallest value, which is the digit 0.
        n_values: number of whole numbers from the smallest to the largest value.
        has_missing: whether a last digit stands for a missing value.
        is_truth: whether 0 and 1 stand for false and true.
        texts: what the digits stand for if the column is text, in order.
    """

    name: str
    low: int
    n_values: int
    has_missing: bool
    is_truth: bool = False
    texts: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Number of digits."""
        return self.n_values + self.has_missing

    @property
    def kind(self) -> str:
        """The type to compute with: numbers of half the size take an engine less time."""
        largest = max(abs(self.low), abs(self.low + self.n_values))
        return "int32" if largest < HALF_OF_INT32 else "int64"

    def value(self, digit: int) -> int | str | None:
        """What a digit stands for."""
        if digit == self.n_values:
            return None
        if self.texts:
            return self.texts[digit]
        return bool(self.low + digit) if self.is_truth else self.low + digit

    def of(self, column: Column) -> IntegerColumn:
        """Return the digit of each value; missing, or outside the digits, where it has none."""
        if self.texts:
            return (list_position(ibis.literal(list(self.texts)), column) - 1).cast("int32")
        return column.cast(self.kind) - self.low

    def values(self, digit: IntegerColumn, kind: DataType) -> Column:
        """Return what each digit stands for, as a column of this kind."""
        known = ibis.literal(list(self.texts))[digit] if self.texts else (digit + self.low).cast(kind)
        return ibis.ifelse(digit == self.n_values, ibis.null(kind), known) if self.has_missing else known


class Ranges(NamedTuple):
    """Number of rows, and the columns as digits."""

    n_rows: int
    digits: tuple[Digit, ...]

    @property
    def n_places(self) -> int:
        """Number of combinations that are possible."""
        return math.prod(digit.size for digit in self.digits)


def ranges_of(keys: Expression, *, but: Collection[str] = ()) -> Ranges | None:
    """Look up the ranges of columns of whole numbers and truth values; ``None`` if there are others, or no values.

    Files and databases that keep statistics answer without reading a row. Some columns may be left aside.
    """
    kinds = {name: kind for name, kind in keys.schema().items() if name not in but}
    if not all(kind.is_integer() or kind.is_boolean() for kind in kinds.values()):
        return None
    figures = {"n_rows": keys.count()}
    for name in kinds:
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
                is_truth=kind.is_boolean(),
            )
            for name, kind in kinds.items()
        ),
    )


def texts_of(keys: Expression, n_rows: int) -> tuple[Digit, ...] | None:
    """Look up the values of columns of text; ``None`` if one has none or very many, as the first rows tell already."""
    few = keys.limit(FIRST_ROWS)
    seen = fetch(few.agg(**{name: few[name].nunique() for name in keys.columns})).to_pylist()[0]
    if max(seen.values()) > MOST_TEXTS:
        return None
    figures = {f"n_{name}": keys[name].count() for name in keys.columns}
    found = fetch(
        keys.agg(**figures, **{name: keys[name].collect(distinct=True) for name in keys.columns})
    ).to_pylist()[0]
    texts = {name: tuple(sorted(found[name] or ())) for name in keys.columns}
    if not all(0 < len(several) <= MOST_TEXTS for several in texts.values()):
        return None
    return tuple(
        Digit(name, 0, len(several), has_missing=found[f"n_{name}"] < n_rows, texts=several)
        for name, several in texts.items()
    )


def place_of(keys: Expression, digits: Sequence[Digit]) -> IntegerColumn:
    """Return the place of each row's combination, the first column counting most; missing if a value is out of range.

    Statistics are what somebody wrote about a file: a value that they leave out must not be counted as another one.
    """
    place, within = ibis.literal(0, "int32"), []
    for digit in digits:
        column = keys[digit.name]
        value = digit.of(column)
        if not digit.texts:  # a text that is not among them has no digit, and makes the place missing by itself
            within.append(value.between(0, digit.n_values - 1))
            if digit.has_missing:
                within[-1] |= column.isnull()
        if digit.has_missing:
            value = ibis.ifelse(column.isnull(), digit.n_values, value)
        place = place * digit.size + value
    return ibis.ifelse(ibis.and_(*within), place, ibis.null("int32"))


def combinations_at(counted: Expression, kinds: Schema, digits: Sequence[Digit]) -> Expression:
    """Return the combinations at counted places: a column of its kind for each digit, and ``n`` as it is."""
    columns, below = {}, 1
    for digit in reversed(digits):
        value = counted.place // below % digit.size
        columns[digit.name] = digit.values(value, kinds[digit.name])
        below *= digit.size
    return counted.select(**{digit.name: columns[digit.name] for digit in digits}, n=counted.n)
