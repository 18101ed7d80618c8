"""CSV and TSV files, read strictly: every row has every field, and no value changes on the way in.

A type sniffed from the first rows is a guess, and a wrong guess rounds 1.5 to 2 or drops the zeros of 007
without a word. So fields are read as text; a column whose sample holds only numbers is read as numbers, each
value is checked as it passes, and the first one that would change makes the column be read as text instead.
"""

from __future__ import annotations

import csv
import gzip
import re
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from epsilometer.errors import BadTable, UnreadableFile
from epsilometer.tables.engine import embedded_engine, fresh_name, path_literal, text_literal, view
from epsilometer.tables.frames import unique_names
from epsilometer.tables.plain_numbers import PLAIN_NUMBER
from epsilometer.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_SAMPLE_ROWS = 20_000
_LONGEST_HEADER = 2**20
MOST_COLUMNS = 5_000
_DELIMITERS = (",", ";", "\t", "|")


class _Type(IntEnum):
    """How a column is read, narrowest first."""

    INTEGER = 0
    NUMBER = 1
    TEXT = 2


@dataclass(frozen=True, slots=True)
class _Delimited:
    """One or more files with the same header, and how each column is read."""

    engine: Any
    name: str
    scan: str
    columns: tuple[str, ...]
    missing: tuple[str, ...]
    types: tuple[_Type, ...] = ()
    notes: tuple[str, ...] = ()
    complaint: str = field(default_factory=lambda: fresh_name("complaint"))  # no value of the files can say this

    def fields(self) -> str:
        """SQL of the fields as text, blanks and marks of a missing value turned into NULL."""
        marks = ", ".join(text_literal(mark) for mark in ("", *self.missing))
        cleaned = (
            f"CASE WHEN trim({c}) IN ({marks}) THEN NULL ELSE {c} END AS {c}" for c in map(_identifier, self.columns)
        )
        return f"(SELECT {', '.join(cleaned)} FROM {self.scan})"  # noqa: S608  names and texts are quoted

    def sampled(self) -> _Delimited:
        """The same files with each column typed by its first rows."""
        tests = ", ".join(f"bool_and({_fits(c, kind)})" for c in self.columns for kind in _Type)
        sample = f"(SELECT * FROM {self.fields()} LIMIT {_SAMPLE_ROWS})"  # noqa: S608
        verdicts = self.engine.con.execute(f"SELECT {tests} FROM {sample}").fetchone()  # noqa: S608
        types = (
            # Without a value in the sample (None) the narrowest type is tried, and widened when it fails.
            next(kind for kind in _Type if verdicts[len(_Type) * i + kind] is not False)
            for i in range(len(self.columns))
        )
        return replace(self, types=tuple(types))

    def table(self) -> Table:
        """The files as a table of checked values."""
        values = ", ".join(map(self._checked, range(len(self.columns))))
        rows = view(self.engine, f"SELECT {values} FROM {self.fields()}")  # noqa: S608
        return Table(rows, self.name, self.notes, self.widened, parsed=True)

    def widened(self, complaint: Exception) -> Table:
        """The same files with one column read as a wider type, as the engine's complaint asks."""
        found = re.search(rf"{self.complaint} (\d+) (.*)", str(complaint))
        if found is None:
            raise complaint
        i = int(found.group(1))
        wider = _Type(self.types[i] + 1)
        note = f"Column {self.columns[i]!r} is read as text: {found.group(2)} is not a plain number."
        return replace(
            self,
            types=(*self.types[:i], wider, *self.types[i + 1 :]),
            notes=(*self.notes, note) if wider is _Type.TEXT else self.notes,
        ).table()

    def _checked(self, i: int) -> str:
        """SQL of a column's values, which makes the engine complain of one that its type would change."""
        name, kind = _identifier(self.columns[i]), self.types[i]
        if kind is _Type.TEXT:
            return name
        sql_type = "BIGINT" if kind is _Type.INTEGER else "DOUBLE"
        return (
            f"CASE WHEN {name} IS NULL THEN NULL WHEN {_fits(self.columns[i], kind)} "
            f"THEN CAST({name} AS {sql_type}) ELSE error('{self.complaint} {i} ' || {name}) END AS {name}"
        )


def open_delimited(paths: Sequence[Path], name: str, missing: tuple[str, ...]) -> Table:
    """Open CSV or TSV files, plain or gzipped, that share one header."""
    headers = {path: _header(path) for path in paths}
    delimiter, columns = headers[paths[0]]
    for path, header in headers.items():
        if header != (delimiter, columns):
            raise UnreadableFile(f"{path} has another header than {paths[0]}; files read together must agree.")
    files = ", ".join(map(path_literal, paths))
    fields = ", ".join(f"{text_literal(column)}: 'VARCHAR'" for column in columns)
    scan = (
        f"read_csv([{files}], columns = {{{fields}}}, auto_detect = false, header = true, skip = 0, "
        f"delim = {text_literal(delimiter)}, quote = '\"', escape = '\"', comment = '', "
        "strict_mode = true, null_padding = false, ignore_errors = false)"
    )
    return _Delimited(embedded_engine(*paths), name, scan, columns, missing).sampled().table()


def _header(path: Path) -> tuple[str, tuple[str, ...]]:
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rb") as file:
            first = (file.readline(_LONGEST_HEADER).splitlines() or [b""])[0].decode("utf-8-sig")
        delimiter = _delimiter(path, first)
        names = next(csv.reader([first], delimiter=delimiter, strict=True), [])
    except (UnicodeDecodeError, csv.Error, EOFError, gzip.BadGzipFile):
        raise UnreadableFile(f"{path} does not begin with a line of UTF-8 text. Save it as CSV in UTF-8.") from None
    if not any(name.strip() for name in names):
        raise UnreadableFile(f"{path} has no header line. Its first line must name the columns.")
    columns = tuple(name.strip() or f"column{i}" for i, name in enumerate(names, start=1))
    if len(columns) > MOST_COLUMNS:
        raise BadTable(
            f"{path} has {len(columns):,} columns; at most {MOST_COLUMNS:,} can be read. Save only those that matter."
        )
    return delimiter, unique_names(str(path), columns)


def _delimiter(path: Path, header: str) -> str:
    if ".tsv" in path.suffixes or ".tab" in path.suffixes:
        return "\t"
    unquoted = re.sub(r'"[^"]*"', "", header)
    return max(_DELIMITERS, key=unquoted.count)


def _fits(column: str, kind: _Type) -> str:
    text = f"trim({_identifier(column)})"
    return {
        _Type.INTEGER: f"(CASE WHEN {text} IS NOT NULL THEN CAST(try_cast({text} AS BIGINT) AS VARCHAR) "
        f"IS NOT DISTINCT FROM {text} END)",
        _Type.NUMBER: f"(CASE WHEN {text} IS NOT NULL THEN try_cast({text} AS DOUBLE) IS NOT NULL "
        f"AND regexp_full_match({text}, '{PLAIN_NUMBER}') END)",
        _Type.TEXT: "true",
    }[kind]


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
