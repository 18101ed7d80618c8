"""Paper 000's experiment: 500 releases of each table, next to the formula."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.homogeneity.risk import homogeneity_risk
from epsilometer.reproduction.confirmation import Confirmation
from epsilometer.reproduction.homogeneity.readings import LAPLACE, adp, exact, pdp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.reproduction.homogeneity.experiments import Experiments
    from epsilometer.reproduction.homogeneity.readings import Setting
    from epsilometer.tables.frequency_table import FrequencyTable

REPEATS: Final = 500
DELTA: Final = 1e-3  # of the simulated Gaussians: the one that paper 000 recommends
WIDE: Final = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0)
SPARSE: Final = (0.1, 1.0, 10.0)
BELOW_ONE: Final = (0.01, 0.1, 0.5)


def all_confirmations(experiments: Experiments) -> tuple[Confirmation, ...]:
    """Simulate the releases of paper 000, and with Laplace noise those of the other two tables."""
    runs: tuple[tuple[str, FrequencyTable, Setting, tuple[float, ...]], ...] = (
        ("Adult pieces", experiments.adult_pieces, LAPLACE, WIDE),
        ("Adult pieces", experiments.adult_pieces, adp(DELTA), BELOW_ONE),
        ("Adult pieces", experiments.adult_pieces, pdp(DELTA), SPARSE),
        ("Bankruptcy", experiments.bankruptcy, LAPLACE, WIDE),
        ("Bankruptcy", experiments.bankruptcy, adp(DELTA), BELOW_ONE),
        ("Bankruptcy", experiments.bankruptcy, pdp(DELTA), SPARSE),
        ("Adult cells", experiments.adult, LAPLACE, SPARSE),
        ("Bankruptcy subset", experiments.subset, LAPLACE, WIDE),
    )
    return tuple(confirmation for seed, run in enumerate(runs) for confirmation in _confirmed(*run, seed=seed))


def _confirmed(
    name: str, freq: FrequencyTable, setting: Setting, epsilons: tuple[float, ...], *, seed: int
) -> Iterator[Confirmation]:
    noise = setting.noise(*epsilons)
    shown = homogeneity_risk(freq, noise, method="simulated", repeats=REPEATS, seed=seed).to_frame()
    columns = (shown["epsilon"], exact(freq, noise), shown["value"], shown["low"], shown["high"])
    for epsilon, risk, mean, low, high in np.column_stack(columns).tolist():
        yield Confirmation(
            table=name,
            mechanism=setting.mechanism,
            delta=setting.delta,
            epsilon=epsilon,
            exact=risk,
            simulated=mean,
            low=low,
            high=high,
        )
