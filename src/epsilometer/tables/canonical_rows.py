"""The hash of each row's canonical text, computed by the engine that holds the rows.

What a row's canonical text is does not depend on the engine, the file format, or the order of columns: a short hash of
the column names, then the canonical texts of the values (``canonical_values``) in the order of the names.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from ibis.expr import datatypes

from epsilometer.tables import canonical_values as values
from epsilometer.tables.engine import embedded_engine, identifier, in_view, text_literal, view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ibis.expr.datatypes import DataType
    from ibis.expr.types import Table as Expression

    from epsilometer.tables.engine import Engine

HEX_DIGITS_OF_NAMES: Final = 8
MOST_ARGUMENTS: Final = 50  # PostgreSQL takes 100 at most, SQLite 127
MOST_ALIKE: Final = 16  # columns that are written one by one: planning takes milliseconds for each
_BLANKS = text_literal(values.BLANKS)


@dataclass(frozen=True, slots=True)
class _Dialect:
    """SQL that engines write in different ways; ``{}`` or ``{0}`` is the value.

    Attributes:
        name: writes the name of a column.
        text: the value as text.
        clean: a text without blanks around it, A to Z in lower case.
        double: the 64-bit float that a text is; only asked of a text that matches ``canonical_values.NUMBER``.
        matches: writes whether a whole text matches an expression.
        hexadecimal: bytes as text.
        in_utc: a moment with a time zone as one without.
        date: a date as text.
        moment: a moment without a time zone as text that begins with ``2024-02-29 23:59:59``.
        digest: the hash of a text, 32 digits.
        each: a list with something done to each ``x`` of it; empty if the engine is as fast without.
    """

    name: Callable[[str], str]
    text: str
    clean: str
    double: str
    matches: Callable[[str, str], str]
    hexadecimal: str
    in_utc: str
    date: str
    moment: str
    digest: str
    each: str = ""


_Written: TypeAlias = "Callable[[_Dialect, str], str]"


class _Column(NamedTuple):
    """SQL of a column's canonical text, in parts.

    Attributes:
        read: what is taken of it.
        written: returns the canonical text of what was taken, as SQL.
        clean: what is done before that; ``{}`` or ``{0}`` is what was taken.
    """

    read: str
    written: _Written
    clean: str = "{}"


def _lower(n_bytes: str) -> str:
    """SQL of a text with A to Z in lower case: of other letters, engines disagree on what that is.

    Translating every text would take long.
    """
    letters = f"{text_literal(ascii_uppercase)}, {text_literal(ascii_lowercase)}"
    return f"CASE WHEN {n_bytes}({{0}}) = char_length({{0}}) THEN lower({{0}}) ELSE translate({{0}}, {letters}) END"


_DIALECTS: Final = {
    "duckdb": _Dialect(
        name=identifier,
        text="CAST({} AS VARCHAR)",
        # Looking for blanks is much faster than cutting them, and most texts have none.
        clean=f"CASE WHEN {{0}} < '!' OR right({{0}}, 1) < '!' THEN trim({_lower('strlen')}, {_BLANKS}) "
        f"ELSE {_lower('strlen')} END",
        double="TRY_CAST({} AS DOUBLE)",
        matches=lambda value, pattern: f"regexp_full_match({value}, '{pattern}')",
        hexadecimal="hex({})",
        in_utc="CASE WHEN isfinite({0}) THEN make_timestamp(epoch_us({0})) END",
        date="CAST({} AS VARCHAR)",
        moment="CAST({} AS VARCHAR)",
        digest="md5({})",
        each="list_transform({}, lambda x: {})",
    ),
    "postgres": _Dialect(
        name=identifier,
        text="CAST({} AS TEXT)",
        clean=f'btrim(lower({{0}} COLLATE "C"), {_BLANKS})',
        double="CAST({} AS DOUBLE PRECISION)",
        matches=lambda value, pattern: f"{value} ~ '^({pattern})$'",
        hexadecimal="encode({}, 'hex')",
        in_utc="({} AT TIME ZONE 'UTC')",
        # How a date is cast to text is a setting; beyond these years to_char may fail.
        date="CASE WHEN {0} BETWEEN '0001-01-01' AND '9999-12-31' THEN to_char({0}, 'YYYY-MM-DD') "
        "ELSE CAST({0} AS TEXT) END",
        moment="CASE WHEN {0} >= '0001-01-01' AND {0} < '10000-01-01' THEN to_char({0}, 'YYYY-MM-DD HH24:MI:SS') "
        "ELSE CAST({0} AS TEXT) END",
        digest="md5(convert_to({}, 'UTF8')) COLLATE \"C\"",
    ),
    "pyspark": _Dialect(
        name=lambda name: "`" + name.replace("`", "``") + "`",
        text="CAST({} AS STRING)",
        clean=f"trim(BOTH {_BLANKS} FROM {_lower('octet_length')})",
        double="TRY_CAST({} AS DOUBLE)",
        matches=lambda value, pattern: rf"{value} RLIKE r'\A({pattern})\z'",
        hexadecimal="hex({})",
        in_utc="(TIMESTAMP_NTZ '1970-01-01 00:00:00' + INTERVAL '1' SECOND * unix_seconds({}))",
        date="CAST({} AS STRING)",
        moment="CAST({} AS STRING)",
        digest="md5({})",
    ),
}


def in_hashing_engine(rows: Expression) -> Expression:
    """Return the rows, or if their engine is one whose SQL is not known here, the rows as they are read out of it.

    Those can be read once, while they are held.
    """
    if rows.get_backend().name in ("sqlite", *_DIALECTS):
        return rows
    return in_view(embedded_engine(), rows.to_pyarrow_batches())


def hashed(rows: Expression) -> Expression:
    """Return the hash of the canonical text of each row as ``h``, 32 hexadecimal digits."""
    engine: Engine = rows.get_backend()
    if engine.name == "sqlite":
        return _hashed_in_sqlite(engine, rows)
    return _hashed_in_sql(engine, rows, _DIALECTS[engine.name])


def hash_without_values(columns: Sequence[str]) -> str:
    """Return the hash of a row of these columns that has no value at all."""
    return _digest(_hash_of_names(columns) + values.MISSING * len(columns))


def _hashed_in_sql(engine: Engine, rows: Expression, dialect: _Dialect) -> Expression:
    """Return the hashes of an engine that has them, in steps: what is read of each column, its text, and the hash."""
    kinds = rows.schema()
    columns = [_column(dialect, f"source.{dialect.name(name)}", kinds[name]) for name in _in_order(rows.columns)]
    read, texts = _steps(dialect, columns)
    row = _concatenated([text_literal(_hash_of_names(rows.columns)), *texts])
    source = f"(SELECT {', '.join(read)} FROM ({engine.compile(rows)}) AS source) AS had"  # noqa: S608  names are quoted
    return view(engine, f"SELECT {dialect.digest.format(row)} AS h FROM {source}")  # noqa: S608


def _steps(dialect: _Dialect, columns: Sequence[_Column]) -> tuple[list[str], list[str]]:
    """Return SQL of what is read first, and of the canonical texts of that, column by column.

    Many columns that are written alike are put into a list, if the engine can work on one: it takes an engine
    milliseconds to plan what it does with a column.
    """
    alike = defaultdict[tuple[str, "_Written"], list[int]](list)
    for i, column in enumerate(columns):
        alike[column.clean, column.written].append(i)
    read, texts = list[str](), [""] * len(columns)
    for kind, ((clean, written), places) in enumerate(alike.items()):
        if dialect.each and len(places) > MOST_ALIKE:
            cleaned = dialect.each.format(f"[{', '.join(columns[i].read for i in places)}]", clean.format("x"))
            read.append(f"{dialect.each.format(cleaned, written(dialect, 'x'))} AS several{kind}")
            for item, i in enumerate(places, start=1):
                texts[i] = f"several{kind}[{item}]"
        else:
            for i in places:
                read.append(f"{clean.format(columns[i].read)} AS r{i}")
                texts[i] = written(dialect, f"r{i}")
    return read, texts


def _column(dialect: _Dialect, name: str, kind: DataType) -> _Column:
    text = dialect.text.format(name)
    match kind:
        case datatypes.Boolean():
            column = _Column(name, _of_truth)
        case datatypes.Integer():
            column = _Column(name, _of_integer)
        case datatypes.Float64():
            column = _Column(name, _of_float)
        case datatypes.Date():
            column = _Column(dialect.date.format(name), _of_date_or_time)
        case datatypes.Time():
            column = _Column(f"left({text}, 8)", _of_date_or_time)
        case datatypes.Timestamp(timezone=None):
            column = _Column(dialect.moment.format(name), _of_moment)
        case datatypes.Timestamp():
            column = _Column(dialect.moment.format(dialect.in_utc.format(name)), _of_moment)
        case datatypes.Binary():
            column = _Column(dialect.hexadecimal.format(name), _of_text, dialect.clean)
        case _:  # decimals and 32-bit floats are the numbers that their texts are
            column = _Column(text, _of_text, dialect.clean)
    return column


def _of_truth(_dialect: _Dialect, truth: str) -> str:
    return f"CASE WHEN {truth} THEN 'n1;' WHEN NOT {truth} THEN 'n0;' ELSE '-' END"


def _of_integer(_dialect: _Dialect, integer: str) -> str:
    return f"CASE WHEN {integer} IS NULL THEN '-' ELSE concat('n', {integer}, ';') END"


def _of_date_or_time(_dialect: _Dialect, text: str) -> str:
    return f"CASE WHEN {text} IS NULL THEN '-' ELSE {_written(text)} END"


def _of_moment(_dialect: _Dialect, text: str) -> str:
    date, time = f"left({text}, 10)", f"substr({text}, 12, 8)"
    both = f"concat({date}, ' ', {time})"
    return f"CASE WHEN {text} IS NULL THEN '-' WHEN {time} = '00:00:00' THEN {_written(date)} ELSE {_written(both)} END"


def _of_text(dialect: _Dialect, text: str) -> str:
    def matches(pattern: str) -> str:
        return dialect.matches(text, pattern)

    with_seconds = f"concat({text}, ':00')"
    # Digits, signs and the point come before the colon, letters after it: most texts are not looked at any further.
    signed = " ".join(f"WHEN {text} = '{word}' THEN '{code}'" for word, code in values.WORDS.items() if word < ":")
    plain = " ".join(f"WHEN {text} = '{word}' THEN '{code}'" for word, code in values.WORDS.items() if word > ":")
    return (
        f"CASE WHEN {text} IS NULL THEN '-' "
        f"WHEN {text} < ':' THEN CASE "
        f"WHEN {matches(values.WHOLE_NUMBER)} THEN concat('n', {text}, ';') "
        f"WHEN {matches(values.NUMBER)} THEN {_of_float(dialect, dialect.double.format(text))} "
        f"{signed} "
        f"WHEN {matches(values.EXTREME_NUMBER)} "
        f"THEN CASE WHEN {text} LIKE '%e-%' THEN 'n0;' WHEN {text} LIKE '-%' THEN 'n-;' ELSE 'n+;' END "
        f"WHEN {matches(values.TIME)} THEN concat('t8:', left({with_seconds}, 8)) "
        f"WHEN {matches(values.MOMENT)} THEN {_of_moment(dialect, with_seconds)} "
        f"ELSE {_written(text)} END "
        f"{plain} ELSE {_written(text)} END"
    )


def _of_float(dialect: _Dialect, number: str) -> str:
    nan = dialect.double.format("'NaN'")
    millionths, whole = f"floor({number} * {values.MILLION} + 0.5)", f"floor({number} + 0.5)"
    return (
        f"CASE WHEN {number} IS NULL OR {number} = {nan} THEN '-' "
        f"WHEN abs({number}) < {values.SMALL:.0f} AND {millionths} <> {whole} * {values.MILLION} "
        f"THEN concat('f', CAST({millionths} AS BIGINT), ';') "
        f"WHEN abs({number}) < {values.LARGE:.0f} THEN concat('n', CAST({whole} AS BIGINT), ';') "
        f"WHEN {number} > 0 THEN 'n+;' ELSE 'n-;' END"
    )


def _written(text: str) -> str:
    return f"concat('t', char_length({text}), ':', {text})"


def _concatenated(texts: list[str]) -> str:
    """SQL of several texts put together, a few at a time: functions take so many, and operators nest so deep."""
    while len(texts) > 1:
        texts = [
            f"concat({', '.join(texts[first : first + MOST_ARGUMENTS])})"
            for first in range(0, len(texts), MOST_ARGUMENTS)
        ]
    return texts[0]


def _hashed_in_sqlite(engine: Engine, rows: Expression) -> Expression:
    """Return the hashes of SQLite, which stores any type in any column, and knows neither hashes nor expressions.

    Text is handed over as bytes, because it need not be valid.
    """
    (encoding,) = engine.con.execute("PRAGMA encoding").fetchone()
    engine.con.create_function("epsilometer_texts", -1, partial(_texts, encoding), deterministic=True)
    engine.con.create_function("epsilometer_digest", 1, _digest, deterministic=True)
    columns = [f"source.{identifier(name)}" for name in _in_order(rows.columns)]
    read = [
        f"CASE typeof({column}) WHEN 'text' THEN CAST({column} AS BLOB) WHEN 'blob' THEN hex({column}) "
        f"ELSE {column} END"
        for column in columns
    ]
    texts = [
        f"epsilometer_texts({', '.join(read[first : first + MOST_ARGUMENTS])})"
        for first in range(0, len(read), MOST_ARGUMENTS)
    ]
    row = " || ".join([text_literal(_hash_of_names(rows.columns)), *texts])
    return view(engine, f"SELECT epsilometer_digest({row}) AS h FROM ({engine.compile(rows)}) AS source")  # noqa: S608


def _texts(encoding: str, *row: bytes | str | float | None) -> str:
    given = (value.decode(encoding, "replace") if isinstance(value, bytes) else value for value in row)
    return "".join(map(values.canonical, given))


def _digest(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def _hash_of_names(columns: Iterable[str]) -> str:
    return _digest(json.dumps([_canonical_name(name) for name in _in_order(columns)]))[:HEX_DIGITS_OF_NAMES]


def _in_order(columns: Iterable[str]) -> list[str]:
    return sorted(columns, key=lambda name: (_canonical_name(name), name))


def _canonical_name(name: str) -> str:
    return name.strip().casefold()
