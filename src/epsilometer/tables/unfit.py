"""Values that do not fit the type that their column is read as: for the owner of the table, who may want to know."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from epsilometer.errors import BadBins
from epsilometer.tables.engine import fetch
from epsilometer.tables.types import converted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from epsilometer.tables.table import Table

_DECIMAL_COMMA = re.compile(r"\s*[+-]?[0-9]+,[0-9]+\s*")
_DATE = re.compile(r"\s*[0-9]{4}-[0-9]{2}-[0-9]{2}.*")
_NUMBERS = ("integer", "number")


class Unfit(NamedTuple):
    """What a column holds that is no value of its type.

    Attributes:
        n_values: rows that have a value.
        n_unfit: those among them whose value does not fit.
        example: the most frequent of these values.
    """

    n_values: int
    n_unfit: int
    example: str


def unfit_notes(table: Table, columns: Iterable[str]) -> Iterator[str]:
    """Say which columns have values that count as missing; one without any value that fits is an error."""
    for name in columns:
        if name not in table.types:
            continue
        kind, found = table.types[name], unfit(table, name)
        if not found.n_unfit:
            continue
        if found.n_unfit == found.n_values:
            raise BadBins(
                f"Column {name!r} is read as {kind}, and no value of it is one, such as {_advice(found, kind)}"
            )
        values = "1 value" if found.n_unfit == 1 else f"{found.n_unfit:,} values"
        yield f"{values} of {name} cannot be read as {kind} and count as missing, such as {_advice(found, kind)}"


def unfit(table: Table, name: str) -> Unfit:
    """Count what does not fit, whatever rows a filter may leave."""
    assert table.unconverted is not None  # noqa: S101  (its column has been converted)
    raw = table.unconverted[name]
    values = table.unconverted.select(raw=raw.cast("string"), fits=converted(raw, name, table.types[name]).notnull())
    values = values.filter(values.raw.notnull())
    counts = values.group_by(["raw", "fits"]).agg(n=values.count())
    others = counts.filter(~counts.fits)
    totals = fetch(counts.agg(all=counts.n.sum(), others=counts.n.sum(where=~counts.fits))).to_pylist()[0]
    example = fetch(others.order_by(others.n.desc(), others.raw).limit(1)).to_pylist()
    return Unfit(int(totals["all"] or 0), int(totals["others"] or 0), example[0]["raw"] if example else "")


def _advice(found: Unfit, kind: str) -> str:
    """Show an example, and say what may be done about it.

    >>> _advice(Unfit(300, 253, "6,5"), "number")
    "'6,5': use a decimal point."
    """
    example = f"{found.example[:40]!r}"
    if kind in _NUMBERS and _DATE.fullmatch(found.example):
        return f"{example}: dates have no bins yet. Add a column with the year or the month, and use that."
    if kind in _NUMBERS and _DECIMAL_COMMA.fullmatch(found.example):
        return f"{example}: use a decimal point."
    return f"{example}. Correct them, declare another type, or leave out the bins."
