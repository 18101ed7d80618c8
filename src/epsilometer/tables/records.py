"""Rows themselves, fetched once: what a synthetic table is made from, and what it is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from epsilometer.errors import BadTable, UnknownColumn
from epsilometer.tables.engine import fetch
from epsilometer.tables.engine_errors import reported_as
from epsilometer.tables.opening import open_table
from epsilometer.tables.release_rows import total_rows
from epsilometer.tables.scanning import scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ibis.expr.types import Table as Expression

    from epsilometer.tables.table import Table
    from epsilometer.vocabulary.arrays import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """The rows of a table.

    Attributes:
        rows: the rows, with the types they were read with.
        name: what to call the table in messages.
    """

    rows: pa.Table
    name: str

    def __len__(self) -> int:
        return self.rows.num_rows

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self.rows.column_names)

    def select(self, columns: Sequence[str]) -> Records:
        """The same rows in some of the columns, in the order in which they are named."""
        for name in columns:
            if name not in self.columns:
                raise UnknownColumn(name, self.columns)
        return Records(self.rows.select(columns), self.name)

    def values(self, column: str) -> pa.ChunkedArray:
        """A column as it is, but for a dictionary's codes, which become the values they stand for."""
        values = self.rows.column(column)
        return values.cast(values.type.value_type) if pa.types.is_dictionary(values.type) else values

    def is_numeric(self, column: str) -> bool:
        """Whether a column holds numbers or times; words and truth values are categories."""
        kind = self.rows.schema.field(column).type
        return pa.types.is_integer(kind) or _is_real(kind) or pa.types.is_temporal(kind)

    def numbers(self, column: str) -> FloatArray:
        """A numeric column as floats; missing is not-a-number, times count from the start of 1970 in their unit."""
        values = self.rows.column(column)
        if pa.types.is_temporal(values.type):
            values = values.cast(pa.int32() if values.type.bit_width == 32 else pa.int64())  # noqa: PLR2004
        plain = values.cast(pa.float64(), safe=False)  # large whole numbers are rounded, none makes it fail
        return np.asarray(plain.to_numpy(zero_copy_only=False), dtype=np.float64)

    def part(self, which: IntArray) -> Records:
        """Some of the rows, by number."""
        return Records(self.rows.take(pa.array(which)), self.name)


def _is_real(kind: pa.DataType) -> bool:
    return pa.types.is_floating(kind) or pa.types.is_decimal(kind)


def read_for_release(table: Table, columns: Sequence[str] = (), *, where: str | None = None) -> Records:
    """Fetch the rows that pass the filter, whatever they hold: none at all is as good an answer as any."""
    read, kept = scan(total_rows(table), where, lambda rows: rows.select(chosen_columns(table, columns)))
    with reported_as(read.name):
        return Records(fetch(kept).unify_dictionaries(), read.name)


def read_records(
    table: object, columns: Sequence[str] = (), *, where: str | None = None, missing: Iterable[str] = ()
) -> Records:
    """Fetch the rows that pass the filter, in all columns or in those named.

    >>> import pandas as pd
    >>> read_records(pd.DataFrame({"age": [30, None], "sex": ["f", "m"]})).numbers("age")
    array([30., nan])
    """
    return _fetched(open_rows(table, missing), columns, lambda rows: rows, where)


def open_rows(table: object, missing: Iterable[str] = (), types: Mapping[str, str] | None = None) -> Table:
    """Open a table, or one whose rows are in memory already: records, or a synthetic table."""
    return open_table(rows if isinstance(rows := getattr(table, "rows", None), pa.Table) else table, missing, types)


def draw_records(table: Table, columns: Sequence[str] = (), *, most: int) -> Records:
    """Fetch the rows of a table, or as many as this of a larger one, drawn by its engine.

    Each set of so many rows is drawn with the same probability, and another one each time.

    >>> len(draw_records(open_table(pa.table({"age": [20, 30, 40]})), most=2))
    2
    """
    read, counted = scan(table, None, lambda rows: rows.agg(n=rows.count()))
    with reported_as(read.name):
        n_rows = fetch(counted)["n"][0].as_py()

    def draw(rows: Expression) -> Expression:
        return rows.order_by(ibis.random()).limit(most) if n_rows > most else rows

    return _fetched(read, columns, draw)


