"""CSV and TSV files, read strictly: every row has every field, and every field is text.

A type sniffed from rows is a guess: a wrong one rounds 1.5 to 2 or drops the zeros of 007, and one row more can change
how all others are read. Types are declared; see :mod:`epsilometer.tables.types`.
"""

from __future__ import annotations

import csv
import gzip
import re
import zlib
from typing import TYPE_CHECKING

from epsilometer.errors import BadTable, UnreadableFile
from epsilometer.tables.engine import embedded_engine, identifier, path_literal, text_literal, view
from epsilometer.tables.frames import unique_names
from epsilometer.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_LONGEST_HEADER = 2**20
MOST_COLUMNS = 5_000
_DELIMITERS = (",", ";", "\t", "|")


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
    marks = ", ".join(text_literal(mark) for mark in ("", *missing))
    cleaned = (f"CASE WHEN trim({c}) IN ({marks}) THEN NULL ELSE {c} END AS {c}" for c in map(identifier, columns))
    rows = view(embedded_engine(*paths), f"SELECT {', '.join(cleaned)} FROM {scan}")  # noqa: S608  all is quoted
    return Table(rows, name, parsed=True)


def _header(path: Path) -> tuple[str, tuple[str, ...]]:
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rb") as file:
            first = (file.readline(_LONGEST_HEADER).splitlines() or [b""])[0].decode("utf-8-sig")
        delimiter = _delimiter(path, first)
        names = next(csv.reader([first], delimiter=delimiter, strict=True), [])
    except (UnicodeDecodeError, csv.Error, EOFError, gzip.BadGzipFile, zlib.error):
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
