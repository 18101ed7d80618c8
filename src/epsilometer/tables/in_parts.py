"""Work on a table part by part, where its rows are: on the workers of a cluster, or streamed out of another engine."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from functools import reduce
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import pyarrow as pa

from epsilometer.tables.engine import Engine, fetch, one_at_a_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ibis.expr.types import Table as Expression

    from epsilometer.tables.table import Table
    from epsilometer.vocabulary.arrays import FloatArray

Work: TypeAlias = Callable[[pa.Table], pa.Table]
Search: TypeAlias = Callable[[pa.Table], "FloatArray"]

ROWS_AT_ONCE: Final = 2**17  # of a part; the last one of a partition has fewer
_NUMBERED: Final = pa.schema({"place": pa.int64(), "number": pa.float64()})


def on_a_cluster(*tables: Table) -> bool:
    """Whether the rows of one of the tables are on a cluster, where they had better stay."""
    return any(_is_cluster(table.expression.get_backend()) for table in tables)


def mapped(rows: Expression, work: Work, schema: pa.Schema) -> pa.Table:
    """Return what ``work`` makes of each part of the rows, in no order, as a table of this schema.

    On a cluster the parts stay where they are, and only what is made of them comes here. ``work`` is sent to each
    worker once, with all that it holds: it can be pickled, the workers can import its class, and what it remembers is
    there for the worker's next part. The result is computed in one job that moves no row after the work is done, so
    that each part is delivered once: what a worker made that failed, or was too slow, is thrown away unseen.

    >>> from epsilometer.tables.opening import open_table
    >>> ages = open_table(pa.table({"age": [20, 30, 40]})).expression
    >>> mapped(ages, lambda part: part.slice(0, 1), pa.schema({"age": pa.int64()})).to_pylist()
    [{'age': 20}]
    """
    engine: Engine = rows.get_backend()
    with one_at_a_time(engine):
        if not _is_cluster(engine):
            made = (work(part).cast(schema) for part in _streamed(engine, rows))
            return pa.concat_tables([schema.empty_table(), *made])
        with _on_workers(engine, rows, work, iter, schema) as frame:
            return frame.toArrow().cast(schema)


def least(rows: Expression, search: Search) -> FloatArray:
    """Return the smallest of the numbers that ``search`` finds in the parts, place by place; else as :func:`mapped`.

    >>> from epsilometer.tables.opening import open_table
    >>> ages = open_table(pa.table({"age": [20, 30, 40]})).expression
    >>> least(ages, lambda part: np.abs(np.asarray(part["age"]) - [[22], [31]]).min(axis=1))
    array([2, 1])
    """
    engine: Engine = rows.get_backend()
    with one_at_a_time(engine):
        if not _is_cluster(engine):
            return reduce(np.minimum, map(search, _streamed(engine, rows)))
        with _on_workers(engine, rows, search, _least_of_a_partition, _NUMBERED) as frame:
            found = frame.groupBy("place").min("number").toArrow().sort_by("place")
    return np.asarray(found.column(1).to_numpy(), dtype=np.float64)


def _is_cluster(engine: Engine) -> bool:
    return bool(engine.name == "pyspark")


@contextmanager
def _on_workers(
    engine: Engine,
    rows: Expression,
    work: Callable[[pa.Table], Any],
    tables_of: Callable[[Iterator[Any]], Iterable[pa.Table]],
    schema: pa.Schema,
) -> Iterator[Any]:
    """Give the Spark frame that applies ``work`` to the parts, and ``tables_of`` to what it makes of a partition."""
    from pyspark.sql.pandas.types import from_arrow_schema

    frame = engine.raw_sql(engine.compile(rows))
    sent = frame.sparkSession.sparkContext.broadcast(work)

    def worked(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for made in tables_of(map(sent.value, _joined(batches))):
            yield from made.to_batches()

    try:
        yield frame.mapInArrow(worked, from_arrow_schema(schema))
    finally:
        sent.destroy()


def _least_of_a_partition(found: Iterator[FloatArray]) -> Iterator[pa.Table]:
    for numbers in found:  # none if the partition is empty
        smallest = reduce(np.minimum, found, numbers)
        yield pa.table([np.arange(len(smallest)), smallest], schema=_NUMBERED)


def _streamed(engine: Engine, rows: Expression) -> Iterator[pa.Table]:
    if engine.name == "duckdb":
        return _joined(engine.con.sql(engine.compile(rows)).to_arrow_reader(ROWS_AT_ONCE))
    if engine.name == "sqlite":  # a file at hand, which knows no batches
        return _joined(fetch(rows).to_batches(ROWS_AT_ONCE))
    return _joined(rows.to_pyarrow_batches(chunk_size=ROWS_AT_ONCE))


def _joined(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Join batches to parts that are worth a call; a cluster hands out some thousand rows at a time."""
    waiting: list[pa.RecordBatch] = []
    n_rows = 0
    for batch in batches:
        waiting.append(batch)
        n_rows += batch.num_rows
        if n_rows >= ROWS_AT_ONCE:
            yield pa.Table.from_batches(waiting)
            waiting, n_rows = [], 0
    if n_rows:
        yield pa.Table.from_batches(waiting)
