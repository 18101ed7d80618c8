"""Points that may be the nearest ones, by squares of Euclidean distances in single precision, in tiles.

A tile of few queries and points stays in the cache, and a library of matrices takes one thread for it. What single
precision leaves open is to be compared anew.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.neighbors.search import EPS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from epsilometer.vocabulary.arrays import FloatArray, IntArray

LARGEST_TILE: Final = 6  # 2**6 queries and as many points
PRODUCTS_IN_TILE: Final = 18  # 2**18: more would be split among threads
AT_ONCE: Final = (4, 32)  # tiles of queries and of points: two megabytes
LEFT_OPEN: Final = 16  # points for each query; with more, double precision is faster
NOWHERE: Final = 1e30  # where the points are that fill the last tile up
SINGLE: Final = np.finfo(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Tiles:
    """Queries and points around the centre of the points, in a unit in which none is far away.

    Attributes:
        left: the queries, tiles x queries x coordinates.
        right: the points, tiles x coordinates x points.
        own: squared length of each query.
        slack: how far off the squared distances of each query may be.
        noise: by how much distances may differ that count as equal, and their part of each further distance.
    """

    left: NDArray[np.float32]
    right: NDArray[np.float32]
    own: FloatArray
    slack: FloatArray
    noise: tuple[FloatArray, float]

    @classmethod
    def of(cls, points: FloatArray, queries: FloatArray) -> Tiles:
        """Cut queries and points into tiles."""
        centre, size = points.mean(axis=0), np.abs(queries).sum(axis=1)
        queries, points = queries - centre, points - centre
        unit = math.ldexp(1.0, math.frexp(max(np.abs(queries).max(), np.abs(points).max()))[1])
        queries, points = queries / unit, points / unit
        own, sizes = (np.einsum("ij,ij->i", rows, rows) for rows in (queries, points))
        n_columns = points.shape[1] + 1
        tile = 2 ** min(LARGEST_TILE, (PRODUCTS_IN_TILE - n_columns.bit_length()) // 2)
        left = _filled(np.column_stack([-2 * queries, np.ones(len(queries))]), tile, 0.0)
        right = _filled(np.column_stack([points, sizes]), tile, NOWHERE)
        return cls(
            left=left.reshape(-1, tile, n_columns),
            right=np.ascontiguousarray(right.reshape(-1, tile, n_columns).transpose(0, 2, 1)),
            own=own,
            slack=8 * (n_columns + 8) * (SINGLE.eps * (own + sizes.max()) + SINGLE.tiny),
            noise=(4 * EPS * size / unit, 4 * EPS * n_columns),
        )

    def blocks(self) -> list[slice]:
        """Queries to look at together."""
        step = AT_ONCE[0] * self.left.shape[1]
        return [slice(start, min(start + step, len(self.own))) for start in range(0, len(self.own), step)]

    def promising(self, rows: slice) -> tuple[IntArray, IntArray] | None:
        """Pairs of one of these queries and a point that may be nearest to it; nothing if there are too many."""
        tile, n_rows = self.left.shape[1], rows.stop - rows.start
        asked = self.left[rows.start // tile :][: AT_ONCE[0], None]
        least = np.full((len(asked), tile), np.inf)
        found, n_found = [], 0
        for first in range(0, len(self.right), AT_ONCE[1]):
            squares = np.matmul(asked, self.right[first : first + AT_ONCE[1]])
            in_lane = squares.min(axis=1)  # of the points with the same place in all tiles
            np.minimum(least, in_lane.min(axis=2), out=least)
            limit = self._limit(rows, least)
            block, row, lane = np.unravel_index(np.flatnonzero(in_lane <= limit[..., None]), in_lane.shape)
            near = squares[block, :, row, lane]
            pair, number = np.divmod(np.flatnonzero(near <= limit[block, row, None]), near.shape[1])
            found.append((block[pair] * tile + row[pair], (first + number) * tile + lane[pair], near[pair, number]))
            n_found += len(pair)
            if n_found > LEFT_OPEN * n_rows:
                return None
        row, column, square = (np.concatenate(parts) for parts in zip(*found, strict=True))
        kept = np.flatnonzero(square <= limit.ravel()[row])
        return row[kept] + rows.start, column[kept]

    def _limit(self, rows: slice, least: FloatArray) -> NDArray[np.float32]:
        """What squares of distances, less those of the queries, are kept, for the least ones found."""
        own, slack, (noise, more) = self.own[rows], self.slack[rows], self.noise
        limit = np.full(least.shape, -np.inf, dtype=np.float32)  # nothing for queries that fill the last tile up
        reach = np.sqrt(np.maximum(least.ravel()[: len(own)] + own + slack, 0.0))
        limit.ravel()[: len(own)] = (reach * (1 + more) + noise[rows]) ** 2 + slack - own
        return limit


def _filled(rows: FloatArray, tile: int, filling: float) -> NDArray[np.float32]:
    """Rows in single precision, and some more for the last tile, zero but for their last number."""
    filled = np.zeros((-(-len(rows) // tile) * tile, rows.shape[1]), dtype=np.float32)
    filled[: len(rows)] = rows
    filled[len(rows) :, -1] = filling
    return filled
