"""Pairs of records that are cheap for the prices of both, found among all pairs without listing them.

In linear programming a pairing is cheapest if every record has a price such that no pair costs less than the prices of
its two records together, and the pairs of the pairing cost just that. What a pair costs beyond its prices is its
reduced cost; a negative one is a bargain that the pairing has missed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from epsilometer.neighbors.points import Norm
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

RECORDS_IN_GROUP: Final = 1_000  # of about one price each: a tree of them is left early
FIRST_NEIGHBOURS: Final = 4
MOST_NEIGHBOURS: Final = 64  # then all distances to the group are cheaper
NUMBERS_AT_ONCE: Final = 2**22


@dataclass(frozen=True, slots=True, eq=False)
class Market:
    """Two tables of points whose records are to be paired, and what a pair costs: its distance in whole units.

    Attributes:
        smaller: different points, whose records all get a partner.
        larger: different points, some of whose records may be left over.
        n_smaller: number of records at each point of the smaller table.
        n_larger: the same of the larger table.
        norm: that of the distances.
        unit: so many units make a distance of one; a power of two.
    """

    smaller: FloatArray
    larger: FloatArray
    n_smaller: IntArray
    n_larger: IntArray
    norm: Norm
    unit: float

    @property
    def n_pairs(self) -> int:
        """Number of records of the smaller table."""
        return int(self.n_smaller.sum())

    def distances(self, row: IntArray, column: IntArray) -> FloatArray:
        """Distances of pairs, coordinate by coordinate to keep few numbers in memory."""
        total = np.zeros(len(row))
        for one, other in zip(self.smaller.T, self.larger.T, strict=True):
            apart = one[row] - other[column]
            total += apart * apart if self.norm == 2 else np.abs(apart)  # noqa: PLR2004
        return np.sqrt(total) if self.norm == 2 else total  # noqa: PLR2004

    def costs(self, row: IntArray, column: IntArray) -> FloatArray:
        """Costs of pairs: whole numbers."""
        return np.rint(self.distances(row, column) * self.unit)


@dataclass(frozen=True, slots=True, eq=False)
class Cheap:
    """Pairs with a reduced cost up to a limit.

    Attributes:
        row, column: the pairs, in the order of the rows.
        reduced: their reduced costs.
        lowest: of each row, a number that no reduced cost is below, zero if none is negative.
        complete: whether these are all such pairs; else ``lowest`` is safe, and some may be missing.
    """

    row: IntArray
    column: IntArray
    reduced: FloatArray
    lowest: FloatArray
    complete: bool


@dataclass(frozen=True, slots=True, eq=False)
class Prices:
    """What the records of both tables are worth in a market.

    Attributes:
        market: where.
        worth: of a record at each point of the smaller table.
        prices: of a record at each point of the larger table; zero or negative.
    """

    market: Market
    worth: FloatArray
    prices: FloatArray

    def reduced(self, row: IntArray, column: IntArray) -> FloatArray:
        """Reduced costs of pairs."""
        return self.market.costs(row, column) - self.prices[column] - self.worth[row]

    def cheap_pairs(
        self, *, limit: float, thorough: bool, keep: int | None = None, at_most: int | None = None
    ) -> Cheap:
        """Find the pairs whose reduced cost is at most ``limit``.

        Records of the larger table are searched in groups of similar price, those nearest first. If not ``thorough``,
        the search ends after a few neighbours in each group, and what lies beyond is bounded. ``keep`` limits how many
        pairs of a row or a column are kept in each group, the cheapest. The search is given up, incomplete, when more
        than ``at_most`` were found.
        """
        order = np.argsort(-self.prices, kind="stable")
        lowest, complete = np.zeros(len(self.worth)), True
        keys, n_found = [np.empty(0, dtype=np.int64)], 0
        for group in np.array_split(order, max(1, len(order) // RECORDS_IN_GROUP)):
            for rows, columns in self._searched(group, limit, keep, lowest, thorough=thorough):
                keys.append(rows * len(self.prices) + columns)
                n_found += len(rows)
                if at_most is not None and n_found > at_most:
                    return Cheap(rows, columns, self.reduced(rows, columns), lowest, complete=False)
            complete = complete and (thorough or not (lowest < 0).any())
        row, column = np.divmod(np.unique(np.concatenate(keys)), len(self.prices))
        reduced = self.reduced(row, column)
        np.minimum.at(lowest, row, reduced)
        return Cheap(row, column, reduced, lowest, complete)

    def _searched(
        self, group: IntArray, limit: float, keep: int | None, lowest: FloatArray, *, thorough: bool
    ) -> Iterator[tuple[IntArray, IntArray]]:
        """Cheap pairs with the records of a group; ``lowest`` is lowered by what lies beyond the search."""
        tree, dearest = cKDTree(self.market.larger[group]), float(self.prices[group].max())
        rows, n_near = np.flatnonzero(self.worth + dearest + limit + 1 >= 0), min(FIRST_NEIGHBOURS, len(group))
        while len(rows):
            reach = float(self.worth[rows].max()) + dearest + limit
            row, place, beyond = self._near(tree, rows, n_near, reach)
            yield self._cheap(row, group[place], limit, keep)
            bound = beyond - dearest - self.worth[rows]
            rows, bound = rows[bound <= limit], bound[bound <= limit]
            if n_near == len(group):
                return
            if min(MOST_NEIGHBOURS, len(group) // 4) <= n_near:
                if thorough:
                    yield from self._all_of(group, rows, limit, keep)
                else:
                    lowest[rows] = np.minimum(lowest[rows], bound)
                return
            n_near *= 4

    def _near(self, tree: cKDTree, rows: IntArray, n_near: int, reach: float) -> tuple[IntArray, IntArray, FloatArray]:
        """The nearest records of a tree for each row, and a cost that no other one is below."""
        market = self.market
        limit = np.nextafter(max(reach + 1, 0.0) / market.unit * (1 + 1e-9), np.inf)
        found = tree.query(
            market.smaller[rows], k=range(1, n_near + 1), p=market.norm, workers=-1, distance_upper_bound=limit
        )
        distance, place = map(np.asarray, found)
        inside = np.isfinite(distance)
        beyond = np.where(inside[:, -1], distance[:, -1] * market.unit * (1 - 1e-12) - 1, np.inf)
        return np.repeat(rows, n_near).reshape(-1, n_near)[inside], place[inside], beyond

    def _cheap(self, row: IntArray, column: IntArray, limit: float, keep: int | None) -> tuple[IntArray, IntArray]:
        reduced = self.reduced(row, column)
        chosen = reduced <= limit
        if keep is not None:
            row, column, reduced = row[chosen], column[chosen], reduced[chosen]
            chosen = cheapest_of(row, reduced, keep) | cheapest_of(column, reduced, keep)
        return row[chosen], column[chosen]

    def _all_of(
        self, group: IntArray, rows: IntArray, limit: float, keep: int | None
    ) -> Iterator[tuple[IntArray, IntArray]]:
        """Look at every record of a group for these rows, some rows at a time."""
        market = self.market
        for some in np.array_split(rows, 1 + len(rows) * len(group) // NUMBERS_AT_ONCE):
            reduced = cdist(market.smaller[some], market.larger[group], "minkowski", p=market.norm) * market.unit
            reduced -= self.worth[some][:, None]
            reduced -= self.prices[group]
            row, place = np.nonzero(reduced <= limit + 1)  # up to a unit of rounding, to be looked at exactly
            yield self._cheap(some[row], group[place], limit, keep)


def cheapest_of(by: IntArray, reduced: FloatArray, n: int) -> NDArray[np.bool_]:
    """Which of the pairs are among the cheapest n of their row, or of their column.

    >>> cheapest_of(np.array([0, 0, 1]), np.array([2.0, 1.0, 5.0]), 1)
    array([False,  True,  True])
    """
    order = np.lexsort((reduced, by))
    ordered = by[order]
    rank = np.arange(len(by)) - np.searchsorted(ordered, ordered)
    chosen = np.zeros(len(by), dtype=np.bool_)
    chosen[order[rank < n]] = True
    return chosen
