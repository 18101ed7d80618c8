"""Randomised response over K values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from epsilometer.randomizers.randomizer import MarkingRandomizer, checked_codes

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray


@dataclass(frozen=True, kw_only=True)
class RandomizedResponse(MarkingRandomizer):
    """Report the truth with probability e^epsilon / (e^epsilon + K - 1), any other value equally often: epsilon-LDP.

    A report is the number of a value.

    >>> RandomizedResponse(epsilon=1.0, n_values=2).channel().round(6)
    array([[0.731059, 0.268941],
           [0.268941, 0.731059]])
    """

    name: ClassVar[str] = "randomized-response"

    @property
    def true_rate(self) -> float:
        return 1 / (1 + (self.n_values - 1) * math.exp(-self.epsilon))

    @property
    def false_rate(self) -> float:
        return math.exp(-self.epsilon) * self.true_rate

    @property
    def guarantee(self) -> str:
        return (
            f"No report is more than e^{self.epsilon:g} times as likely under one value as under another, and that "
            "factor is reached: pure local differential privacy, tight."
        )

    def channel(self) -> FloatArray:
        """Probabilities of each report (column) given each value (row). Exact."""
        probabilities = np.full((self.n_values, self.n_values), self.false_rate)
        np.fill_diagonal(probabilities, self.true_rate)
        return probabilities

    def marks(self, reports: ArrayLike) -> IntArray:
        return np.bincount(checked_codes(reports, self.n_values), minlength=self.n_values)

    def simulate(self, values: ArrayLike, rng: np.random.Generator) -> IntArray:
        codes = checked_codes(values, self.n_values)
        truthful = rng.random(codes.shape) < self.true_rate
        others = (codes + rng.integers(1, self.n_values, codes.shape)) % self.n_values
        return np.where(truthful, codes, others)
