"""Gaussian noise."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from epsilometer.errors import UnknownChoice
from epsilometer.formulas import gaussian
from epsilometer.formulas.advantage import gaussian_advantage
from epsilometer.mechanisms.mechanism import Mechanism, Parameter, aligned, checked, checked_delta, each
from epsilometer.vocabulary.adjacency import Adjacency

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

CALIBRATIONS: Mapping[str, Callable[[float, float], float]] = MappingProxyType(
    {
        "analytic": gaussian.analytic_sigma,
        "classic": gaussian.classic_sigma,
        "probabilistic": gaussian.probabilistic_sigma,
        "probabilistic-tight": gaussian.tight_probabilistic_sigma,
    }
)


@dataclass(frozen=True, kw_only=True)
class Gaussian(Mechanism):
    """Gaussian noise of standard deviation ``sigma`` on every count.

    Attributes:
        delta: probability with which the epsilon guarantee may fail, in (0, 1).
        calibration: how sigma follows from epsilon and delta. ``"analytic"`` is the smallest for
            (epsilon, delta)-DP; ``"classic"`` the textbook's, for epsilon below 1; ``"probabilistic"`` paper
            001's for probabilistic DP and ``"probabilistic-tight"`` the smallest for it.
        sigma: the standard deviation, from the others.

    >>> round(Gaussian(epsilon=1.0, delta=1e-5).sigma, 6)
    3.730632
    """

    name: ClassVar[str] = "gaussian"

    delta: float
    calibration: str = "analytic"
    sigma: Parameter = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_delta(self.delta)
        if self.calibration not in CALIBRATIONS:
            raise UnknownChoice("calibration", self.calibration, CALIBRATIONS)
        calibrate = CALIBRATIONS[self.calibration]
        sensitivity = self.adjacency.l2_sensitivity
        self._set(sigma=each(lambda epsilon: sensitivity * calibrate(epsilon, self.delta), self.epsilon))

    @classmethod
    def with_sigma(
        cls,
        sigma: float | tuple[float, ...],
        *,
        delta: float = 1e-5,
        adjacency: Adjacency = Adjacency.ADD_REMOVE,
        threshold: float = 0.5,
    ) -> Self:
        """Return the mechanism with this sigma; its epsilon is the smallest that holds with ``delta``.

        >>> round(Gaussian.with_sigma(2.0).epsilon, 6)
        1.993091
        """
        given = checked("sigma", sigma, "(0, inf)", lambda s: 0 < s < math.inf)
        sensitivity = Adjacency(adjacency).l2_sensitivity
        epsilon = each(lambda s: gaussian.epsilon_from_sigma(s / sensitivity, delta=delta), given)
        mechanism = cls(epsilon=epsilon, delta=delta, adjacency=adjacency, threshold=threshold)
        mechanism._set(sigma=given)  # the number itself rather than its way through epsilon and back
        return mechanism

    @property
    def scale(self) -> Parameter:
        return self.sigma

    @property
    def epsilon_limit(self) -> float:
        return math.nextafter(1.0, 0.0) if self.calibration == "classic" else math.inf

    def probability_below(self, x: ArrayLike) -> FloatArray:
        from scipy.special import ndtr

        at = np.asarray(x, dtype=np.float64)
        return np.asarray(ndtr(at / aligned(self.sigma, at)), dtype=np.float64)

    def probability_at_least(self, x: ArrayLike) -> FloatArray:
        return self.probability_below(-np.asarray(x, dtype=np.float64))

    def sample(self, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        sigma = np.asarray(self.sigma)
        return aligned(self.sigma, np.empty((1,) * len(shape))) * rng.standard_normal(sigma.shape + shape)

    @property
    def membership_advantage(self) -> FloatArray:
        return gaussian_advantage(self.sigma, 1.0)

    @property
    def value_advantage(self) -> FloatArray:
        return gaussian_advantage(self.sigma, math.sqrt(2))

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "calibration": self.calibration}
