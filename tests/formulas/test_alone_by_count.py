"""Sums over many cells by their tallies, against the formulas cell by cell."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from epsilometer.formulas.homogeneity import alone_by_count as module
from epsilometer.formulas.homogeneity.alone import alone_probability
from epsilometer.formulas.homogeneity.alone_by_count import CellTallies, alone_by_count
from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace

COUNTS = st.tuples(st.integers(1, 9), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.one_of(st.integers(0, 4), st.integers(0, 5_000)))
)
EPSILONS = (0.01, 0.3, 1.0, 10.0, 40.0)
NOISES = {
    "laplace": Laplace(epsilon=EPSILONS),
    "threshold": Laplace(epsilon=EPSILONS, threshold=7.5),
    "negative threshold": Laplace(epsilon=EPSILONS, threshold=-2.0),
    "geometric": Geometric(epsilon=EPSILONS),
    "gaussian": Gaussian(epsilon=EPSILONS, delta=1e-5),
    "discrete": DiscreteGaussian(epsilon=EPSILONS, delta=1e-5, adjacency="replace"),
    "one epsilon": Laplace(epsilon=0.7),
}


@pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES.keys())
@given(counts=COUNTS, data=st.data())
@settings(max_examples=40, deadline=None)
def test_agrees_with_the_cells_one_by_one(noise, counts, data):
    n_cells = np.array(data.draw(st.lists(st.integers(1, 1_000), min_size=len(counts), max_size=len(counts))))
    cells = CellTallies.of(counts, n_cells)
    alone = alone_probability(counts, noise)
    found = alone_by_count(cells, cells.n_cells, noise)
    for place, count in enumerate(cells.distinct):
        one_by_one = np.where(counts == count, alone, 0.0).sum(axis=-1) @ n_cells.astype(float)
        np.testing.assert_allclose(found[..., place], one_by_one, rtol=1e-12, atol=1e-90)


@given(counts=COUNTS)
def test_tallies_keep_every_count(counts):
    cells = CellTallies.of(counts, np.ones(len(counts), dtype=np.int64))
    distinct, n_entries = np.unique(counts, return_counts=True)
    np.testing.assert_array_equal(cells.distinct, distinct)
    np.testing.assert_array_equal(cells.n_entries, n_entries)
    assert cells.n_cells.sum() == len(counts)
    assert cells.n_cells @ cells.sizes == counts.sum()


def test_the_order_of_values_plays_no_part():
    cells = CellTallies.of([[5, 0, 2], [2, 5, 0], [0, 2, 5], [5, 2, 1]], [1, 2, 3, 4])
    assert cells.n_cells.tolist() == [6, 4]
    assert cells.sizes.tolist() == [7, 8]


def test_blocks_change_nothing(monkeypatch):
    counts = np.random.default_rng(0).integers(0, 9, (50, 3))
    whole = CellTallies.of(counts, np.ones(50, dtype=np.int64))
    monkeypatch.setattr(module, "ROWS", 7)
    parts = CellTallies.of(counts, np.ones(50, dtype=np.int64))
    assert len(parts.blocks) > len(whole.blocks) == 1
    noise = Laplace(epsilon=(0.1, 2.0))
    np.testing.assert_allclose(
        alone_by_count(parts, parts.n_cells, noise), alone_by_count(whole, whole.n_cells, noise), rtol=1e-13
    )


def test_never_less_risk_where_probabilities_underflow():
    cells = CellTallies.of([[10**6, 10**6, 0], [10**6, 0, 0]], [1, 1])
    noise = Laplace(epsilon=10.0)
    found = alone_by_count(cells, cells.n_cells, noise) @ cells.distinct
    only = 10**6 * float(noise.probability_below(0.5)) ** 2  # the large count survives for certain
    assert only * (1 - 1e-12) <= found <= only * (1 + 1e-12)
