"""Which cells give the most away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.formulas import homogeneity
from epsilometer.vocabulary.cell_risk import CellRisk

if TYPE_CHECKING:
    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.profile import Profile


def riskiest_cells(freq: FrequencyTable, mechanism: Mechanism, limit: int = 10) -> tuple[CellRisk, ...]:
    """Return the cells with the most people disclosed by noisy counts, the worst first. Exact.

    Risks are computed for the distinct count vectors; only the cells that are asked for leave the engine.

    >>> from epsilometer import FrequencyTable, Laplace
    >>> worst = riskiest_cells(FrequencyTable.from_counts([[3, 0], [9, 9]]), Laplace(epsilon=1.0), limit=1)[0]
    >>> worst.cell, round(worst.people, 6)
    ({'cell': '1'}, 2.004417)
    """
    if isinstance(mechanism.epsilon, tuple):
        raise OutOfRange("epsilon", mechanism.epsilon, "the single numbers", hint="Name one: mechanism.at(1.0).")
    if limit < 1:
        raise OutOfRange("limit", limit, "[1, inf)", hint="It is a number of cells.")
    profile = freq.profile
    worst_first = _worst_first(homogeneity.people_disclosed(profile.counts, mechanism), profile, limit)
    found = (_cell_risk(cell, profile, mechanism) for cell in freq.first_cells(worst_first, limit))
    return tuple(sorted(found, key=lambda cell: (-cell.people, *cell.cell.values())))


def _worst_first(people: FloatArray, profile: Profile, limit: int) -> IntArray:
    """Return the count vectors with the most people disclosed, at least so many if there are; ties in a fixed order."""
    n_others = max(len(people) - limit, 0)
    worst = np.flatnonzero(people >= np.partition(people, n_others)[n_others])
    order = np.lexsort((*profile.counts[worst].T[::-1], -people[worst]))
    return worst[order]


def _cell_risk(cell: dict[str, object], profile: Profile, mechanism: Mechanism) -> CellRisk:
    n_keys = len(cell) - profile.n_values
    labels, numbers = list(cell.items())[:n_keys], list(cell.values())[n_keys:]
    counts: IntArray = np.array(numbers, dtype=np.int64)
    totals = profile.totals
    most_common = totals == totals.max()
    own = float(homogeneity.local_records(counts, mechanism))
    return CellRisk(
        cell={name: str(label) for name, label in labels},
        counts={value: int(n) for value, n in zip(profile.values, counts, strict=True) if n},
        any_value=float(homogeneity.local(counts, mechanism)),
        own_value=own,
        no_release=float(counts[most_common].mean() / counts.sum()),
        people=own * int(counts.sum()),
    )
