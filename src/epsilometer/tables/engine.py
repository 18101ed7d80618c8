"""The few things asked of an engine directly: connect, name a query, keep a result, fetch a small one."""

from __future__ import annotations

import tempfile
import uuid
import warnings
import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import ibis

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from ibis.expr.types import Table as Expression


_MEMORY = "1500MB"  # beyond this the engine spills to disk, which costs it little


def embedded_engine() -> Any:
    """Return a fresh in-memory engine that may spill to the system's temporary directory."""
    return ibis.duckdb.connect(temp_directory=tempfile.gettempdir(), memory_limit=_MEMORY)


def fresh_name(purpose: str) -> str:
    """Return a name that no table in any engine has yet."""
    return f"epsilometer_{purpose}_{uuid.uuid4().hex[:12]}"


def named(engine: Any, name: str) -> Expression:
    """Return a table or view of the engine as an expression."""
    with _older_fetch_allowed():
        return engine.table(name)


def view(engine: Any, query: str) -> Expression:
    """Give a query a name in the engine, and return it as an expression; nothing is computed."""
    name = fresh_name("view")
    engine.raw_sql(f"CREATE TEMPORARY VIEW {name} AS {query}")
    # SQLite alone looks for a name only where it is told to.
    return engine.table(name, database="temp") if engine.name == "sqlite" else named(engine, name)


def keep(expression: Expression) -> Expression:
    """Compute ``expression`` once inside its engine and return the stored result.

    The stored table is dropped when the last expression over it is.
    """
    engine: Any = expression.get_backend()
    name = fresh_name("kept")
    if engine.name == "pyspark":  # has no temporary tables; a cached view is its way of keeping a result
        engine.raw_sql(f"CACHE TABLE {name} AS {engine.compile(expression)}")
        stored = engine.table(name)
        dropping = f"UNCACHE TABLE IF EXISTS {name}"
    else:
        with _older_fetch_allowed():
            stored = engine.create_table(name, expression, temp=True)
        dropping = f"DROP TABLE IF EXISTS {name}"
    drop = weakref.finalize(stored.op(), engine.raw_sql, dropping)
    drop.atexit = False  # when the program ends, engines clean up after themselves
    return stored


def fetch(expression: Expression) -> pa.Table:
    """Bring a small result to Python as an Arrow table, without a detour through pandas."""
    import pyarrow as pa

    engine: Any = expression.get_backend()
    if engine.name == "duckdb":
        return engine.con.sql(engine.compile(expression)).to_arrow_table()
    if engine.name == "pyspark":
        return expression.to_pyarrow()
    if engine.name == "sqlite":
        rows = engine.con.execute(engine.compile(expression)).fetchall()
        columns = zip(*rows, strict=True) if rows else ([] for _ in expression.columns)
        return pa.Table.from_arrays([pa.array(column) for column in columns], list(expression.columns))
    return pa.Table.from_batches(expression.to_pyarrow_batches(), expression.schema().to_pyarrow())


@contextmanager
def _older_fetch_allowed() -> Iterator[None]:
    """Let Ibis ask DuckDB for schemas by a method that newer DuckDB versions discourage."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "fetch_arrow_table", DeprecationWarning)
        yield
