"""What each column of a table holds, told by its engine: a sketch in one scan, then few values counted exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

import ibis

from epsilometer.errors import BadTable
from epsilometer.tables.engine import fetch
from epsilometer.tables.engine_errors import reported_as
from epsilometer.tables.opening import open_table
from epsilometer.tables.scanning import scan
from epsilometer.tables.types import PLAIN_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ibis.expr.datatypes import DataType
    from ibis.expr.types import Column, FloatingColumn, Scalar, StringColumn
    from ibis.expr.types import Table as Expression

    from epsilometer.tables.table import Table

    Kind = Literal["number", "text", "truth", "time", "nested"]

MOST_COLUMNS: Final = 100  # of one query: engines refuse thousands of figures at once
FEW_VALUES: Final = 1_000  # are counted exactly, at little cost


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnSummary:
    """What a column holds.

    Attributes:
        name: its name.
        type: its type, in the words of the engine's schema: ``"int64"``, ``"string"``, ``"date"``; of text that is all
            numbers the type to declare, ``"integer"`` or ``"number"``.
        kind: ``"number"``, ``"text"``, ``"truth"`` (yes or no), ``"time"``, or ``"nested"`` for what has no values to
            count: lists, structures, bytes.
        n_rows: number of rows of the table.
        n_missing: rows without a value.
        n_distinct: how many different values there are: up to some nine hundred exactly, beyond them about so many,
            within a tenth. Nested columns have ``0``.
        smallest: the smallest finite number; ``None`` without any, and for other kinds.
        largest: the largest finite number.
        mean_length: mean number of characters of a text; ``None`` without any, and for other kinds.
    """

    name: str
    type: str
    kind: Kind
    n_rows: int
    n_missing: int
    n_distinct: int
    smallest: float | None = None
    largest: float | None = None
    mean_length: float | None = None


def summarise_columns(table: object, *, missing: Iterable[str] = ()) -> tuple[ColumnSummary, ...]:
    """Summarise every column of a table: one scan of all columns, and one of those with few values.

    Tables of hundreds of columns are taken a hundred at a time.

    Args:
        table: an opened table, or anything ``open_table`` takes.
        missing: words that mark a missing value in text.

    >>> import pandas as pd
    >>> age, sex = summarise_columns(pd.DataFrame({"age": [30, None, 41], "sex": ["f", "m", "m"]}))
    >>> age.kind, age.n_missing, age.smallest, age.largest, sex.n_distinct
    ('number', 1, 30.0, 41.0, 2)
    """
    opened = open_table(table, missing)
    names = opened.columns
    groups = [names[first : first + MOST_COLUMNS] for first in range(0, len(names), MOST_COLUMNS)]
    summaries: list[ColumnSummary] = []
    for group in groups:
        opened, figures = scan(opened, None, partial(_figures, names=group))
        found = _fetched(opened, figures)
        if not found["n_rows"]:
            raise BadTable(f"{opened.name} has no rows.")
        few = {i: name for i, name in enumerate(group) if found.get(f"distinct_{i}", math.inf) <= FEW_VALUES}
        if few:
            found |= _fetched(opened, _counted(opened.expression, few))
        schema = opened.expression.schema()
        summaries += [_summary(i, name, schema[name], found) for i, name in enumerate(group)]
    return tuple(summaries)


def _fetched(table: Table, figures: Expression) -> dict[str, Any]:
    with reported_as(table.name):
        row: dict[str, Any] = fetch(figures).to_pylist()[0]
    return row


def _figures(rows: Expression, names: Sequence[str]) -> Expression:
    """Everything asked of the engine; names of columns may be anything, those of figures are ours."""
    figures: dict[str, Scalar] = {"n_rows": rows.count()}
    for i, name in enumerate(names):
        column, kind = _comparable(rows, name), _kind(rows[name].type())
        figures[f"present_{i}"] = column.count()
        if kind != "nested":
            figures[f"distinct_{i}"] = column.approx_nunique()
        if kind == "text":
            figures[f"length_{i}"] = column.length().mean()
            number = _plain_number(column)
            figures |= {f"numbers_{i}": number.count(), f"whole_{i}": number.count(where=number == number.floor())}
            figures |= {f"smallest_{i}": number.min(), f"largest_{i}": number.max()}
        if kind == "number":
            finite = (column.abs() != math.inf) if column.type().is_floating() else None
            figures[f"smallest_{i}"] = column.min(where=finite).cast("float64")
            figures[f"largest_{i}"] = column.max(where=finite).cast("float64")
    return rows.agg(**figures)


def _counted(rows: Expression, few: Mapping[int, str]) -> Expression:
    return rows.agg(**{f"distinct_{i}": _comparable(rows, name).nunique() for i, name in few.items()})


def _comparable(rows: Expression, name: str) -> Column:
    """Return a column with not-a-number as missing, and as text if its type is one that few engines compare."""
    column = rows[name]
    type_ = column.type()
    if type_.is_floating() and rows.get_backend().name != "sqlite":  # that stores NaN as NULL
        return ibis.ifelse(column.isnan(), ibis.null(type_), column)
    plain = type_.is_numeric() or type_.is_boolean() or type_.is_temporal() or _kind(type_) == "nested"
    return column if plain or type_.is_string() else column.cast("string")


def _plain_number(column: StringColumn) -> FloatingColumn:
    """Return the numbers that a column of text holds."""
    text = column.strip()
    return ibis.ifelse(text.re_search(PLAIN_NUMBER), text, ibis.null("string")).cast("float64")


def _kind(type_: DataType) -> Kind:
    if type_.is_boolean():
        return "truth"
    if type_.is_numeric():
        return "number"
    if type_.is_temporal():
        return "time"
    return "nested" if type_.is_nested() or type_.is_binary() or type_.is_json() else "text"


def _summary(i: int, name: str, type_: DataType, found: Mapping[str, Any]) -> ColumnSummary:
    n_present, held, kind = found[f"present_{i}"], str(type_), _kind(type_)
    if kind == "text" and n_present and found[f"numbers_{i}"] == n_present:
        held, kind = "integer" if found[f"whole_{i}"] == n_present else "number", "number"
    of_text, of_numbers = kind == "text", kind == "number"
    return ColumnSummary(
        name=name,
        type=held,
        kind=kind,
        n_rows=found["n_rows"],
        n_missing=found["n_rows"] - n_present,
        n_distinct=min(found.get(f"distinct_{i}", 0), n_present),  # a sketch may find more than there are
        smallest=found.get(f"smallest_{i}") if of_numbers else None,
        largest=found.get(f"largest_{i}") if of_numbers else None,
        mean_length=found.get(f"length_{i}") if of_text else None,
    )
