"""The loss of noisy counts wherever it is told: as many releases as a table allows, always the same random numbers."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.loss import Reference
from epsilometer.vocabulary.evidence import Estimate, Exact, Interval
from epsilometer.vocabulary.telling import one_by_one

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.loss import Loss

WAYS: Final = (1, 2)
N_POINTS: Final = 25  # of a curve, give or take
MOST_NUMBERS: Final = 4e8  # published counts that a curve may simulate: some seconds
FEWEST_REPEATS: Final = 4
REPEATS: Final = 50
SIMULATING: Final = "simulating releases"
SEED: Final = 0  # the same at every point: what differs between two of them is the noise alone


class SimulatedLoss:
    """The loss of one table with any noise: its marginals are found once, when the first loss is asked for.

    Large tables are simulated less often, and the interval says what that costs.

    >>> from epsilometer import FrequencyTable, Laplace
    >>> SimulatedLoss(FrequencyTable.from_counts([[19, 1], [40, 20]])).at(Laplace(epsilon=1.0)).repeats
    50
    """

    def __init__(self, freq: FrequencyTable) -> None:
        self._freq = freq
        self._repeats = int(np.clip(MOST_NUMBERS / (N_POINTS * freq.n_cells * freq.n_values), FEWEST_REPEATS, REPEATS))

    def at(self, mechanism: Mechanism) -> Loss:
        """Simulate the loss at one epsilon."""
        return self._reference.loss(mechanism, repeats=self._repeats, seed=SEED)

    def curve(self, mechanism: Mechanism, epsilons: FloatArray) -> Loss:
        """Simulate the losses at several epsilons, each as if it were asked for by itself, and return one curve."""
        several = tuple(epsilons.tolist())
        losses = [self.at(mechanism.at(epsilon)) for epsilon in one_by_one(SIMULATING, several)]
        return replace(
            losses[0],
            answer=_curve([loss.answer for loss in losses]),
            by_way={way: _curve([loss.by_way[way] for loss in losses]) for way in losses[0].by_way},
            table_l1=Exact(np.array([loss.table_l1.value for loss in losses])),
            table_largest=Exact(np.array([loss.table_largest.value for loss in losses])),
            mechanism=mechanism.at(several).describe(),
        )

    @cached_property
    def _reference(self) -> Reference:
        return Reference.of(self._freq, [way for way in WAYS if way <= 1 + max(1, len(self._freq.quasi_identifiers))])


def _curve(points: Sequence[Estimate]) -> Estimate:
    low, high = (np.array([getattr(point.interval, end) for point in points]) for end in ("low", "high"))
    return Estimate(np.array([point.value for point in points]), Interval(low, high, points[0].interval.confidence))
