"""Points that are searched again and again, by one part of the queries after another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.neighbors.choice import TREE, choose_search
from epsilometer.neighbors.products import nearest_by_products
from epsilometer.neighbors.search import grown_tree

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

    from epsilometer.neighbors.points import Norm
    from epsilometer.vocabulary.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class NearestIndex:
    """Different points, and a tree of them that is built for the first queries, and kept for the next.

    >>> index = NearestIndex(np.array([[0.0, 0.0], [4.0, 0.0]]), norm=2)
    >>> index.distances(np.array([[4.0, 2.0]])), index.distances(np.array([[0.0, 0.0]]))
    (array([2.]), array([0.]))
    """

    points: FloatArray
    norm: Norm

    def distances(self, queries: FloatArray) -> FloatArray:
        """Distance of each query to the nearest of the points, found by a single thread; exact up to rounding."""
        if choose_search(self._tree, queries, self.norm).method != TREE:
            return nearest_by_products(self.points, queries, self.norm)
        return np.asarray(self._tree.query(queries, p=self.norm)[0])

    @cached_property
    def _tree(self) -> cKDTree:
        return grown_tree(self.points)
