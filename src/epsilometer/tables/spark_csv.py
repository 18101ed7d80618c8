"""CSV files on Spark, read strictly: as text, and a column as numbers if each of its values is a plain number.

Spark's own guess of types turns 007 into 7 and keeps the first twenty digits of an identifier. Here all rows decide,
in one scan when the table is opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from epsilometer.errors import UnreadableFile
from epsilometer.tables.plain_numbers import PLAIN_NUMBER

if TYPE_CHECKING:
    from epsilometer.tables.spark_session import Session

SparkFrame: TypeAlias = Any  # of a package that need not be installed
SparkColumn: TypeAlias = Any

SEPARATORS: Final = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
NOTE: Final = "Spark read the fields as text; columns in which each value is a plain number were made numbers."
_OPTIONS: Final = {
    "header": True,
    "quote": '"',
    "escape": '"',
    "multiLine": True,  # a quoted value may have several lines
    "mode": "FAILFAST",
    "unescapedQuoteHandling": "RAISE_ERROR",
    "enforceSchema": False,  # files read together must have one header
    "columnPruning": False,  # a row with a field too many would be noticed only where that field is read
}
_NOT_UTF_8: Final = "\ufffd"  # what is read instead


def read_csv(session: Session, path: str, separator: str, missing: tuple[str, ...]) -> SparkFrame:
    """Read files that share one header; empty fields and the marks are missing."""
    from pyspark.sql import functions as sql

    raw = session.read.options(sep=separator, **_OPTIONS).csv(path)
    if not raw.columns:
        raise UnreadableFile(f"{path} is empty.")
    _check_quotes(session, path)
    named = raw.toDF(*(name.strip() for name in raw.columns))
    names = {name: sql.col(f"`{name.replace('`', '``')}`") for name in named.columns}
    fields = named.select(
        *(sql.when(~sql.trim(column).isin("", *missing), column).alias(name) for name, column in names.items())
    )
    verdicts = fields.agg(
        *(sql.bool_and(_is_whole(column)).alias(f"whole_{i}") for i, column in enumerate(names.values())),
        *(sql.bool_and(_is_number(column)).alias(f"number_{i}") for i, column in enumerate(names.values())),
        *(sql.bool_or(column.contains(_NOT_UTF_8)).alias(f"broken_{i}") for i, column in enumerate(names.values())),
    ).first()
    if any(verdicts[f"broken_{i}"] for i in range(len(names))):
        raise UnreadableFile(f"{path}: the text is not UTF-8.")
    return fields.select(
        *(
            _typed(column, whole=verdicts[f"whole_{i}"], number=verdicts[f"number_{i}"]).alias(name)
            for i, (name, column) in enumerate(names.items())
        )
    )


def _check_quotes(session: Session, path: str) -> None:
    """Refuse a file whose last quote is open: Spark would take all rows after it for one value."""
    from pyspark.sql import functions as sql

    lines = session.read.text(path)
    quotes = sql.length(sql.regexp_replace("value", '[^"]', ""))
    per_file = lines.groupBy(sql.input_file_name().alias("file")).agg(sql.sum(quotes).alias("n"))
    if not per_file.where("n % 2 = 1").isEmpty():
        raise UnreadableFile(f"{path}: a quoted value does not end, or a quote stands in a value without quotes.")


def _is_whole(column: SparkColumn) -> SparkColumn:
    from pyspark.sql import functions as sql

    text = sql.trim(column)
    return sql.when(column.isNotNull(), text.try_cast("bigint").cast("string").eqNullSafe(text))


def _is_number(column: SparkColumn) -> SparkColumn:
    from pyspark.sql import functions as sql

    text = sql.trim(column)
    is_plain = text.rlike(rf"\A({PLAIN_NUMBER})\z") & text.try_cast("double").isNotNull()
    return sql.when(column.isNotNull(), is_plain)


def _typed(column: SparkColumn, *, whole: bool | None, number: bool | None) -> SparkColumn:
    """Return the column with its type; one without any value may have the narrowest."""
    from pyspark.sql import functions as sql

    if whole is not False:
        return sql.trim(column).cast("bigint")
    return sql.trim(column).cast("double") if number else column
