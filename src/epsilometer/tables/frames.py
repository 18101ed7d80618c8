"""Tables that are in memory already, or in a session of the caller's."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import ibis
from ibis.expr.operations import InMemoryTable

from epsilometer.errors import BadTable
from epsilometer.tables.engine import embedded_engine, in_view, keep
from epsilometer.tables.spark import open_spark_frame
from epsilometer.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

Frame: TypeAlias = Any  # of packages that need not be installed


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


def column_from_values(name: str, column: str, values: Frame) -> pa.Array:
    """Make an Arrow column, or say that its values are of different kinds."""
    import pyarrow as pa

    try:
        return pa.array(values, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, TypeError):
        raise BadTable(
            f"{name}: column {column!r} mixes values of different kinds, such as numbers and text. "
            "Make them all text, or all numbers."
        ) from None


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
    return replace(
        table,
        expression=rows.mutate(**cleaned),
        reread=lambda complaint: with_missing(table.read_differently(complaint), marks),
    )


def _from_pandas(frame: Frame) -> pa.Table:
    import pyarrow as pa

    names = unique_names("the pandas table", [str(column) for column in frame.columns])
    columns = [column_from_values("the pandas table", name, frame.iloc[:, i]) for i, name in enumerate(names)]
    return pa.Table.from_arrays(columns, list(names))
