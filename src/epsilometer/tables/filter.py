"""The row filter: a small language of conditions that say yes or no to each row by itself, and cannot fail.

The text is parsed as SQL, held against a list of what is allowed, and built anew as an expression of the table's
engine. So nothing reaches an engine that was not written here, it means the same on all of them, and no row can become
two: a filter only keeps rows or leaves them out.

=====================  ==============================================================================================
comparisons            ``= <> < <= > >=``, ``between``, ``in (…)``, ``is null``, ``is not null``
text                   ``=``, ``<>``, ``in``, and ``like`` with ``%`` at the ends of the pattern; text has no order
joined by              ``and``, ``or``, ``not``, parentheses
arithmetic             ``+ - * / %``; an operand that is not 0 nor between 1e-100 and 1e100 in size is missing, and so
                       is what is divided by 0
conversions            ``cast(x as integer)`` and the other types of a plan; what does not fit is missing
=====================  ==============================================================================================
"""

from __future__ import annotations

import logging
import math
import re
from contextlib import contextmanager
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import ibis
from sqlglot import Dialect, TokenType, errors, exp

from epsilometer.errors import BadFilter, EpsilometerError, UnknownColumn
from epsilometer.tables.types import converted, whole_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ibis.expr.types import BooleanValue, Value
    from ibis.expr.types import Table as Expression
    from sqlglot import Expr

DIALECT: Final = "duckdb"
LONGEST: Final = 20_000  # characters
ONLY_A_CONDITION: Final = {"expressions", "where"}  # the parts of SELECT 1 WHERE condition
SMALLEST, LARGEST = 1e-100, 1e100  # of an operand of arithmetic: no engine overflows with two of them
INT64: Final = 2**63
TYPES: Final[Mapping[Any, str]] = {
    **dict.fromkeys((exp.DataType.Type.VARCHAR, exp.DataType.Type.TEXT, exp.DataType.Type.CHAR), "text"),
    **dict.fromkeys((exp.DataType.Type.INT, exp.DataType.Type.BIGINT, exp.DataType.Type.SMALLINT), "integer"),
    **dict.fromkeys((exp.DataType.Type.DOUBLE, exp.DataType.Type.FLOAT), "number"),
    exp.DataType.Type.DATE: "date",
    exp.DataType.Type.TIMESTAMP: "datetime",
    exp.DataType.Type.BOOLEAN: "boolean",
}
COARSE: Final = (0, 3)  # digits of the seconds of times that reach further than others can be compared with
MOST_OPERATIONS: Final = 2  # of one term: three operands of that size make a double still
COMPARISONS: Final[Mapping[type[Expr], Callable[[Any, Any], Any]]] = {
    exp.EQ: lambda one, other: one == other,
    exp.NEQ: lambda one, other: one != other,
    exp.LT: lambda one, other: one < other,
    exp.LTE: lambda one, other: one <= other,
    exp.GT: lambda one, other: one > other,
    exp.GTE: lambda one, other: one >= other,
}
EQUALITIES: Final = (exp.EQ, exp.NEQ)
ARITHMETIC: Final[Mapping[type[Expr], Callable[[Any, Any], Any]]] = {
    exp.Add: lambda one, other: one + other,
    exp.Sub: lambda one, other: one - other,
    exp.Mul: lambda one, other: one * other,
    exp.Div: lambda one, other: one / other,
    exp.Mod: lambda one, other: one - whole_part(one / other) * other,
}


class Operand(NamedTuple):
    """A part of a condition that has a value.

    Attributes:
        value: as an expression of the engine; a literal as Python has it.
        family: ``"number"``, ``"text"``, ``"date"``, ``"datetime"`` or ``"boolean"``.
        column: the column it is, if it is one.
        is_literal: whether it was written in the filter.
        is_computed: whether it comes of arithmetic, whose operands were safe.
    """

    value: Any
    family: str
    column: str = ""
    is_literal: bool = False
    is_computed: bool = False


def filtered(rows: Expression, where: str | None) -> Expression:
    """Keep the rows for which the condition holds."""
    if where is None:
        return rows
    if len(where) > LONGEST:
        raise BadFilter(f"The filter has {len(where):,} characters; at most {LONGEST:,} can be read.")
    with _errors_in_words(where, rows.columns):
        return rows.filter(_Conditions(rows, where).condition(parsed(where, rows.columns)))


