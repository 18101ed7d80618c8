"""Two-sided geometric noise, also called discrete Laplace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from epsilometer.formulas.advantage import geometric_advantage
from epsilometer.mechanisms.mechanism import Mechanism, Parameter, aligned, each
from epsilometer.vocabulary.noise import ExponentialTails

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray


@dataclass(frozen=True, kw_only=True)
class Geometric(Mechanism):
    """Whole-number noise with Pr(e = k) proportional to exp(-|k|/b), b = L1 sensitivity / epsilon: epsilon-DP.

    >>> Geometric(epsilon=1.0).probability_below([0, 1]).round(6)
    array([0.268941, 0.731059])
    """

    name: ClassVar[str] = "geometric"

    @property
    def scale(self) -> Parameter:
        return each(lambda epsilon: self.adjacency.l1_sensitivity / epsilon, self.epsilon)

    def probability_below(self, x: ArrayLike) -> FloatArray:
        largest = np.ceil(np.asarray(x, dtype=np.float64)) - 1  # e < x is e <= largest
        scale = aligned(self.scale, largest)
        distance = np.where(largest < 0, -largest, largest + 1)
        tail = np.exp(-distance / scale) / (1 + np.exp(-1 / scale))
        return np.where(largest < 0, tail, 1 - tail)

    def probability_at_least(self, x: ArrayLike) -> FloatArray:
        return self.probability_below(1 - np.ceil(np.asarray(x, dtype=np.float64)))

    @property
    def exponential_tails(self) -> ExponentialTails | None:
        """Vanishing probabilities in closed form; only where noise of 0 or less makes an empty count vanish."""
        if not 0 < self.threshold <= 1:
            return None
        decay = np.exp(-1 / np.asarray(self.scale))
        head = 1 / (1 + decay)
        return ExponentialTails(head, decay, head)

    def sample(self, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        scale = aligned(self.scale, np.empty((1,) * len(shape)))
        success = -np.expm1(-1 / scale)
        size = np.asarray(self.scale).shape + shape
        return np.asarray(rng.geometric(success, size) - rng.geometric(success, size), dtype=np.float64)

    @property
    def membership_advantage(self) -> FloatArray:
        return geometric_advantage(np.exp(-1 / np.asarray(self.scale)))

    @property
    def value_advantage(self) -> FloatArray:
        return self.membership_advantage
