"""Risk and loss against epsilon, from one counted table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.homogeneity.risk import homogeneity_risk
from epsilometer.assessments.simulated_loss import N_POINTS, SimulatedLoss
from epsilometer.solvers.knee import knee
from epsilometer.vocabulary.curves import Curves
from epsilometer.vocabulary.evidence import Heuristic

if TYPE_CHECKING:
    from collections.abc import Iterable

    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import FloatArray

EPSILONS: Final = (0.01, 10.0)
THRESHOLDS: Final = (0.5, 3.0, 5.0, 10.0)


def risk_and_loss(freq: FrequencyTable, mechanism: Mechanism) -> Curves:
    """Compute the curves of risk and loss on a grid of epsilon that includes the mechanism's own.

    Every loss is the one that :func:`epsilometer.choose` simulates at its epsilon, with the same random numbers.
    """
    epsilons = grid(mechanism.epsilon_limit, np.atleast_1d(mechanism.epsilon))
    noise = mechanism.at(tuple(epsilons.tolist()))
    people = homogeneity_risk(freq, noise, average="records")
    sizes, n_cells = freq.profile.cells_of_sizes
    even = grid(mechanism.epsilon_limit)
    on_even = homogeneity_risk(freq, mechanism.at(tuple(even.tolist())), average="records").value
    return Curves(
        sensitive=" and ".join(freq.sensitive),
        people=people,
        cells=homogeneity_risk(freq, noise),
        loss=SimulatedLoss(freq).curve(mechanism, epsilons),
        people_by_threshold={
            threshold: np.asarray(homogeneity_risk(freq, replace(noise, threshold=threshold), average="records").value)
            for threshold in sorted({*THRESHOLDS, mechanism.threshold})
        },
        knee=Heuristic(float(np.exp(knee(np.log(even), on_even)))),
        cell_sizes=sizes,
        cells_of_size=n_cells,
    )


def grid(limit: float, including: Iterable[float] = ()) -> FloatArray:
    """Return an even grid on log epsilon below a limit, with the epsilons that must be on it."""
    low, high = EPSILONS
    even = np.geomspace(low, min(high, limit), N_POINTS)
    return np.unique(np.concatenate([even, np.asarray(tuple(including), dtype=np.float64)]))
