"""Noise that can be drawn exactly: whole steps of a grid, with probabilities that are whole parts of a whole.

A number is first moved to one of its two neighbours on the grid, at random such that it stays the same on average.
The noise is then drawn from a table of whole-number weights, so that what is drawn has a law that can be written
down and checked to the last digit, other than a float with noise of floats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.formulas.gaussian import analytic_sigma
from epsilometer.randomizers.randomness import WHOLE, Words, random_picks, random_words, whole_weights

if TYPE_CHECKING:
    from epsilometer.randomizers.added_noise import AddedNoise, LocalGaussian, LocalLaplace
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray

STEPS: Final = 1024  # of the declared range; what rounding adds to the variance is below R^2 / 2^22
LARGEST_SIGMA: Final = 2.0**14  # in steps; with more noise than that, fewer steps do as well
LAPLACE_MARGIN: Final = 1e-6  # share of epsilon given to the rounding of the weights
GAUSSIAN_MARGIN: Final = 1e-4  # by which sigma is raised, for the grid and for the rounding of the weights


@dataclass(frozen=True, eq=False)
class GridNoise:
    """The law of real reports of a number with noise.

    Attributes:
        randomizer: the randomiser of which this is the form that is drawn.
        n_steps: steps of the grid between the ends of the range.
        weights: of the noise -N, …, N, in steps; a probability is a weight's share of their sum.
        lowest: position of the smallest report on the grid; a smaller sum of position and noise counts as this one,
            and one beyond the other end, as far from the range, as that.
        positions: the reports, in ascending order.
        delta: the smallest delta with which a report is (epsilon, delta)-LDP, rounded up.
    """

    randomizer: AddedNoise
    n_steps: int
    weights: Words
    lowest: int
    positions: FloatArray
    delta: float

    def draw(self, values: ArrayLike) -> FloatArray:
        """Real reports of these numbers."""
        at, beyond = self._neighbours(values)
        moved = at + ((random_words(len(at)) >> np.uint64(11)) < beyond * 2.0**53)
        noise = random_picks(self.weights, len(at)) - len(self.weights) // 2
        return self.positions[np.clip(moved + noise - self.lowest, 0, len(self.positions) - 1)]

    def channel(self, values: ArrayLike, edges: ArrayLike) -> FloatArray:
        """Probabilities of a report below, between and above the edges (columns) given each number (row). Exact."""
        at, beyond = self._neighbours(values)
        first = np.searchsorted(self.positions, np.asarray(edges, dtype=np.float64), side="left")
        below = [self._below(first, at + move) for move in (0, 1)]
        mixed = (1 - beyond)[:, None] * below[0] + beyond[:, None] * below[1]
        return np.diff(np.pad(mixed, ((0, 0), (1, 1)), constant_values=(0, 1)), axis=1)

    def _neighbours(self, values: ArrayLike) -> tuple[IntArray, FloatArray]:
        """The grid position below each number, and how far the number lies on the way to the next."""
        way = (self.randomizer.clamp(values) - self.randomizer.low) / self.randomizer.range * self.n_steps
        at = np.minimum(np.floor(way), self.n_steps - 1)
        return at.astype(np.int64), way - at

    def _below(self, first: IntArray, at: IntArray) -> FloatArray:
        """Probability of a report before the ``first``, in the order of positions, from a number at ``at``."""
        ladder = np.pad(np.cumsum(self.weights), (1, 0)) / float(self.weights.sum())
        noise = first + self.lowest - at[:, None] + len(self.weights) // 2
        inside = ladder[np.clip(noise, 0, len(ladder) - 1)]
        return np.where(first == 0, 0.0, np.where(first == len(self.positions), 1.0, inside))


def laplace_grid(randomizer: LocalLaplace) -> GridNoise:
    """Two-sided geometric noise, of which whatever leaves the range is reported as its mean: epsilon-LDP, delta zero.

    By how much the noise leaves the range says nothing about the number, only that it does, because a geometric law
    forgets. Reporting the mean instead makes the reports few, keeps them unbiased and only lowers their variance.

    >>> from epsilometer.randomizers import LocalLaplace
    >>> grid = laplace_grid(LocalLaplace(epsilon=1.0, low=0.0, high=1.0))
    >>> len(grid.positions), grid.positions[[0, 512, -1]].round(2)
    (1025, array([-1. ,  0.5,  2. ]))
    """
    rate = randomizer.epsilon * (1 - LAPLACE_MARGIN) / STEPS
    log_weights = -rate * np.abs(np.arange(-STEPS, STEPS + 1.0))
    log_weights[[0, -1]] -= math.log(-math.expm1(-rate))  # the ends stand for everything beyond
    on_grid = np.arange(STEPS + 1.0)
    on_grid[[0, -1]] += np.array([-1, 1]) / math.expm1(rate)
    return GridNoise(
        randomizer=randomizer,
        n_steps=STEPS,
        weights=whole_weights(np.exp(log_weights)),
        lowest=0,
        positions=randomizer.low + on_grid * (randomizer.range / STEPS),
        delta=0.0,
    )


def gaussian_grid(randomizer: LocalGaussian) -> GridNoise:
    """Discrete Gaussian noise, cut off where its weights are gone: (epsilon, delta)-LDP with the delta it states.

    >>> from epsilometer.randomizers import LocalGaussian
    >>> grid = gaussian_grid(LocalGaussian(epsilon=1.0, delta=1e-5, low=0.0, high=1.0))
    >>> grid.n_steps, grid.delta <= 1e-5
    (1024, True)
    """
    unit = analytic_sigma(randomizer.epsilon, randomizer.delta) * (1 + GAUSSIAN_MARGIN)
    n_steps = 2 ** max(0, min(int(math.log2(STEPS)), math.floor(math.log2(LARGEST_SIGMA / unit))))
    sigma = unit * n_steps
    reach = math.ceil(sigma * math.sqrt(2 * math.log(WHOLE))) + n_steps  # so that both ends of the range get there
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    delta = _delta_when_moved(weights, n_steps, randomizer.epsilon)
    if delta > randomizer.delta:
        hint = "The probabilities of real reports are multiples of 2^-63."
        raise OutOfRange("delta of real reports", randomizer.delta, f"[{delta:.3g}, 1)", hint=hint)
    return GridNoise(
        randomizer=randomizer,
        n_steps=n_steps,
        weights=whole_weights(weights),
        lowest=-reach,
        positions=randomizer.low + np.arange(-reach, n_steps + reach + 1) * (randomizer.range / n_steps),
        delta=delta,
    )


def _delta_when_moved(weights: FloatArray, distance: int, epsilon: float) -> float:
    """Delta when the noise is moved by ``distance``, with room for the rounding of the weights to whole numbers.

    A smaller distance needs a smaller delta, since the likelihood ratio of a log-concave law grows along the line.
    Rounding up lowers no weight and raises each by at most one, so it adds at most one part of the whole for each.
    """
    shares = weights / weights.sum()
    here, there = np.pad(shares, (0, distance)), np.pad(shares, (distance, 0))
    return float(np.maximum(here - math.exp(epsilon) * there, 0.0).sum()) * (1 + 1e-9) + len(weights) * 2 / WHOLE
