"""How far published counts are from the true ones, on average over the noise.

A count c with noise e is published as R = 0 below the threshold tau, and as max(1, floor(c + e + 1/2)) from tau
on. With L the lowest positive level and F = floor(e + 1/2), R >= m means F >= m - c for every m > L, and
e >= tau - c for m = 1, ..., L: two tails of one table of noise serve every count, however large. Noise beyond
the reach of that table has a probability below 1e-16 and is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.homogeneity.publication import surviving_probability, vanishing_probability
from epsilometer.formulas.homogeneity.rounded_noise import lowest_level, rounded_noises
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.formulas.homogeneity.rounded_noise import RoundedNoise
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray
    from epsilometer.vocabulary.noise import Noise


@source("homogeneity-v2", "Definition 7: the counts as they are published")
def expected_absolute_error(counts: ArrayLike, noise: Noise) -> FloatArray:
    r"""Expected distance of each published count from the true one. Exact, for any noise.

    .. math:: E|R - c| = \sum_{m > c} \Pr(R \ge m) + \sum_{m=1}^{c} \Pr(R < m)

    with :math:`c` = ``counts`` and :math:`R` what is published for it (see the module).

    >>> from epsilometer.mechanisms import Laplace
    >>> expected_absolute_error([0, 1, 1_000_000], Laplace(epsilon=1.0)).round(6)
    array([0.479759, 0.783024, 0.959517])
    """
    distinct, place = np.unique(np.asarray(counts, dtype=np.int64), return_inverse=True)
    return _error_of_each(distinct, noise)[..., place.reshape(np.shape(counts))]


@source("homogeneity-v2", "Definition 7: the counts as they are published")
def expected_table_l1(counts: ArrayLike, n_cells: ArrayLike, noise: Noise) -> FloatArray:
    """Expected sum of the absolute errors of all published counts. Exact.

    ``counts`` holds distinct count vectors, one per row, and ``n_cells`` in how many cells each occurs.

    >>> from epsilometer.mechanisms import Laplace
    >>> float(expected_table_l1([[1_000, 0], [0, 5_000]], [3, 1], Laplace(epsilon=1.0)).round(6))
    5.757104
    """
    distinct, n_entries = _tally(counts, n_cells)
    return _error_of_each(distinct, noise) @ n_entries


@source("homogeneity-v2", "Definition 7: the counts as they are published")
def expected_largest_error(counts: ArrayLike, n_cells: ArrayLike, noise: Noise) -> FloatArray:
    r"""Expected absolute error of the published count that is furthest off. Exact; the noise is independent.

    .. math:: E \max_i |R_i - c_i| = \sum_{t \ge 0} \Bigl(1 - \prod_i \Pr(|R_i - c_i| \le t)\Bigr)

    over all entries :math:`i` of the table: ``counts`` holds distinct count vectors, one per row, and ``n_cells``
    in how many cells each occurs.

    >>> from epsilometer.mechanisms import Laplace
    >>> [float(expected_largest_error([[0, 9]], [m], Laplace(epsilon=1.0)).round(4)) for m in (1, 1_000_000)]
    [1.2265, 14.3928]
    """
    distinct, n_entries = _tally(counts, n_cells)
    zero, positive = vanishing_probability(distinct, noise), surviving_probability(distinct, noise)
    rows = zip(rounded_noises(noise), np.atleast_2d(zero), np.atleast_2d(positive), strict=True)
    level = float(lowest_level(noise))
    largest = [_Entries(distinct, n_entries, z, s, level).largest_error(rounded) for rounded, z, s in rows]
    return np.reshape(largest, zero.shape[:-1])


def _tally(counts: ArrayLike, n_cells: ArrayLike) -> tuple[IntArray, FloatArray]:
    """Return the distinct counts of a table in order, and how many entries have each."""
    vectors, cells = np.asarray(counts, dtype=np.int64), np.asarray(n_cells, dtype=np.float64)
    if (largest := int(vectors.max())) < vectors.size:  # counted, which is far faster than sorted
        tallies = np.zeros(largest + 1)
        for column in vectors.T:
            tallies += np.bincount(column, cells, minlength=largest + 1)
        occurring = np.flatnonzero(tallies)
        return occurring, tallies[occurring]
    distinct, place = np.unique(vectors, return_inverse=True)
    of_each = np.broadcast_to(cells[:, None], vectors.shape)
    return distinct, np.bincount(place.ravel(), of_each.ravel()).astype(np.float64)


def _error_of_each(distinct: IntArray, noise: Noise) -> FloatArray:
    level = float(lowest_level(noise))
    zero, positive = vanishing_probability(distinct, noise), surviving_probability(distinct, noise)
    short, above = np.maximum(0, level - distinct), np.maximum(0, distinct - level)
    moved = []
    for rounded in rounded_noises(noise):
        down, up = _tails(rounded)
        further_up = np.append(np.cumsum(up[::-1])[::-1], 0.0)  # entry k: sum of Pr(F >= d) over d > k
        as_far_down = np.append(0.0, np.cumsum(down))  # entry k: sum of Pr(F <= -d) over d <= k
        k_up, k_down = (np.minimum(k, rounded.reach).astype(np.int64) for k in (short, above))
        moved.append(further_up[k_up] + as_far_down[k_down])
    return short * positive + np.minimum(distinct, level) * zero + np.reshape(moved, zero.shape)


def _tails(rounded: RoundedNoise) -> tuple[FloatArray, FloatArray]:
    """Return Pr(F <= -d) and Pr(F >= d) for d = 1, ..., reach, each summed from its far end."""
    centre = rounded.reach
    return np.cumsum(rounded.mass[:centre])[::-1], np.cumsum(rounded.mass[:centre:-1])[::-1]


@dataclass(frozen=True, slots=True, eq=False)
class _Entries:
    """The entries of a table by their true count, under one privacy parameter.

    Attributes:
        distinct: the counts that occur, in order.
        n_entries: how many entries have each.
        zero: probability that each is published as zero.
        positive: probability that it is not.
        level: lowest positive count that can be published.
    """

    distinct: IntArray
    n_entries: FloatArray
    zero: FloatArray
    positive: FloatArray
    level: float

    def largest_error(self, rounded: RoundedNoise) -> float:
        down, up = _tails(rounded)
        t = np.arange(rounded.reach, dtype=np.float64)
        far = self.n_entries.sum() - self._n_up_to(t + self.level)
        low = self._n_up_to(t) - self._n_up_to(np.clip(self.level - t, 0, t + 1) - 1)
        log_within = far * np.log1p(-(down + up)) + low * np.log1p(-up)
        self._add_cut_short(log_within, up)
        return float(-np.expm1(log_within).sum() + self._beyond(rounded.reach))

    def _n_up_to(self, largest: FloatArray) -> FloatArray:
        """Return the number of entries whose true count is at most this."""
        return np.append(0.0, np.cumsum(self.n_entries))[np.searchsorted(self.distinct, largest, side="right")]

    def _add_cut_short(self, log_within: FloatArray, up: FloatArray) -> None:
        """Add the entries for which an error of t reaches into the gap between zero and the lowest level.

        For a count c these are t < c within ``level`` of it, where too low means zero, and t < level - c, where
        too high means not zero: at most ``level`` values of t from max(0, c - level) on.
        """
        first = np.maximum(0, self.distinct - self.level)
        end = np.minimum(np.maximum(self.distinct, self.level - self.distinct), len(up))
        for step in range(int(min(self.level, len(up)))):
            chosen = first + step < end
            t, c = (first[chosen] + step).astype(np.int64), self.distinct[chosen]
            too_high = np.where(c + t >= self.level, up[t], self.positive[chosen])
            too_low = np.where(t < c, self.zero[chosen], 0.0)
            np.add.at(log_within, t, self.n_entries[chosen] * _log_complement(too_high + too_low))

    def _beyond(self, reach: int) -> float:
        """Sum over t >= reach: an error that large is a count above t that a high threshold made zero."""
        above = self.distinct > reach
        log_kept = np.cumsum((self.n_entries * _log_complement(self.zero))[above][::-1])[::-1]
        return float(np.diff(self.distinct[above], prepend=reach) @ -np.expm1(log_kept))


def _log_complement(probability: FloatArray) -> FloatArray:
    """Return log(1 - p), minus infinity where rounding takes p to one or beyond."""
    with np.errstate(divide="ignore"):
        return np.log1p(-np.minimum(probability, 1.0))
