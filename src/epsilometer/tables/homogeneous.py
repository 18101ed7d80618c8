"""How many of several sensitive attributes have a single value in a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import ibis
import numpy as np

from epsilometer.tables.engine import fetch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ibis.expr.types import IntegerValue
    from ibis.expr.types import Table as Expression

    from epsilometer.vocabulary.profile import Profile


class HomogeneousAttributes(NamedTuple):
    """Cells, and the records in them, in which so many of the sensitive attributes have a single value."""

    n_attributes: int
    n_cells: int
    n_records: int


def homogeneous_in(profile: Profile) -> tuple[HomogeneousAttributes, ...]:
    """Count the cells of a single attribute, those with several values first."""
    single = np.count_nonzero(profile.counts, axis=1) == 1
    parts = ((number, profile.n_cells[chosen], profile.sizes[chosen]) for number, chosen in ((0, ~single), (1, single)))
    return tuple(
        HomogeneousAttributes(number, int(n_cells.sum()), int(n_cells @ sizes))
        for number, n_cells, sizes in parts
        if len(n_cells)
    )


def homogeneous_attributes(
    counts: Expression, cell: Sequence[str], sensitive: Sequence[str]
) -> tuple[HomogeneousAttributes, ...]:
    """Count the cells by how many attributes have a single value in them, missing being a value."""
    values: dict[str, IntegerValue] = {
        f"v{i}": counts[key].nunique() + ibis.ifelse(counts[key].isnull(), 1, 0).max()
        for i, key in enumerate(sensitive)
    }
    per_cell = counts.group_by(list(cell)).agg(records=counts.n.sum(), **values)
    single = [ibis.ifelse(per_cell[f"v{i}"] == 1, 1, 0) for i in range(len(sensitive))]
    rated = per_cell.mutate(single=sum(single[1:], single[0]))
    found = fetch(rated.group_by("single").agg(cells=rated.count(), people=rated.records.sum()))
    rows = sorted(zip(*(found[name].to_pylist() for name in ("single", "cells", "people")), strict=True))
    return tuple(HomogeneousAttributes(*(int(number) for number in row)) for row in rows)
