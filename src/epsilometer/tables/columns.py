"""Single columns of a table: their values, their range, and how many differ within groups."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from epsilometer.errors import BadRoles, BadTable, UnknownColumn
from epsilometer.tables.engine import fetch
from epsilometer.tables.engine_errors import reported_as
from epsilometer.tables.opening import open_table
from epsilometer.tables.profiling import MISSING
from epsilometer.tables.scanning import scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import pyarrow as pa
    from ibis.expr.types import Table as Expression

    Compute = Callable[[Expression], Expression]


class GroupOfRows(NamedTuple):
    """Rows that agree in some columns.

    Attributes:
        label: what they agree in.
        n_rows: how many there are.
        n_distinct: how many different values another column has among them.
    """

    label: dict[str, str]
    n_rows: int
    n_distinct: int


def distinct_by_group(
    table: object, column: str, *, by: Sequence[str] = (), where: str | None = None, missing: Iterable[str] = ()
) -> tuple[GroupOfRows, ...]:
    """Count rows and different values of a column within the groups of others; rows without a value are left out.

    >>> import pandas as pd
    >>> rows = pd.DataFrame({"sex": ["f", "f", "m"], "age": [30, 31, 40]})
    >>> distinct_by_group(rows, "age", by=["sex"])[0]
    GroupOfRows(label={'sex': 'f'}, n_rows=2, n_distinct=2)
    """
    keys = {f"g{i}": name for i, name in enumerate(by)}

    def counted(rows: Expression) -> Expression:
        chosen = rows.select(value=rows[column], **{key: rows[name] for key, name in keys.items()})
        chosen = chosen.filter(chosen.value.notnull())
        if chosen.value.type().is_floating() and rows.get_backend().name != "sqlite":  # that stores NaN as NULL
            chosen = chosen.filter(~chosen.value.isnan())
        grouped = chosen.group_by(list(keys)) if keys else chosen
        return grouped.agg(n_rows=chosen.count(), n_distinct=chosen.value.nunique())

    found = _fetched(table, (column, *by), counted, where=where, missing=missing)
    groups = [
        GroupOfRows({name: _text(row[key]) for key, name in keys.items()}, row["n_rows"], row["n_distinct"])
        for row in found.to_pylist()
        if row["n_rows"]
    ]
    if not groups:
        raise BadTable(f"Column {column!r} has no value in any row that counts.")
    return tuple(sorted(groups, key=lambda group: tuple(group.label.values())))


def range_of(
    table: object, column: str, *, where: str | None = None, missing: Iterable[str] = ()
) -> tuple[float, float]:
    """Return the smallest and the largest value of a numeric column."""

    def extremes(rows: Expression) -> Expression:
        if not rows[column].type().is_numeric():
            raise BadRoles(
                f"Column {column!r} holds {rows[column].type()}, not numbers, so it has no range to read off. Declare "
                f"its type, as in --type {column}=number, or choose another column."
            )
        return rows.agg(low=rows[column].min(), high=rows[column].max())

    found = _fetched(table, (column,), extremes, where=where, missing=missing).to_pylist()[0]
    if found["low"] is None:
        raise BadTable(f"Column {column!r} has no value in any row that counts.")
    low, high = float(found["low"]), float(found["high"])
    if not math.isfinite(low) or not math.isfinite(high):
        raise BadTable(f"Column {column!r} is infinite or not a number in some row. Filter them out, or correct them.")
    return low, high


def _text(value: object) -> str:
    return MISSING if value is None else str(value)


def _fetched(
    table: object, needed: Iterable[str], compute: Compute, *, where: str | None, missing: Iterable[str]
) -> pa.Table:
    opened = open_table(table, missing)
    for name in needed:
        if name not in opened.columns:
            raise UnknownColumn(name, opened.columns)
    _, result = scan(opened, where, compute)
    with reported_as(opened.name):
        return fetch(result)
