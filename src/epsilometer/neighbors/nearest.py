"""How far each synthetic record is from the nearest original one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.spatial import cKDTree

from epsilometer.errors import OutOfRange
from epsilometer.neighbors.points import checked_pair
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray

TREE_COLUMNS: Final = 12  # with more, a tree visits most of its leaves and products of matrices are faster
BLOCK: Final = (1024, 4096)  # synthetic x original records at a time: 32 megabytes
NUMBERS_AT_ONCE: Final = 2**21


@source("chen-2021", "Algorithm 2, lines 1-3; Eq. (8) with the minimum itself")
def nearest_distances(original: ArrayLike, synthetic: ArrayLike) -> FloatArray:
    r"""How far is each synthetic record from the nearest original one? Exact up to the last rounding.

    .. math:: y_i = \min_j \lVert D_i - O_j \rVert_2

    with O = ``original`` and D = ``synthetic``, records x columns, of any two sizes. Few columns are searched with a
    tree, many with products of matrices whose near winners are computed anew from the differences.

    >>> nearest_distances([[0, 0], [4, 0]], [[1, 1], [4, 2], [4, 0]]).round(6)
    array([1.414214, 2.      , 0.      ])
    """
    originals, synthetics = checked_pair(original, synthetic)
    distinct = np.unique(originals, axis=0)  # many equal records would make one leaf of the tree
    search = _by_tree if distinct.shape[1] <= TREE_COLUMNS else _by_products
    return search(distinct, synthetics)


@source("chen-2021", "Section 3.1: hitting rate")
def hitting_rate(original: ArrayLike, synthetic: ArrayLike) -> Fraction:
    """What share of the synthetic records are original ones, number for number? Exact.

    Zero says little: a touch of noise on every record is enough for it. The paper takes both tables to have the
    same number of records; here it is the number of synthetic ones.

    >>> hitting_rate([[0, 0], [4, 0]], [[1, 1], [4, 2], [4, 0]])
    Fraction(1, 3)
    """
    originals, synthetics = checked_pair(original, synthetic)
    _, code = np.unique(np.concatenate([originals, synthetics]), axis=0, return_inverse=True)
    hits = np.isin(code[len(originals) :], code[: len(originals)])
    return Fraction(int(hits.sum()), len(synthetics))


@dataclass(frozen=True, slots=True)
class NearestSummary:
    """The distances of the synthetic records to their nearest original ones, summed up.

    Attributes:
        minimum: the y of y-privacy: no synthetic record is nearer to an original one.
        median: the paper's y for the average case.
        mean: their mean.
        quantiles: the distance that at least each asked-for share of the synthetic records does not exceed.
    """

    minimum: float
    median: float
    mean: float
    quantiles: dict[float, float]


@source("chen-2021", "Algorithm 2, with the minimum on line 4")
def y_privacy(
    original: ArrayLike, synthetic: ArrayLike, *, shares: Sequence[float] = (0.01, 0.05, 0.25)
) -> NearestSummary:
    """How near do synthetic records come to original ones, at worst and on the whole? Exact.

    The operator is missing from the paper's line 4; "at least y-far" makes it the minimum. A quantile is one of the
    distances, never a mean of two. That a guess within y hits with probability at most 1/(2y + 1), as the paper
    says, does not hold: two originals at distance y of one record make it 2/(2y + 1).

    >>> y_privacy([[0], [10]], [[1], [7], [10], [13]], shares=[0.5])
    NearestSummary(minimum=0.0, median=2.0, mean=1.75, quantiles={0.5: 1.0})
    """
    for share in shares:
        if not 0 <= share <= 1:
            raise OutOfRange("share", share, "[0, 1]", hint="It is a part of the synthetic records.")
    distances = nearest_distances(original, synthetic)
    found = np.quantile(distances, list(shares), method="inverted_cdf")
    return NearestSummary(
        minimum=float(distances.min()),
        median=float(np.median(distances)),
        mean=float(distances.mean()),
        quantiles=dict(zip(shares, found.tolist(), strict=True)),
    )


def _by_tree(originals: FloatArray, synthetics: FloatArray) -> FloatArray:
    """Search a tree for one record after the other, in an order in which neighbours follow each other."""
    near_each_other = cKDTree(synthetics, leafsize=64, balanced_tree=False, compact_nodes=False).indices
    distances = np.empty(len(synthetics))
    tree = cKDTree(originals, balanced_tree=False)
    distances[near_each_other] = tree.query(synthetics[near_each_other], workers=-1)[0]
    return distances


def _by_products(originals: FloatArray, synthetics: FloatArray) -> FloatArray:
    r"""Find the winners by :math:`|o|^2 - 2 x \cdot o`, block by block, and compute their distances anew.

    The products are off by rounding, so that every original that might win is computed anew.
    """
    centre = originals.mean(axis=0)
    centred, queries = originals - centre, synthetics - centre
    sizes, query_sizes = (np.einsum("ij,ij->i", rows, rows) for rows in (centred, queries))
    left = np.column_stack([-2 * queries, np.ones(len(queries))])
    right = np.column_stack([centred, sizes])
    # twice the rounding of a product of this length, with room for that of the centring
    slack = 8 * (right.shape[1] + 8) * np.finfo(np.float64).eps * (query_sizes + sizes.max())
    squares = np.full(len(synthetics), np.inf)
    for start in range(0, len(synthetics), BLOCK[0]):
        rows = slice(start, start + BLOCK[0])
        for first in range(0, len(originals), BLOCK[1]):
            block = left[rows] @ right[first : first + BLOCK[1]].T
            lowest = block.min(axis=1)
            limit = np.minimum(lowest, squares[rows] - query_sizes[rows]) + slack[rows]
            hopeful = np.flatnonzero(lowest <= limit)
            row, column = np.nonzero(block[hopeful] <= limit[hopeful, None])
            _improve(squares, hopeful[row] + start, column + first, synthetics, originals)
    return np.sqrt(squares)


def _improve(
    squares: FloatArray, row: IntArray, column: IntArray, synthetics: FloatArray, originals: FloatArray
) -> None:
    """Lower the squared distances to those of these pairs, a bounded number of them at a time."""
    step = max(1, NUMBERS_AT_ONCE // synthetics.shape[1])
    for start in range(0, len(row), step):
        pairs = slice(start, start + step)
        difference = synthetics[row[pairs]] - originals[column[pairs]]
        np.minimum.at(squares, row[pairs], np.einsum("ij,ij->i", difference, difference))
