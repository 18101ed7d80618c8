"""An index that is searched part by part finds what one search finds."""

import pickle

import numpy as np
import pytest

from epsilometer.neighbors.choice import TREE, choose_search
from epsilometer.neighbors.index import NearestIndex
from epsilometer.neighbors.nearest import nearest_distances
from epsilometer.neighbors.search import grown_tree


@pytest.mark.parametrize("norm", [1, 2])
@pytest.mark.parametrize("n_columns", [2, 20])
def test_parts_find_what_the_whole_finds(norm, n_columns):
    rng = np.random.default_rng(n_columns)
    points, queries = rng.normal(size=(300, n_columns)), rng.normal(size=(50, n_columns))
    assert (choose_search(grown_tree(points), queries, norm).method == TREE) == (n_columns == 2)
    index = pickle.loads(pickle.dumps(NearestIndex(points, norm)))  # as it is sent to a worker
    found = np.concatenate([index.distances(part) for part in np.array_split(queries, 4)])
    apart = np.abs(queries[:, None] - points)
    by_hand = (apart.sum(axis=2) if norm == 1 else np.sqrt((apart**2).sum(axis=2))).min(axis=1)
    assert found == pytest.approx(by_hand, rel=1e-12)
    assert found == pytest.approx(nearest_distances(points, queries, norm=norm), rel=1e-12)
