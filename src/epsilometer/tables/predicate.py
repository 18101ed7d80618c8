"""The row filter: one condition on the columns, checked before any engine sees it."""

from __future__ import annotations

import logging
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from epsilometer.errors import BadPredicate, UnknownColumn
from epsilometer.tables.engine import fresh_name, view
from epsilometer.tables.engine_errors import first_line, is_engine_error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ibis.expr.types import Table as Expression
    from sqlglot import Expr

    from epsilometer.tables.engine import Engine

_ONLY_A_CONDITION = {"expressions", "where"}  # the parts of SELECT 1 WHERE condition


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
    from sqlglot import exp

    hint = _quoting_hint(where, columns, engine.dialect)
    with _silent_parser():
        condition = _parsed(where, columns, engine.dialect)
    if not isinstance(condition, exp.Condition) or isinstance(condition, exp.Query | exp.Literal):
        raise BadPredicate(f"The filter {where!r} is not one SQL condition, such as: age >= 18 and sex = 'F'.{hint}")
    for forbidden in condition.find_all(exp.Query, exp.Table, exp.Anonymous, exp.AggFunc, exp.Window):
        raise BadPredicate(
            f"The filter {where!r} holds {forbidden.sql()!r}; a filter compares columns and values, with "
            "functions of standard SQL, and reads nothing else."
        )
    folded = {column.casefold() for column in columns}
    for column in condition.find_all(exp.Column):
        if column.name.casefold() not in folded:
            if hint:
                raise BadPredicate(f"The filter {where!r} names {column.name!r}, which is no column.{hint}")
            raise UnknownColumn(column.name, columns)
    return f"({condition.sql(dialect=engine.dialect, comments=False)})"


def _parsed(where: str, columns: tuple[str, ...], dialect: str) -> Expr | None:
    """Parse the text where only a condition can stand; None if anything else is there."""
    from sqlglot import Dialect, TokenType, errors, exp

    sql = Dialect.get_or_raise(dialect)
    query = f"SELECT 1 WHERE {where}"
    names = {column.casefold(): column for column in columns}
    try:
        tokens = sql.tokenize(query)
        for token in tokens:
            # A column may be called Alter or Update: no statement begins inside a condition.
            if token.token_type in sql.parser_class.STATEMENT_PARSERS and token.text.casefold() in names:
                token.token_type, token.text = TokenType.IDENTIFIER, names[token.text.casefold()]
        (select,) = sql.parser().parse(tokens, query)
    except (errors.SqlglotError, ValueError):
        return None
    if not isinstance(select, exp.Select) or {name for name, part in select.args.items() if part} != _ONLY_A_CONDITION:
        return None
    condition: Expr = select.args["where"].this
    return condition


def _quoting_hint(where: str, columns: tuple[str, ...], dialect: str) -> str:
    """Say how to write a column of the filter whose name is not a plain word."""
    from sqlglot import exp

    for column in columns:
        quoted = exp.to_identifier(column, quoted=True).sql(dialect=dialect)
        is_named = column.casefold() in where.casefold() and quoted.casefold() not in where.casefold()
        if is_named and not re.fullmatch(r"[^\W\d]\w*", column):
            return f" Put the column name in quotes: {quoted}."
    return ""


@contextmanager
def _silent_parser() -> Iterator[None]:
    """Keep the parser from writing to the screen what the error will say."""
    log = logging.getLogger("sqlglot")
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before
