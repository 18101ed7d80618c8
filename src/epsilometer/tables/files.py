"""Files that carry their types: Parquet, Arrow, JSON lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.errors import UnreadableFile
from epsilometer.tables.engine import embedded_engine, path_literal, view
from epsilometer.tables.engine_errors import first_line
from epsilometer.tables.frames import open_arrow_rows
from epsilometer.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ibis.expr.types import Table as Expression


def open_parquet(paths: Sequence[Path], name: str) -> Table:
    """Open Parquet files; the engine scans only the columns it needs."""
    rows = _without_nan(_scanned(paths, name, "read_parquet({files})", "a Parquet file"))
    return Table(rows, name, has_dictionaries=True)


def open_json_lines(paths: Sequence[Path], name: str) -> Table:
    """Open files of one JSON object per line; all lines decide the types, so that no value is changed."""
    scan = "read_json({files}, format = 'newline_delimited', sample_size = -1, ignore_errors = false)"
    return Table(_scanned(paths, name, scan, "one JSON object per line"), name, parsed=True)


def open_arrow(paths: Sequence[Path], name: str) -> Table:
    """Open Arrow IPC (Feather) files; the engine scans them batch by batch.

    They say where in them each value begins and ends, and engines believe it: so it is checked here, in one scan.
    """
    import pyarrow as pa
    from pyarrow import dataset

    try:
        rows = dataset.dataset([str(path) for path in paths], format="feather")
        for batch in rows.to_batches():
            batch.validate(full=True)
    except (pa.ArrowException, OSError) as error:
        raise _not_what_it_says(name, "an Arrow file", error) from None
    return open_arrow_rows(rows, name)


def _scanned(paths: Sequence[Path], name: str, scan: str, kind: str) -> Expression:
    import duckdb

    engine = embedded_engine(*paths)
    files = ", ".join(map(path_literal, paths))
    try:
        return view(engine, f"SELECT * FROM {scan.format(files=f'[{files}]')}")  # noqa: S608  paths are quoted
    except duckdb.Error as error:
        raise _not_what_it_says(name, kind, error) from None


def _without_nan(rows: Expression) -> Expression:
    """Read not-a-number as missing.

    A file may say what its smallest and its largest number are, and the engine then believes that none is
    not-a-number: ``isnan`` and comparisons are not computed. ``isfinite`` is.
    """
    numbers = ['"' + name.replace('"', '""') + '"' for name, kind in rows.schema().items() if kind.is_floating()]
    if not numbers:
        return rows
    engine = rows.get_backend()
    read = ", ".join(f"CASE WHEN isfinite({name}) OR isinf({name}) THEN {name} END AS {name}" for name in numbers)
    return view(engine, f"SELECT * REPLACE ({read}) FROM ({engine.compile(rows)})")  # noqa: S608  names are quoted


def _not_what_it_says(name: str, kind: str, error: Exception) -> UnreadableFile:
    return UnreadableFile(f"{name} is not {kind}, though its name says so ({first_line(error)}).")
