"""Who is exposed: people who are alone in their cell, and people whose own risk is large."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.formulas.homogeneity.alone_by_count import RAREST

if TYPE_CHECKING:
    from epsilometer.formulas.homogeneity.alone_by_count import CellTallies
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.noise import Noise

ROUNDING: Final = 1e-9  # by which a risk may be off: one that near to the limit counts as above


@dataclass(frozen=True, slots=True, kw_only=True)
class LoneCells:
    """How many cells are a single person's.

    Attributes:
        n_people: people in the table.
        n_cells: cells that somebody is in.
        alone: cells of one person, and so people who are alone in theirs.
    """

    n_people: int
    n_cells: int
    alone: int

    @property
    def most(self) -> bool:
        """Whether more than half of the cells are a single person's."""
        return 2 * self.alone > self.n_cells


def lone_cells(freq: FrequencyTable) -> LoneCells:
    """Count the people whom the quasi-identifiers tell from everybody else. Exact.

    >>> from epsilometer import FrequencyTable
    >>> lone_cells(FrequencyTable.from_counts([[1, 0], [0, 1], [3, 4]])).most
    True
    """
    profile = freq.profile
    alone = int(profile.n_cells[profile.sizes == 1].sum())
    return LoneCells(n_people=freq.n_records, n_cells=freq.n_cells, alone=alone)


def people_with_risk(cells: CellTallies, least: float, noise: Noise) -> int:
    """How many people have at least this risk that noisy counts show their own value alone. Exact.

    The same as :meth:`RiskSpread.people.number_at_least`, without a probability for each count of each cell: only of
    each distinct count, as in :func:`alone_by_count`. A risk that rounding may have put below the limit counts.

    >>> from epsilometer import Laplace
    >>> from epsilometer.formulas.homogeneity.alone_by_count import CellTallies
    >>> people_with_risk(CellTallies.of([[3, 0], [9, 9]], [1, 1]), 0.5, Laplace(epsilon=1.0))
    3
    """
    at = noise.threshold - cells.distinct
    vanish = np.maximum(np.asarray(noise.probability_below(at)), RAREST)
    odds = np.asarray(noise.probability_at_least(at)) / vanish
    found, first = 0, 0
    for tally, _ in cells.blocks:
        held = tally.tocoo()
        kind, count = held.coords
        own = odds[count] * np.exp(tally @ np.log(vanish))[kind]
        people = held.data * cells.distinct[count] * cells.n_cells[first + kind]
        found += int(people[own * (1 + ROUNDING) >= least].sum())
        first += tally.shape[0]
    return found
