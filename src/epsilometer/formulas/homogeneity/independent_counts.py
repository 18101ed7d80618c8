"""Independent counts whose distribution, given their total, is the one a risk is averaged over.

Poisson counts given their total are multinomial, negative binomial counts are Dirichlet-multinomial. A
parameter that the total makes irrelevant is left free: multiplying every probability by exp(``tilt`` * count)
changes the law of the total and nothing else, so it may be chosen for the sake of the arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from epsilometer.formulas.count_laws import log_negative_binomial, log_poisson
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray, IntArray


class IndependentCounts(Protocol):
    """R rows of independent counts with K laws; the first value of a row is its most frequent one."""

    @property
    def n_values(self) -> IntArray:
        """How many values have each of the laws."""
        ...

    def log_probability(self, counts: FloatArray, tilt: FloatArray) -> FloatArray:
        """Log of Pr(count of value k = c) for each row, value and entry of ``counts``: shape (R, K, C)."""
        ...

    def log_probability_of_total(self, total: FloatArray, tilt: FloatArray) -> FloatArray:
        """Log of Pr(total) for each row and each of its entries of ``total``: shape (R, T)."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class PoissonCounts:
    """Poisson counts of rates ``mean`` * ``shares``: multinomial given their total.

    Attributes:
        mean: mean of the total of each row, shape (R,).
        shares: probabilities of the values, shape (R, K).
    """

    mean: FloatArray
    shares: FloatArray

    @property
    def n_values(self) -> IntArray:
        """One for each law."""
        return np.ones(self.shares.shape[1], dtype=np.int64)

    @source("kingman-1993", "Poisson counts given their total are multinomial")
    def log_probability(self, counts: FloatArray, tilt: FloatArray) -> FloatArray:
        rates = (self.mean * np.exp(tilt))[:, None] * self.shares
        return log_poisson(counts, rates[:, :, None])

    def log_probability_of_total(self, total: FloatArray, tilt: FloatArray) -> FloatArray:
        return log_poisson(total, (self.mean * np.exp(tilt))[:, None])


@dataclass(frozen=True, slots=True, eq=False)
class NegativeBinomialCounts:
    """Negative binomial counts of shapes ``alpha`` and one ratio: Dirichlet-multinomial given their total.

    Attributes:
        ratio: limit of the ratio of successive probabilities in each row, shape (R,).
        alpha: parameters of the Dirichlet distribution, shape (K,).
        n_values: how many values have each of them.
    """

    ratio: FloatArray
    alpha: FloatArray
    n_values: IntArray

    @source("mosimann-1962", "compound multinomial distribution")
    def log_probability(self, counts: FloatArray, tilt: FloatArray) -> FloatArray:
        ratio = self.ratio * np.exp(tilt)
        return log_negative_binomial(counts, self.alpha[:, None], ratio[:, None, None])

    def log_probability_of_total(self, total: FloatArray, tilt: FloatArray) -> FloatArray:
        return log_negative_binomial(total, self.alpha @ self.n_values, (self.ratio * np.exp(tilt))[:, None])
