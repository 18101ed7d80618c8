"""CSV files on Spark, read strictly and as text; types are declared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from epsilometer.errors import UnreadableFile

if TYPE_CHECKING:
    from epsilometer.tables.spark_session import Session

SparkFrame: TypeAlias = Any  # of a package that need not be installed

SEPARATORS: Final = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
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
    named = raw.toDF(*(name.strip() for name in raw.columns))
    names = {name: sql.col(f"`{name.replace('`', '``')}`") for name in named.columns}
    return named.select(
        *(sql.when(~sql.trim(column).isin("", *missing), column).alias(name) for name, column in names.items())
    )


def check_csv(session: Session, path: str, rows: SparkFrame) -> None:
    """Refuse a file that is not UTF-8, or whose last quote is open: all rows after it would be one value."""
    from pyspark.sql import functions as sql

    lines = session.read.text(path)
    columns = [sql.col(f"`{name.replace('`', '``')}`") for name in rows.columns]
    broken = rows.agg(*(sql.bool_or(column.contains(_NOT_UTF_8)).alias(f"b{i}") for i, column in enumerate(columns)))
    if any(broken.first()):
        raise UnreadableFile(f"{path}: the text is not UTF-8.")
    quotes = sql.length(sql.regexp_replace("value", '[^"]', ""))
    per_file = lines.groupBy(sql.input_file_name().alias("file")).agg(sql.sum(quotes).alias("n"))
    if not per_file.where("n % 2 = 1").isEmpty():
        raise UnreadableFile(f"{path}: a quoted value does not end, or a quote stands in a value without quotes.")
