"""The epsilons of the groups, by the paper's rule and without its prior, and what they do to all people together.

All epsilons are total ones: the advantage formulas with a range of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.formulas import guessing
from epsilometer.reproduction.guessing.releases import expected_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.reproduction.guessing.experiments import Group
    from epsilometer.reproduction.guessing.releases import Statistic

ADVANTAGES: Final = (0.01, 0.05, 0.1, 0.2)
PLAIN: Final = 1.0  # epsilon of those who do not ask for an advantage


def printed_epsilon(advantage: float, group: Group) -> float:
    """Epsilon by the formula of the paper; nan where it is the logarithm of a negative number."""
    return float(guessing.published.epsilon_single(advantage, group.uniqueness, 1.0))


def own_epsilon(advantage: float, group: Group) -> float:
    """Epsilon by the same rule on its whole domain; infinite where the paper's formula has no value."""
    return float(guessing.epsilon_single(advantage, group.uniqueness, 1.0))


def prior_free_epsilon(advantage: float) -> float:
    """Epsilon that keeps the advantage whatever the attacker knew before: the same for all groups."""
    return float(guessing.worst_case_epsilon(advantage, 1.0))


def worst_gain(epsilon: float) -> float:
    """Most that a release can add to the chance of a right guess, whatever the attacker knew before."""
    return float(guessing.worst_case_advantage(epsilon, 1.0))


def group_aware(advantage: float, groups: Sequence[Group]) -> list[float]:
    """Epsilons by the rule, each group its own."""
    return [own_epsilon(advantage, group) for group in groups]


def one_for_all(advantage: float, groups: Sequence[Group]) -> list[float]:
    """Epsilons by the rule, the smallest of them for all groups."""
    return [min(group_aware(advantage, groups))] * len(groups)


def mean_error(statistic: Statistic, noise: str, epsilons: Sequence[float], groups: Sequence[Group]) -> float:
    """Expected error of a group's statistic, averaged over all people."""
    errors = [expected_error(statistic, noise, epsilon, group) for epsilon, group in zip(epsilons, groups, strict=True)]
    return _over_people(errors, groups)


def mean_worst_gain(epsilons: Sequence[float], groups: Sequence[Group]) -> float:
    """Worst gain of an attacker, averaged over all people."""
    return _over_people([worst_gain(epsilon) for epsilon in epsilons], groups)


def _over_people(numbers: Sequence[float], groups: Sequence[Group]) -> float:
    return float(np.average(numbers, weights=[group.n_people for group in groups]))