def parsed(where: str, columns: Sequence[str]) -> Expr:
    """Parse the text where only a condition can stand."""
    sql = Dialect.get_or_raise(DIALECT)
    query = f"SELECT 1 WHERE {where}"
    names = {column.casefold(): column for column in columns}
    tokens = sql.tokenize(query)
    for token in tokens:
        # A column may be called Alter or Update: no statement begins inside a condition.
        if token.token_type in sql.parser_class.STATEMENT_PARSERS and token.text.casefold() in names:
            token.token_type, token.text = TokenType.IDENTIFIER, names[token.text.casefold()]
    (select,) = sql.parser().parse(tokens, query)
    if not isinstance(select, exp.Select) or {name for name, part in select.args.items() if part} != ONLY_A_CONDITION:
        raise ValueError(where)
    condition: Expr = select.args["where"].this
    return condition


class _Conditions:
    """Builds the expression of a parsed filter over some rows."""

    def __init__(self, rows: Expression, where: str) -> None:
        self.rows, self.where = rows, where
        self.names = {column.casefold(): column for column in rows.columns}

    def condition(self, node: Expr) -> BooleanValue:
        """Return a condition, or what is not so where the parser has put the not into it."""
        found = self._plain_condition(node)
        return ~found if node.args.get("negate") else found

    def _plain_condition(self, node: Expr) -> BooleanValue:  # noqa: C901, PLR0911  (one case for each kind of condition)
        match node:
            case exp.Paren():
                return self.condition(node.this)
            case exp.And() | exp.Or():
                one, other = self.condition(node.left), self.condition(node.right)
                return one & other if isinstance(node, exp.And) else one | other
            case exp.Not():
                return ~self.condition(node.this)
            case exp.EQ() | exp.NEQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
                return self._compared(type(node), self.operand(node.left), self.operand(node.right))
            case exp.Between() if not node.args.get("symmetric"):
                value, low, high = (self.operand(node.args[part]) for part in ("this", "low", "high"))
                return self._compared(exp.GTE, value, low) & self._compared(exp.LTE, value, high)
            case exp.In() if node.expressions and not (node.args.get("query") or node.args.get("unnest")):
                value, listed = self.operand(node.this), [self.operand(each) for each in node.expressions]
                if not all(each.is_literal for each in listed):
                    raise BadFilter(f"In the filter {self.where!r}, in (…) lists values, and nothing else.")
                return _any([self._compared(exp.EQ, value, each) for each in listed])
            case exp.Is() if isinstance(node.expression, exp.Null):
                return self.operand(node.this).value.isnull()
            case exp.Like():
                return self._like(self.operand(node.this), self.operand(node.expression))
            case exp.Column() | exp.Boolean() | exp.Cast() | exp.TryCast():
                found = self.operand(node)
                if found.family == "boolean":
                    return ibis.literal(found.value, "boolean") if found.is_literal else found.value
                raise BadFilter(f"In the filter {self.where!r}, {_shown(node)} is no condition. Compare it.")
        raise self._refused(node)

    def operand(self, node: Expr) -> Operand:  # noqa: PLR0911  (one case for each kind of value)
        match node:
            case exp.Paren():
                return self.operand(node.this)
            case exp.Column() if set(filter(node.args.get, node.args)) == {"this"} and isinstance(
                node.this, exp.Identifier
            ):
                return self._column(node.name)
            case exp.Literal():
                return self._literal(node)
            case exp.Boolean():
                return Operand(bool(node.this), "boolean", is_literal=True)
            case exp.Neg():
                return self._negative(self.operand(node.this))
            case exp.Add() | exp.Sub() | exp.Mul() | exp.Div() | exp.Mod():
                return self._computed(node)
            case exp.Cast() | exp.TryCast() if node.to.this in TYPES:
                return self._cast(self.operand(node.this), TYPES[node.to.this], node)
        raise self._refused(node)

    def _column(self, name: str) -> Operand:
        if name.casefold() not in self.names:
            raise UnknownColumn(name, self.rows.columns)
        column = self.names[name.casefold()]
        value, kind = self.rows[column], self.rows[column].type()
        if kind.is_floating():  # not-a-number is missing: to some engines it is larger than all numbers
            value = ibis.ifelse(value.abs() <= math.inf, value, ibis.null(kind))
        families = {
            "boolean": kind.is_boolean(),
            "number": kind.is_numeric(),
            "text": kind.is_string(),
            "date": kind.is_date(),
            "datetime": kind.is_timestamp() and kind.scale not in COARSE and kind.timezone is None,
        }
        family = next((family for family, is_it in families.items() if is_it), None)
        if family is None:
            raise BadFilter(f"Column {column!r} holds {kind}, which a filter cannot compare. Choose a plain column.")
        return Operand(value, family, column)

    def _literal(self, node: exp.Literal) -> Operand:
        if node.is_string:
            return Operand(node.this, "text", is_literal=True)
        number = float(node.this)
        if re.fullmatch(r"[0-9]+", node.this):
            if int(node.this) >= INT64:
                raise BadFilter(f"In the filter {self.where!r}, {node.this} is too large a number.")
            return Operand(int(node.this), "number", is_literal=True)
        if not math.isfinite(number):
            raise BadFilter(f"In the filter {self.where!r}, {node.this} is too large a number.")
        return Operand(number, "number", is_literal=True)

    def _negative(self, found: Operand) -> Operand:
        self._check_number(found)
        return (
            found._replace(value=-found.value)
            if found.is_literal
            else Operand(-self._safe(found), "number", is_computed=True)
        )

    def _computed(self, node: exp.Binary) -> Operand:
        if len(list(node.find_all(*ARITHMETIC))) > MOST_OPERATIONS:
            raise BadFilter(f"In the filter {self.where!r}, {_shown(node)} has more than {MOST_OPERATIONS} operations.")
        one, other = self.operand(node.left), self.operand(node.right)
        for part in (one, other):
            self._check_number(part)
        left, right = self._safe(one), self._safe(other)
        if isinstance(node, exp.Div | exp.Mod):
            right = right.nullif(0.0)
        return Operand(ARITHMETIC[type(node)](left, right), "number", is_computed=True)

    def _safe(self, found: Operand) -> Value:
        """Return an operand as a double that no engine stumbles over; beyond that it is missing."""
        if found.is_literal:
            value = float(found.value)
            safe = value == 0 or SMALLEST <= abs(value) <= LARGEST
            return ibis.literal(value if safe else None, "float64")
        if found.is_computed:
            return found.value
        value = converted(found.value, found.column or "a number", "number").cast("float64")
        return ibis.ifelse((value == 0.0) | value.abs().between(SMALLEST, LARGEST), value, ibis.null("float64"))

    def _check_number(self, found: Operand) -> None:
        if found.family != "number":
            raise self._mixed(found, Operand(0, "number", is_literal=True))

    def _cast(self, found: Operand, kind: str, node: Expr) -> Operand:
        if found.is_literal:
            raise BadFilter(f"In the filter {self.where!r}, {_shown(node)} converts a value. Write it as it is meant.")
        if kind == "text" and found.family == "number" and not found.value.type().is_integer():
            raise BadFilter(f"In the filter {self.where!r}, {_shown(node)}: compare numbers as numbers.")
        family = "number" if kind == "integer" else kind
        return Operand(converted(found.value, found.column or _shown(node), kind), family)

    def _compared(self, comparison: type[Expr], one: Operand, other: Operand) -> BooleanValue:
        one, other = self._alike(one, other), self._alike(other, one)
        if one.family != other.family:
            raise self._mixed(one, other)
        if one.family == "text" and comparison not in EQUALITIES:
            where = f" Declare its type: --type {one.column}=date, or integer." if one.column else ""
            raise BadFilter(f"The filter {self.where!r} asks for an order of text, which engines do not share.{where}")
        if one.is_literal and other.is_literal:
            return ibis.literal(bool(COMPARISONS[comparison](one.value, other.value)))
        return COMPARISONS[comparison](one.value, other.value)

    def _alike(self, found: Operand, other: Operand) -> Operand:
        """Read a text that was written as the date or time that it is compared with."""
        if not found.is_literal or found.family != "text" or other.family not in {"date", "datetime"}:
            return found
        try:
            moment = datetime.fromisoformat(found.value)
            if moment.tzinfo is not None:
                raise ValueError(found.value)  # noqa: TRY301  (times of a table have no zone)
            if other.family == "date":
                return Operand(ibis.literal(date.fromisoformat(found.value)), "date")
        except ValueError:
            raise BadFilter(
                f"In the filter {self.where!r}, {found.value!r} is no {other.family}. Write it as 2026-01-31."
            ) from None
        return Operand(ibis.literal(moment), "datetime")

    def _like(self, value: Operand, pattern: Operand) -> BooleanValue:
        if value.family != "text" or value.is_literal or not (pattern.is_literal and pattern.family == "text"):
            raise BadFilter(f"In the filter {self.where!r}, like compares a column of text with a pattern in quotes.")
        wanted = pattern.value.removeprefix("%").removesuffix("%")
        if "%" in wanted or "_" in wanted or "\\" in wanted:
            raise BadFilter(f"The pattern {pattern.value!r} of the filter may have % at its ends only.")
        begins, ends = not pattern.value.startswith("%"), not pattern.value.endswith("%")
        if begins and ends:
            return value.value == wanted
        if not wanted:
            return value.value.notnull()
        if begins:
            return value.value.startswith(wanted)
        return value.value.endswith(wanted) if ends else value.value.contains(wanted)

    def _mixed(self, one: Operand, other: Operand) -> BadFilter:
        text, number = (one, other) if one.family == "text" else (other, one)
        if text.column and number.family == "number":
            return BadFilter(
                f"Column {text.column!r} is text; to compare it with a number, declare what it holds: "
                f"--type {text.column}=integer, or types: {{{text.column}: integer}} in a plan."
            )
        return BadFilter(f"The filter {self.where!r} compares {one.family} with {other.family}.")

    def _refused(self, node: Expr) -> BadFilter:
        return BadFilter(
            f"The filter {self.where!r} holds {_shown(node)}, which is not allowed. A filter has comparisons, and, or, "
            "not, in, between, is null, like, + - * / % and cast."
        )


