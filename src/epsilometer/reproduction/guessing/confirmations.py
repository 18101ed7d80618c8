"""500 releases of each kind, next to the expected error."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.reproduction.confirmation import Confirmation
from epsilometer.reproduction.guessing.case_study import PLAIN, own_epsilon
from epsilometer.reproduction.guessing.releases import DELTA, NOISES, STATISTICS, expected_error

if TYPE_CHECKING:
    from epsilometer.reproduction.guessing.experiments import Experiments, Group
    from epsilometer.reproduction.guessing.releases import Statistic

REPEATS: Final = 500
ADVANTAGE: Final = 0.1
DEGREES: Final = ("1st-4th", "Doctorate")
HALF_WIDTH: Final = 1.959963984540054  # of a normal 95 % interval, in standard errors


def all_confirmations(experiments: Experiments) -> tuple[Confirmation, ...]:
    """Simulate the releases of two small groups, at their own epsilon and at a plain one."""
    groups = [experiments.group(degree) for degree in DEGREES]
    runs = [
        (statistic, noise, epsilon, group)
        for statistic, group in product(STATISTICS, groups)
        for noise, epsilon in product(NOISES, (own_epsilon(ADVANTAGE, group), PLAIN))
    ]
    return tuple(_confirmed(*run, seed=seed) for seed, run in enumerate(runs))


def _confirmed(statistic: Statistic, noise: str, epsilon: float, group: Group, *, seed: int) -> Confirmation:
    release, rng = NOISES[noise](statistic, epsilon), np.random.default_rng(seed)
    errors = np.abs(release.simulated_errors(group, REPEATS, rng)).mean(axis=1)
    mean, half = errors.mean(), HALF_WIDTH * errors.std(ddof=1) / math.sqrt(REPEATS)
    return Confirmation(
        table=f"error of {statistic.name}, {group.name}",
        mechanism=noise,
        delta=DELTA if noise == "Gaussian" else 0.0,
        epsilon=epsilon,
        exact=expected_error(statistic, noise, epsilon, group),
        simulated=float(mean),
        low=float(mean - half),
        high=float(mean + half),
    )
