"""Laplace noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from epsilometer.formulas.advantage import laplace_membership_advantage, laplace_value_advantage
from epsilometer.mechanisms.mechanism import Mechanism, Parameter, aligned, each
from epsilometer.vocabulary.noise import ExponentialTails

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

LARGEST_EXPONENT: Final = 700.0  # exp of more overflows


@dataclass(frozen=True, kw_only=True)
class Laplace(Mechanism):
    """Laplace noise of scale b = L1 sensitivity / epsilon on every count: epsilon-DP.

    >>> Laplace(epsilon=1.0).probability_below([-0.5, 0.5]).round(6)
    array([0.303265, 0.696735])
    """

    name: ClassVar[str] = "laplace"

    @property
    def scale(self) -> Parameter:
        return each(lambda epsilon: self.adjacency.l1_sensitivity / epsilon, self.epsilon)

    def probability_below(self, x: ArrayLike) -> FloatArray:
        at = np.asarray(x, dtype=np.float64)
        tail = 0.5 * np.exp(-np.abs(at) / aligned(self.scale, at))
        return np.where(at <= 0, tail, 1 - tail)

    def probability_at_least(self, x: ArrayLike) -> FloatArray:
        return self.probability_below(-np.asarray(x, dtype=np.float64))

    @property
    def exponential_tails(self) -> ExponentialTails | None:
        """Vanishing probabilities in closed form; a threshold above 1 breaks the rule for the counts below it."""
        rate = 1 / np.asarray(self.scale)
        if self.threshold > 1 or (self.threshold * rate > LARGEST_EXPONENT).any():
            return None
        head, empty = 0.5 * np.exp(self.threshold * rate), self.probability_below(self.threshold)
        return ExponentialTails(head, np.exp(-rate), empty)

    def sample(self, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        scale = np.asarray(self.scale)
        return aligned(self.scale, np.empty((1,) * len(shape))) * rng.laplace(size=scale.shape + shape)

    @property
    def membership_advantage(self) -> FloatArray:
        return laplace_membership_advantage(self.scale)

    @property
    def value_advantage(self) -> FloatArray:
        return laplace_value_advantage(self.scale)
