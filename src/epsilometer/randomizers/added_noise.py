"""Noise on one's own number, and the best guess of the number behind a report."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from scipy.special import ndtr

from epsilometer.errors import OutOfRange
from epsilometer.formulas.gaussian import analytic_sigma
from epsilometer.randomizers.randomizer import Randomizer, checked_numbers

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray


class Decisions(NamedTuple):
    """What an attacker who knows the prior makes of a report, and the channel from values to those guesses.

    Attributes:
        edges: where one guess gives way to the next, in ascending order.
        guesses: which value is the best guess below the first edge, between the edges, and above the last.
        channel: probabilities of each of those regions (column) given each value (row).
    """

    edges: FloatArray
    guesses: IntArray
    channel: FloatArray


@dataclass(frozen=True, kw_only=True)
class AddedNoise(Randomizer):
    """Report one's number, clamped to a declared range, plus noise.

    Attributes:
        low: the smallest number that is told from smaller ones.
        high: the largest number that is told from larger ones.
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        super().__post_init__()
        if not -math.inf < self.low < self.high < math.inf:
            raise OutOfRange("range", (self.low, self.high), "the pairs of finite numbers low < high")

    @property
    def range(self) -> float:
        """How far one person can move their number: the sensitivity."""
        return self.high - self.low

    @property
    @abstractmethod
    def noise_variance(self) -> float:
        """Variance of the noise."""

    @abstractmethod
    def probability_below(self, noise: ArrayLike) -> FloatArray:
        """Pr(noise < x), accurate in the lower tail; in the upper tail use the symmetry."""

    @abstractmethod
    def _crossing(self, middle: FloatArray, distance: FloatArray, log_odds: FloatArray) -> FloatArray:
        """Report at which the larger of two numbers becomes the better guess; -inf or inf if it always or never is.

        ``log_odds`` are those of the smaller number before the report is seen.
        """

    def clamp(self, values: ArrayLike) -> FloatArray:
        """Numbers as they are before the noise."""
        return np.clip(checked_numbers(values), self.low, self.high)

    def channel(self, values: ArrayLike, edges: ArrayLike) -> FloatArray:
        """Probabilities of a report below, between and above the edges (columns) given each number (row).

        Exact, for edges in ascending order.
        """
        gap = np.asarray(edges, dtype=np.float64) - self.clamp(values)[:, None]
        ends = ((0, 0), (1, 1))
        below = np.pad(self.probability_below(gap), ends, constant_values=(0, 1))
        above = np.pad(self.probability_below(-gap), ends, constant_values=(1, 0))
        return np.where(below[:, 1:] <= above[:, :-1], np.diff(below, axis=1), -np.diff(above, axis=1))

    def decisions(self, values: ArrayLike, prior: ArrayLike) -> Decisions:
        """What is the best guess of a number, for each report? Exact.

        Of two numbers the larger is the better guess from some report on. So each is the best guess on one
        interval, from the last crossing with a smaller number to the first with a larger one; on many it is empty.
        The Bayes vulnerability of the channel is that of the report itself, for this prior.

        >>> noise = LocalLaplace(epsilon=2.0, low=0.0, high=1.0)
        >>> edges, guesses, channel = noise.decisions([0.0, 1.0], [0.5, 0.5])
        >>> edges, guesses, channel.round(6)
        (array([0.5]), array([0, 1]), array([[0.81606, 0.18394],
               [0.18394, 0.81606]]))
        """
        at = self.clamp(values)
        with np.errstate(divide="ignore"):
            log_prior = np.log(np.asarray(prior, dtype=np.float64))
        ascending = np.argsort(at, kind="stable")
        possible = ascending[log_prior[ascending] > -np.inf]
        x, log_pi = at[possible], log_prior[possible]
        smaller, larger = np.triu_indices(len(x), k=1)
        crossing = self._crossing(
            (x[smaller] + x[larger]) / 2, x[larger] - x[smaller], log_pi[smaller] - log_pi[larger]
        )
        start, end = np.full(len(x), -np.inf), np.full(len(x), np.inf)
        np.maximum.at(start, larger, crossing)
        np.minimum.at(end, smaller, crossing)
        winners = np.flatnonzero(start < end)
        edges = end[winners[:-1]]
        return Decisions(edges, possible[winners], self.channel(at, edges))

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "low": self.low, "high": self.high}


