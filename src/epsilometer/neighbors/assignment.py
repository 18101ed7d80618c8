"""The cheapest way to give every record of a table a partner in another one, proved by prices.

Equal records are one point with a number of records, so that ties among them cost nothing. Only pairs of points that
may matter are ever looked at: near ones first, then those that the prices of a solution show to be bargains, until
there are none. OR-Tools solves each round by cost scaling.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.spatial import cKDTree

from epsilometer.errors import NotCertified
from epsilometer.neighbors.how import How
from epsilometer.neighbors.points import distinct_points
from epsilometer.neighbors.pricing import Market, Prices, cheapest_of

if TYPE_CHECKING:
    from epsilometer.neighbors.points import Norm
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

LISTED_AT_MOST: Final = 400 * 400  # so many pairs are all looked at from the start
NEIGHBOURS: Final = 10
BARGAINS: Final = 8  # of a point that are taken up in one round
ROUNDS_AT_MOST: Final = 40
SWEEPS_AT_MOST: Final = 2_000  # over all pairs, to find prices; chains of ties could take one for each point
THOROUGH_AT_MOST: Final = 4_000_000_000  # pairs; of more, the search for bargains stops early and bounds the rest
EXACT: Final = 2.0**50  # sums of costs stay below; a float holds every whole number up to 2**53


@dataclass(frozen=True, slots=True, eq=False)
class Pairing:
    """Partners for all records of the smaller table.

    Attributes:
        prices: of all records, which prove how near to the cheapest pairing it is.
        row, column: points of the smaller and of the larger table.
        amount: number of pairs between them; all add up to the number of records of the smaller table.
        excess: cost above that of the cheapest pairing, at most.
        n_rounds: of looking for bargains; none if the records were paired along a line.
    """

    prices: Prices
    row: IntArray
    column: IntArray
    amount: IntArray
    excess: float
    n_rounds: int

    @property
    def proved(self) -> bool:
        """Whether it is the cheapest, as far as costs of whole units tell: up to two of them for each pair."""
        return self.excess <= 2 * self.prices.market.n_pairs

    @property
    def how(self) -> How:
        """Which way of pairing was chosen, and why."""
        market = self.prices.market
        n_all = len(market.smaller) * len(market.larger)
        if not self.n_rounds:
            return How("in order", f"{market.n_pairs:,} records of one coordinate in both tables; nothing is cheaper")
        if n_all <= LISTED_AT_MOST:
            return How("all pairs", f"{n_all:,} of different records; up to {LISTED_AT_MOST:,} are all looked at")
        proved = "proved to be the cheapest" if self.proved else "not proved to be the cheapest"
        why = f"{n_all:,} of different records are more than {LISTED_AT_MOST:,}; {proved} in round {self.n_rounds}"
        return How("near pairs and bargains", why)


def cheapest_pairing(smaller: FloatArray, larger: FloatArray, norm: Norm) -> Pairing:
    """Pair every record of the smaller table with one of the larger, as cheaply as possible on the whole.

    Distances are rounded to whole units so small that sums of them are exact.
    The number of rounds is limited: a pairing that is not proved cheapest by then says how far it may be from it.
    """
    market = _market(smaller, larger, norm)
    if smaller.shape[1] == 1 and len(smaller) == len(larger):
        return _along_a_line(market)
    n_columns = len(market.larger)
    n_all = len(market.smaller) * n_columns
    thorough, searching = n_all <= THOROUGH_AT_MOST, False
    keys = _first_pairs(market)
    for n_rounds in range(1, ROUNDS_AT_MOST + 1):
        row, column = np.divmod(keys, n_columns)
        costs = market.costs(row, column)
        amount = solved(row, column, costs, market)
        prices = _proved(market, row, column, costs, amount)
        if len(keys) == n_all:
            return _pairing(prices, row, column, amount, np.zeros(len(prices.worth)), n_rounds=n_rounds)
        cheap = prices.cheap_pairs(limit=-1.0, thorough=thorough and searching, keep=BARGAINS)
        found = _pairing(prices, row, column, amount, cheap.lowest, n_rounds=n_rounds)
        if found.excess == 0 or not (len(cheap.row) or (thorough and not searching)):
            break
        searching = len(cheap.row) <= len(market.smaller) // 100  # a thorough search is for the last few
        best = cheapest_of(cheap.row, cheap.reduced, BARGAINS) | cheapest_of(cheap.column, cheap.reduced, BARGAINS)
        keys = np.union1d(keys, cheap.row[best] * n_columns + cheap.column[best])
    return found


def solved(row: IntArray, column: IntArray, costs: FloatArray, market: Market) -> IntArray:
    """Solve the transport problem on these pairs of points alone: how many records each pair stands for."""
    from ortools.graph.python import min_cost_flow

    n_rows, n_columns = len(market.smaller), len(market.larger)
    paired = n_rows + n_columns  # the node where all records of the smaller table end
    problem = min_cost_flow.SimpleMinCostFlow()
    at_most = np.minimum(market.n_smaller[row], market.n_larger[column])
    arcs = problem.add_arcs_with_capacity_and_unit_cost(row, n_rows + column, at_most, costs.astype(np.int64))
    columns = np.arange(n_columns)
    problem.add_arcs_with_capacity_and_unit_cost(
        n_rows + columns, np.full(n_columns, paired), market.n_larger, np.zeros(n_columns, dtype=np.int64)
    )
    problem.set_nodes_supplies(np.arange(n_rows), market.n_smaller)
    problem.set_node_supply(paired, -market.n_pairs)
    if problem.solve() != problem.OPTIMAL:
        raise NotCertified("The records could not be paired. Take a random part of both tables.")
    return problem.flows(arcs)


def _market(smaller: FloatArray, larger: FloatArray, norm: Norm) -> Market:
    low = np.minimum(smaller.min(axis=0), larger.min(axis=0))
    high = np.maximum(smaller.max(axis=0), larger.max(axis=0))
    longest = float(np.linalg.norm(high - low, norm))
    exponent = math.floor(math.log2(EXACT / (len(smaller) + 1)) - math.log2(longest)) if longest else 0
    (rows, of_row), (columns, of_column) = map(distinct_points, (smaller, larger))
    return Market(rows, columns, np.bincount(of_row), np.bincount(of_column), norm, math.ldexp(1.0, exponent))


def _pairing(
    prices: Prices, row: IntArray, column: IntArray, amount: IntArray, lowest: FloatArray, *, n_rounds: int
) -> Pairing:
    """The pairs that stand for records, and the difference of their cost to what the prices make of all records.

    ``lowest`` is of each row a number that no reduced cost is below. Records left over are to have the price zero.
    """
    market, used = prices.market, amount > 0
    row, column, amount = row[used], column[used], amount[used]
    left_over = market.n_larger - np.bincount(column, amount, len(market.larger))
    excess = amount @ prices.reduced(row, column) - market.n_smaller @ lowest - left_over @ prices.prices
    return Pairing(prices, row, column, amount, float(excess), n_rounds)


def _in_order(n_one: IntArray, n_other: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Pairs of places, and how many each, if units at places in a row are paired first with first; the rest is left.

    >>> _in_order(np.array([2, 1]), np.array([1, 3]))
    (array([0, 0, 1]), array([0, 1, 1]), array([1, 1, 1]))
    """
    one, other = np.cumsum(n_one), np.cumsum(n_other)
    ends = np.union1d(one, other[other < one[-1]])
    return np.searchsorted(one, ends), np.searchsorted(other, ends), np.diff(ends, prepend=0)


