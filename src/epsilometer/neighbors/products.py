"""Exact search for the nearest of some different points by products of matrices: fast in many columns.

Products are off by rounding, so that every pair that they do not rule out is compared anew by its differences.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.spatial.distance import cdist

from epsilometer.neighbors.search import EPS, NUMBERS_AT_ONCE, Pairs, rounding_noise
from epsilometer.neighbors.tiles import Tiles
from epsilometer.vocabulary.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from epsilometer.neighbors.points import Norm

BLOCK: Final = (512, 4096)  # queries x points at a time: 16 megabytes

Bounds = Callable[[slice, slice], tuple[FloatArray, FloatArray]]
Widen = Callable[[slice, FloatArray], FloatArray]


def ties_by_products(points: FloatArray, queries: FloatArray, norm: Norm) -> Iterator[Pairs]:
    """Pairs of a query and a point that is nearest to it, up to rounding noise; some queries at a time."""
    for row, column in (_in_sums if norm == 1 else _in_squares)(points, queries):
        distance = np.empty(len(row))
        for part in pieces(len(row), points.shape[1]):
            distance[part] = np.linalg.norm(queries[row[part]] - points[column[part]], ord=norm, axis=1)
        asked, own = np.unique(row, return_inverse=True)
        smallest = np.full(len(asked), np.inf)
        np.minimum.at(smallest, own, distance)
        kept = np.flatnonzero(distance <= (smallest + rounding_noise(queries[asked], smallest))[own])
        yield Pairs(row[kept], column[kept], distance[kept])


def nearest_by_products(points: FloatArray, queries: FloatArray, norm: Norm) -> FloatArray:
    """Distance of each query to the nearest point."""
    distances = np.full(len(queries), np.inf)
    for ties in ties_by_products(points, queries, norm):
        np.minimum.at(distances, ties.query, ties.distance)
    return distances


def _in_sums(points: FloatArray, queries: FloatArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Pairs that may be nearest in sums of differences."""
    return promising(blocks(len(queries)), len(points), *_near(_cityblock(points, queries), queries, norm=1))


def _in_squares(points: FloatArray, queries: FloatArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Pairs that may be nearest in Euclidean distance: by single precision, and where that leaves many, by double."""
    tiles, near = Tiles.of(points, queries), _near(squares(points, queries), queries, norm=2)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for rows, found in zip(tiles.blocks(), threads.map(tiles.promising, tiles.blocks()), strict=True):
            yield from promising([rows], len(points), *near) if found is None else [found]


def _near(powers: Powers, queries: FloatArray, norm: Norm) -> tuple[Bounds, Widen]:
    """Bounds that are off by rounding, and how far they are to be kept for that."""

    def bounds(rows: slice, columns: slice) -> tuple[FloatArray, FloatArray]:
        block = powers.block(rows, columns)
        return block, block

    def widen(rows: slice, least: FloatArray) -> FloatArray:
        reach = np.maximum(least + powers.slack[rows], 0.0) ** (1 / norm)
        return (reach + rounding_noise(queries[rows], reach)) ** norm + powers.slack[rows]

    return bounds, widen


def blocks(n_queries: int) -> list[slice]:
    """Queries to look at together."""
    return slices(n_queries, BLOCK[0])


def promising(
    some: Iterable[slice], n_points: int, bounds: Bounds, widen: Widen
) -> Iterator[tuple[IntArray, IntArray]]:
    """Pairs of a query and a point that may be the least of the query, for some blocks of queries.

    ``bounds`` gives lower and upper bounds of a block; ``widen`` says, for the least upper bound of each query of a
    block, up to where a lower bound is kept.
    """
    for rows in some:
        least, found = np.full(rows.stop - rows.start, np.inf), []
        for columns in slices(n_points, BLOCK[1]):
            lower, upper = bounds(rows, columns)
            np.minimum(least, upper.min(axis=1), out=least)
            limit = widen(rows, least)
            hopeful = np.flatnonzero(lower.min(axis=1) <= limit)
            lower = lower[hopeful]
            row, column = np.nonzero(lower <= limit[hopeful, None])
            found.append((hopeful[row], column + columns.start, lower[row, column]))
        row, column, low = (np.concatenate(parts) for parts in zip(*found, strict=True))
        kept = np.flatnonzero(low <= limit[row])
        yield row[kept] + rows.start, column[kept]


def slices(n: int, step: int) -> list[slice]:
    """Numbers up to n, so many at a time."""
    return [slice(start, min(start + step, n)) for start in range(0, n, step)]


def pieces(n_pairs: int, n_columns: int) -> list[slice]:
    """Pairs to be compared at a time, so that their differences fit into little memory."""
    return slices(n_pairs, max(1, NUMBERS_AT_ONCE // n_columns))


@dataclass(frozen=True, slots=True, eq=False)
class Powers:
    """Distances between queries and points, or their squares in the Euclidean norm, by products of matrices.

    Attributes:
        left: a row for each query.
        right: a row for each point.
        others: coordinates of queries and of points whose differences are added as they are.
        slack: how far off the result for each query may be.
    """

    left: FloatArray
    right: FloatArray
    others: tuple[FloatArray, FloatArray]
    slack: FloatArray

    def block(self, rows: slice, columns: slice) -> FloatArray:
        """Return those of some queries and some points."""
        block = self.left[rows] @ self.right[columns].T
        queries, points = self.others
        if queries.shape[1]:
            block += cdist(queries[rows], points[columns], "cityblock")
        return block


def squares(points: FloatArray, queries: FloatArray) -> Powers:
    r"""Squares of Euclidean distances, as :math:`|x|^2 - 2 x \cdot o + |o|^2`, around the centre of the points."""
    centre = points.mean(axis=0)
    queries, points = queries - centre, points - centre
    own, sizes = (np.einsum("ij,ij->i", rows, rows) for rows in (queries, points))
    return Powers(
        left=np.column_stack([-2 * queries, np.ones(len(queries)), own]),
        right=np.column_stack([points, sizes, np.ones(len(points))]),
        others=(queries[:, :0], points[:, :0]),
        slack=_slack(own, sizes, points.shape[1]),
    )


def _cityblock(points: FloatArray, queries: FloatArray) -> Powers:
    r"""Sums of differences; in a coordinate of two values, written as 0 and 1, one is :math:`u + v - 2 u v`."""
    low = np.minimum(points.min(axis=0), queries.min(axis=0))
    high = np.maximum(points.max(axis=0), queries.max(axis=0))
    two = np.logical_and(*(((rows == low) | (rows == high)).all(axis=0) for rows in (points, queries)))
    width = (high - low)[two]
    asked, given = ((rows[:, two] == high[two]).astype(np.float64) for rows in (queries, points))
    return Powers(
        left=np.column_stack([-2 * width * asked, np.ones(len(asked)), asked @ width]),
        right=np.column_stack([given, given @ width, np.ones(len(given))]),
        others=(queries[:, ~two], points[:, ~two]),
        slack=_slack((queries - low).sum(axis=1), (points - low).sum(axis=1), points.shape[1]),
    )


def _slack(own: FloatArray, sizes: FloatArray, n_columns: int) -> FloatArray:
    """Twice the rounding of a product of this length, with room for that of the centring."""
    return 8 * (n_columns + 9) * EPS * (own + sizes.max())
