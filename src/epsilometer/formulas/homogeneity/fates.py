"""What becomes of each count of very many cells: looked up in tables that have an entry for each count that occurs.

Counts are whole numbers and most are small, so a profile of millions of cells has few different ones. The tables put
the privacy parameters last: what a count looks up is then one stretch of memory, and sums over cells run at nearly
the speed at which their counts can be copied.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from threading import Lock
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
    """A noise that remembers what becomes of every count up to the largest it was asked about; otherwise the same.

    Several threads may ask at once: each gets a table that reaches far enough.
    """

    def __init__(self, noise: Noise) -> None:
        self.threshold = noise.threshold
        self.probability_below = noise.probability_below
        self.probability_at_least = noise.probability_at_least
        self.exponential_tails: ExponentialTails | None = exponential_tails(noise)
        self._growing = Lock()
        self._most = LARGEST_TABLE // noise.probability_below(0.0).size
        self._fates = Fates.of(np.arange(1.0), noise)

    def fates_up_to(self, largest: int) -> Fates | None:
        """Return a table of every count up to the largest, unless it would be too large."""
        if largest >= self._most:
            return None
        with self._growing:
            if largest >= len(self._fates.counts):  # somewhat farther: cells in order ask for more and more
                self._fates = Fates.of(np.arange(float(min(largest + largest // 4 + 1, self._most))), self)
            return self._fates


def fates_of(counts: ArrayLike, noise: Noise) -> tuple[Fates, IntArray]:
    """Return tables, and where in them each count is."""
    n = np.asarray(counts)
    largest = int(n.max(initial=0))
    if isinstance(noise, Tabulated) and (known := noise.fates_up_to(largest)) is not None:
        return known, n.astype(np.int64, copy=False)
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
    columns = place.reshape(-1, place.shape[-1]).T
    lone = _lone_of_two if len(columns) == 2 and vanish.ndim == 1 else _lone_of_any  # noqa: PLR2004
    return lone(columns, vanish, gain).T.reshape(vanish.shape[1:] + place.shape[:-1])


def _lone_of_any(columns: IntArray, vanish: FloatArray, gain: FloatArray) -> FloatArray:
    first, *others = columns
    gone, total = np.take(vanish, first, axis=0), np.take(gain, first, axis=0)
    for at in others:
        z, g = np.take(vanish, at, axis=0), np.take(gain, at, axis=0)
        total *= z
        total += np.multiply(g, gone, out=g)
        gone *= z
    return total


def _lone_of_two(columns: IntArray, vanish: FloatArray, gain: FloatArray) -> FloatArray:
    """The same for two values: z + ig of a count is found by one look-up, and (z + ig)(y + ih) has zh + gy in it."""
    both = vanish + 1j * gain
    product = np.take(both, columns[0])
    product *= np.take(both, columns[1])
    return product.imag