def _along_a_line(market: Market) -> Pairing:
    """Pair two tables of one column and one size: in order, which nothing is cheaper than.

    Prices rise against the way that records are moved, by as much as the way is long, and are right but for the
    rounding of costs: by a unit, which is taken off.
    """
    one, other = market.smaller.ravel(), market.larger.ravel()
    first, second = np.argsort(one), np.argsort(other)
    places = np.union1d(one, other)
    moved = np.zeros(len(places), dtype=np.int64)  # over each place to the next, to the right
    moved[np.searchsorted(places, one)] = market.n_smaller
    moved[np.searchsorted(places, other)] -= market.n_larger
    way = np.diff(np.rint((places - places[0]) * market.unit))
    height = np.concatenate([[0.0], -np.cumsum(np.sign(np.cumsum(moved)[:-1]) * way)])
    height -= height[np.searchsorted(places, other)].min()  # no price is above zero
    worth, prices = height[np.searchsorted(places, one)] - 1, -height[np.searchsorted(places, other)]
    row, column, amount = _in_order(market.n_smaller[first], market.n_larger[second])
    return _pairing(Prices(market, worth, prices), first[row], second[column], amount, np.zeros(len(one)), n_rounds=0)


def _first_pairs(market: Market) -> IntArray:
    """Pairs of near points, and one way to pair all; numbered row by row."""
    n_rows, n_columns = len(market.smaller), len(market.larger)
    if n_rows * n_columns <= LISTED_AT_MOST:
        return np.arange(n_rows * n_columns)
    sides = (market.smaller, market.larger)
    near_columns, near_rows = (
        cKDTree(there).query(here, k=range(1, min(NEIGHBOURS, len(there)) + 1), p=market.norm, workers=-1)[1]
        for here, there in (sides, sides[::-1])
    )
    first, second = (np.argsort(points.sum(axis=1), kind="stable") for points in sides)
    row, column, _ = _in_order(market.n_smaller[first], market.n_larger[second])
    return np.unique(
        np.concatenate(
            [
                (np.arange(n_rows)[:, None] * n_columns + near_columns).ravel(),
                (near_rows * n_columns + np.arange(n_columns)[:, None]).ravel(),
                first[row] * n_columns + second[column],
            ]
        )
    )


def _proved(market: Market, row: IntArray, column: IntArray, costs: FloatArray, amount: IntArray) -> Prices:
    """Prices that prove a pairing to be the cheapest among these pairs: shortest paths, by relaxation.

    Prices of columns are lowered until no pair costs less than its two prices, while the pairs of the pairing cost just
    as much. A column with records left over keeps the price zero. With very many rows the prices may not get there, and
    then are worth as much as they prove.
    """
    used = amount > 0
    paid, partner, of_row = costs[used], column[used], _starts(row[used])
    order = np.argsort(column, kind="stable")
    row, column, costs = row[order], column[order], costs[order]
    first = _starts(column)
    prices, priced = np.zeros(len(market.larger)), column[first]
    n_rows = len(market.smaller)
    for _ in range(min(n_rows + 1, SWEEPS_AT_MOST)):
        worth = np.maximum.reduceat(paid - prices[partner], of_row)
        lowered = np.minimum(prices[priced], np.minimum.reduceat(costs - worth[row], first))
        if (lowered == prices[priced]).all():
            return Prices(market, worth, prices)
        prices[priced] = lowered
    if n_rows < SWEEPS_AT_MOST:
        raise NotCertified("The pairing could not be proved to be the cheapest. Take a random part of both tables.")
    return Prices(market, worth, prices)


def _starts(numbers: IntArray) -> IntArray:
    """Where runs of equal numbers begin."""
    return np.flatnonzero(np.concatenate([[True], numbers[1:] != numbers[:-1]]))
