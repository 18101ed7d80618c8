"""Files that name their columns and, but for JSON lines, their types: Parquet, Arrow."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from epsilometer.errors import UnreadableFile
from epsilometer.tables.engine import embedded_engine, identifier, path_literal, text_literal, view
from epsilometer.tables.engine_errors import first_line
from epsilometer.tables.frames import open_arrow_rows, unique_names
from epsilometer.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ibis.expr.types import Table as Expression

_ONE_OBJECT = "one JSON object per line"
_JSON_LINES = "read_json([FILES], format = 'newline_delimited', ignore_errors = false, {more})"


def open_parquet(paths: Sequence[Path], name: str) -> Table:
    """Open Parquet files; the engine scans only the columns it needs."""
    rows = _without_nan(_scanned(paths, name, "read_parquet([FILES])", "a Parquet file"))
    return Table(rows, name, has_dictionaries=True)


def open_json_lines(paths: Sequence[Path], name: str, columns: Sequence[str] | None) -> Table:
    """Open files of one JSON object per line; every value is text, and a key that an object lacks is missing.

    Without ``columns`` the keys of all objects are the columns: one row more may then be one column more.
    """
    found = _keys(paths, name) if columns is None else columns
    fields = ", ".join(f"{text_literal(column)}: 'VARCHAR'" for column in unique_names(name, found))
    return Table(
        _scanned(paths, name, _JSON_LINES.format(more=f"columns = {{{fields}}}"), _ONE_OBJECT), name, parsed=True
    )


def _keys(paths: Sequence[Path], name: str) -> tuple[str, ...]:
    scan = _JSON_LINES.format(more="sample_size = -1, maximum_depth = 1")
    return tuple(_scanned(paths, name, scan, _ONE_OBJECT).columns)


def open_arrow(paths: Sequence[Path], name: str) -> Table:
    """Open Arrow IPC (Feather) files; the engine scans them batch by batch.

    They say where in them each value begins and ends, and engines believe it: so it is checked first, in one scan.
    """
    import pyarrow as pa
    from pyarrow import dataset

    try:
        rows = dataset.dataset([str(path) for path in paths], format="feather")
    except (pa.ArrowException, OSError) as error:
        raise _not_what_it_says(name, "an Arrow file", error) from None

    @cache
    def check() -> None:
        try:
            for batch in rows.to_batches():
                batch.validate(full=True)
        except (pa.ArrowException, OSError) as error:
            raise _not_what_it_says(name, "an Arrow file", error) from None

    return replace(open_arrow_rows(rows, name), check=check)


def _scanned(paths: Sequence[Path], name: str, scan: str, kind: str) -> Expression:
    import duckdb

    engine = embedded_engine(*paths)
    files = ", ".join(map(path_literal, paths))
    try:
        return view(engine, f"SELECT * FROM {scan.replace('FILES', files, 1)}")  # noqa: S608  paths are quoted
    except duckdb.Error as error:
        raise _not_what_it_says(name, kind, error) from None


def _without_nan(rows: Expression) -> Expression:
    """Read not-a-number as missing.

    A file may say what its smallest and its largest number are, and the engine then believes that none is
    not-a-number: ``isnan`` and comparisons are not computed. ``isfinite`` is.
    """
    numbers = [identifier(name) for name, kind in rows.schema().items() if kind.is_floating()]
    if not numbers:
        return rows
    engine = rows.get_backend()
    read = ", ".join(f"CASE WHEN isfinite({name}) OR isinf({name}) THEN {name} END AS {name}" for name in numbers)
    return view(engine, f"SELECT * REPLACE ({read}) FROM ({engine.compile(rows)})")  # noqa: S608  names are quoted


def _not_what_it_says(name: str, kind: str, error: Exception) -> UnreadableFile:
    return UnreadableFile(f"{name} is not {kind}, though its name says so ({first_line(error)}).")
