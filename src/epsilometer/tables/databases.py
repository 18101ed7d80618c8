"""Tables in databases: files of SQLite and DuckDB, and whatever else a connection URL leads to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ibis

from epsilometer.errors import BadTable, MissingExtra, UnreadableFile
from epsilometer.tables.engine import named
from epsilometer.tables.table import Table

SUFFIXES = (".db", ".sqlite", ".sqlite3", ".duckdb")
_FILE_SCHEMES = ("sqlite", "duckdb")
_EXTRAS = {"postgres": "postgres", "postgresql": "postgres"}
_FIRST_BYTES_OF_SQLITE = b"SQLite format 3\x00"


def is_database(location: str) -> bool:
    """Whether a location is a connection URL or the name of a database file."""
    return "://" in location or Path(location).suffix.lower() in SUFFIXES


def open_database(location: str, table: str) -> Table:
    """Open a table of a database, to be counted by that database's own engine."""
    if not table:
        raise BadTable(f"{location} is a database; say which table of it, as in {location}::people.")
    engine = _connected(location)
    names = _table_names(engine)
    if table not in names:
        raise BadTable(f"{location} has no table {table!r}; it has {', '.join(names) or 'none'}.")
    return Table(named(engine, table), f"{location}::{table}")


def _connected(location: str) -> Any:
    scheme, is_url, rest = location.partition("://")
    if not is_url:
        return _connected_file(Path(location))
    if scheme in _FILE_SCHEMES:
        relative = Path(rest.removeprefix("/"))  # sqlite:///x.db is x.db in this folder, sqlite:////x.db is /x.db
        return _connected_file(relative)
    try:
        return ibis.connect(location)
    except ImportError:
        raise MissingExtra(f"Reading {scheme}:// tables", _EXTRAS.get(scheme, scheme)) from None
    except ValueError as error:
        raise BadTable(f"{scheme}:// is not a database that can be connected to ({error}).") from None


def _connected_file(path: Path) -> Any:
    if not path.is_file():
        raise UnreadableFile(f"There is no file {path}. Check the name and the folder.")
    with path.open("rb") as file:
        is_sqlite = file.read(len(_FIRST_BYTES_OF_SQLITE)) == _FIRST_BYTES_OF_SQLITE
    if is_sqlite:
        return ibis.sqlite.connect(path)
    try:
        return ibis.duckdb.connect(path, read_only=True)
    except Exception as error:
        raise UnreadableFile(f"{path} is neither a SQLite nor a DuckDB database.") from error


def _table_names(engine: Any) -> list[str]:
    if engine.name == "duckdb":
        query = "SELECT table_name FROM information_schema.tables ORDER BY table_name"
        return [name for (name,) in engine.con.sql(query).fetchall()]
    return sorted(engine.list_tables())
