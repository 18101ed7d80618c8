"""Tables that are in memory already, or in a session of the caller's."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias

import ibis
import numpy as np
from ibis.expr.operations import InMemoryTable

from epsilometer.errors import BadTable
from epsilometer.tables.engine import embedded_engine, in_view, keep
from epsilometer.tables.spark import open_spark_frame
from epsilometer.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pyarrow as pa

Frame: TypeAlias = Any  # of packages that need not be installed
# What stands where an object is missing, as it is written: pandas need not be imported to know.
_MISSING_OBJECTS = {"None", "<NA>", "NaT"}


def open_frame(frame: Frame) -> Table:
    """Open a pandas, Polars, Arrow, Ibis or Spark table.

    Kinds are told by the package that defines them, so that none of those packages is imported for it.
    """
    package = type(frame).__module__.partition(".")[0]
    name = f"the {package} table"
    if package == "pandas" and hasattr(frame, "columns"):
        return open_arrow_rows(_from_pandas(frame), name)
    if package == "polars" and hasattr(frame, "lazy"):
        return open_arrow_rows(frame.lazy().collect().to_arrow(), name)
    if package == "pyarrow":
        return open_arrow_rows(frame, name)
    if isinstance(frame, ibis.Table):
        in_memory = frame.op().find(InMemoryTable)
        return Table(keep(frame) if in_memory else frame, name)
    if package == "pyspark":
        unique_names(name, frame.columns)
        return open_spark_frame(frame, name)
    raise BadTable(
        f"A {type(frame).__name__} is not a table. Give a path, a URL with ::table, or a pandas, Polars, "
        "Arrow, Ibis or Spark table."
    )


def open_arrow_rows(rows: Frame, name: str) -> Table:
    """Open an Arrow table or dataset in the embedded engine, without copying it."""
    unique_names(name, rows.schema.names)
    return Table(in_view(embedded_engine(), rows), name)


def unique_names(name: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the column names, or say which of them is not the only one of its name."""
    # Engines do not tell upper from lower case in names.
    seen = Counter(column.casefold() for column in columns)
    if twice := sorted({column for column in columns if seen[column.casefold()] > 1}):
        raise BadTable(f"{name} has more than one column named {', '.join(twice)}. Rename all but one.")
    return tuple(columns)


def text_column(values: Iterable[object]) -> pa.Array:
    """Write values as text, each by itself, so that no other value decides how it is read.

    >>> text_column([34, 34.0, 1.5, True, "x", None]).to_pylist()
    ['34', '34', '1.5', 'true', 'x', None]
    """
    import pyarrow as pa

    try:
        return pa.array(values, pa.string(), from_pandas=True)  # they are texts already, as a rule
    except (pa.ArrowException, TypeError, UnicodeError):
        return pa.array([_written(value) for value in values], pa.string())


def _written(value: object) -> str | None:
    """Write one value as text; nothing for one that is missing. Texts come out as Arrow would take them."""
    match value:
        case str():
            return value.encode(errors="replace").decode()
        case bytes() | bytearray() | memoryview():
            return bytes(value).decode(errors="replace")
        case bool() | np.bool_():
            return str(value).lower()
        case float() | np.floating():
            return None if np.isnan(value) else str(value).removesuffix(".0")
        case Decimal() if value.is_nan():
            return None
        case datetime():
            written = value.isoformat(sep=" ")
        case _:
            written = str(value)
    return None if written in _MISSING_OBJECTS else written


def with_missing(table: Table, marks: tuple[str, ...]) -> Table:
    """Read text that is one of the marks, blanks around it aside, as a missing value."""
    if not marks:
        return table
    rows = table.expression
    cleaned = {
        column: ibis.ifelse(rows[column].strip().isin(marks), ibis.null("string"), rows[column])
        for column, kind in rows.schema().items()
        if kind.is_string()
    }
    return replace(table, expression=rows.mutate(**cleaned)) if cleaned else table


def _from_pandas(frame: Frame) -> pa.Table:
    """Return the columns with the types they have; those of Python objects have none, and are text."""
    import pyarrow as pa

    names = unique_names("the pandas table", [str(column) for column in frame.columns])
    columns = [frame.iloc[:, i] for i in range(len(names))]
    return pa.Table.from_arrays(
        [
            text_column(each.astype(object)) if _is_of_objects(each.dtype) else pa.array(each, from_pandas=True)
            for each in columns
        ],
        list(names),
    )


def _is_of_objects(kind: Frame) -> bool:
    """Whether a type of pandas says nothing about the values; one of categories is that of the categories."""
    return bool(getattr(getattr(kind, "categories", None), "dtype", kind) == np.dtype(object))
