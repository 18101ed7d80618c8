"""What is odd about a column that is counted: missing values, infinities, as many values as there are records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from epsilometer.errors import BadRoles, BadTable
from epsilometer.tables.engine import fetch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ibis.expr.types import Table as Expression

    from epsilometer.tables.roles import Roles

FEWEST_RECORDS_FOR_IDENTIFIER_NOTE: Final = 20
SHARE_OF_IDENTIFIER: Final = 0.9


class KeyFigures(NamedTuple):
    """What is to be known of a key.

    Attributes:
        n_records: number of records counted.
        n_missing: records that have no value.
        n_values: number of different values.
        n_infinite: records in which it is infinite.
    """

    n_records: int
    n_missing: int
    n_values: int
    n_infinite: int = 0


def figures_of(counts: Expression) -> dict[str, KeyFigures]:
    """Ask an engine about each key of the counts ``n`` that it keeps."""
    keys = [column for column in counts.columns if column != "n"]
    figures = {"records": counts.n.sum()}
    for key in keys:
        figures[f"missing_{key}"] = counts.n.sum(where=counts[key].isnull())
        figures[f"values_{key}"] = counts[key].nunique()
        if counts[key].type().is_floating():
            figures[f"infinite_{key}"] = counts.n.sum(where=counts[key].abs() == float("inf"))
    found = {figure: int(number or 0) for figure, number in fetch(counts.agg(**figures)).to_pylist()[0].items()}
    return {
        key: KeyFigures(
            found["records"], found[f"missing_{key}"], found[f"values_{key}"], found.get(f"infinite_{key}", 0)
        )
        for key in keys
    }


def checked(figures: Mapping[str, KeyFigures], roles: Roles, name: str, where: str | None) -> tuple[int, list[str]]:
    """Count records, and say what is odd about a column; refuse empty tables, empty columns and infinities."""
    notes = []
    for column, found in zip(roles.columns, figures.values(), strict=True):
        if not found.n_records:
            raise BadTable(
                f"{name} has no rows." if where is None else f"The filter {where!r} leaves no row of {name}."
            )
        if found.n_missing == found.n_records:
            raise BadRoles(f"Column {column!r} has no value in any record. Leave it out.")
        if infinite := found.n_infinite:
            raise BadTable(f"Column {column!r} is infinite in {_records(infinite)}. Filter them out, or correct them.")
        if found.n_missing:
            verb = "has" if found.n_missing == 1 else "have"
            notes.append(
                f"{_records(found.n_missing)} {verb} no value for {column}; missing is counted as a value of its own."
            )
        if _looks_like_an_identifier(found):
            found_in = _records(found.n_records)
            notes.append(f"{column} has {found.n_values:,} different values in {found_in}: is it an identifier?")
    return found.n_records, notes


def _looks_like_an_identifier(found: KeyFigures) -> bool:
    enough = found.n_records >= FEWEST_RECORDS_FOR_IDENTIFIER_NOTE
    return enough and found.n_values >= SHARE_OF_IDENTIFIER * found.n_records


def _records(number: int) -> str:
    return f"{number:,} record{'' if number == 1 else 's'}"
