"""Why a column cannot be put into bins, and what to do about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from epsilometer.errors import BadBins
from epsilometer.tables.engine import fetch

if TYPE_CHECKING:
    from ibis.expr.types import Column, StringColumn

_NUMBER = r"^\s*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?\s*$"
_DECIMAL_COMMA = re.compile(r"\s*[+-]?[0-9]+,[0-9]+\s*")
_DATE = re.compile(r"\s*[0-9]{4}-[0-9]{2}-[0-9]{2}.*")
_NO_DATES = "dates, which cannot be put into bins yet. Add a column with the year or the month, and use that."
_NO_BINS = "Leave out its bins, or make it numeric."


def no_numbers(column: Column, name: str) -> BadBins:
    """Say what a column that should be put into bins holds instead of numbers."""
    kind = column.type()
    if kind.is_date() or kind.is_timestamp():
        held = _NO_DATES
    elif kind.is_string():
        held = _in_words(*_texts(column))
    else:
        held = f"{kind}. {_NO_BINS}"
    return BadBins(f"Bins need numbers; column {name!r} holds {held}")


def _texts(column: StringColumn) -> tuple[int, int, str]:
    """How many texts there are, how many are no numbers, and the most frequent of those."""
    texts = column.name("text").as_table().drop_null("text")
    per_text = texts.group_by("text").agg(n=texts.count())
    others = per_text.filter(~per_text.text.re_search(_NUMBER))
    n_texts = fetch(per_text.agg(n=per_text.n.sum())).to_pylist()[0]["n"]
    n_others = fetch(others.agg(n=others.n.sum())).to_pylist()[0]["n"]
    example = fetch(others.order_by(others.n.desc(), others.text).limit(1)).to_pylist()
    return int(n_texts or 0), int(n_others or 0), example[0]["text"] if example else ""


def _in_words(n_texts: int, n_others: int, example: str) -> str:
    """What a column of text holds.

    >>> _in_words(300, 253, "6,5")
    "text: 253 values are no numbers, such as '6,5'; use a decimal point."
    """
    if not n_others:
        return f"text. {_NO_BINS}"
    if _DATE.fullmatch(example):
        return _NO_DATES
    are = "1 value is no number" if n_others == 1 else f"{n_others:,} values are no numbers"
    if _DECIMAL_COMMA.fullmatch(example):
        return f"text: {are}, such as {example!r}; use a decimal point."
    if 2 * n_others > n_texts:
        return f"text, such as {example!r}. {_NO_BINS}"
    return (
        f"text: {are}, such as {example!r}. If they mark missing values, pass --missing {example!r} (it can be "
        f"repeated), in Python missing=[{example!r}]."
    )
