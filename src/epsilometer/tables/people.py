"""Bounding what a person with several rows adds to the counts: by cell for a risk, in all for a release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import ibis
from ibis.expr.operations import Hash

from epsilometer.tables.engine import fetch, keep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ibis.expr.types import IntegerColumn
    from ibis.expr.types import Table as Expression

    from epsilometer.tables.roles import Roles


@dataclass(frozen=True, slots=True, eq=False)
class Contributions:
    """Joint counts in which a person counts once per cell, and how they came to be."""

    rows: Expression
    notes: tuple[str, ...]
    max_cells_per_person: int


def one_row_per_person(counted: Expression, roles: Roles) -> Contributions:
    """Within a cell keep the value most rows of a person have; a hash of person and value decides among equals.

    The first in order would always favour the same value, and so shift the shares. An engine without a hash
    takes it nevertheless. With several sensitive columns it is their combination that is kept. A row without
    a person id is taken as a person of its own.

    Args:
        counted: one row per (cell, sensitive values, person), with the number of rows ``n``.
        roles: the columns behind the keys.
    """
    cell = [f"q{i}" for i in range(len(roles.quasi_identifiers))]
    values = [f"s{i}" for i in range(len(roles.sensitive))]
    owned, unowned = counted.filter(counted.p.notnull()), counted.filter(counted.p.isnull())
    has_hash = counted.get_backend().has_operation(Hash)
    lot = [_hash(owned, ["p", *values]).asc()] if has_hash else []
    preference = [owned.n.desc(), *lot, *(owned[value].asc(nulls_first=False) for value in values)]
    ranked = owned.mutate(rank=ibis.row_number().over(group_by=[*cell, "p"], order_by=preference))
    kept = ranked.filter(ranked["rank"] == 0).select(*cell, *values, n=ibis.literal(1, "int64"))
    both = kept.union(unowned.select(*cell, *values, n=unowned.n.cast("int64")))
    rows = keep(both.group_by([*cell, *values]).agg(n=both.n.sum().cast("int64")))
    found = _figures(owned, unowned, cell)
    return Contributions(rows, _notes(found, has_hash=has_hash), max(found["max_cells"], 1))


def one_row_of_each(rows: Expression) -> Expression:
    """Keep one row of each person ``p``; the person's own rows decide which, so that nobody changes what others show.

    A row without a person id is taken as a person of its own.
    """
    owned, unowned = rows.filter(rows.p.notnull()), rows.filter(rows.p.isnull())
    values = [column for column in rows.columns if column != "p"]
    lot = [_hash(owned, ["p", *values]).asc()] if rows.get_backend().has_operation(Hash) else []
    order = [*lot, *(owned[value].asc(nulls_first=False) for value in values)]
    ranked = owned.mutate(rank=ibis.row_number().over(group_by="p", order_by=order))
    return ranked.filter(ranked["rank"] == 0).drop("rank").union(unowned)


def people_by_combination(counted: Expression, keys: Sequence[str], *, most: int) -> Expression:
    """Count people by the combinations of some keys; each adds one to at most ``most`` of the counts.

    Which of a person's combinations count is decided by a hash of the id and the combination, or by their order in an
    engine without one: by the person's own rows in either case, so that nobody changes what others add. A row without
    a person id is taken as a person of its own.

    Args:
        counted: one row per combination and person ``p``, if there is one, with the number of rows ``n``.
        keys: the columns of ``counted`` whose combinations are wanted.
        most: number of combinations that a person may add to.
    """
    if "p" not in counted.columns:
        return counted.group_by(list(keys)).agg(n=counted.n.sum().cast("int64"))
    owned, unowned = counted.filter(counted.p.notnull()), counted.filter(counted.p.isnull())
    theirs = owned.select(*keys, "p").distinct()
    lot = [_hash(theirs, ["p", *keys]).asc()] if counted.get_backend().has_operation(Hash) else []
    preference = [*lot, *(theirs[key].asc(nulls_first=False) for key in keys)]
    ranked = theirs.mutate(rank=ibis.row_number().over(group_by="p", order_by=preference))
    kept = ranked.filter(ranked["rank"] < most).select(*keys, n=ibis.literal(1, "int64"))
    both = kept.union(unowned.select(*keys, n=unowned.n.cast("int64")))
    return both.group_by(list(keys)).agg(n=both.n.sum().cast("int64"))


def _hash(rows: Expression, columns: list[str]) -> IntegerColumn:
    texts = [rows[column].cast("string").fill_null("") for column in columns]
    return ibis.literal("|").join(texts).hash()


def _figures(owned: Expression, unowned: Expression, cell: list[str]) -> dict[str, int]:
    most = owned.mutate(most=owned.n.max().over(group_by=[*cell, "p"]))
    # one row per (cell, person)
    per_cell = most.group_by([*cell, "p"]).agg(
        n_rows=most.n.sum(), n_values=most.count(), n_most_frequent=most.count(where=most.n == most.most)
    )
    # one row per person
    per_person = per_cell.group_by("p").agg(
        n_cells=per_cell.count(),
        n_rows=per_cell.n_rows.sum(),
        differs=per_cell.n_values.max() > 1,
        ties=per_cell.n_most_frequent.max() > 1,
    )
    figures = per_person.agg(
        people=per_person.count(),
        counted=per_person.n_cells.sum(),
        merged=per_person.n_rows.sum() - per_person.n_cells.sum(),
        differing=per_person.count(where=per_person.differs),
        tied=per_person.count(where=per_person.ties),
        max_cells=per_person.n_cells.max(),
    )
    without = unowned.agg(without=unowned.n.sum())
    found = fetch(figures).to_pylist()[0] | fetch(without).to_pylist()[0]
    return {name: int(number or 0) for name, number in found.items()}


def _notes(found: dict[str, int], *, has_hash: bool) -> tuple[str, ...]:
    unowned = f", and {found['without']:,} without a person id, each taken as a further person"
    counted = (
        f"{found['counted'] + found['without']:,} records are counted: {_people(found['people'])}, each once in "
        f"each of their cells{unowned if found['without'] else ''}."
    )
    if not found["merged"]:
        return (counted,)
    merged = (
        f"{found['merged']:,} more rows of the same people in the same cells were merged; "
        f"{_people(found['differing'])} had differing values in one cell, of which the most frequent was kept."
    )
    if found["tied"]:
        way = "one of theirs was picked by a hash of the id" if has_hash else "the first of theirs in order was taken"
        merged += f" Of these, {found['tied']:,} had no most frequent value; {way}."
    return counted, merged


def _people(number: int) -> str:
    return "1 person" if number == 1 else f"{number:,} people"
