"""How far each synthetic record is from the nearest original one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.neighbors.choice import TREE, choose_search
from epsilometer.neighbors.points import check_norm, checked_pair, distinct_points
from epsilometer.neighbors.products import nearest_by_products, ties_by_products
from epsilometer.neighbors.search import grown_tree, nearest_by_tree, ties_by_tree
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.neighbors.how import How
    from epsilometer.neighbors.points import Norm
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray

SHARES: Final = (0.01, 0.05, 0.25)  # of the records, whose quantiles are told


@source("chen-2021", "Algorithm 2, lines 1-3; Eq. (8) with the minimum itself")
def nearest_distances(original: ArrayLike, synthetic: ArrayLike, *, norm: Norm = 2) -> FloatArray:
    r"""How far is each synthetic record from the nearest original one? Exact up to the last rounding.

    .. math:: y_i = \min_j \lVert D_i - O_j \rVert

    with O = ``original`` and D = ``synthetic``, records x columns, of any two sizes. The paper's ``norm`` is the
    Euclidean one, 2; 1 sums up the differences, which is what an encoded table of mixed columns asks for.

    >>> nearest_distances([[0, 0], [4, 0]], [[1, 1], [4, 2], [4, 0]]).round(6)
    array([1.414214, 2.      , 0.      ])
    """
    return find_nearest(original, synthetic, norm=norm).distances


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """Distances to the nearest original, and how they were found.

    Attributes:
        distances: of each synthetic record.
        how: which search was chosen, and why.
    """

    distances: FloatArray
    how: How


def find_nearest(original: ArrayLike, synthetic: ArrayLike, *, norm: Norm = 2) -> Nearest:
    """As :func:`nearest_distances`, with the search that was chosen.

    >>> find_nearest([[0, 0], [4, 0]], [[1, 1]]).how.in_words
    'a tree: 2 different records in 2 coordinates; up to 5 it is always taken'
    """
    check_norm(norm)
    originals, synthetics = checked_pair(original, synthetic)
    distinct, _ = distinct_points(originals)
    tree = grown_tree(distinct)
    how = choose_search(tree, synthetics, norm)
    if how.method == TREE:
        return Nearest(nearest_by_tree(tree, synthetics, norm), how)
    return Nearest(nearest_by_products(distinct, synthetics, norm), how)


@dataclass(frozen=True, slots=True, eq=False)
class NearestTies:
    """The nearest records of a pool for each query, everyone equally near included; equal records are one place.

    Attributes:
        distances: from each query to its nearest place.
        query: the query of each pair of a query and a place nearest to it, in ascending order.
        place: the place of each pair.
        place_of_record: where each record of the pool stands; places are numbered from 0, and none is empty.
        how: which search was chosen, and why.
    """

    distances: FloatArray
    query: IntArray
    place: IntArray
    place_of_record: IntArray
    how: How


def nearest_ties(pool: ArrayLike, queries: ArrayLike, *, norm: Norm = 2) -> NearestTies:
    """Which records of a pool are nearest to each query, all that are equally near?

    Exact: distances count as equal if they differ by no more than the rounding of the coordinates can make up.

    >>> found = nearest_ties(pool=[[0], [4], [4], [9]], queries=[[2], [8]])
    >>> found.distances, found.query, found.place, found.place_of_record
    (array([2., 1.]), array([0, 0, 1]), array([0, 1, 2]), array([0, 1, 1, 2]))
    """
    check_norm(norm)
    records, asked = checked_pair(pool, queries, ("pool", "query"))
    places, place_of_record = distinct_points(records)
    tree = grown_tree(places)
    how = choose_search(tree, asked, norm)
    found = ties_by_tree(tree, asked, norm) if how.method == TREE else ties_by_products(places, asked, norm)
    pairs = list(found)
    query, place, distance = (
        np.concatenate([getattr(part, name) for part in pairs]) for name in ("query", "point", "distance")
    )
    order = np.lexsort((place, query))
    distances = np.full(len(asked), np.inf)
    np.minimum.at(distances, query, distance)
    return NearestTies(distances, query[order], place[order], place_of_record, how)


@source("chen-2021", "Section 3.1: hitting rate")
def hitting_rate(original: ArrayLike, synthetic: ArrayLike) -> Fraction:
    """What share of the synthetic records are original ones, number for number? Exact.

    Zero says little: a touch of noise on every record is enough for it. The paper takes both tables to have the
    same number of records; here it is the number of synthetic ones.

    >>> hitting_rate([[0, 0], [4, 0]], [[1, 1], [4, 2], [4, 0]])
    Fraction(1, 3)
    """
    originals, synthetics = checked_pair(original, synthetic)
    _, code = distinct_points(np.concatenate([originals, synthetics]))
    hits = np.isin(code[len(originals) :], code[: len(originals)])
    return Fraction(int(hits.sum()), len(synthetics))


@dataclass(frozen=True, slots=True)
class NearestSummary:
    """Distances summed up, such as those of the synthetic records to their nearest original ones.

    Attributes:
        minimum: the smallest; the y of y-privacy: no synthetic record is nearer to an original one.
        median: the paper's y for the average case.
        mean: their mean.
        quantiles: the distance that at least each asked-for share of the records does not exceed.
    """

    minimum: float
    median: float
    mean: float
    quantiles: dict[float, float]


@source("chen-2021", "Algorithm 2, with the minimum on line 4")
def y_privacy(
    original: ArrayLike, synthetic: ArrayLike, *, shares: Sequence[float] = SHARES, norm: Norm = 2
) -> NearestSummary:
    """How near do synthetic records come to original ones, at worst and on the whole? Exact.

    The operator is missing from the paper's line 4; "at least y-far" makes it the minimum. That a guess within y hits
    with probability at most 1/(2y + 1), as the paper says, does not hold: two originals at distance y of one record
    make it 2/(2y + 1).

    >>> y_privacy([[0], [10]], [[1], [7], [10], [13]], shares=[0.5])
    NearestSummary(minimum=0.0, median=2.0, mean=1.75, quantiles={0.5: 1.0})
    """
    for share in shares:
        if not 0 <= share <= 1:
            raise OutOfRange("share", share, "[0, 1]", hint="It is a part of the synthetic records.")
    return summarised(nearest_distances(original, synthetic, norm=norm), shares)


def summarised(distances: FloatArray, shares: Sequence[float] = SHARES) -> NearestSummary:
    """Sum distances up; a quantile is one of them, never a mean of two.

    >>> summarised(np.array([1.0, 3.0, 0.0, 3.0]), shares=[0.5]).quantiles
    {0.5: 1.0}
    """
    found = np.quantile(distances, list(shares), method="inverted_cdf")
    return NearestSummary(
        minimum=float(distances.min()),
        median=float(np.median(distances)),
        mean=float(distances.mean()),
        quantiles=dict(zip(shares, found.tolist(), strict=True)),
    )
