"""What every synthesizer offers, so that any of them can make, be measured and be audited in the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    import numpy as np

    from epsilometer.synthesizers.budget import Budget
    from epsilometer.synthesizers.coded import CodedTable
    from epsilometer.synthesizers.noise import Noise
    from epsilometer.vocabulary.arrays import IntArray
    from epsilometer.vocabulary.spending import Spending


class Model(Protocol):
    """What was learned: any number of records may be drawn from it at no further cost.

    Attributes:
        spent: each look at the records, with its part of the budget; they add up to no more than the budget.
        n_records: how many records the table has, as far as the noise lets it be known; at least 1.
    """

    @property
    def spent(self) -> tuple[Spending, ...]: ...

    @property
    def n_records(self) -> int: ...

    def sample(self, n: int, rng: np.random.Generator) -> IntArray:
        """Draw records as codes, n x columns; privacy does not depend on this chance."""


class Synthesizer(Protocol):
    """A method that learns a model of a table under differential privacy.

    Attributes:
        name: what it is called on the command line.
        summary: what it does, in a line.
        needs_delta: whether its guarantee has a delta above zero.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    needs_delta: ClassVar[bool]

    def fit(self, table: CodedTable, budget: Budget, noise: Noise) -> Model:
        """Learn a model within the budget, one record added or removed; raise before spending if it cannot."""
