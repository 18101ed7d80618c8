"""Declared types of columns: each value is converted by itself, so that one row cannot change how others are read.

A value that does not fit its column's type is missing. Which texts fit is said by regular expressions that every engine
reads alike, and what passes them can be converted without fail.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import ibis

from epsilometer.errors import BadQuestion, BadRoles, UnknownChoice, UnknownColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ibis.expr.types import BooleanValue, Column, FloatingValue, StringValue, Value

    from epsilometer.tables.table import Table

# Eighteen digits fit into 64 bits; zeros after the point change nothing.
INTEGER: Final = r"^([+-]?[0-9]{1,18})([.]0*)?$"
LARGEST_INTEGER: Final = 10**18 - 1
LARGEST_WHOLE: Final = 2.0**53  # doubles beyond it skip whole numbers
# Exponents of two digits and a hundred digits at most: a double, whichever engine reads it.
NUMBER: Final = r"^[+-]?([0-9]{1,100}([.][0-9]{0,100})?|[.][0-9]{1,100})([eE][+-]?[0-9]{1,2})?$"
# What nobody would take for a code: neither 007 nor the digits of an identifier.
PLAIN_NUMBER: Final = r"^[+-]?(0|[1-9][0-9]{0,14})([.][0-9]+)?$"
YEAR: Final = r"^(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-"
DAY: Final = (
    r"^[0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)$"
    r"|^([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29$"
)
TIME: Final = r"^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?$"
TRUE: Final = ("true", "t", "yes", "1")
FALSE: Final = ("false", "f", "no", "0")


def with_types(table: Table, types: Mapping[str, str], *, of_text: Mapping[str, str] | None = None) -> Table:
    """Read columns as values of their types.

    Args:
        table: an opened table.
        types: the declared types by column, of :data:`COLUMN_TYPES`.
        of_text: types for columns that hold text and have no declared one; other columns keep what they hold.
    """
    rows = table.expression
    check_types(types, table.columns)
    text = {
        name: kind for name, kind in (of_text or {}).items() if name in rows.columns and rows[name].type().is_string()
    }
    wanted = {**text, **types}
    if not wanted:
        return table
    read = {name: converted(rows[name], name, kind) for name, kind in wanted.items()}
    raw = rows if table.unconverted is None else table.unconverted
    return replace(table, expression=rows.mutate(**read), types={**table.types, **wanted}, unconverted=raw)


def check_types(types: Mapping[str, str], columns: Iterable[str]) -> None:
    """Refuse a type that there is none of, and a column that the table does not have."""
    known = tuple(columns)
    for name, kind in types.items():
        if kind not in COLUMN_TYPES:
            raise UnknownChoice(f"type of {name}", kind, COLUMN_TYPES)
        if name not in known:
            raise UnknownColumn(name, known)


def parse_types(texts: Sequence[str]) -> dict[str, str]:
    """Read types as the command line writes them.

    >>> parse_types(["age=integer", "visited=date"])
    {'age': 'integer', 'visited': 'date'}
    """
    types: dict[str, str] = {}
    for text in texts:
        column, equals, kind = text.rpartition("=")
        if not equals or not column:
            raise BadQuestion(f"{text!r} is not of the form column=type, with a type of {', '.join(COLUMN_TYPES)}.")
        if column in types:
            raise BadQuestion(f"The type of {column!r} was given twice. Give --type {column}=… once.")
        types[column] = kind
    check_types(types, types)
    return types


def converted(column: Column, name: str, kind: str) -> Value:
    """Return a column's values as those of a type; what does not fit is missing."""
    held = column.type()
    if held.is_nested() or held.is_binary() or held.is_json():
        raise BadRoles(f"Column {name!r} holds {held}, which cannot be read as {kind}. Choose a plain column.")
    return _CONVERSIONS[kind](column)


def _as_text(column: Column) -> Value:
    return column if column.type().is_string() else column.cast("string")


def _as_integer(column: Column) -> Value:
    kind = column.type()
    if kind.is_integer():
        return column
    if kind.is_boolean():
        return column.cast("int64")
    if kind.is_floating() or kind.is_decimal():
        number = column.cast("float64")
        whole = whole_part(number)
        return ibis.ifelse(whole == number, whole, ibis.null(whole.type())).cast("int64")
    text = _trimmed(column)
    number = text.re_extract(_in_dialect(INTEGER, text), 1).nullif("").cast("int64")
    if column.get_backend().name != "duckdb":
        return number
    # Nearly every whole number is written as it would be written here, which is faster to see than an expression.
    plain = text.try_cast("int64")
    as_written = (plain.cast("string") == text) & plain.between(-LARGEST_INTEGER, LARGEST_INTEGER)
    return ibis.ifelse(as_written, plain, number)


def _as_number(column: Column) -> Value:
    kind = column.type()
    if kind.is_floating() or kind.is_integer():
        return column
    if kind.is_boolean():
        return column.cast("float64")
    if kind.is_decimal() and kind.precision is not None:  # others may be too large for a double
        return column.cast("float64")
    return _where(_trimmed(column), lambda text: _matches(text, NUMBER)).cast("float64")


def _as_date(column: Column) -> Value:
    kind = column.type()
    if kind.is_date():
        return column
    if kind.is_timestamp():
        return column.date()
    return _where(_trimmed(column), _is_date).cast("date")


def _as_datetime(column: Column) -> Value:
    kind = column.type()
    if kind.is_timestamp():
        return column
    if kind.is_date():
        return column.cast("timestamp")
    text = _trimmed(column)
    day, mark, time = text.substr(0, 10), text.substr(10, 1), text.substr(11)
    whole = _is_date(day) & ((text.length() == 10) | (mark.isin([" ", "T"]) & _matches(time, TIME)))  # noqa: PLR2004
    return ibis.ifelse(whole, day + " " + ibis.ifelse(time == "", "00:00", time), ibis.null("string")).cast("timestamp")


def _as_boolean(column: Column) -> Value:
    kind = column.type()
    if kind.is_boolean():
        return column
    text = _trimmed(column).lower()
    return ibis.cases((text.isin(TRUE), True), (text.isin(FALSE), False), else_=ibis.null("boolean"))


def whole_part(number: FloatingValue) -> Value:
    """Round down; a number beyond 2^53 is missing, as engines round to whole numbers of 64 bits."""
    return ibis.ifelse(number.abs() <= LARGEST_WHOLE, number, ibis.null("float64")).floor()


def _trimmed(column: Column) -> StringValue:
    return _as_text(column).strip()


def _where(text: StringValue, fits: Callable[[StringValue], BooleanValue]) -> StringValue:
    return ibis.ifelse(fits(text), text, ibis.null("string"))


def _is_date(text: StringValue) -> BooleanValue:
    return _matches(text, YEAR) & _matches(text, DAY)


def _matches(text: StringValue, expression: str) -> BooleanValue:
    return text.re_search(_in_dialect(expression, text))


def _in_dialect(expression: str, text: StringValue) -> str:
    """Return a regular expression for the engine of a text: in Java, ``$`` also stands before a last line break.

    Unicode has line breaks that are not trimmed off, and a number with one of them cannot be converted.
    """
    return expression.replace("$", r"\z") if text.get_backend().name == "pyspark" else expression


_CONVERSIONS: Final[Mapping[str, Callable[[Column], Value]]] = {
    "text": _as_text,
    "integer": _as_integer,
    "number": _as_number,
    "date": _as_date,
    "datetime": _as_datetime,
    "boolean": _as_boolean,
}
COLUMN_TYPES: Final = tuple(_CONVERSIONS)
"""The types that a plan may declare for a column."""
