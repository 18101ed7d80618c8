"""The row filter: one condition on the columns, checked before any engine sees it."""

from __future__ import annotations

import logging
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from epsilometer.errors import BadPredicate, EpsilometerError, UnknownColumn
from epsilometer.tables.engine import fresh_name, view
from epsilometer.tables.engine_errors import first_line, is_engine_error
from epsilometer.tables.time_limit import was_interrupted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ibis.expr.types import Table as Expression
    from sqlglot import Expr

    from epsilometer.tables.engine import Engine

_WORD_OR_NUMBER = re.compile(r"[\w.]*([eE][+-]\w+)?")
_LONGEST = 100_000  # characters, which take a second or two to be understood
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
        if not is_engine_error(error) or was_interrupted(error):
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
    if len(where) > _LONGEST:
        raise BadPredicate(f"The filter has {len(where):,} characters; at most {_LONGEST:,} can be read.")
    hint = _quoting_hint(where, columns, engine.dialect)
    with _silent_parser(), _parser_errors_in_words(where, hint):
        condition = _parsed(where, columns, engine.dialect)
        _check(condition, where, columns, hint)
        written = condition.sql(dialect=engine.dialect, comments=False)
        # The parser may write something else than it has read, and the engine runs what it writes.
        _check(_parsed(written, columns, engine.dialect), where, columns, hint)
    return f"({written})"


def _check(condition: Expr, where: str, columns: tuple[str, ...], hint: str) -> None:
    """Refuse what is not made of the table's columns, values, and functions and types of standard SQL."""
    from sqlglot import exp

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
    if odd := _odd_word(condition):
        raise BadPredicate(
            f"The filter {where!r} holds {odd!r} where only a word of standard SQL can stand, such as a type.{hint}"
        )


def _odd_word(condition: Expr) -> str:
    """Return what the parser would write as it is, without quotes, although it may be more than one word.

    So it does with types it does not know, units of time and collations, even if they came in quotes.
    """
    from sqlglot import exp

    for node in condition.walk():
        if isinstance(node, exp.DataType) and node.this == exp.DataType.Type.USERDEFINED:
            return node.sql()
        is_quoted = node.is_string if isinstance(node, exp.Literal) else node.args.get("quoted")
        for part in () if is_quoted else node.args.values():
            if isinstance(part, str) and not _WORD_OR_NUMBER.fullmatch(part):
                return part
    return ""


def _parsed(where: str, columns: tuple[str, ...], dialect: str) -> Expr:
    """Parse the text where only a condition can stand."""
    from sqlglot import Dialect, TokenType, exp

    sql = Dialect.get_or_raise(dialect)
    query = f"SELECT 1 WHERE {where}"
    names = {column.casefold(): column for column in columns}
    tokens = sql.tokenize(query)
    for token in tokens:
        # A column may be called Alter or Update: no statement begins inside a condition.
        if token.token_type in sql.parser_class.STATEMENT_PARSERS and token.text.casefold() in names:
            token.token_type, token.text = TokenType.IDENTIFIER, names[token.text.casefold()]
    (select,) = sql.parser().parse(tokens, query)
    if not isinstance(select, exp.Select) or {name for name, part in select.args.items() if part} != _ONLY_A_CONDITION:
        raise ValueError(where)
    condition: Expr = select.args["where"].this
    if not isinstance(condition, exp.Condition) or isinstance(condition, exp.Query | exp.Literal):
        raise TypeError(where)
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
def _parser_errors_in_words(where: str, hint: str) -> Iterator[None]:
    """Say what is wrong with a filter that the parser fails at."""
    from sqlglot import errors

    try:
        yield
    except EpsilometerError:
        raise
    except RecursionError:
        raise BadPredicate("The filter is nested too deeply. Write it with fewer parentheses.") from None
    # Functions with arguments that make no sense let the parser stumble in many ways.
    except (errors.SqlglotError, ValueError, TypeError, AttributeError, re.error):
        raise BadPredicate(
            f"The filter {where!r} is not one SQL condition, such as: age >= 18 and sex = 'F'.{hint}"
        ) from None


@contextmanager
def _silent_parser() -> Iterator[None]:
    """Keep the parser from writing to the screen what the error will say."""
    log = logging.getLogger("sqlglot")
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before
