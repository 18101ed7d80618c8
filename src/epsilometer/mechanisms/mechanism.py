"""What every mechanism offers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.formulas.advantage import posterior_from_epsilon
from epsilometer.vocabulary.adjacency import Adjacency

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

Parameter = float | tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Mechanism(ABC):
    """Noise added to every count of a table, and what it guarantees.

    Attributes:
        epsilon: the privacy parameter; several of them ask for a curve.
        delta: probability with which the epsilon guarantee may fail; zero for pure differential privacy.
        adjacency: what one person may change: ``"add-remove"`` or ``"replace"``.
        threshold: a noisy count below this is published as zero; 1/2 is rounding to the nearest whole number.
    """

    name: ClassVar[str]

    epsilon: Parameter
    delta: float = field(default=0.0, init=False)
    adjacency: Adjacency = Adjacency.ADD_REMOVE
    threshold: float = 0.5

    def __post_init__(self) -> None:
        hint = "A smaller epsilon means more noise."
        self._set(
            epsilon=checked("epsilon", self.epsilon, "(0, inf)", lambda e: 0 < e < math.inf, hint=hint),
            adjacency=Adjacency(self.adjacency),
        )
        if not math.isfinite(self.threshold):
            raise OutOfRange("threshold", self.threshold, "(-inf, inf)")

    @property
    @abstractmethod
    def scale(self) -> Parameter:
        """Scale of the noise: b for Laplace and geometric noise, the standard deviation for Gaussians."""

    @property
    def epsilon_limit(self) -> float:
        """Largest epsilon for which the noise can be calibrated."""
        return math.inf

    @abstractmethod
    def probability_below(self, x: ArrayLike) -> FloatArray:
        """Pr(noise < x), accurate in both tails."""

    @abstractmethod
    def probability_at_least(self, x: ArrayLike) -> FloatArray:
        """Pr(noise >= x), accurate in both tails."""

    @abstractmethod
    def sample(self, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        """Noise for simulations: seeded, fast, and not fit for a real release."""

    @property
    @abstractmethod
    def membership_advantage(self) -> FloatArray:
        """How much better than a coin anyone can tell whether one person is in the table. Tight."""

    @property
    @abstractmethod
    def value_advantage(self) -> FloatArray:
        """How much better than a coin anyone can tell which of two values one person has. Tight."""

    def value_posterior(self, prior: float) -> FloatArray:
        """Largest belief in a yes/no fact about one person's value, for pure epsilon-DP.

        A change of value is one replacement; under add/remove accounting it costs twice epsilon.
        """
        changes = 2 / self.adjacency.moved_counts
        return posterior_from_epsilon(prior, changes * np.asarray(self.epsilon))

    def at(self, epsilon: Parameter) -> Self:
        """Return the same mechanism at another epsilon, or at several."""
        return replace(self, epsilon=epsilon)

    def describe(self) -> dict[str, Any]:
        """Return everything needed to build the mechanism again, ready for JSON."""
        return {
            "name": self.name,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "adjacency": self.adjacency.value,
            "l1_sensitivity": self.adjacency.l1_sensitivity,
            "l2_sensitivity": self.adjacency.l2_sensitivity,
            "threshold": self.threshold,
            "scale": self.scale,
        }

    def _set(self, **fields: object) -> None:
        """Set fields of a frozen instance while it is being made."""
        for name, value in fields.items():
            object.__setattr__(self, name, value)


def checked(name: str, value: object, allowed: str, holds: Callable[[float], bool], *, hint: str = "") -> Parameter:
    """Return a number, or a tuple of numbers, each of which meets a condition."""
    try:
        numbers = np.atleast_1d(np.asarray(value, dtype=np.float64))
    except (TypeError, ValueError):
        raise OutOfRange(name, value, allowed, hint=hint) from None
    wrong = next((float(v) for v in numbers.ravel() if not holds(float(v))), None)
    if numbers.ndim != 1 or not len(numbers) or wrong is not None:
        raise OutOfRange(name, value if wrong is None else wrong, allowed, hint=hint)
    return tuple(float(v) for v in numbers) if isinstance(value, Iterable) else float(numbers[0])


def each(function: Callable[[float], float], parameter: Parameter) -> Parameter:
    """Apply a function to a parameter, or to each of several."""
    return tuple(map(function, parameter)) if isinstance(parameter, tuple) else function(parameter)


def aligned(parameter: Parameter, x: FloatArray) -> FloatArray:
    """Return the parameter as an array that broadcasts against ``x`` with its own axis first."""
    array = np.asarray(parameter, dtype=np.float64)
    return array.reshape(array.shape + (1,) * x.ndim)


def checked_delta(delta: float) -> float:
    """Return a probability with which a guarantee may fail, or say why it is none."""
    if not 0 < delta < 1:
        raise OutOfRange("delta", delta, "(0, 1)", hint="It is the probability that epsilon fails.")
    return delta