@dataclass(frozen=True, kw_only=True)
class LocalLaplace(AddedNoise):
    """Laplace noise of scale b = (high - low) / epsilon: epsilon-LDP, and epsilon d / (high - low) at distance d.

    >>> LocalLaplace(epsilon=1.0, low=0.0, high=50.0).scale
    50.0
    """

    name: ClassVar[str] = "local-laplace"

    @classmethod
    def per_unit(cls, epsilon: float, *, low: float, high: float) -> Self:
        """Return the randomiser of metric privacy: numbers d apart are told apart by at most epsilon d.

        Paper 003 states its epsilon so: noise of scale 1/epsilon, log-odds of epsilon R over the whole range R.

        >>> LocalLaplace.per_unit(0.1, low=0.0, high=50.0)
        LocalLaplace(epsilon=5.0, delta=0.0, low=0.0, high=50.0)
        """
        return cls(epsilon=epsilon * (high - low), low=low, high=high)

    @property
    def scale(self) -> float:
        """Scale b of the noise."""
        return self.range / self.epsilon

    @property
    def noise_variance(self) -> float:
        return 2 * self.scale**2

    @property
    def guarantee(self) -> str:
        return (
            f"No report is more than e^(epsilon d / {self.range:g}) times as likely under one number as under "
            f"another at distance d, so e^{self.epsilon:g} at most, and both are reached: pure local differential "
            "privacy, tight."
        )

    def probability_below(self, noise: ArrayLike) -> FloatArray:
        at = np.asarray(noise, dtype=np.float64) / self.scale
        tail = 0.5 * np.exp(-np.abs(at))
        return np.where(at <= 0, tail, 1 - tail)

    def _crossing(self, middle: FloatArray, distance: FloatArray, log_odds: FloatArray) -> FloatArray:
        shift = self.scale * log_odds
        return np.where(np.abs(shift) < distance, middle + shift / 2, np.copysign(np.inf, shift))

    def simulate(self, values: ArrayLike, rng: np.random.Generator) -> FloatArray:
        clamped = self.clamp(values)
        return clamped + rng.laplace(scale=self.scale, size=clamped.shape)

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "scale": self.scale}


@dataclass(frozen=True, kw_only=True)
class LocalGaussian(AddedNoise):
    """Gaussian noise, the least that is (epsilon, delta)-LDP over the range from ``low`` to ``high``.

    >>> round(LocalGaussian(epsilon=1.0, delta=1e-5, low=0.0, high=2.0).sigma, 6)
    7.461263
    """

    name: ClassVar[str] = "local-gaussian"

    delta: float
    sigma: float = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.delta < 1:
            raise OutOfRange("delta", self.delta, "(0, 1)", hint="It is the probability that epsilon fails.")
        object.__setattr__(self, "sigma", self.range * analytic_sigma(self.epsilon, self.delta))

    @property
    def noise_variance(self) -> float:
        return self.sigma**2

    @property
    def guarantee(self) -> str:
        return (
            f"Any set of reports is at most e^{self.epsilon:g} times as likely under one number as under another, plus "
            f"{self.delta:g}: approximate local differential privacy, tight for the two ends of the range."
        )

    def probability_below(self, noise: ArrayLike) -> FloatArray:
        return np.asarray(ndtr(np.asarray(noise, dtype=np.float64) / self.sigma), dtype=np.float64)

    def _crossing(self, middle: FloatArray, distance: FloatArray, log_odds: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            apart = middle + self.sigma**2 / distance * log_odds
        return np.where(distance > 0, apart, np.copysign(np.inf, log_odds))

    def simulate(self, values: ArrayLike, rng: np.random.Generator) -> FloatArray:
        clamped = self.clamp(values)
        return clamped + self.sigma * rng.standard_normal(clamped.shape)

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "sigma": self.sigma}
