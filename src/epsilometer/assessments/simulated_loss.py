"""The loss of noisy counts wherever it is told: as many releases as a table allows, always the same random numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.loss import utility_losses
from epsilometer.vocabulary.evidence import Estimate, Exact, Interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.loss import Loss

WAYS: Final = (1, 2)
N_POINTS: Final = 25  # of a curve, give or take
MOST_NUMBERS: Final = 4e8  # published counts that a curve may simulate: some seconds
FEWEST_REPEATS: Final = 4
REPEATS: Final = 50
SEED: Final = 0  # the same at every point: what differs between two of them is the noise alone


def simulated_loss(freq: FrequencyTable, mechanism: Mechanism) -> Loss:
    """Simulate the loss at one epsilon; large tables less often, and the interval says what that costs.

    >>> from epsilometer import FrequencyTable, Laplace
    >>> simulated_loss(FrequencyTable.from_counts([[19, 1], [40, 20]]), Laplace(epsilon=1.0)).repeats
    50
    """
    return _each(freq, [mechanism])[0]


def simulated_losses(freq: FrequencyTable, mechanism: Mechanism, epsilons: FloatArray) -> Loss:
    """Simulate the losses at several epsilons, each as if it were asked for by itself, and return them as one curve."""
    several = tuple(epsilons.tolist())
    losses = _each(freq, map(mechanism.at, several))
    return replace(
        losses[0],
        answer=_curve([loss.answer for loss in losses]),
        by_way={way: _curve([loss.by_way[way] for loss in losses]) for way in losses[0].by_way},
        table_l1=Exact(np.array([loss.table_l1.value for loss in losses])),
        table_largest=Exact(np.array([loss.table_largest.value for loss in losses])),
        mechanism=mechanism.at(several).describe(),
    )


def _each(freq: FrequencyTable, mechanisms: Iterable[Mechanism]) -> list[Loss]:
    ways = tuple(way for way in WAYS if way <= 1 + max(1, len(freq.quasi_identifiers)))
    numbers = N_POINTS * freq.n_cells * freq.n_values
    repeats = int(np.clip(MOST_NUMBERS / numbers, FEWEST_REPEATS, REPEATS))
    return utility_losses(freq, mechanisms, ways=ways, repeats=repeats, seed=SEED)


def _curve(points: Sequence[Estimate]) -> Estimate:
    low, high = (np.array([getattr(point.interval, end) for point in points]) for end in ("low", "high"))
    return Estimate(np.array([point.value for point in points]), Interval(low, high, points[0].interval.confidence))
