"""PriView: covers of all pairs, tables of most entropy, and the chain for what does not fit into one table."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epsilometer.errors import BadTable
from epsilometer.synthesizers import views
from epsilometer.synthesizers.budget import Budget
from epsilometer.synthesizers.coded import CodedColumn, CodedTable
from epsilometer.synthesizers.noise import SimulatedNoise
from epsilometer.synthesizers.noisy_marginals import Marginal
from epsilometer.synthesizers.views import ViewsSynthesizer, most_entropy, pair_cover


def marginals_of(joint, sets):
    whole = Marginal(tuple(range(joint.ndim)), joint)
    return [Marginal(each, whole.onto(each)) for each in sets]


def entropy(counts):
    shares = counts[counts > 0] / counts.sum()
    return -(shares * np.log(shares)).sum()


@settings(max_examples=30)
@given(st.lists(st.integers(1, 40), min_size=2, max_size=9))
def test_every_pair_is_in_a_view(sizes):
    cover = pair_cover(sizes)
    for pair in combinations(range(len(sizes)), 2):
        assert any(view.issuperset(pair) for view in cover)


@given(st.lists(st.integers(1, 40), min_size=2, max_size=9), st.integers(1, 5000))
def test_a_view_larger_than_the_limit_is_a_pair(sizes, limit):
    for view in views._cover_within(sizes, limit):
        assert len(view) == 2 or math.prod(sizes[column] for column in view) <= limit


def test_the_cover_of_binary_columns_is_of_the_published_kind():
    """Some views of several columns each, far fewer than the 496 pairs of 32 columns."""
    cover = pair_cover([2] * 32)
    assert len(cover) < 100
    assert all(3 <= len(view) <= 8 for view in cover)


def test_few_columns_are_one_view():
    assert pair_cover([2, 3]) == [{0, 1}]
    assert pair_cover([7]) == [{0}]
    assert pair_cover([2, 2, 2, 2]) == [{0, 1, 2, 3}]


def test_most_entropy_of_a_chain_is_the_chain():
    """Given neighbours alone, other columns are independent: the joint is the product of the conditionals."""
    rng = np.random.default_rng(0)
    start, onwards, further = rng.dirichlet([1] * 3), rng.dirichlet([1] * 4, 3), rng.dirichlet([1] * 2, 4)
    joint = 1000 * np.einsum("a,ab,bc->abc", start, onwards, further)
    found = most_entropy(marginals_of(joint, [(0, 1), (1, 2)]), (2, 0, 1))
    np.testing.assert_allclose(found, joint.transpose(2, 0, 1), rtol=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_most_entropy_keeps_all_pairs_and_beats_the_table_itself(seed):
    joint = np.random.default_rng(seed).uniform(1, 9, (2, 3, 2, 2))
    pairs = list(combinations(range(4), 2))
    found = most_entropy(marginals_of(joint, pairs), (0, 1, 2, 3))
    for one, other in zip(marginals_of(joint, pairs), marginals_of(found, pairs), strict=True):
        np.testing.assert_allclose(other.table, one.table, rtol=1e-3)
    assert entropy(found) >= entropy(joint) - 1e-6


def test_empty_cells_stay_empty():
    joint = np.array([[[3.0, 0.0], [0.0, 2.0]], [[1.0, 0.0], [0.0, 0.0]]])
    found = most_entropy(marginals_of(joint, [(0, 1), (1, 2)]), (0, 1, 2))
    assert (found[joint.sum(axis=0) * np.ones((2, 1, 1)) == 0] == 0).all()
    assert found.sum() == pytest.approx(joint.sum())


def walk(n_columns, size, n):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, size, (n, n_columns))
    for column in range(1, n_columns):
        kept = rng.random(n) < 0.75
        codes[kept, column] = codes[kept, column - 1]
    return CodedTable(tuple(CodedColumn(f"c{i}", size, ordered=False) for i in range(n_columns)), codes)


def test_what_does_not_fit_is_drawn_given_the_nearest_columns(monkeypatch):
    """Room for two columns of 5 codes at a time: each is drawn given a neighbour in the walk."""
    monkeypatch.setattr(views, "RECONSTRUCTED_CELLS", 30)
    table = walk(6, 5, 5000)
    model = ViewsSynthesizer().fit(table, Budget(1e6), SimulatedNoise(0))
    first, *others = model.steps
    assert len(first.new) == 2
    assert np.ptp(first.new) == 1
    for step in others:
        assert len(step.given) == len(step.new) == 1
        assert abs(step.given[0] - step.new[0]) == 1
    drawn = CodedTable(table.columns, model.sample(50_000, np.random.default_rng(0)))
    for pair in combinations(range(6), 2):
        apart = np.abs(drawn.counts(pair) / 50_000 - table.counts(pair) / 5000).sum() / 2
        assert apart < 0.04


def test_all_columns_in_one_step_if_they_fit():
    (only,) = ViewsSynthesizer().fit(walk(4, 3, 500), Budget(1.0), SimulatedNoise(0)).steps
    assert (only.given, sorted(only.new)) == ((), [0, 1, 2, 3])


def test_columns_with_more_codes_than_fit_are_drawn_on_their_own(monkeypatch):
    monkeypatch.setattr(views, "RECONSTRUCTED_CELLS", 4)
    steps = ViewsSynthesizer().fit(walk(3, 5, 500), Budget(1.0), SimulatedNoise(0)).steps
    assert [(step.given, len(step.new)) for step in steps] == [((), 1)] * 3


def test_a_pair_with_too_many_combinations_is_refused():
    columns = tuple(CodedColumn(name, size, ordered=False) for name, size in [("a", 3000), ("b", 2), ("c", 2000)])
    table = CodedTable(columns, np.zeros((5, 3), dtype=np.int64))
    with pytest.raises(BadTable, match="'c' and 'a' have 6,000,000 combinations of values; this method counts each of"):
        ViewsSynthesizer().fit(table, Budget(1.0), SimulatedNoise(0))
