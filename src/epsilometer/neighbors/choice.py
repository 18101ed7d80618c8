"""Which search for nearest points is faster: by a tree or by products of matrices. Both find the same.

A tree is fast where it has to look at few points, and that is up to the points more than to their coordinates: thirty
columns that depend on each other can be like four. So it is tried on a few queries, without timing anything, so that
the same tables are always searched in the same way.

Processor time of a tree over that of products, and the share of the points that it looks at, as measured for numbers
drawn independently ("apart"), for sums of four ("four") and for every other column yes or no ("mixed"):

======== ===== ========= ============= ============= ============= ==============
norm     kind  points    6 columns     8 (or 11)     12 (or 21)    30 (or 41)
======== ===== ========= ============= ============= ============= ==============
2        apart 10,000                  1.1 (12 %)    4.5 (43 %)    15 (100 %)
2        apart 100,000                 0.8 (2.4 %)   7.3 (11 %)    77 (98 %)
2        apart 1,000,000 0.02 (0.1 %)  0.12 (0.3 %)  0.54 (2.4 %)  31 (90 %)
2        four  100,000                 0.11 (0.2 %)  0.20 (0.3 %)  0.43 (0.3 %)
2        mixed 100,000                 0.10 (0.4 %)  0.92 (2.9 %)  85 (77 %)
1        apart 100,000   0.06 (1.4 %)  2.3 (24 %)    6.4 (99 %)    6.3 (100 %)
1        four  100,000   0.03 (0.4 %)  0.09 (0.5 %)  0.11 (0.6 %)  0.39 (0.6 %)
1        mixed 100,000   0.01 (0.2 %)  0.19 (3.0 %)  10 (64 %)     12 (100 %)
======== ===== ========= ============= ============= ============= ==============
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.neighbors.how import How
from epsilometer.neighbors.products import nearest_by_products

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

    from epsilometer.neighbors.points import Norm
    from epsilometer.vocabulary.arrays import FloatArray

TREE: Final = "a tree"
PRODUCTS: Final = "products of matrices"
FEW_COLUMNS: Final = 5  # in which a tree looks at few points, whatever they are
TRIED: Final = 32
TREE_UP_TO: Final = {1: 15, 2: 4}  # per cent of the points that a tree may look at; products save less in sums


def choose_search(tree: cKDTree, queries: FloatArray, norm: Norm) -> How:
    """Say which search is the faster one for these queries, and why."""
    if tree.m <= FEW_COLUMNS:
        why = f"{tree.n:,} different records in {tree.m} coordinates; up to {FEW_COLUMNS} it is always taken"
        return How(TREE, why)
    tried = queries[:: -(-len(queries) // TRIED)]
    share, most = math.ceil(1e4 * _share_looked_at(tree, tried, norm)) / 100, TREE_UP_TO[norm]
    looks = f"looks at {share:g} % of the {tree.n:,} different ones"
    if share <= most:
        return How(TREE, f"tried on {len(tried)} records, it {looks}; up to {most} % it is the faster way")
    return How(PRODUCTS, f"a tree, tried on {len(tried)} records, {looks}; above {most} % it is the slower way")


def _share_looked_at(tree: cKDTree, queries: FloatArray, norm: Norm) -> float:
    """Share of the points in leaves of the tree that are as near as the nearest point; on average over the queries."""
    points, starts = tree.data[tree.indices], np.arange(0, tree.n, tree.leafsize)
    low, high = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)
    nearest = nearest_by_products(tree.data, queries, norm)
    looked_at = [
        np.linalg.norm(np.maximum(np.maximum(low - query, query - high), 0.0), norm, axis=1) <= reach
        for query, reach in zip(queries, nearest, strict=True)
    ]
    return float(np.mean(looked_at))
