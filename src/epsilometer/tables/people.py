"""One person, one row per cell: bounding what a person with several rows adds to the counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import ibis

from epsilometer.tables.engine import fetch, keep

if TYPE_CHECKING:
    from ibis.expr.types import Table as Expression

    from epsilometer.tables.roles import Roles


@dataclass(frozen=True, slots=True, eq=False)
class Contributions:
    """Joint counts in which a person counts once per cell, and how they came to be."""

    rows: Expression
    notes: tuple[str, ...] = ()
    max_cells_per_person: int = 1


def one_row_per_person(counted: Expression, roles: Roles) -> Contributions:
    """Within a cell keep the value most rows of a person have, or the first in order among equals.

    With several sensitive columns it is their combination that is kept. A row without a person id is
    taken as a person of its own.

    Args:
        counted: one row per (cell, sensitive values, person), with the number of rows ``n``.
        roles: the columns behind the keys.
    """
    cell = [f"q{i}" for i in range(len(roles.quasi_identifiers))]
    values = [f"s{i}" for i in range(len(roles.sensitive))]
    owned, unowned = counted.filter(counted.p.notnull()), counted.filter(counted.p.isnull())
    preference = [owned.n.desc(), *(owned[value].asc(nulls_first=False) for value in values)]
    ranked = owned.mutate(rank=ibis.row_number().over(group_by=[*cell, "p"], order_by=preference))
    kept = ranked.filter(ranked["rank"] == 0).select(*cell, *values, n=ibis.literal(1, "int64"))
    both = kept.union(unowned.select(*cell, *values, n=unowned.n.cast("int64")))
    rows = keep(both.group_by([*cell, *values]).agg(n=both.n.sum().cast("int64")))
    notes, max_cells = _bounding_notes(owned, unowned, cell)
    return Contributions(rows, notes, max_cells)


def _bounding_notes(owned: Expression, unowned: Expression, cell: list[str]) -> tuple[tuple[str, ...], int]:
    # one row per (cell, person)
    per_cell = owned.group_by([*cell, "p"]).agg(n_rows=owned.n.sum(), n_values=owned.count())
    # one row per person
    per_person = per_cell.group_by("p").agg(
        n_cells=per_cell.count(),
        n_merged=per_cell.n_rows.sum() - per_cell.count(),
        differs=per_cell.n_values.max() > 1,
    )
    figures = per_person.agg(
        people=per_person.count(),
        merged=per_person.n_merged.sum(),
        differing=per_person.count(where=per_person.differs),
        max_cells=per_person.n_cells.max(),
    )
    found = {name: int(number or 0) for name, number in fetch(figures).to_pylist()[0].items()}
    without = int(fetch(unowned.agg(n=unowned.n.sum())).to_pylist()[0]["n"] or 0)
    merging = (
        f"{found['people']} people own the rows; {found['merged']} rows were merged so that each person counts "
        f"once per cell, and {found['differing']} of the people had differing values in one cell, of which "
        "the most frequent was kept."
    )
    notes = [merging]
    max_cells = max(found["max_cells"], 1)
    if max_cells > 1:
        notes.append(
            f"One person appears in up to {max_cells} cells: the guarantee for a person is {max_cells} times epsilon."
        )
    if without:
        have = "record has" if without == 1 else "records have"
        notes.append(f"{without} {have} no person id; each is counted as a person of its own.")
    return tuple(notes), max_cells
