"""Tables on Spark: those of a session's catalogue, and files that its cluster reads."""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import ibis

from epsilometer.errors import BadTable, UnreadableFile
from epsilometer.tables.engine import fresh_name, named
from epsilometer.tables.engine_errors import first_line, is_engine_error
from epsilometer.tables.spark_csv import SEPARATORS, check_csv, read_csv
from epsilometer.tables.spark_session import SCHEME, session_at
from epsilometer.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from epsilometer.tables.spark_session import Session

SparkFrame: TypeAlias = Any  # of a package that need not be installed

_FORMATS: Final = {".parquet": "parquet", ".pq": "parquet", ".orc": "orc"} | dict.fromkeys(
    (".json", ".jsonl", ".ndjson"), "json"
)
_COMPLAINTS: Final = {
    "PATH_NOT_FOUND": "there is no such file. Check the name and the folder.",
    "CSV header does not conform": "the first lines of the files differ, or name a column twice.",
    "following quoted value": "a quoted value goes on after its last quote. Double the quotes within it.",
    "MALFORMED_RECORD": "a row of it has too few or too many fields, or does not end. Correct the file and try again.",
    "is not a Parquet file": "it is not a Parquet file, though its name says so.",
}
_PASSWORD: Final = re.compile(r"://[^/@]*:[^/@]*@")


def is_on_spark(location: str) -> bool:
    """Whether a location is that of a Spark session."""
    return location.startswith(SCHEME)


def open_on_spark(location: str, part: str, missing: tuple[str, ...], columns: Sequence[str] | None) -> Table:
    """Open a table of the catalogue, or files by the end of their name, to be counted by the cluster.

    Args:
        location: which session; see :func:`epsilometer.tables.spark_session.session_at`.
        part: name of the table, or path, glob or URL of files.
        missing: words that mark a missing value.
        columns: what JSON objects are asked for; the keys of all of them if nobody says.
    """
    if not part:
        raise BadTable("Say which table or file Spark is to read, as in spark://::people or spark://::/x.parquet.")
    if _PASSWORD.search(part):
        raise BadTable("A password stands in the name of a file. Leave it to the settings of the cluster.")
    suffix = _suffix(part)
    name = f"{location}::{part}"
    if suffix in SEPARATORS or suffix in _FORMATS:
        return _open_files(session_at(location), part, name, missing, columns)
    if "/" in part:
        known = ", ".join([*SEPARATORS, *_FORMATS])
        raise UnreadableFile(f"{part}: the kind of file is told by the end of its name, one of {known}.")
    return open_spark_frame(_catalogued(session_at(location), part), name)


def open_spark_frame(frame: SparkFrame, name: str, check: Callable[[], None] | None = None) -> Table:
    """Open a data frame in its own session."""
    engine = ibis.pyspark.connect(frame.sparkSession)
    view = fresh_name("rows")
    frame.createOrReplaceTempView(view)
    return Table(named(engine, view), name, check=check)


def _open_files(
    session: Session, path: str, name: str, missing: tuple[str, ...], columns: Sequence[str] | None
) -> Table:
    suffix = _suffix(path)
    with _complaints_in_words(path):
        if suffix in SEPARATORS:
            rows = read_csv(session, path, SEPARATORS[suffix], missing)
            return open_spark_frame(rows, name, partial(_check_csv, session, path, rows))
        reader = session.read.format(_FORMATS[suffix]).option("mode", "FAILFAST")
        if _FORMATS[suffix] == "json":
            found = reader.load(path).columns if columns is None else columns
            reader = reader.schema(", ".join(f"`{column.replace('`', '``')}` STRING" for column in found))
        return open_spark_frame(reader.load(path), name)


def _check_csv(session: Session, path: str, rows: SparkFrame) -> None:
    """Look through the file once, so that what is wrong with it is said in words."""
    with _complaints_in_words(path):
        check_csv(session, path, rows)


@contextmanager
def _complaints_in_words(path: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if not is_engine_error(error):
            raise
        said = next((words for sign, words in _COMPLAINTS.items() if sign in str(error)), f"{first_line(error)}.")
        raise UnreadableFile(f"{path} cannot be read by Spark: {said}") from None


def _suffix(path: str) -> str:
    return PurePosixPath(path.lower().removesuffix(".gz")).suffix


def _catalogued(session: Session, table: str) -> SparkFrame:
    from pyspark.errors import AnalysisException

    try:
        return session.table(table)
    except AnalysisException:
        names = ", ".join(sorted(found.name for found in session.catalog.listTables()))
        raise BadTable(
            f"Spark's catalogue has no table {table!r}; its current database has {names or 'none'}."
        ) from None
