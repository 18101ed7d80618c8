"""The mean age or the histogram of ages from everybody's own randomised report, and how far off it is expected to be.

Everything released is a number from 0 to 100: the mean in years, the bars of the histogram in percent of the people.
Epsilon is the total one, over the whole range of ages: the paper's epsilon, per year, times 100. Each statistic is
released alone; both together would cost both epsilons.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from epsilometer.randomizers import ExponentialChoice, LocalGaussian, LocalLaplace
from epsilometer.randomizers.analysers import inversion_variance
from epsilometer.reproduction.guessing.experiments import AGES

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.randomizers.added_noise import AddedNoise
    from epsilometer.reproduction.guessing.experiments import Group
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

DELTA: Final = 1e-6  # of the Gaussian noise
HIGH: Final = 100.0  # of every number released; the lowest is 0
N_BARS: Final = 10  # ten years each; the last has 100 in it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Statistic:
    """A mean over people of one or more numbers, each from 0 to 100.

    Attributes:
        name: what it is.
        unit: of its errors.
        values: what is told apart of a person: the age, or the middle of its ten years.
        held: which of these a person of each age has.
        numbers: what a person with each value (row) adds to each mean (column).
        moved: how many of the numbers another age can change.
    """

    name: str
    unit: str
    values: tuple[float, ...]
    held: IntArray
    numbers: FloatArray
    moved: int


MEAN: Final = Statistic(
    name="mean age",
    unit="years",
    values=tuple(AGES.tolist()),
    held=AGES,
    numbers=AGES[:, None].astype(np.float64),
    moved=1,
)
HISTOGRAM: Final = Statistic(
    name="histogram",
    unit="% points",
    values=tuple(range(5, 100, 10)),
    held=np.minimum(AGES // 10, N_BARS - 1),
    numbers=HIGH * np.eye(N_BARS),
    moved=2,
)
STATISTICS: Final = (MEAN, HISTOGRAM)


class Release(Protocol):
    """A way to release a statistic."""

    def variances(self, group: Group) -> FloatArray:
        """Return the exact variance of each number released."""

    def simulated_errors(self, group: Group, repeats: int, rng: np.random.Generator) -> FloatArray:
        """Release again and again (rows), and return how far each number (column) is off."""


@dataclass(frozen=True, slots=True, eq=False)
class WithNoise:
    """Everybody adds noise to each of their numbers; the means of the reports are released."""

    statistic: Statistic
    randomizer: AddedNoise

    def variances(self, group: Group) -> FloatArray:
        return np.full(self.statistic.numbers.shape[1], self.randomizer.noise_variance / group.n_people)

    def simulated_errors(self, group: Group, repeats: int, rng: np.random.Generator) -> FloatArray:
        numbers = self.statistic.numbers[np.repeat(self.statistic.held, group.people)]
        reports = self.randomizer.simulate(np.broadcast_to(numbers, (repeats, *numbers.shape)), rng)
        return np.asarray(reports.mean(axis=1) - numbers.mean(axis=0))


@dataclass(frozen=True, slots=True, eq=False)
class ByChoice:
    """Everybody reports some value, a near one more often; the means follow from undoing that on average."""

    statistic: Statistic
    randomizer: ExponentialChoice

    def variances(self, group: Group) -> FloatArray:
        shares = np.bincount(self.statistic.held, weights=group.people) / group.n_people
        return inversion_variance(shares, self.randomizer.channel(), self.statistic.numbers, group.n_people)

    def simulated_errors(self, group: Group, repeats: int, rng: np.random.Generator) -> FloatArray:
        held = np.repeat(self.statistic.held, group.people)
        reports = self.randomizer.simulate(np.broadcast_to(held, (repeats, len(held))), rng)
        scores = np.linalg.solve(self.randomizer.channel(), self.statistic.numbers)
        return np.asarray(scores[reports].mean(axis=1) - self.statistic.numbers[held].mean(axis=0))


def _laplace(statistic: Statistic, epsilon: float) -> WithNoise:
    noise = LocalLaplace(epsilon=epsilon / statistic.moved, low=0.0, high=HIGH)
    return WithNoise(statistic, noise)


def _gaussian(statistic: Statistic, epsilon: float) -> WithNoise:
    farthest = HIGH * math.sqrt(statistic.moved)  # two rows of numbers are at most so far apart
    return WithNoise(statistic, LocalGaussian(epsilon=epsilon, delta=DELTA, low=0.0, high=farthest))


def _exponential(statistic: Statistic, epsilon: float) -> ByChoice:
    return ByChoice(statistic, ExponentialChoice(epsilon=epsilon, values=statistic.values))


NOISES: Final[dict[str, Callable[[Statistic, float], Release]]] = {
    "Laplace": _laplace,
    "Gaussian": _gaussian,
    "exponential": _exponential,
}


def expected_error(statistic: Statistic, noise: str, epsilon: float, group: Group) -> float:
    r"""How far is the statistic of a group off on average? Exact variance, normal error; the mean over the bars.

    .. math:: E|X| = \sqrt{2 \operatorname{Var} X / \pi}

    An infinite epsilon is no noise, and no error.
    """
    if math.isinf(epsilon):
        return 0.0
    variances = NOISES[noise](statistic, epsilon).variances(group)
    return float(np.sqrt(2 * variances / math.pi).mean())
