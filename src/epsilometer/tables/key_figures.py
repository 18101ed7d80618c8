"""What is odd about a column that is counted: missing values, infinities, as many values as there are records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from epsilometer.errors import BadRoles, BadTable
from epsilometer.tables.engine import fetch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ibis.expr.types import IntegerScalar
    from ibis.expr.types import Table as Expression

    from epsilometer.tables.roles import Roles

FEWEST_RECORDS_FOR_IDENTIFIER_NOTE: Final = 20
SHARE_OF_IDENTIFIER: Final = 0.9
LOOKED_AT: Final = 20_000
AT_ONCE: Final = 40
MOST_COUNTS_FOR_EXACT_VALUES: Final = 1_000_000  # of more, counting the values takes as long as counting the rows


class KeyFigures(NamedTuple):
    """What is to be known of a key.

    Attributes:
        n_records: number of records counted.
        n_missing: records that have no value.
        n_values: number of different values; of very many counts, 0 if it is clearly no identifier.
        n_infinite: records in which it is infinite.
        estimated: whether the number of values is an estimate.
    """

    n_records: int
    n_missing: int
    n_values: int
    n_infinite: int = 0
    estimated: bool = False


def figures_of(counts: Expression) -> dict[str, KeyFigures]:
    """Ask an engine about each key of the counts ``n`` that it keeps, and more about those that may be odd."""
    keys = [column for column in counts.columns if column != "n"]
    present = {f"present_{key}": counts[key].count() for key in keys}
    first = _fetched(counts, n_counts=counts.count(), records=counts.n.sum(), **present)
    estimated = first["n_counts"] > MOST_COUNTS_FOR_EXACT_VALUES
    figures: dict[str, IntegerScalar] = {}
    for key in _perhaps_identifiers(counts, keys) if estimated else keys:
        figures[f"values_{key}"] = counts[key].approx_nunique() if estimated else counts[key].nunique()
    for key in keys:
        if first[f"present_{key}"] < first["n_counts"]:
            figures[f"missing_{key}"] = counts.n.sum(where=counts[key].isnull())
        if counts[key].type().is_floating():
            figures[f"infinite_{key}"] = counts.n.sum(where=counts[key].abs() == float("inf"))
    found = _fetched(counts, **figures) if figures else {}
    return {
        key: KeyFigures(
            n_records=first["records"],
            n_missing=found.get(f"missing_{key}", 0),
            n_values=min(found.get(f"values_{key}", 0), first["records"]),
            n_infinite=found.get(f"infinite_{key}", 0),
            estimated=estimated,
        )
        for key in keys
    }


def _perhaps_identifiers(counts: Expression, keys: Sequence[str]) -> list[str]:
    """Return the keys that have many different values even among a few of very many counts."""
    some = counts.limit(LOOKED_AT)
    found = _fetched(some, **{key: some[key].nunique() for key in keys})
    return [key for key in keys if found[key] > LOOKED_AT // 2]


def _fetched(rows: Expression, **figures: IntegerScalar) -> dict[str, int]:
    """Ask for the figures, a few at once: engines take the square of the time for many that count different values."""
    names = list(figures)
    found: dict[str, int | None] = {}
    for first in range(0, len(names), AT_ONCE):
        some = {name: figures[name] for name in names[first : first + AT_ONCE]}
        found |= fetch(rows.agg(**some)).to_pylist()[0]
    return {figure: int(number or 0) for figure, number in found.items()}


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
            n_values = f"about {float(f'{found.n_values:.2g}'):,.0f}" if found.estimated else f"{found.n_values:,}"
            found_in = _records(found.n_records)
            notes.append(f"{column} has {n_values} different values in {found_in}: is it an identifier?")
    return found.n_records, notes


def _looks_like_an_identifier(found: KeyFigures) -> bool:
    enough = found.n_records >= FEWEST_RECORDS_FOR_IDENTIFIER_NOTE
    return enough and found.n_values >= SHARE_OF_IDENTIFIER * found.n_records


def _records(number: int) -> str:
    return f"{number:,} record{'' if number == 1 else 's'}"
