"""How far points are from the Voronoi diagram of sites: from where two originals are equally near.

The diagram is never built. The cell of a site is where all bisectors with the other sites leave it, so that the
nearest point of its boundary is that of the nearest bisector, in any number of dimensions. Bisectors are planes in the
Euclidean norm alone, so that encoded records are taken for points of Euclidean space too, whatever their own norm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.errors import BadTable
from epsilometer.neighbors.choice import TREE, choose_search
from epsilometer.neighbors.matching import mean_matched_distance
from epsilometer.neighbors.points import checked_pair, distinct_points
from epsilometer.neighbors.products import blocks, pieces, promising, squares, ties_by_products
from epsilometer.neighbors.search import grown_tree, visit_neighbours
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.spatial import cKDTree

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray

FIRST_NEIGHBOURS: Final = 8
TINY: Final = 1e-300  # divides without overflow


@source("chen-2021", "Section 3.2.3: closest point on Voronoi edges, for released records")
def voronoi_distances(sites: ArrayLike, points: ArrayLike) -> FloatArray:
    r"""How far is each point from where it would be as near to a second site? Exact up to rounding.

    .. math:: \min_{o \ne s} \frac{\lVert x - o \rVert^2 - \lVert x - s \rVert^2}{2 \lVert s - o \rVert}

    with s the site nearest to the point x. Equal sites count as one; there must be two different ones.

    >>> voronoi_distances([[0, 0], [4, 0], [0, 3]], [[1, 1], [2, 0], [0, 3]])
    array([0.5, 0. , 1.5])
    """
    return _to_boundary(sites, points).distance


@source("chen-2021", "Algorithm 3, line 4")
def boundary_points(sites: ArrayLike, points: ArrayLike) -> FloatArray:
    """Where on the Voronoi diagram of the sites is the point nearest to each of the points?

    For a site itself, halfway to its nearest neighbour. Of several nearest points, any one.

    >>> boundary_points([[0, 0], [4, 0], [0, 3]], [[1, 1], [4, 0]])
    array([[1. , 1.5],
           [2. , 0. ]])
    """
    return _to_boundary(sites, points).feet()


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


@dataclass(frozen=True, slots=True, eq=False)
class _Boundary:
    """Each point, its nearest site, the site whose bisector with it is nearest, and how far that bisector is."""

    points: FloatArray
    site: FloatArray
    other: FloatArray
    distance: FloatArray

    def feet(self) -> FloatArray:
        """Nearest point on the bisector."""
        return self.points + self.distance[:, None] * _direction(self.site, self.other)


def _to_boundary(sites: ArrayLike, points: ArrayLike) -> _Boundary:
    """Where the way to the diagram leads, for each point."""
    places, queries = checked_pair(sites, points, ("sites", "points"))
    distinct, _ = distinct_points(places)
    if len(distinct) == 1:
        raise BadTable("All sites are equal, so that there is no Voronoi diagram; at least two must differ.")
    tree = grown_tree(distinct)
    by_tree = choose_search(tree, queries, norm=2).method == TREE
    site, other, distance = _by_tree(tree, queries) if by_tree else _by_products(distinct, queries)
    return _Boundary(queries, distinct[site], distinct[other], distance)


def _by_tree(tree: cKDTree, points: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Nearest site, site of the nearest bisector and its distance; sites are looked at as the tree brings them."""
    distance = np.empty(len(points))
    site, other = np.empty((2, len(points)), dtype=np.int64)

    def settle(some: IntArray, away: FloatArray, near: IntArray, beyond: FloatArray) -> NDArray[np.bool_]:
        close = tree.data[near]
        to_bisector = _to_bisector(points[some][:, None], close[:, :1], close[:, 1:])
        which, row = to_bisector.argmin(axis=1), np.arange(len(some))
        site[some], other[some], distance[some] = near[:, 0], near[row, which + 1], to_bisector[row, which]
        return beyond >= away[:, 0] + 2 * distance[some]  # a site at distance R has its bisector (R - r) / 2 away

    visit_neighbours(tree, points, settle, n_first=FIRST_NEIGHBOURS)
    return site, other, distance


def _by_products(sites: FloatArray, points: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """As :func:`_by_tree`, with all sites looked at, of which bounds by products of matrices leave few."""
    distance = np.empty(len(points))
    site, other = np.empty((2, len(points)), dtype=np.int64)
    for ties in ties_by_products(sites, points, norm=2):
        site[ties.query] = ties.point
    own = sites[site]
    from_point, from_site = squares(sites, points), squares(sites, own)
    radius = ((points - own) ** 2).sum(axis=1)

    def bounds(rows: slice, columns: slice) -> tuple[FloatArray, FloatArray]:
        outwards, slack = from_point.block(rows, columns) - radius[rows, None], from_point.slack[rows, None]
        apart, unsure = from_site.block(rows, columns), from_site.slack[rows, None]
        shortest, longest = np.maximum(apart - unsure, TINY), np.maximum(apart + unsure, TINY)
        return (outwards - slack) / (2 * np.sqrt(longest)), (outwards + slack) / (2 * np.sqrt(shortest))

    for query, kept in promising(blocks(len(points)), len(sites), bounds, lambda _, least: least):
        pair = np.flatnonzero(kept != site[query])
        row, column = query[pair], kept[pair]
        to_bisector = np.empty(len(row))
        for part in pieces(len(row), sites.shape[1]):
            to_bisector[part] = _to_bisector(points[row[part]], own[row[part]], sites[column[part]])
        order = np.lexsort((to_bisector, row))
        asked, first = np.unique(row[order], return_index=True)
        other[asked], distance[asked] = column[order[first]], to_bisector[order[first]]
    return site, other, distance


def _to_bisector(points: FloatArray, site: FloatArray, other: FloatArray) -> FloatArray:
    """Distance of points to the bisector of their nearest site with another one."""
    # |x - o|^2 - |x - s|^2 as a product, which does not cancel
    outwards = np.einsum("...k,...k->...", _direction(site, other), (other - points) + (site - points))
    return np.maximum(outwards / 2, 0.0)


def _direction(site: FloatArray, other: FloatArray) -> FloatArray:
    """From one site towards another, of length 1."""
    towards = other - site
    towards /= np.abs(towards).max(axis=-1, keepdims=True)  # or the squares of small differences would be lost
    return towards / np.linalg.norm(towards, axis=-1, keepdims=True)
