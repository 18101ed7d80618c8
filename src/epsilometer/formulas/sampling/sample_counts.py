"""Means over the number of people in the sample who have one given value.

With the belief Dirichlet(alpha) about the shares of K values, that number is beta-binomial: m trials, a = alpha,
b = (K - 1) alpha. The mean of a function of it is a sum over every number 0 .. m, or, where these are too many, the
sum next to both ends and an integral in between: Gauss-Legendre panels that double in width away from the ends,
cut further where the law is concentrated. What is summed changes by its own size over no less than its distance
from the ends, so the sum and the integral (taken from half a number below to half a number above) differ by a
relative ``THINNING_ERROR`` at most.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.sampling.beta_binomial import log_beta_binomial, variance

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

LARGEST_SUM = 2**20
SUMMED_ENDS = 2**14
THINNING_ERROR = 1e-9  # 1 / (24 SUMMED_ENDS**2) = 1.6e-10 is the next Euler-Maclaurin term; measured: below 1e-10
_CHUNK = 2**13  # keeps the arrays of one step in the processor's cache
_REACH = np.arange(-16.0, 17.0)  # standard deviations around the mean, the cuts where the law is concentrated
_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(16)


@dataclass(frozen=True, slots=True)
class SampleCounts:
    """Numbers of people in the sample with one value, and how many numbers each stands for.

    Attributes:
        count: the numbers.
        weight: one, or the width that a number stands for.
        sample: m, the trials of the beta-binomial law of the numbers.
        a: its first parameter.
        b: its second parameter.
    """

    count: FloatArray
    weight: FloatArray
    sample: int
    a: float
    b: float

    def where(self, chosen: NDArray[np.bool_]) -> SampleCounts:
        """Return the chosen ones."""
        return replace(self, count=self.count[chosen], weight=self.weight[chosen])

    def lower_half(self) -> SampleCounts:
        """Return the numbers up to m / 2, which stand for the others too if the two values are alike: a = b."""
        twice = np.where(2 * self.count < self.sample, 2.0, 1.0)
        return replace(self, weight=twice * self.weight).where(2 * self.count <= self.sample)

    def mean(self, function: Callable[[FloatArray], FloatArray]) -> float:
        """Mean of a function of the number."""
        parts = (slice(i, i + _CHUNK) for i in range(0, len(self.count), _CHUNK))
        return float(sum((self._probability(part) @ function(self.count[part]) for part in parts), 0.0))

    def _probability(self, part: slice) -> FloatArray:
        probability: FloatArray = np.exp(log_beta_binomial(self.count[part], self.sample, self.a, self.b))
        return self.weight[part] * probability


def every_count(sample: int, a: float, b: float) -> SampleCounts:
    """Return the numbers 0 .. m themselves; m is at least 1.

    >>> round(every_count(3, 1.0, 1.0).mean(lambda count: count), 12)
    1.5
    """
    return SampleCounts(np.arange(sample + 1.0), np.ones(sample + 1), sample, a, b)


def thinned_counts(sample: int, a: float, b: float, kinks: ArrayLike = ()) -> SampleCounts:
    """Return a few thousand numbers that stand for all, for what is smooth but at ``kinks``; m is at least 2^16.

    >>> round(thinned_counts(10**9, 1.0, 1.0).mean(lambda count: count) / 10**9, 9)
    0.5
    """
    first = SUMMED_ENDS - 0.5
    doubling = first * 2.0 ** np.arange(np.log2(sample / 2 / first))
    around_mean = sample * a / (a + b) + _REACH * np.sqrt(variance(sample, a, b))
    cuts = np.concatenate([doubling, sample - doubling, around_mean, np.asarray(kinks)])
    edges = np.unique(np.clip(cuts, first, sample - first))
    half_widths = np.diff(edges)[:, None] / 2
    inner = edges[:-1, None] + half_widths * (1 + _NODES)
    ends = np.arange(float(SUMMED_ENDS))
    return SampleCounts(
        np.concatenate([ends, inner.ravel(), sample - ends]),
        np.concatenate([np.ones_like(ends), (half_widths * _NODE_WEIGHTS).ravel(), np.ones_like(ends)]),
        sample, a, b,
    )  # fmt: skip
