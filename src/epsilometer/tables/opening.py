"""Open a table: find out what the source is, and hand it to the reader for its kind."""

from __future__ import annotations

import glob
from pathlib import Path
from typing import TYPE_CHECKING

from epsilometer.errors import UnreadableFile
from epsilometer.tables import databases, files, frames, spark, spreadsheets
from epsilometer.tables.delimited import open_delimited
from epsilometer.tables.engine_errors import reported_as
from epsilometer.tables.frames import with_missing
from epsilometer.tables.table import Table
from epsilometer.tables.types import with_types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

_DELIMITED = (".csv", ".tsv", ".tab")
_TYPED: dict[str, Callable[[Sequence[Path], str], Table]] = {
    ".parquet": files.open_parquet,
    ".pq": files.open_parquet,
    ".arrow": files.open_arrow,
    ".feather": files.open_arrow,
}
_JSON_LINES = (".jsonl", ".ndjson")
_WORKBOOKS = (".xlsx", ".xls")


def open_table(
    source: object,
    missing: Iterable[str] = (),
    types: Mapping[str, str] | None = None,
    *,
    of_text: Mapping[str, str] | None = None,
    columns: Sequence[str] | None = None,
) -> Table:
    """Open a table where it lives; only names and types are read.

    Columns of text files (CSV, TSV, JSON lines, Excel) and of Python objects are text unless a type is declared; other
    sources bring their types.

    Args:
        source: a path or glob of CSV, TSV, Parquet, Arrow or JSON-lines files; ``"book.xlsx::Sheet1"``;
            ``"file.db::table"`` or a connection URL with ``::table``; ``"spark://host:7077::table"`` or
            ``"spark://host:7077::hdfs://…/x.parquet"``, read by a cluster; a pandas, Polars, Arrow, Ibis or Spark
            table; or a table that is open already.
        missing: words that mark a missing value in text, besides the empty field of a CSV file.
        types: ``"text"``, ``"integer"``, ``"number"``, ``"date"``, ``"datetime"`` or ``"boolean"`` by column; a value
            that does not fit is missing.
        of_text: the same, for columns that would otherwise be text.
        columns: the columns of JSON lines, where the rows are not to be asked which there are.
    """
    marks = (missing,) if isinstance(missing, str) else tuple(missing)
    with reported_as(_shown(source)):
        return with_types(with_missing(_opened(source, marks, columns), marks), types or {}, of_text=of_text)


def _opened(source: object, missing: tuple[str, ...], columns: Sequence[str] | None) -> Table:
    if isinstance(source, Table):
        return source
    if not isinstance(source, str | Path):
        return frames.open_frame(source)
    location, _, part = str(source).partition("::")
    if spark.is_on_spark(location):
        return spark.open_on_spark(location, part, missing, columns)
    if databases.is_database(location):
        return databases.open_database(location, part)
    return _open_files(location, part, missing, columns)


def _shown(source: object) -> str:
    """Return what messages about a table that cannot be opened call it."""
    return databases.without_password(str(source).partition("::")[0]) if isinstance(source, str | Path) else "the table"


def _open_files(location: str, part: str, missing: tuple[str, ...], columns: Sequence[str] | None) -> Table:
    paths = _matching(location)
    suffix = _suffix(paths[0])
    known = [*_DELIMITED, *_TYPED, *_JSON_LINES, *_WORKBOOKS]
    if suffix not in known or any(_suffix(path) != suffix for path in paths):
        raise UnreadableFile(
            f"{location}: the kind of file is told by the end of its name, one of {', '.join(known)} "
            f"(databases: {', '.join(databases.SUFFIXES)} with ::table)."
        )
    for path in paths:
        if not path.stat().st_size:
            raise UnreadableFile(f"{path} is empty.")
    if suffix in _WORKBOOKS:
        return spreadsheets.open_sheet(paths, part)
    if part:
        raise UnreadableFile(f"{location} holds one table; leave out '::{part}'.")
    if suffix in _DELIMITED:
        return open_delimited(paths, location, missing)
    if suffix in _JSON_LINES:
        return files.open_json_lines(paths, location, columns)
    return _TYPED[suffix](paths, location)


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
