"""What becomes of each count of very many cells: looked up in tables that have an entry for each count that occurs.

Counts are whole numbers and most are small, so a profile of millions of cells has few different ones. The tables put
the privacy parameters last: what a count looks up is then one stretch of memory, and sums over cells run at nearly
the speed at which their counts can be copied.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.vocabulary.noise import exponential_tails
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray
    from epsilometer.vocabulary.noise import ExponentialTails, Noise

LARGEST_TABLE: Final = 2**22  # numbers in a table that is made ahead: 32 MiB


@dataclass(frozen=True, eq=False)
class Fates:
    """Probabilities of what becomes of some counts, one row each; one column for each of several privacy parameters.

    Attributes:
        counts: the counts, ascending.
        vanish: probability z(c) that a count is published as zero.
        survive: probability that it is not.
    """

    counts: FloatArray
    vanish: FloatArray
    survive: FloatArray

    @classmethod
    @source("homogeneity-v2", "Definition 7: a count is zero when its noisy value is below 1/2")
    def of(cls, counts: FloatArray, noise: Noise) -> Fates:
        """Work the probabilities out; both are exact in their tails."""
        at = noise.threshold - counts
        both = noise.probability_below(at), noise.probability_at_least(at)
        return cls(counts, *(np.ascontiguousarray(np.moveaxis(part, -1, 0)) for part in both))

    @cached_property
    def seen(self) -> FloatArray:
        """Probability that a count survives and is somebody's."""
        return self._times((self.counts > 0).astype(np.float64))

    @cached_property
    def people(self) -> FloatArray:
        """Expected number of people whose count survives."""
        return self._times(self.counts)

    def _times(self, factor: FloatArray) -> FloatArray:
        product: FloatArray = (self.survive.T * factor).T
        return np.ascontiguousarray(product)


class Tabulated:
    """A noise that knows what becomes of every count from zero to the largest of a table, and otherwise is the same."""

    def __init__(self, noise: Noise, largest: int) -> None:
        self.fates = Fates.of(np.arange(largest + 1.0), noise)
        self.threshold = noise.threshold
        self.probability_below = noise.probability_below
        self.probability_at_least = noise.probability_at_least
        self.exponential_tails: ExponentialTails | None = exponential_tails(noise)


def tabulated(counts: IntArray, noise: Noise) -> Noise:
    """Return a noise that knows what becomes of these counts, unless the table for that would be too large."""
    largest = int(counts.max())
    too_large = (largest + 1) * noise.probability_below(0.0).size > LARGEST_TABLE
    return noise if too_large else Tabulated(noise, largest)


def fates_of(counts: ArrayLike, noise: Noise) -> tuple[Fates, IntArray]:
    """Return tables, and where in them each count is."""
    n = np.asarray(counts)
    largest = n.max(initial=0)
    if isinstance(noise, Tabulated) and largest < len(noise.fates.counts):
        return noise.fates, n.astype(np.int64, copy=False)
    if n.dtype.kind in "iu" and largest < n.size:
        return Fates.of(np.arange(largest + 1.0), noise), n
    distinct, place = np.unique(n.astype(np.float64, copy=False), return_inverse=True)
    return Fates.of(distinct, noise), place.reshape(n.shape)


def lone_sum(place: IntArray, vanish: FloatArray, gain: FloatArray) -> FloatArray:
    r"""Sum over the values of a cell of a gain from the value that is the only one published for it.

    .. math:: \sum_k g(n_k) \prod_{j \ne k} z(n_j)

    with :math:`n` along the last axis of ``place``, which says where a count is in the tables ``vanish`` of
    :math:`z` and ``gain`` of :math:`g`. Two running numbers are enough: the product of the :math:`z` so far, and the
    sum so far. Only positive numbers are added. The axis of the privacy parameters comes first.

    >>> lone_sum(np.array([[0, 1]]), vanish=np.array([0.5, 0.25]), gain=np.array([0.0, 1.0]))
    array([0.5])
    """
    first, *others = place.reshape(-1, place.shape[-1]).T
    gone, total = np.take(vanish, first, axis=0), np.take(gain, first, axis=0)
    for at in others:
        z, g = np.take(vanish, at, axis=0), np.take(gain, at, axis=0)
        total *= z
        total += np.multiply(g, gone, out=g)
        gone *= z
    return total.T.reshape(vanish.shape[1:] + place.shape[:-1])
