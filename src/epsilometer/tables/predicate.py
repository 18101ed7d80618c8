"""The row filter: one condition on the columns, checked before any engine sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.errors import BadPredicate, UnknownColumn
from epsilometer.tables.engine import fresh_name, view
from epsilometer.tables.engine_errors import first_line, is_engine_error

if TYPE_CHECKING:
    from ibis.expr.types import Table as Expression

    from epsilometer.tables.engine import Engine


def filtered(rows: Expression, where: str | None) -> Expression:
    """Keep the rows for which the condition holds."""
    if where is None:
        return rows
    engine: Engine = rows.get_backend()
    condition = checked_condition(where, tuple(rows.columns), engine)
    flag = fresh_name("passes")
    try:
        judged = view(engine, f"SELECT *, {condition} AS {flag} FROM ({engine.compile(rows)}) AS unfiltered")  # noqa: S608  the condition was checked
    except Exception as error:
        if not is_engine_error(error):
            raise
        raise impossible(where, error) from None
    kind = judged[flag].type()
    if engine.name == "sqlite":  # has no truth values: any number but zero is true
        return judged.filter(judged[flag].cast("int64") != 0).drop(flag)
    if not kind.is_boolean():
        raise BadPredicate(f"The filter {where!r} is not true or false but {kind}. Compare it with something.")
    return judged.filter(judged[flag]).drop(flag)


def impossible(where: str, error: Exception) -> BadPredicate:
    """Say that the engine cannot run the filter."""
    return BadPredicate(f"The filter {where!r} cannot be run: {first_line(error)}.")


def checked_condition(where: str, columns: tuple[str, ...], engine: Engine) -> str:
    """Return the condition as the engine writes it, if it is one condition on the table's columns."""
    import sqlglot
    from sqlglot import exp

    try:
        (condition,) = sqlglot.parse(where, dialect=engine.dialect)
    except (sqlglot.errors.SqlglotError, ValueError):
        condition = None
    if not isinstance(condition, exp.Condition) or isinstance(condition, exp.Query | exp.Literal):
        raise BadPredicate(f"The filter {where!r} is not one SQL condition, such as: age >= 18 and sex = 'F'.")
    for forbidden in condition.find_all(exp.Query, exp.Table, exp.Anonymous, exp.AggFunc, exp.Window):
        raise BadPredicate(
            f"The filter {where!r} holds {forbidden.sql()!r}; a filter compares columns and values, with "
            "functions of standard SQL, and reads nothing else."
        )
    folded = {column.casefold() for column in columns}
    for column in condition.find_all(exp.Column):
        if column.name.casefold() not in folded:
            raise UnknownColumn(column.name, columns)
    return f"({condition.sql(dialect=engine.dialect)})"
