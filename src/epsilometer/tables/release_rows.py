"""Rows as a release reads them: total, so that no value can make it fail, and row by row.

What an assessment would complain of has a public default here: a number that is infinite or beyond 10^100 is missing, a
number beyond a declared range counts as the range's nearer end, a value that is not declared as the declared other one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import ibis

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ibis.expr.types import Column, Value

    from epsilometer.tables.table import Table

LARGEST: Final = 1e100  # bins have at most as many digits, and no engine overflows with products of two such numbers


@dataclass(frozen=True, slots=True)
class Within:
    """What a column's values are brought within before they are counted.

    Attributes:
        low: without ``other``, smaller numbers count as this one.
        high: without ``other``, larger numbers count as this one.
        values: with ``other``, the values that stay as they are.
        other: what any further value counts as.
    """

    low: float = 0.0
    high: float = 0.0
    values: tuple[object, ...] = ()
    other: str | None = None


def total_rows(table: Table, within: Mapping[str, Within] | None = None) -> Table:
    """Return a table whose values can all be counted, brought within what is declared of their columns."""
    rows = table.expression
    kinds = rows.schema()
    read: dict[str, Value] = {name: _finite(rows[name]) for name, kind in kinds.items() if kind.is_floating()}
    for name, declared in (within or {}).items():
        column = read.get(name, rows[name])
        read[name] = _with_other(column, declared) if declared.other is not None else _clamped(column, declared)
    return replace(table, expression=rows.mutate(**read)) if read else table


def _finite(column: Column) -> Value:
    return ibis.ifelse(column.abs() <= LARGEST, column, ibis.null(column.type()))


def _clamped(column: Value, declared: Within) -> Value:
    kind = column.type()
    low, high = (ibis.literal(int(end) if kind.is_integer() else end, kind) for end in (declared.low, declared.high))
    return ibis.cases((column < low, low), (column > high, high), else_=column)


def _with_other(column: Value, declared: Within) -> Value:
    kind = column.type()
    known = column.isin([ibis.literal(value, kind) for value in declared.values])
    return ibis.ifelse(known | column.isnull(), column, ibis.literal(declared.other, kind))