def _fetched(
    opened: Table, columns: Sequence[str], choose: Callable[[Expression], Expression], where: str | None = None
) -> Records:
    chosen = chosen_columns(opened, columns)
    read, kept = scan(opened, where, lambda rows: choose(rows.select(chosen)))
    with reported_as(read.name):
        rows = fetch(kept)
    if not rows.num_rows:
        raise BadTable(f"{read.name} has no row to read.")
    records = Records(rows.unify_dictionaries(), read.name)
    check_finite(records)
    return records


def chosen_columns(table: Table, columns: Sequence[str]) -> list[str]:
    """Return the columns that are named, or all; one that is not there is an error."""
    for name in columns:
        if name not in table.columns:
            raise UnknownColumn(name, table.columns)
    return list(columns or table.columns)


def check_finite(records: Records) -> None:
    """Refuse numbers that have no distance from others."""
    for name in records.columns:
        if records.is_numeric(name) and np.isinf(records.numbers(name)).any():
            raise BadTable(
                f"Column {name!r} of {records.name} is infinite in some row. Filter them out, or correct them."
            )


def check_alike(one: Records, other: Records) -> None:
    """Two tables can be compared only if they have the same columns, numeric or not alike."""
    absent = [name for name in one.columns if name not in other.columns]
    extra = [name for name in other.columns if name not in one.columns]
    if absent or extra:
        said = [f"{other.name} lacks {', '.join(absent)}"] * bool(absent)
        said += [f"{one.name} lacks {', '.join(extra)}"] * bool(extra)
        raise BadTable(f"The tables must have the same columns: {'; '.join(said)}. Name the columns to compare.")
    for name in one.columns:
        kinds = [records.rows.schema.field(name).type for records in (one, other)]
        times = any(map(pa.types.is_temporal, kinds)) and kinds[0] != kinds[1]
        if one.is_numeric(name) != other.is_numeric(name) or times:
            raise BadTable(
                f"Column {name!r} holds {kinds[0]} in {one.name} and {kinds[1]} in {other.name};"
                " both must hold numbers, or both words, or times of one kind."
            )


def shared_codes(column: str, tables: Sequence[Records]) -> tuple[tuple[IntArray, ...], pa.Array]:
    """Number the values of a column alike in several tables; missing is a value. Also the values, by number."""
    values = pa.chunked_array(
        [chunk for records in tables for chunk in _plain(records.values(column)).chunks], type=None
    )
    encoded = values.combine_chunks().dictionary_encode(null_encoding="encode")
    codes = np.asarray(encoded.indices, dtype=np.int64)
    ends = np.cumsum([len(records) for records in tables])
    return tuple(np.split(codes, ends[:-1])), encoded.dictionary


def coded_alike(one: Records, other: Records) -> tuple[IntArray, IntArray]:
    """Return the records of two tables as codes, records x columns of the first; equal codes mean equal values.

    >>> coded_alike(*(Records(pa.table({"sex": words}), "people") for words in (["f", "m"], ["m"])))
    (array([[0],
           [1]]), array([[1]]))
    """
    coded = [shared_codes(name, (one, other))[0] for name in one.columns]
    before, after = (np.column_stack(codes) for codes in zip(*coded, strict=True))
    return before, after


def _plain(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column in the one type for its kind of values, so that columns of several tables can be joined."""
    if pa.types.is_large_string(values.type) or pa.types.is_string_view(values.type):
        return values.cast(pa.string())
    if pa.types.is_integer(values.type) or _is_real(values.type):
        plain = values.cast(pa.float64())
        return pc.if_else(pc.is_nan(plain), pa.scalar(None, pa.float64()), plain)
    return values
