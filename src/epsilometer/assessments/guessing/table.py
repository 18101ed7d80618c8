"""The fields of a real table: how unique their values are within groups, and how far they range."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from epsilometer.assessments.numbers import is_number
from epsilometer.errors import OutOfRange, UnknownChoice
from epsilometer.tables.columns import distinct_by_group, range_of
from epsilometer.tables.opening import open_table
from epsilometer.tables.unfit import unfit_notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from epsilometer.tables.table import Table

READING = (
    "k is how many different values a group has and n how many rows, as Paper 003 reads the birthday bound. That is "
    "not the chance of naming a value: for that, give the share of the most common one as the prior."
)
DERIVED = (
    "The range of {columns} was read off the table: the smallest and the largest value are facts about single people, "
    "and noise fitted to them gives these away. Declare the range instead."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessedColumns:
    """Columns to be guessed, within groups of rows.

    Attributes:
        names: of the fields, a column within a group each.
        groups: (k, n) for each: different values, and rows.
        sensitivity: range of each.
        caveats: what to keep in mind about the ranges.
    """

    names: tuple[str, ...]
    groups: tuple[tuple[int, int], ...]
    sensitivity: tuple[float, ...]
    caveats: tuple[str, ...]


def guessed_columns(
    table: object,
    columns: Sequence[str],
    *,
    by: Sequence[str] = (),
    ranges: Mapping[str, tuple[float, float]] | None = None,
    where: str | None = None,
    missing: Iterable[str] = (),
    types: Mapping[str, str] | None = None,
) -> GuessedColumns:
    """Read the fields that :func:`epsilon_for_advantage` wants off a table.

    Args:
        table: anything :func:`epsilometer.open_table` takes.
        columns: what the attacker guesses.
        by: columns that make the groups; without them all rows are one group.
        ranges: declared smallest and largest value by column; the others are read off the table, which leaks.
        where: row filter, run by the engine.
        missing: texts that stand for a missing value.
        types: what columns hold; those to be guessed are numbers.

    >>> import pandas as pd
    >>> found = guessed_columns(pd.DataFrame({"sex": ["f", "f", "m"], "age": [30, 31, 40]}), ["age"], by=["sex"])
    >>> found.groups, found.sensitivity
    (((2, 2), (1, 1)), (10.0, 10.0))
    """
    if not columns:
        raise OutOfRange("columns", columns, "at least one column")
    opened = open_table(table, missing, types, of_text=dict.fromkeys(columns, "number"))
    declared = dict(ranges or {})
    for name in declared:
        if name not in columns:
            raise UnknownChoice("column with a declared range", name, columns)
    unfit = tuple(unfit_notes(opened, columns))
    reach = {column: _reach(column, declared, opened, where) for column in columns}
    fields = [
        (", ".join((column, *group.label.values())), (group.n_distinct, group.n_rows), reach[column])
        for column in columns
        for group in distinct_by_group(opened, column, by=by, where=where)
    ]
    derived = [column for column in columns if column not in declared]
    names, groups, sensitivity = zip(*fields, strict=True)
    return GuessedColumns(
        names=names,
        groups=groups,
        sensitivity=sensitivity,
        caveats=(READING, *((DERIVED.format(columns=", ".join(derived)),) if derived else ()), *unfit),
    )


def _reach(column: str, declared: Mapping[str, tuple[float, float]], table: Table, where: str | None) -> float:
    low, high = declared[column] if column in declared else range_of(table, column, where=where)
    if not (is_number(low) and is_number(high) and -math.inf < low < high < math.inf):
        hint = "Declare the range of the column: two different numbers."
        raise OutOfRange(f"range of {column}", (low, high), "low < high", hint=hint)
    return high - low
