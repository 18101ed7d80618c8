"""JTree: triangulated graphs and their cliques, the limit on cells, and the links it finds."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.synthesizers.budget import Budget
from epsilometer.synthesizers.coded import CodedColumn, CodedTable
from epsilometer.synthesizers.junction_tree import JunctionTreeSynthesizer, cliques, fitting_cliques
from epsilometer.synthesizers.noise import SimulatedNoise

N_COLUMNS = 7
graphs = st.lists(st.sampled_from(list(combinations(range(N_COLUMNS), 2))), unique=True)


def as_sets(found):
    return {frozenset(clique) for clique in found}


def maximal_cliques(n_columns, links):
    """By trying all sets of columns."""
    linked = {frozenset(link) for link in links}
    complete = [
        frozenset(chosen)
        for k in range(1, n_columns + 1)
        for chosen in combinations(range(n_columns), k)
        if all(frozenset(pair) in linked for pair in combinations(chosen, 2))
    ]
    return {one for one in complete if not any(one < other for other in complete)}


def is_chordal(n_columns, links):
    """Whether columns can be taken away one by one, always one whose neighbours are all linked."""
    near = {
        column: {other for link in links if column in link for other in link} - {column} for column in range(n_columns)
    }
    while near:
        simplicial = [c for c in near if all(b in near[a] for a, b in combinations(near[c], 2))]
        if not simplicial:
            return False
        for other in near.pop(simplicial[0]):
            near[other].discard(simplicial[0])
    return True


@given(graphs)
def test_cliques_are_those_of_a_chordal_graph_with_all_links(links):
    found = cliques(N_COLUMNS, links)
    filled = {pair for clique in found for pair in combinations(sorted(clique), 2)}
    assert filled >= set(links)
    assert is_chordal(N_COLUMNS, filled)
    assert as_sets(found) == maximal_cliques(N_COLUMNS, filled)
    assert len(found) == len(as_sets(found))


@given(graphs)
def test_a_chordal_graph_gets_no_further_links(links):
    if is_chordal(N_COLUMNS, links):
        assert as_sets(cliques(N_COLUMNS, links)) == maximal_cliques(N_COLUMNS, links)


def test_a_ring_takes_the_fewest_further_links():
    """A ring of n columns needs n - 3, which make n - 2 triangles."""
    found = cliques(8, [(i, (i + 1) % 8) for i in range(8)])
    assert [len(clique) for clique in found] == [3] * 6


@given(graphs, st.lists(st.integers(1, 5), min_size=N_COLUMNS, max_size=N_COLUMNS), st.integers(1, 200))
def test_cliques_fit_and_lose_a_link_only_to_stronger_ones(links, sizes, room):
    found = fitting_cliques(sizes, links, room)
    assert set().union(*found) == set(range(N_COLUMNS))
    assert all(len(clique) == 1 or math.prod(sizes[column] for column in clique) <= room for clique in found)
    if links and sizes[links[0][0]] * sizes[links[0][1]] <= room:
        assert any(clique.issuperset(links[0]) for clique in found)
    if math.prod(sizes) <= room:
        assert as_sets(found) == as_sets(cliques(N_COLUMNS, links))


def walk(n_columns, size, n, seed):
    """Each column keeps the code of the one before in three records of four, and is any code otherwise."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, size, (n, n_columns))
    for column in range(1, n_columns):
        kept = rng.random(n) < 0.75
        codes[kept, column] = codes[kept, column - 1]
    return CodedTable(tuple(CodedColumn(f"c{i}", size, ordered=False) for i in range(n_columns)), codes)


@pytest.mark.parametrize("seed", range(5))
def test_the_links_of_a_walk_are_found(seed):
    """There is room for two columns of 8 codes (2,000 * 5 / 6 / 4 = 416 cells), not for three."""
    steps = JunctionTreeSynthesizer().fit(walk(6, 8, 2000, seed), Budget(10.0), SimulatedNoise(seed)).steps
    assert {frozenset(step.given + step.new) for step in steps} == {frozenset({i, i + 1}) for i in range(5)}


def test_noise_alone_links_columns_in_half_of_all_tables_at_most():
    """60 fits; more than 48 with a link have a chance below 1e-6 if each has one in two."""
    table = CodedTable(
        tuple(CodedColumn(f"c{i}", 2, ordered=False) for i in range(6)), np.zeros((1000, 6), dtype=np.int64)
    )
    fits = [JunctionTreeSynthesizer().fit(table, Budget(1.0), SimulatedNoise(seed)) for seed in range(60)]
    assert 0 < sum(len(fit.steps) < 6 or any(step.given for step in fit.steps) for fit in fits) <= 48


@pytest.mark.parametrize(("n_moved", "linked"), [(5, False), (60, True)])
def test_a_link_must_be_worth_the_noise_of_its_table(n_moved, linked):
    """Two columns of 10 codes, independent but for so many records; noise of scale 2 / 5 may displace 20 records."""
    codes = np.array(list(np.ndindex(10, 10)) * 10)
    moved = np.flatnonzero(codes[:, 0] != codes[:, 1])[: 9 * n_moved : 9]
    codes[moved, 1] = codes[moved, 0]
    table = CodedTable((CodedColumn("a", 10, ordered=False), CodedColumn("b", 10, ordered=False)), codes)
    for seed in range(5):
        steps = JunctionTreeSynthesizer().fit(table, Budget(10.0), SimulatedNoise(seed)).steps
        assert (len(steps) == 1) == linked


def test_tables_overlap_where_they_are_linked():
    """Marginals along the tree are consistent: the records drawn have the frequencies of each table."""
    model = JunctionTreeSynthesizer().fit(walk(4, 3, 3000, 0), Budget(50.0), SimulatedNoise(0))
    codes = model.sample(40_000, np.random.default_rng(0))
    for step in model.steps:
        wanted = step.table / step.table.sum()
        columns = tuple(codes[:, step.given + step.new].T)
        seen = np.zeros_like(wanted)
        np.add.at(seen, columns, 1 / len(codes))
        assert np.abs(seen - wanted).sum() / 2 < 0.02


def test_pairs_that_cannot_be_linked_are_not_looked_at():
    """Room for 1,000 * 5 / 4 / 4 = 312 cells: of columns with 1, 3, 10 and 200 codes, one pair may be linked."""
    sizes = (1, 3, 10, 200)
    columns = tuple(CodedColumn(f"c{i}", size, ordered=False) for i, size in enumerate(sizes))
    table = CodedTable(columns, np.random.default_rng(0).integers(0, sizes, (1000, 4)))
    spent = JunctionTreeSynthesizer().fit(table, Budget(10.0), SimulatedNoise(0)).spent
    assert [each.what for each in spent][:2] == ["number of records", "pairs of columns: 1"]
