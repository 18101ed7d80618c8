"""Synthetic and original records paired off one to one, such that the pairs are near on the whole.

Several pairings can be the best one, and what they say differs (erratum R1). Which edges a best pairing may use is
read off the prices of linear programming: those without reduced cost. Distances are rounded to whole numbers small
enough for every sum to be exact, and what the rounding can hide counts as a tie, so that no best pairing is missed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from epsilometer.errors import BadTable, NotCertified, OutOfRange
from epsilometer.neighbors.points import checked_pair
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray

PAIRS_AT_MOST: Final = 25_000_000  # 5,000 records of either table: half a minute, a gigabyte
ROWS_AT_ONCE: Final = 64  # prices found for some rows help the next
EXACT_WHOLE: Final = 2**50  # sums of costs stay below; a float holds every whole number up to 2**53


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many pairs of a cheapest pairing lie within a radius.

    Attributes:
        n_pairs: number of pairs: one for each record of the smaller table.
        most_within: pairs within the radius in the cheapest pairing that has most of them.
        fewest_within: the same in the one that has fewest; a difference says that the paper's number is a choice.
        mean_distance: of the pairs; the same in all cheapest pairings.
    """

    n_pairs: int
    most_within: int
    fewest_within: int
    mean_distance: float

    @property
    def rate(self) -> float:
        """The p' of the paper, at its worst: (y, p)-coverage is fulfilled if this is at most p."""
        return self.most_within / self.n_pairs


@source("chen-2021", "Algorithm 1, Eqs. (4)-(7), with the worst of the cheapest pairings")
def coverage(original: ArrayLike, synthetic: ArrayLike, *, radius: float) -> Coverage:
    r"""What share of the records is paired within a radius when all are paired as cheaply as possible?

    .. math:: p' = \max_{M \text{ cheapest}} \frac1m \#\{(i, j) \in M : \lVert O_i - D_j \rVert_2 \le y\}

    with y = ``radius``, the boundary included. Never below the truth: pairings that rounding cannot tell from a
    cheapest one count as cheapest. If one table is larger, its records left over belong to no pair.

    >>> found = coverage([[0], [1]], [[2], [3]], radius=1.0)  # 0-2, 1-3 costs as much as 0-3, 1-2
    >>> found.rate, found.fewest_within
    (0.5, 0)
    """
    if not 0 <= radius < np.inf:
        raise OutOfRange("radius", radius, "[0, inf)", hint="It is a distance between records.")
    distances, n_columns = _distances(original, synthetic)
    n_pairs = len(distances)
    costs = _whole(distances)
    row, column = linear_sum_assignment(costs)
    reduced, prices = _reduced_costs(costs, column)
    hidden = n_pairs + n_columns  # what rounding may add to the cost of a pairing: half a unit a pair, twice
    reach = radius * (1 + (n_columns + 4) * np.finfo(np.float64).eps)
    within = distances <= reach
    # records of the larger table that every cheapest pairing uses come first, the pairs within the radius second
    needed = np.where(prices < -hidden, n_pairs + 1.0, 0.0)

    def pairs_within(sign: int) -> int:
        chosen = linear_sum_assignment(np.where(reduced <= hidden, -sign * within - needed, np.inf))
        return int(within[chosen].sum())

    return Coverage(n_pairs, pairs_within(1), pairs_within(-1), float(distances[row, column].mean()))


@source("chen-2021", "Algorithm 3, line 6: earth mover's distance")
def mean_matched_distance(one: ArrayLike, other: ArrayLike) -> float:
    """How far apart are two tables when their records are paired as cheaply as possible? Mean over the pairs, exact.

    The earth mover's distance of two tables of the same size; of two sizes, records of the larger are left over.

    >>> mean_matched_distance([[0], [10]], [[12], [1]])
    1.5
    """
    distances, _ = _distances(one, other)
    return float(distances[linear_sum_assignment(distances)].mean())


def _distances(original: ArrayLike, synthetic: ArrayLike) -> tuple[FloatArray, int]:
    """All distances, the smaller table in the rows, and the number of columns of the tables."""
    smaller, larger = sorted(checked_pair(original, synthetic), key=len)
    if len(smaller) * len(larger) > PAIRS_AT_MOST:
        raise BadTable(
            f"Pairing {len(smaller)} with {len(larger)} records takes more than {PAIRS_AT_MOST} distances."
            " Take a random part of both tables."
        )
    return cdist(smaller, larger), smaller.shape[1]


def _whole(distances: FloatArray) -> FloatArray:
    """Distances in units of a power of two, rounded to whole numbers of which any sum of a pairing is exact."""
    largest = distances.max()
    if largest == 0:
        return distances
    exponent = np.floor(np.log2(EXACT_WHOLE / (len(distances) + 1)) - np.log2(largest))
    return np.rint(np.ldexp(distances, int(exponent)))


def _reduced_costs(costs: FloatArray, column: IntArray) -> tuple[FloatArray, FloatArray]:
    """Reduced costs, and the prices of the columns that prove a pairing to be cheapest.

    ``column`` is that of each row. Prices are lowered until no pair costs less than its two prices, while the given
    pairs cost just as much: shortest paths, which exist if and only if the pairing is cheapest.
    """
    n_rows, n_columns = costs.shape
    prices, paid = np.zeros(n_columns), costs[np.arange(n_rows), column]
    for _ in range(n_rows + 1):
        before = prices.copy()
        for start in range(0, n_rows, ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            of_rows = paid[rows] - prices[column[rows]]
            np.minimum(prices, (costs[rows] - of_rows[:, None]).min(axis=0), out=prices)
        if (prices == before).all() and not np.delete(prices, column).any():  # a record left over has no price
            reduced = costs - prices
            reduced -= (paid - prices[column])[:, None]
            return reduced, prices
    raise NotCertified("The pairing could not be proved to be the cheapest. Take a smaller random part of both tables.")