def _any(conditions: list[BooleanValue]) -> BooleanValue:
    """Join conditions in pairs of pairs: one after the other, a thousand would nest deeper than Python goes."""
    while len(conditions) > 1:
        conditions = [ibis.or_(*conditions[i : i + 2]) for i in range(0, len(conditions), 2)]
    return conditions[0]


def _shown(node: Expr) -> str:
    """Name a part of a filter as it was written, as far as it is short."""
    written = node.sql(dialect=DIALECT, comments=False)
    return repr(written if len(written) <= 80 else f"{written[:80]}…")  # noqa: PLR2004


def _quoting_hint(where: str, columns: Sequence[str]) -> str:
    """Say how to write a column of the filter whose name is not a plain word."""
    for column in columns:
        quoted = exp.to_identifier(column, quoted=True).sql(dialect=DIALECT)
        is_named = column.casefold() in where.casefold() and quoted.casefold() not in where.casefold()
        if is_named and not re.fullmatch(r"[^\W\d]\w*", column):
            return f" Put the column name in quotes: {quoted}."
    return ""


@contextmanager
def _errors_in_words(where: str, columns: Sequence[str]) -> Iterator[None]:
    """Say what is wrong with a filter that the parser fails at, and keep the parser from writing to the screen."""
    log = logging.getLogger("sqlglot")
    before, log.disabled = log.disabled, True
    try:
        yield
    except UnknownColumn as error:
        if hint := _quoting_hint(where, columns):
            raise BadFilter(f"The filter {where!r} names {error.column!r}, which is no column.{hint}") from None
        raise
    except EpsilometerError:
        raise
    except RecursionError:
        raise BadFilter("The filter is nested too deeply. Write it with fewer parentheses.") from None
    # Functions with arguments that make no sense let the parser stumble in many ways.
    except (errors.SqlglotError, ValueError, TypeError, AttributeError, re.error):
        hint = _quoting_hint(where, columns)
        raise BadFilter(
            f"The filter {where!r} is not one SQL condition, such as: age >= 18 and sex = 'F'.{hint}"
        ) from None
    finally:
        log.disabled = before
