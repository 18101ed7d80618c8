"""Synthetic and original records paired off one to one, such that the pairs are near on the whole.

Several pairings can be the best one, and what they say differs (erratum R1). Which pairs a best pairing may use is
read off the prices of linear programming: those without reduced cost. Distances are rounded to whole units, and what
the rounding can hide counts as a tie, so that no best pairing is missed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.neighbors.assignment import cheapest_pairing, solved
from epsilometer.neighbors.points import check_norm, checked_pair
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.neighbors.assignment import Pairing
    from epsilometer.neighbors.how import How
    from epsilometer.neighbors.points import Norm
    from epsilometer.vocabulary.arrays import ArrayLike

TIES_AT_MOST: Final = 3_000_000  # pairs without reduced cost that are looked at, to see every cheapest pairing


@dataclass(frozen=True, slots=True)
class MatchedDistance:
    """How far apart two tables are when their records are paired.

    Attributes:
        n_pairs: number of pairs: one for each record of the smaller table.
        mean_distance: of the pairs.
        gap: the smallest possible mean distance is at most this much smaller; zero if it is proved to be the smallest,
            up to the rounding of distances.
        how: which way of pairing was chosen, and why.
    """

    n_pairs: int
    mean_distance: float
    gap: float
    how: How


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many pairs of a cheapest pairing lie within a radius.

    Attributes:
        n_pairs: number of pairs: one for each record of the smaller table.
        most_within: pairs within the radius in the cheapest pairing that has most of them.
        fewest_within: the same in the one that has fewest; a difference says that the paper's number is a choice.
        mean_distance: of the pairs; the same in all cheapest pairings.
        gap: the smallest possible mean distance is at most this much smaller; zero if it is proved to be the smallest.
        every_pairing: whether all cheapest pairings were looked at; if not, most and fewest are those of one pairing,
            as near to a cheapest one as ``gap`` says.
        how: which way of pairing was chosen, and why.
    """

    n_pairs: int
    most_within: int
    fewest_within: int
    mean_distance: float
    gap: float = 0.0
    every_pairing: bool = True
    how: How = field(kw_only=True, compare=False)

    @property
    def rate(self) -> float:
        """The p' of the paper, at its worst: (y, p)-coverage is fulfilled if this is at most p."""
        return self.most_within / self.n_pairs

    @property
    def lowest_rate(self) -> float:
        """The same in the cheapest pairing that has fewest pairs within the radius."""
        return self.fewest_within / self.n_pairs


@source("chen-2021", "Algorithm 1, Eqs. (4)-(7), with the worst of the cheapest pairings")
def coverage(original: ArrayLike, synthetic: ArrayLike, *, radius: float, norm: Norm = 2) -> Coverage:
    r"""What share of the records is paired within a radius when all are paired as cheaply as possible?

    .. math:: p' = \max_{M \text{ cheapest}} \frac1m \#\{(i, j) \in M : \lVert O_i - D_j \rVert \le y\}

    with y = ``radius``, the boundary included. Never below the truth: pairings that rounding cannot tell from a
    cheapest one count as cheapest. If one table is larger, its records left over belong to no pair. Very many
    records, or very many equally near ones, may not be proved to be paired cheapest; the result then says how near.

    >>> found = coverage([[0], [1]], [[2], [3]], radius=1.0)  # 0-2, 1-3 costs as much as 0-3, 1-2
    >>> found.rate, found.fewest_within
    (0.5, 0)
    """
    if not 0 <= radius < np.inf:
        raise OutOfRange("radius", radius, "[0, inf)", hint="It is a distance between records.")
    found = _paired(original, synthetic, norm)
    market, matched = found.prices.market, _matched(found)
    reach = radius * (1 + (market.smaller.shape[1] + 4) * np.finfo(np.float64).eps)
    counts = _extremes(found, reach) if found.proved else None
    if counts is None:
        within = int(found.amount[market.distances(found.row, found.column) <= reach].sum())
        return Coverage(
            matched.n_pairs, within, within, matched.mean_distance, matched.gap, every_pairing=False, how=matched.how
        )
    return Coverage(matched.n_pairs, *counts, matched.mean_distance, how=matched.how)


@source("chen-2021", "Algorithm 3, line 6: earth mover's distance")
def matched_distance(one: ArrayLike, other: ArrayLike, *, norm: Norm = 2) -> MatchedDistance:
    """How far apart are two tables when their records are paired as cheaply as possible?

    The earth mover's distance of two tables of the same size; of two sizes, records of the larger are left over.

    >>> matched_distance([[0], [10]], [[12], [1]]).mean_distance
    1.5
    """
    return _matched(_paired(one, other, norm))


def mean_matched_distance(one: ArrayLike, other: ArrayLike) -> float:
    """The mean distance of :func:`matched_distance`.

    >>> mean_matched_distance([[0], [10]], [[12], [1]])
    1.5
    """
    return matched_distance(one, other).mean_distance


def _paired(original: ArrayLike, synthetic: ArrayLike, norm: Norm) -> Pairing:
    check_norm(norm)
    smaller, larger = sorted(checked_pair(original, synthetic), key=len)
    return cheapest_pairing(smaller, larger, norm)


def _matched(found: Pairing) -> MatchedDistance:
    market = found.prices.market
    total = float(found.amount @ market.distances(found.row, found.column))
    excess = 0.0 if found.proved else found.excess / market.n_pairs + 1  # a unit of each pair is what rounding may hide
    return MatchedDistance(market.n_pairs, total / market.n_pairs, excess / market.unit, found.how)


def _extremes(found: Pairing, reach: float) -> tuple[int, int] | None:
    """Most and fewest pairs within reach among the cheapest pairings; nothing if too many pairs could be used."""
    prices, market = found.prices, found.prices.market
    n_pairs = market.n_pairs
    # what rounding may add to the cost of a pairing, half a unit for each pair, twice; and what the prices leave open
    hidden = float(n_pairs + market.smaller.shape[1]) + found.excess
    cheap = prices.cheap_pairs(limit=hidden, thorough=True, at_most=TIES_AT_MOST)
    if not cheap.complete:
        return None
    within = market.distances(cheap.row, cheap.column) <= reach
    # records of the larger table that every cheapest pairing uses come first, the pairs within reach second
    needed = np.where(prices.prices < -hidden, n_pairs + 1.0, 0.0)[cheap.column]

    def pairs_within(sign: int) -> int:
        costs = (1 - sign * within) + (n_pairs + 1.0 - needed)
        return int(solved(cheap.row, cheap.column, costs, market)[within].sum())

    return pairs_within(1), pairs_within(-1)
