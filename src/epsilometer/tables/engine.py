"""The few things asked of an engine directly: connect, name a query, keep a result, fetch a small one."""

from __future__ import annotations

import glob
import tempfile
import uuid
import warnings
import weakref
from contextlib import contextmanager, suppress
from datetime import date, datetime
from functools import partial
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import ibis

from epsilometer.tables.engine_errors import is_engine_error
from epsilometer.tables.memory import memory_allowed
from epsilometer.tables.scan_progress import told_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    import pyarrow as pa
    from ibis.expr.types import Table as Expression


Engine: TypeAlias = Any  # an Ibis backend; what they have in common by type is less than what is used here
_BUSY: weakref.WeakKeyDictionary[Engine, RLock] = weakref.WeakKeyDictionary()
A_QUARTER = "25%"  # of the memory of this computer, or of what a container leaves of it
READ_AHEAD = "16MB"  # that the engine goes on by itself while what it has found is worked on
# An extension is code; the engine would fetch it from the network as soon as a query names a type of it.
NO_EXTENSIONS = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}


def embedded_engine(*files: Path) -> Engine:
    """Return a fresh in-memory engine for these files; what it spills to disk, nobody else can read."""
    engine = bounded_engine()
    confine(engine, *files)
    return engine


def bounded_engine(database: str | Path = ":memory:", **settings: object) -> Engine:
    """Return a DuckDB engine that takes no more memory than is allowed, and tells how far it is."""
    allowed = memory_allowed()
    limit = A_QUARTER if allowed is None else f"{allowed}B"
    engine = ibis.duckdb.connect(database, memory_limit=limit, **NO_EXTENSIONS, **settings)
    folder = tempfile.TemporaryDirectory(prefix="epsilometer-")
    weakref.finalize(engine, folder.cleanup)
    engine.raw_sql(f"SET temp_directory = {text_literal(folder.name)}")
    engine.raw_sql(f"SET streaming_buffer_size = '{READ_AHEAD}'")
    _let_tell(engine)
    return engine


def _let_tell(engine: Engine) -> None:
    """Let an engine know how far it is; in a notebook it may lack a package to show it, though it is not to."""
    import duckdb

    with suppress(duckdb.InvalidInputException):
        engine.raw_sql("SET enable_progress_bar = true")
        engine.raw_sql("SET enable_progress_bar_print = false")


def confine(engine: Engine, *files: Path) -> None:
    """Let a DuckDB engine open these files and no others from now on, whatever SQL may reach it."""
    allowed = ", ".join(text for file in files for text in (text_literal(str(file)), path_literal(file)))
    engine.raw_sql(f"SET allowed_paths = [{allowed}]")
    engine.raw_sql("SET enable_external_access = false")
    engine.raw_sql("SET lock_configuration = true")


def text_literal(text: str) -> str:
    """Return a text as SQL."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Return a name of a column as SQL."""
    return '"' + name.replace('"', '""') + '"'


def path_literal(path: Path) -> str:
    """Return the path of a file as SQL, so that the engine takes no part of it for a pattern."""
    return text_literal(glob.escape(str(path)))


def one_at_a_time(engine: Engine) -> RLock:
    """Return the lock of an engine: a connection serves one thread at a time, and refuses the others."""
    return _BUSY.setdefault(engine, RLock())


def fresh_name(purpose: str) -> str:
    """Return a name that no table in any engine has yet."""
    return f"epsilometer_{purpose}_{uuid.uuid4().hex[:12]}"


def named(engine: Engine, name: str) -> Expression:
    """Return a table or view of the engine as an expression."""
    with _older_fetch_allowed():
        return engine.table(name)


def view(engine: Engine, query: str) -> Expression:
    """Give a query a name in the engine, and return it as an expression; nothing is computed."""
    name = fresh_name("view")
    engine.raw_sql(f"CREATE TEMPORARY VIEW {name} AS {query}")
    # SQLite alone looks for a name only where it is told to.
    return engine.table(name, database="temp") if engine.name == "sqlite" else named(engine, name)


