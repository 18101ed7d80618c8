"""PrivBayes: the parents to choose from, against all subsets, and the structure it finds."""

import math
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.synthesizers import bayes_network
from epsilometer.synthesizers.bayes_network import MOST_PARENT_SETS, BayesNetworkSynthesizer, parent_sets
from epsilometer.synthesizers.budget import Budget
from epsilometer.synthesizers.coded import CodedColumn, CodedTable
from epsilometer.synthesizers.noise import SimulatedNoise


def random_walk(n_columns, size, n, seed):
    """Each column keeps the code of the one before in three records of four, and is any code otherwise."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, size, (n, n_columns))
    for column in range(1, n_columns):
        kept = rng.random(n) < 0.75
        codes[kept, column] = codes[kept, column - 1]
    return CodedTable(tuple(CodedColumn(f"c{i}", size, ordered=False) for i in range(n_columns)), codes)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=7), st.integers(0, 200))
def test_parent_sets_are_the_largest_of_all_that_fit(sizes, room):
    placed = range(len(sizes))
    subsets = chain.from_iterable(combinations(placed, k) for k in range(len(sizes) + 1))
    fit = [
        {*chosen}
        for chosen in subsets
        if math.prod(sizes[column] for column in chosen) <= room and all(sizes[column] > 1 for column in chosen)
    ]
    largest = sorted(tuple(sorted(one)) for one in fit if not any(one < other for other in fit))
    assert parent_sets(placed, sizes, room) == (largest or [()])


@pytest.mark.parametrize(
    ("n_placed", "n_parents"), [(1, 1), (5, 5), (10, 10), (12, 3), (14, 3), (15, 2), (28, 2), (29, 1)]
)
def test_many_columns_have_few_parents(n_placed, n_parents):
    found = parent_sets(range(n_placed), [2] * n_placed, 2**40)
    assert {len(parents) for parents in found} == {n_parents}
    assert len(found) == math.comb(n_placed, n_parents) <= MOST_PARENT_SETS


def test_more_columns_than_sets_still_have_one_parent_at_least(monkeypatch):
    monkeypatch.setattr(bayes_network, "MOST_PARENT_SETS", 5)
    assert parent_sets(range(8), [2] * 8, 100) == [(column,) for column in range(8)]


@pytest.mark.parametrize("seed", range(5))
def test_a_walk_is_found_step_by_step(seed):
    """At epsilon 10 the parents of each column include a neighbour, as soon as one was placed."""
    table = random_walk(6, 5, 2000, seed)
    steps = BayesNetworkSynthesizer().fit(table, Budget(10.0), SimulatedNoise(seed)).steps
    placed = set()
    for step in steps:
        (column,) = step.new
        neighbours = {column - 1, column + 1}
        assert not placed & neighbours or set(step.given) & neighbours
        placed.add(column)
    assert placed == set(range(6))


@pytest.mark.parametrize("seed", range(5))
def test_the_first_column_comes_first_whatever_the_records(seed):
    table = random_walk(3, 2, 30, seed)
    first = BayesNetworkSynthesizer().fit(table, Budget(1.0), SimulatedNoise(seed)).steps[0]
    assert (first.given, first.new) == ((), (0,))


def test_tables_are_no_larger_than_is_useful():
    """Of 2,000 records at epsilon 1, half of it for 6 tables: 2,000 / 2 / 6 / 4 = 41 cells."""
    steps = BayesNetworkSynthesizer().fit(random_walk(6, 5, 2000, 0), Budget(1.0), SimulatedNoise(0)).steps
    assert {step.table.size for step in steps} == {5, 25}
