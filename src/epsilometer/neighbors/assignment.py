"""The cheapest way to give every record of a table a partner in another one, proved by prices.

Only pairs that may matter are ever looked at: those of near records first, then those that the prices of a solution
show to be bargains, until there are none. OR-Tools solves each round by cost scaling.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.spatial import cKDTree

from epsilometer.errors import NotCertified
from epsilometer.neighbors.pricing import Market, Prices, cheapest_of

if TYPE_CHECKING:
    from epsilometer.neighbors.points import Norm
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

LISTED_AT_MOST: Final = 400 * 400  # so many pairs are all looked at from the start
NEIGHBOURS: Final = 10
BARGAINS: Final = 8  # of a record that are taken up in one round
ROUNDS_AT_MOST: Final = 40
THOROUGH_AT_MOST: Final = 4_000_000_000  # pairs; of more, the search for bargains stops early and bounds the rest
EXACT: Final = 2.0**50  # sums of costs stay below; a float holds every whole number up to 2**53
LARGEST: Final = 2.0**60  # OR-Tools multiplies costs by the number of records, and adds up as many


@dataclass(frozen=True, slots=True, eq=False)
class Pairing:
    """A partner for every record of the smaller table.

    Attributes:
        prices: of all records, which prove how near to the cheapest pairing it is.
        partner: number of the record of the larger table for each record of the smaller one.
        excess: cost above that of the cheapest pairing, at most; zero if it is the cheapest.
    """

    prices: Prices
    partner: IntArray
    excess: float


def cheapest_pairing(smaller: FloatArray, larger: FloatArray, norm: Norm) -> Pairing:
    """Pair every record of the smaller table with one of the larger, as cheaply as possible on the whole.

    Distances are rounded to whole units so small that sums of them are exact.
    The number of rounds is limited: a pairing that is not proved cheapest by then says how far it may be from it.
    """
    market = _market(smaller, larger, norm)
    thorough = len(smaller) * len(larger) <= THOROUGH_AT_MOST
    keys, searching = _first_pairs(market), False
    for _ in range(ROUNDS_AT_MOST):
        row, column = np.divmod(keys, len(larger))
        costs = market.costs(row, column)
        partner = solved(row, column, costs, (len(smaller), len(larger)))
        prices = _proved(market, row, column, costs, partner)
        if len(keys) == len(smaller) * len(larger):
            return Pairing(prices, partner, 0.0)
        cheap = prices.cheap_pairs(limit=-1.0, thorough=thorough and searching, keep=BARGAINS)
        excess = -float(cheap.lowest.sum())
        if excess == 0 or not (len(cheap.row) or (thorough and not searching)):
            break
        searching = len(cheap.row) <= len(smaller) // 100  # a thorough search is for the last few
        best = cheapest_of(cheap.row, cheap.reduced, BARGAINS) | cheapest_of(cheap.column, cheap.reduced, BARGAINS)
        keys = np.union1d(keys, cheap.row[best] * len(larger) + cheap.column[best])
    return Pairing(prices, partner, excess)


def solved(row: IntArray, column: IntArray, costs: FloatArray, shape: tuple[int, int]) -> IntArray:
    """Solve the assignment problem on these pairs alone: the column of each row.

    Of two sizes, a copy of the problem with both sides changed is put beside it, in which every column can be left to
    its own copy for nothing: OR-Tools wants as many rows as columns.
    """
    from ortools.graph.python import linear_sum_assignment

    n_rows, n_columns = shape
    if n_rows < n_columns:
        own = np.arange(n_columns)
        row, column = (
            np.concatenate([row, n_rows + column, n_rows + own]),
            np.concatenate([column, n_columns + row, own]),
        )
        costs = np.concatenate([costs, costs, np.zeros(n_columns)])
    problem = linear_sum_assignment.SimpleLinearSumAssignment()
    problem.add_arcs_with_cost(row.astype(np.int32), column.astype(np.int32), costs.astype(np.int64))
    if problem.solve() != problem.OPTIMAL:
        raise NotCertified("The records could not be paired. Take a random part of both tables.")
    return np.fromiter(map(problem.right_mate, range(n_rows)), dtype=np.int64, count=n_rows)


def _market(smaller: FloatArray, larger: FloatArray, norm: Norm) -> Market:
    low = np.minimum(smaller.min(axis=0), larger.min(axis=0))
    high = np.maximum(smaller.max(axis=0), larger.max(axis=0))
    longest = float(np.linalg.norm(high - low, norm))
    n_nodes = len(larger) if len(smaller) == len(larger) else len(smaller) + len(larger)
    largest = min(EXACT, LARGEST / (n_nodes + 1)) / (n_nodes + 1)
    exponent = math.floor(math.log2(largest) - math.log2(longest)) if longest else 0
    return Market(smaller, larger, norm, math.ldexp(1.0, exponent))


def _first_pairs(market: Market) -> IntArray:
    """Pairs of near records, and one way to pair all; numbered row by row."""
    n_rows, n_columns = len(market.smaller), len(market.larger)
    if n_rows * n_columns <= LISTED_AT_MOST:
        return np.arange(n_rows * n_columns)
    sides = (market.smaller, market.larger)
    near_columns, near_rows = (
        cKDTree(there).query(here, k=range(1, min(NEIGHBOURS, len(there)) + 1), p=market.norm, workers=-1)[1]
        for here, there in (sides, sides[::-1])
    )
    in_order = [np.argsort(points.sum(axis=1), kind="stable") for points in sides]
    spread = np.linspace(0, n_columns - 1, n_rows).round().astype(np.int64)
    return np.unique(
        np.concatenate(
            [
                (np.arange(n_rows)[:, None] * n_columns + near_columns).ravel(),
                (near_rows * n_columns + np.arange(n_columns)[:, None]).ravel(),
                in_order[0] * n_columns + in_order[1][spread],
            ]
        )
    )


def _proved(market: Market, row: IntArray, column: IntArray, costs: FloatArray, partner: IntArray) -> Prices:
    """Prices that prove a pairing to be the cheapest among these pairs: shortest paths, by relaxation.

    Prices of columns are lowered until no pair costs less than its two prices, while the pairs of the pairing cost just
    as much. A column left over keeps the price zero.
    """
    paid = market.costs(np.arange(len(partner)), partner)
    order = np.argsort(column, kind="stable")
    row, column, costs = row[order], column[order], costs[order]
    first = np.flatnonzero(np.concatenate([[True], column[1:] != column[:-1]]))
    prices, priced = np.zeros(len(market.larger)), column[first]
    for _ in range(len(partner) + 1):
        worth = paid - prices[partner]
        lowered = np.minimum(prices[priced], np.minimum.reduceat(costs - worth[row], first))
        if (lowered == prices[priced]).all():
            return Prices(market, worth, prices)
        prices[priced] = lowered
    raise NotCertified("The pairing could not be proved to be the cheapest. Take a random part of both tables.")
