"""Gaussian noise on whole numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from epsilometer.formulas import discrete_gaussian
from epsilometer.mechanisms.mechanism import Mechanism, Parameter, checked_delta, each

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray


@dataclass(frozen=True, kw_only=True)
class DiscreteGaussian(Mechanism):
    """Whole-number noise with Pr(e = k) proportional to exp(-k**2 / 2 sigma**2): (epsilon, delta)-DP.

    Sigma is the smallest from which on every one keeps the guarantee. It falls with epsilon, and where epsilon is large
    it drops at once now and then: :func:`~epsilometer.formulas.discrete_gaussian.calibrated_sigma` says why.

    >>> round(DiscreteGaussian(epsilon=1.0, delta=1e-5).sigma, 6)
    3.740485
    """

    name: ClassVar[str] = "discrete-gaussian"

    delta: float
    sigma: Parameter = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_delta(self.delta)
        moved = self.adjacency.moved_counts
        self._set(
            sigma=each(
                lambda epsilon: discrete_gaussian.calibrated_sigma(epsilon, self.delta, moved_counts=moved),
                self.epsilon,
            )
        )

    @property
    def scale(self) -> Parameter:
        return self.sigma

    def probability_below(self, x: ArrayLike) -> FloatArray:
        return self.probability_at_least(1 - np.ceil(np.asarray(x, dtype=np.float64)))

    def probability_at_least(self, x: ArrayLike) -> FloatArray:
        smallest = np.ceil(np.asarray(x, dtype=np.float64))
        if isinstance(self.sigma, tuple):
            return np.stack([_at_least(smallest, sigma) for sigma in self.sigma])
        return _at_least(smallest, self.sigma)

    def sample(self, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        if isinstance(self.sigma, tuple):
            return np.stack([_sample(rng, sigma, shape) for sigma in self.sigma])
        return _sample(rng, self.sigma, shape)

    @property
    def membership_advantage(self) -> FloatArray:
        return np.asarray(self.probability_at_least(0) - self.probability_at_least(1))

    @property
    def value_advantage(self) -> FloatArray:
        return np.asarray(each(discrete_gaussian.value_advantage, self.sigma))


def _at_least(smallest: FloatArray, sigma: float) -> FloatArray:
    tail = np.append(discrete_gaussian.upper_tail(sigma), 0.0)
    distance = np.minimum(np.where(smallest > 0, smallest, 1 - smallest), len(tail) - 1).astype(np.int64)
    return np.where(smallest > 0, tail[distance], 1 - tail[distance])


def _sample(rng: np.random.Generator, sigma: float, shape: tuple[int, ...]) -> FloatArray:
    """Draw a magnitude by inverting the two-sided tail, then a sign."""
    two_sided = 2 * discrete_gaussian.upper_tail(sigma)[1:]  # Pr(|e| >= m) for m = 1, 2, …
    magnitude = np.searchsorted(-two_sided, -rng.random(shape), side="left")
    return np.asarray(magnitude * rng.choice((-1.0, 1.0), shape), dtype=np.float64)
