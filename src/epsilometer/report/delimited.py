"""Rows as files that people open in spreadsheets, or give to programs."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pyarrow as pa

FORMULA: Final = (
    *("=", "+", "-", "@", "\t", "\r", "\n"),
    *("\uff1d", "\uff0b", "\uff0d", "\uff20"),  # the same as wide as Chinese letters, which some spreadsheets narrow
)
NUMBER: Final = re.compile(r"[+-]?[0-9]+([.][0-9]*)?([eE][+-]?[0-9]+)?")  # what any spreadsheet takes for a number


def as_csv(rows: pa.Table) -> bytes:
    """Return rows as CSV."""
    from pyarrow import csv as arrow_csv

    sink = io.BytesIO()
    arrow_csv.write_csv(rows, sink)
    return sink.getvalue()


def as_parquet(rows: pa.Table) -> bytes:
    """Return rows as Parquet."""
    from pyarrow import parquet

    sink = io.BytesIO()
    parquet.write_table(rows, sink)
    return sink.getvalue()


def as_file(rows: pa.Table, suffix: str) -> bytes:
    """Return rows as a file of this kind: Parquet as they are, CSV without formulas."""
    return as_parquet(rows) if suffix == ".parquet" else as_csv(without_formulas(rows))


def without_formulas(rows: pa.Table) -> pa.Table:
    """Return rows with names and words that no spreadsheet takes for a formula; numbers stay numbers.

    >>> import pyarrow as pa
    >>> without_formulas(pa.table({"x": ["=1+1", "flu", None]})).column("x").to_pylist()
    ["'=1+1", 'flu', None]
    """
    import pyarrow as pa

    columns = [
        _safe_words(column) if pa.types.is_dictionary(column.type) or _is_text(column.type) else column
        for column in rows.columns
    ]
    return pa.table(columns, names=[safe_text(name) for name in rows.column_names])


def _safe_words(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Only the different words are looked at, not every row."""
    import pyarrow as pa

    coded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    chunks = [
        pa.DictionaryArray.from_arrays(chunk.indices, [safe_text(str(word)) for word in chunk.dictionary.to_pylist()])
        for chunk in coded.chunks
    ]
    return pa.chunked_array(chunks, pa.dictionary(coded.type.index_type, pa.string())).cast(pa.string())


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def safe_text(text: str) -> str:
    """Return text that no spreadsheet takes for a formula.

    >>> safe_text("=1+1"), safe_text("flu")
    ("'=1+1", 'flu')
    """
    return f"'{text}" if text.startswith(FORMULA) and not NUMBER.fullmatch(text) else text
