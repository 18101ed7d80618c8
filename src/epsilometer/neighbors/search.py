"""Exact search for the nearest of some different points by a tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from epsilometer.vocabulary.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.neighbors.points import Norm

NUMBERS_AT_ONCE: Final = 2**21
EPS: Final = float(np.finfo(np.float64).eps)

Settle = Callable[[IntArray, FloatArray, IntArray, FloatArray], NDArray[np.bool_]]


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Queries and points, by number, and how far they are apart."""

    query: IntArray
    point: IntArray
    distance: FloatArray


def grown_tree(points: FloatArray) -> cKDTree:
    """Return a tree of different points; many equal ones would make one leaf of it."""
    return cKDTree(points, balanced_tree=False)


def rounding_noise(queries: FloatArray, distances: FloatArray) -> FloatArray:
    """By how much two equal distances of a query may differ: by some four roundings of each of its coordinates."""
    return 4 * EPS * (np.abs(queries).sum(axis=1) + queries.shape[1] * distances)


def nearest_by_tree(tree: cKDTree, queries: FloatArray, norm: Norm) -> FloatArray:
    """Distance of each query to the nearest point."""
    order = _near_each_other(queries)
    distances = np.empty(len(queries))
    distances[order] = tree.query(queries[order], p=norm, workers=-1)[0]
    return distances


def ties_by_tree(tree: cKDTree, queries: FloatArray, norm: Norm) -> Iterator[Pairs]:
    """Pairs of a query and a point that is nearest to it, up to rounding noise."""
    found: list[Pairs] = []

    def settle(some: IntArray, away: FloatArray, near: IntArray, beyond: FloatArray) -> NDArray[np.bool_]:
        reach = away[:, 0] + rounding_noise(queries[some], away[:, 0])
        enough = beyond > reach
        row, rank = np.nonzero((away <= reach[:, None]) & enough[:, None])
        found.append(Pairs(some[row], near[row, rank], away[row, rank]))
        return enough

    visit_neighbours(tree, queries, settle, n_first=2, norm=norm)
    yield from found


def visit_neighbours(tree: cKDTree, queries: FloatArray, settle: Settle, *, n_first: int, norm: Norm = 2) -> None:
    """Show each query its nearest points, four times as many each time, until that is enough.

    ``settle`` is given the numbers of some queries, the distances and numbers of their nearest points, nearest first,
    and the distance that no other point is nearer than; it says for which of the queries that was enough.
    """
    waiting, n_near = _near_each_other(queries), min(n_first, tree.n)
    while len(waiting):
        step = max(1, NUMBERS_AT_ONCE // (n_near * queries.shape[1]))
        unsettled = []
        for start in range(0, len(waiting), step):
            some = waiting[start : start + step]
            found = tree.query(queries[some], k=n_near, p=norm, workers=-1)
            away, near = (np.reshape(part, (len(some), n_near)) for part in found)
            beyond = away[:, -1] if n_near < tree.n else np.full(len(some), np.inf)
            unsettled.append(some[~settle(some, away, near, beyond)])
        waiting, n_near = np.concatenate(unsettled), min(4 * n_near, tree.n)


def _near_each_other(points: FloatArray) -> IntArray:
    """Return an order in which neighbours follow each other, so that a search finds what it needs in the cache."""
    return np.asarray(cKDTree(points, leafsize=64, balanced_tree=False, compact_nodes=False).indices)
