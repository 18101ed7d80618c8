"""How far points are from the Voronoi diagram of sites: from where two originals are equally near.

The diagram is never built. The cell of a site is where all bisectors with the other sites leave it, so that the
nearest point of its boundary is that of the nearest bisector, in any number of dimensions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.spatial import cKDTree

from epsilometer.errors import BadTable
from epsilometer.neighbors.matching import mean_matched_distance
from epsilometer.neighbors.points import checked_pair
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

FIRST_NEIGHBOURS: Final = 8
NUMBERS_AT_ONCE: Final = 2**21


@source("chen-2021", "Section 3.2.3: closest point on Voronoi edges, for released records")
def voronoi_distances(sites: ArrayLike, points: ArrayLike) -> FloatArray:
    r"""How far is each point from where it would be as near to a second site? Exact up to rounding.

    .. math:: \min_{o \ne s} \frac{\lVert x - o \rVert^2 - \lVert x - s \rVert^2}{2 \lVert s - o \rVert}

    with s the site nearest to the point x. Equal sites count as one; there must be two different ones.

    >>> voronoi_distances([[0, 0], [4, 0], [0, 3]], [[1, 1], [2, 0], [0, 3]])
    array([0.5, 0. , 1.5])
    """
    return _to_boundary(sites, points)[0]


@source("chen-2021", "Algorithm 3, line 4")
def boundary_points(sites: ArrayLike, points: ArrayLike) -> FloatArray:
    """Where on the Voronoi diagram of the sites is the point nearest to each of the points?

    For a site itself, halfway to its nearest neighbour. Of several nearest points, any one.

    >>> boundary_points([[0, 0], [4, 0], [0, 3]], [[1, 1], [4, 0]])
    array([[1. , 1.5],
           [2. , 0. ]])
    """
    return _to_boundary(sites, points)[1]


@source("chen-2021", "Algorithm 3, its optimal table taken from the originals")
def voronoi_privacy(original: ArrayLike, synthetic: ArrayLike) -> float:
    """How far is the synthetic table from the one with every original moved to its nearest Voronoi edge?

    The mean distance of the cheapest pairing, as the two tables have no common order of rows. The paper calls that
    table optimal and yet takes a larger distance from it for a lower risk (erratum R5); its Table 1 speaks for the
    latter. ``voronoi_distances(original, synthetic)`` is the other reading: larger means nearer to one original.

    >>> voronoi_privacy([[0], [4], [10]], [[3], [2], [7]])
    0.3333333333333333
    """
    originals, synthetics = checked_pair(original, synthetic)
    return mean_matched_distance(boundary_points(originals, originals), synthetics)


def _to_boundary(sites: ArrayLike, points: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Distance to the diagram and the nearest point on it, for each point."""
    places, queries = checked_pair(sites, points, ("sites", "points"))
    distinct = np.unique(places, axis=0)
    if len(distinct) == 1:
        raise BadTable("All sites are equal, so that there is no Voronoi diagram; at least two must differ.")
    tree = cKDTree(distinct, balanced_tree=False)
    distances, feet = np.empty(len(queries)), np.empty_like(queries)
    waiting, n_near = np.arange(len(queries)), min(FIRST_NEIGHBOURS, len(distinct))
    while len(waiting):
        step = max(1, NUMBERS_AT_ONCE // (n_near * queries.shape[1]))
        unsettled = []
        for start in range(0, len(waiting), step):
            some = waiting[start : start + step]
            found, near = tree.query(queries[some], k=n_near, workers=-1)
            away = np.asarray(found)
            distances[some], feet[some] = _nearest_bisector(distinct[near], queries[some])
            # a site at distance R has its bisector at least (R - r) / 2 away
            settled = away[:, -1] >= away[:, 0] + 2 * distances[some]
            unsettled.append(some[~settled])
        waiting = np.concatenate(unsettled) if n_near < len(distinct) else waiting[:0]
        n_near = min(4 * n_near, len(distinct))
    return distances, feet


def _nearest_bisector(near: FloatArray, points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Distance to the nearest bisector of the first site with another, and the foot on it.

    ``near`` is points x sites x columns, nearest site first.
    """
    first, others = near[:, :1], near[:, 1:]
    towards = others - first
    lengths = np.linalg.norm(towards, axis=2)
    # |x - o|^2 - |x - s|^2 as a product, which does not cancel
    outwards = np.einsum("ijk,ijk->ij", towards, (others - points[:, None]) + (first - points[:, None]))
    to_bisector = np.maximum(outwards / (2 * lengths), 0.0)
    which = to_bisector.argmin(axis=1)[:, None]
    distance = np.take_along_axis(to_bisector, which, axis=1)
    direction = np.take_along_axis(towards / lengths[..., None], which[..., None], axis=1)[:, 0]
    return distance[:, 0], points + distance * direction
