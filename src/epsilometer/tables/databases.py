"""Tables in databases: files of SQLite and DuckDB, and whatever else a connection URL leads to."""

from __future__ import annotations

import re
import weakref
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import ibis
import ibis.expr.datatypes as dt
from ibis.backends.sql.datatypes import SQLiteType

from epsilometer.errors import BadTable, MissingExtra, UnreadableFile
from epsilometer.tables.engine import bounded_engine, confine, identifier, named, text_literal
from epsilometer.tables.table import Table

if TYPE_CHECKING:
    from ibis.expr.datatypes import DataType
    from ibis.expr.types import Table as Expression

    from epsilometer.tables.engine import Engine

SUFFIXES = (".db", ".sqlite", ".sqlite3", ".duckdb")
_FILE_SCHEMES = ("sqlite", "duckdb")
_EXTRAS = {"postgres": "postgres", "postgresql": "postgres"}
_FIRST_BYTES_OF_SQLITE = b"SQLite format 3\x00"


def is_database(location: str) -> bool:
    """Whether a location is a connection URL or the name of a database file."""
    return "://" in location or Path(location).suffix.lower() in SUFFIXES


def open_database(location: str, table: str) -> Table:
    """Open a table of a database, to be counted by that database's own engine."""
    name = without_password(location)
    if not table:
        raise BadTable(f"{name} is a database; say which table of it, as in {name}::people.")
    engine = _connected(location)
    weakref.finalize(engine, engine.con.close)  # whoever opens a connection closes it
    names = _table_names(engine)
    if table not in names:
        raise BadTable(f"{name} has no table {table!r}; it has {', '.join(names) or 'none'}.")
    if engine.name == "duckdb" and not _is_view(engine, table):  # a view may read other files: its owner made it so
        confine(engine)
    rows = _of_declared_types(engine, table) if engine.name == "sqlite" else named(engine, table)
    return Table(rows, f"{name}::{table}")


def _of_declared_types(engine: Engine, table: str) -> Expression:
    """Read a SQLite table so that its columns hold what they are declared to hold; a column without a type is text.

    SQLite keeps whatever it is given, and Ibis looks at the rows where nothing is declared: one row could change how
    others are read. Here a value that is none of the column's type is missing, as in every other source, and what is no
    text in UTF-8 has its broken characters replaced.
    """
    engine.con.text_factory = partial(str, encoding="utf-8", errors="replace")
    declared = engine.con.execute(f"SELECT name, type FROM pragma_table_info({text_literal(table)})").fetchall()  # noqa: S608
    held = {name: _plain(SQLiteType.from_string(kind)) if kind else dt.string for name, kind in declared}
    fields = ", ".join(f"{_held(identifier(name), kind)} AS {identifier(name)}" for name, kind in held.items())
    return engine.sql(f"SELECT {fields} FROM {identifier(table)}", schema=held)  # noqa: S608  names are quoted


def _plain(kind: DataType) -> DataType:
    """Return the kind of values that SQLite keeps for a declared type: whole numbers, other numbers, or text."""
    if kind.is_integer() or kind.is_boolean():
        return kind
    return dt.float64 if kind.is_numeric() else dt.string


def _held(column: str, kind: DataType) -> str:
    """SQL of what a column of this type holds."""
    if kind.is_integer() or kind.is_boolean():
        return f"CASE typeof({column}) WHEN 'integer' THEN {column} END"
    if kind.is_numeric():
        return f"CASE WHEN typeof({column}) IN ('integer', 'real') THEN CAST({column} AS REAL) END"
    return f"CASE WHEN typeof({column}) <> 'blob' THEN CAST({column} AS TEXT) END"


def without_password(location: str) -> str:
    """Return a location as it may be shown.

    >>> without_password("postgres://ann:secret@host/db?password=secret")
    'postgres://ann@host/db'
    """
    if "://" not in location:
        return location
    return re.sub(r"(://[^:/@]*):.*@", r"\1@", location).partition("?")[0]


def _connected(location: str) -> Engine:
    scheme, is_url, rest = location.partition("://")
    if not is_url:
        return _connected_file(Path(location))
    if scheme in _FILE_SCHEMES:
        path = Path(rest.removeprefix("/"))  # sqlite:///x.db is x.db in this folder for some, /x.db for others
        return _connected_file(path if path.exists() else Path("/") / path)
    try:
        return ibis.connect(location)
    except ImportError:
        raise MissingExtra(f"Reading {scheme}:// tables", _EXTRAS.get(scheme, scheme)) from None
    except ValueError as error:
        raise BadTable(f"{scheme}:// is not a database that can be connected to ({error}).") from None


def _connected_file(path: Path) -> Engine:
    if not path.is_file():
        raise UnreadableFile(f"There is no file {path}. Check the name and the folder.")
    with path.open("rb") as file:
        is_sqlite = file.read(len(_FIRST_BYTES_OF_SQLITE)) == _FIRST_BYTES_OF_SQLITE
    if is_sqlite:
        return ibis.sqlite.connect(path)
    import duckdb

    try:
        return bounded_engine(path, read_only=True)
    except duckdb.Error:
        raise UnreadableFile(f"{path} is neither a SQLite nor a DuckDB database.") from None


def _table_names(engine: Engine) -> list[str]:
    if engine.name == "duckdb":
        query = "SELECT table_name FROM information_schema.tables ORDER BY table_name"
        return [name for (name,) in engine.con.sql(query).fetchall()]
    return sorted(engine.list_tables())


def _is_view(engine: Engine, table: str) -> bool:
    query = "SELECT 1 FROM information_schema.tables WHERE table_type = 'VIEW' AND table_name = ?"
    return bool(engine.con.execute(query, [table]).fetchall())
