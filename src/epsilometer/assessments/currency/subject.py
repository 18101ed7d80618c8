"""The table that kinds of release are compared on, counted once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from epsilometer.utility.marginals import Marginals

if TYPE_CHECKING:
    import pyarrow as pa

    from epsilometer.plans.plan import Plan
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.telling import Tell

WAYS: Final = (1, 2)  # numbers of columns whose shares an analyst looks at


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A counted table, and what every kind of release needs of it.

    Attributes:
        plan: how the table is read; what it publishes plays no part.
        freq: the counted table; several sensitive columns are one attribute of combinations.
        labels: what each cell is called: cells x quasi-identifiers.
        counts: cells x values.
        marginals: the shares that an analyst looks at.
    """

    plan: Plan
    freq: FrequencyTable
    labels: pa.Table
    counts: IntArray
    marginals: Marginals

    @classmethod
    def of(cls, plan: Plan, freq: FrequencyTable) -> Self:
        """Fetch the cells of a counted table."""
        labels, counts = split_cells(freq.cells(), freq.n_values)
        return cls(plan, freq, labels, counts, Marginals.of_cells(labels, 0, WAYS))

    @property
    def n_people(self) -> int:
        """Number of records n."""
        return self.freq.n_records

    @property
    def values(self) -> tuple[str, ...]:
        """The sensitive values, in the order of the columns of the counts."""
        return self.freq.profile.values

    @property
    def shares(self) -> FloatArray:
        """Overall share of each sensitive value."""
        return self.freq.profile.shares

    @property
    def fallback(self) -> FloatArray:
        """How probably each value is named by whoever knows only the overall shares: the most common one, or any."""
        totals = self.counts.sum(axis=0)
        modes = totals == totals.max()
        return modes / modes.sum()

    @property
    def no_release(self) -> float:
        """How often the most common value of all is right: without a release nobody does better."""
        return float(self.shares.max())

    @property
    def raw(self) -> float:
        """How often the most common value of the person's cell is right."""
        return float(self.counts.max(axis=1).sum() / self.n_people)


@dataclass(frozen=True, slots=True)
class Simulation:
    """How chance is simulated.

    Attributes:
        repeats: number of releases for each point.
        runs: number of synthetic tables for each point.
        seed: what chance is seeded with.
        tell: called with each step and the share of the work that is done.
    """

    repeats: int
    runs: int
    seed: int
    tell: Tell

    def rng(self) -> np.random.Generator:
        """Return the chance of one curve."""
        return np.random.default_rng(self.seed)


def split_cells(cells: pa.Table, n_values: int) -> tuple[pa.Table, IntArray]:
    """Split fetched cells into their labels and their counts (cells x values)."""
    n_labels = cells.num_columns - n_values
    counts = np.column_stack([column.to_numpy() for column in cells.columns[n_labels:]])
    return cells.select(range(n_labels)), counts