def keep(expression: Expression) -> Expression:
    """Compute ``expression`` once inside its engine and return the stored result.

    The stored table is dropped when the last expression over it is.
    """
    engine: Engine = expression.get_backend()
    with one_at_a_time(engine):
        return _kept(engine, expression)


def _kept(engine: Engine, expression: Expression) -> Expression:
    name = fresh_name("kept")
    if engine.name == "pyspark":  # has no temporary tables; a cached view is its way of keeping a result
        engine.raw_sql(f"CACHE TABLE {name} AS {engine.compile(expression)}")
        stored, dropping = engine.table(name), f"DROP VIEW IF EXISTS {name}"
        needed = expression  # a view still looks for the views it was made of
    else:
        with _older_fetch_allowed(), told_of(engine):
            stored = engine.create_table(name, expression, temp=True)
        dropping, needed = f"DROP TABLE IF EXISTS {name}", None
    _when_dropped(stored, engine, partial(engine.raw_sql, dropping), needed)
    return stored


def in_view(engine: Engine, rows: pa.Table) -> Expression:
    """Let a DuckDB engine see rows in memory as a table, without copying them.

    They are let go when the last expression over them is.
    """
    name = fresh_name("rows")
    engine.con.register(name, rows)
    seen = named(engine, name)
    _when_dropped(seen, engine, partial(engine.con.unregister, name))
    return seen


def _when_dropped(stored: Expression, engine: Engine, let_go: Callable[[], object], *needed: Expression | None) -> None:
    drop = weakref.finalize(stored.op(), _drop, engine, let_go, *needed)
    drop.atexit = False  # when the program ends, engines clean up after themselves


def fetch(expression: Expression) -> pa.Table:
    """Bring a small result to Python as an Arrow table, without a detour through pandas."""
    engine: Engine = expression.get_backend()
    with one_at_a_time(engine):
        return _fetched(engine, expression)


def _fetched(engine: Engine, expression: Expression) -> pa.Table:
    import pyarrow as pa

    if engine.name == "duckdb":
        return engine.con.sql(engine.compile(expression)).to_arrow_table()
    if engine.name == "pyspark":
        return engine.raw_sql(engine.compile(expression)).toArrow()
    if engine.name == "sqlite":
        rows = engine.con.execute(engine.compile(expression)).fetchall()
        columns = zip(*rows, strict=True) if rows else ((),) * len(expression.columns)
        kinds = expression.schema().to_pyarrow().types
        typed = [_typed(column, kind) for column, kind in zip(columns, kinds, strict=True)]
        return pa.Table.from_arrays(typed, list(expression.columns))
    return pa.Table.from_batches(expression.to_pyarrow_batches(), expression.schema().to_pyarrow())


def _typed(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Return what SQLite holds as values of a type, which it may have none of; as what they are if they do not fit."""
    import pyarrow as pa

    convert = _FROM_SQLITE.get(str(kind).partition("[")[0])
    try:
        read = [None if value is None else convert(value) for value in values] if convert else values
        return pa.array(read, kind)
    except (pa.ArrowException, TypeError, ValueError):
        return pa.array(values)


_FROM_SQLITE: Final[Mapping[str, Callable[[Any], object]]] = {
    "bool": bool,
    "date32": date.fromisoformat,
    "timestamp": datetime.fromisoformat,
}


def _drop(engine: Engine, let_go: Callable[[], object], *_needed: Expression | None) -> None:
    try:
        with one_at_a_time(engine):
            let_go()
    except Exception as error:
        if not is_engine_error(error):  # an engine that was shut down has dropped the table by itself
            raise


@contextmanager
def _older_fetch_allowed() -> Iterator[None]:
    """Let Ibis ask DuckDB for schemas by a method that newer DuckDB versions discourage."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "fetch_arrow_table", DeprecationWarning)
        yield
