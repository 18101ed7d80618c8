"""One scan of a table."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, TypeVar

from epsilometer.errors import BadFilter
from epsilometer.tables.engine import keep
from epsilometer.tables.engine_errors import explained, is_engine_error
from epsilometer.tables.filter import filtered
from epsilometer.tables.time_limit import interrupted_in_time, seconds_allowed, was_interrupted

if TYPE_CHECKING:
    from collections.abc import Callable

    from ibis.expr.types import Table as Expression

    from epsilometer.tables.table import Table

Found = TypeVar("Found")


def scan(table: Table, where: str | None, compute: Callable[[Expression], Expression]) -> tuple[Table, Expression]:
    """Compute something of the rows that pass the filter and keep it; return it with the table as it was read."""
    return scan_for(table, where, lambda rows: keep(compute(rows)))


def scan_for(table: Table, where: str | None, work: Callable[[Expression], Found]) -> tuple[Table, Found]:
    """Do some work on the rows that pass the filter; return what came out with the table as it was read."""
    try:
        if table.check is not None:
            table.check()
        with nullcontext() if where is None else interrupted_in_time(table.expression.get_backend()):
            return table, work(filtered(table.expression, where))
    except Exception as error:
        if not is_engine_error(error):
            raise
        if was_interrupted(error):
            took = f"{seconds_allowed():.3g} seconds"
            raise BadFilter(f"The filter was still running after {took}, and was ended. Write a simpler one.") from None
        raise explained(table.name, error) from error
