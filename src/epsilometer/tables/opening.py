"""Open a table: find out what the source is, and hand it to the reader for its kind."""

from __future__ import annotations

import glob
from pathlib import Path
from typing import TYPE_CHECKING

from epsilometer.errors import UnreadableFile
from epsilometer.tables import databases, files, frames, spark, spreadsheets
from epsilometer.tables.delimited import open_delimited
from epsilometer.tables.engine_errors import reported_as
from epsilometer.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_DELIMITED = (".csv", ".tsv", ".tab")
_READERS: dict[str, Callable[[Sequence[Path], str], Table]] = {
    ".parquet": files.open_parquet,
    ".pq": files.open_parquet,
    ".arrow": files.open_arrow,
    ".feather": files.open_arrow,
    ".jsonl": files.open_json_lines,
    ".ndjson": files.open_json_lines,
}
_WORKBOOKS = (".xlsx", ".xls")


def open_table(source: object, missing: Iterable[str] = ()) -> Table:
    """Open a table where it lives; only names and types are read.

    Args:
        source: a path or glob of CSV, TSV, Parquet, Arrow or JSON-lines files; ``"book.xlsx::Sheet1"``;
            ``"file.db::table"`` or a connection URL with ``::table``; ``"spark://host:7077::table"`` or
            ``"spark://host:7077::hdfs://…/x.parquet"``, read by a cluster; a pandas, Polars, Arrow, Ibis or Spark
            table; or a table that is open already.
        missing: words that mark a missing value in text, besides the empty field of a CSV file.
    """
    marks = (missing,) if isinstance(missing, str) else tuple(missing)
    if isinstance(source, Table):
        return frames.with_missing(source, marks)
    if not isinstance(source, str | Path):
        return frames.with_missing(frames.open_frame(source), marks)
    location, _, part = str(source).partition("::")
    with reported_as(databases.without_password(location)):
        if spark.is_on_spark(location):
            return frames.with_missing(spark.open_on_spark(location, part, marks), marks)
        if databases.is_database(location):
            return frames.with_missing(databases.open_database(location, part), marks)
        return _open_files(location, part, marks)


def _open_files(location: str, part: str, missing: tuple[str, ...]) -> Table:
    paths = _matching(location)
    suffix = _suffix(paths[0])
    known = [*_DELIMITED, *_READERS, *_WORKBOOKS]
    if suffix not in known or any(_suffix(path) != suffix for path in paths):
        raise UnreadableFile(
            f"{location}: the kind of file is told by the end of its name, one of {', '.join(known)} "
            f"(databases: {', '.join(databases.SUFFIXES)} with ::table)."
        )
    for path in paths:
        if not path.stat().st_size:
            raise UnreadableFile(f"{path} is empty.")
    if suffix in _WORKBOOKS:
        return frames.with_missing(spreadsheets.open_sheet(paths, part), missing)
    if part:
        raise UnreadableFile(f"{location} holds one table; leave out '::{part}'.")
    if suffix in _DELIMITED:
        return open_delimited(paths, location, missing)
    return frames.with_missing(_READERS[suffix](paths, location), missing)


def _matching(location: str) -> list[Path]:
    path = Path(location)
    if path.is_dir():
        raise UnreadableFile(f"{location} is a folder. Name a file, or a pattern such as {path / '*.parquet'}.")
    if path.exists():
        return [path]
    matches = [Path(match) for match in sorted(glob.glob(location, recursive=True))]  # noqa: PTH207
    if not matches:
        raise UnreadableFile(f"There is no file {location}. Check the name and the folder.")
    return matches


def _suffix(path: Path) -> str:
    name = path.name.lower().removesuffix(".gz")
    return Path(name).suffix
