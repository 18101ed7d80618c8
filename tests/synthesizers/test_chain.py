"""Draws along a chain: their frequencies, their limits, and what happens where nothing is known."""

import numpy as np
import pytest
from scipy.stats import chisquare

from epsilometer.synthesizers.chain import ChainModel, Step, steps_through
from epsilometer.synthesizers.noisy_marginals import Marginal

RARE = 1e-6  # chance of a false alarm of each test of frequencies


class AlmostOne:
    """Stands in for a generator that draws the largest number below 1."""

    def random(self, n):
        return np.full(n, np.nextafter(1.0, 0.0))


def test_frequencies_given_the_columns_before():
    weights = np.random.default_rng(1).integers(1, 9, (2, 3, 4)).astype(float)
    known = np.repeat([[1, 0], [0, 2]], 20_000, axis=0)
    drawn = Step((3, 1), (0,), weights).draw(known, np.random.default_rng(2))[:, 0]
    for half, row in ((drawn[:20_000], weights[1, 0]), (drawn[20_000:], weights[0, 2])):
        assert chisquare(np.bincount(half, minlength=4), 20_000 * row / row.sum()).pvalue > RARE


def test_several_columns_at_once():
    weights = np.array([[1.0, 0.0, 2.0], [3.0, 4.0, 0.0]])
    drawn = Step((), (0, 1), weights).draw(np.empty((30_000, 0), dtype=np.int64), np.random.default_rng(0))
    seen = np.zeros((2, 3))
    np.add.at(seen, tuple(drawn.T), 1)
    assert (seen[weights == 0] == 0).all()
    assert chisquare(seen[weights > 0], 3000 * weights[weights > 0]).pvalue > RARE


def test_a_combination_never_seen_gets_the_new_column_as_it_is_among_all():
    step = Step((0,), (1,), np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 3.0]]))
    drawn = step.draw(np.zeros((20_000, 1), dtype=np.int64), np.random.default_rng(0))
    seen = np.bincount(drawn[:, 0], minlength=3)
    assert seen[1] == 0
    assert chisquare(seen[[0, 2]], [5000, 15_000]).pvalue > RARE


def test_without_any_weight_all_codes_are_alike():
    drawn = Step((), (0,), np.zeros(5)).draw(np.empty((20_000, 0), dtype=np.int64), np.random.default_rng(0))
    assert chisquare(np.bincount(drawn[:, 0], minlength=5)).pvalue > RARE


def test_the_largest_draw_stays_in_its_group_and_off_empty_cells():
    """At group 60,000 the number below 1 rounds up when the group is added."""
    weights = np.tile([0.0, 1.0, 1.0, 0.0], (60_001, 1))
    known = np.array([[0], [1], [59_999], [60_000]])
    assert Step((0,), (1,), weights).draw(known, AlmostOne())[:, 0].tolist() == [2, 2, 2, 2]


def test_negative_counts_weigh_nothing():
    step = Step.of_marginal(Marginal((0, 1), np.array([[2.0, -1.0], [-3.0, 4.0]])), (1,), (0,))
    assert step.table.tolist() == [[2, 0], [0, 4]]


def test_a_chain_fills_every_column_with_what_depends_on_what():
    """Column 1 first, then 2 as its copy, then 0 as its mirror image."""
    steps = (
        Step((), (1,), np.ones(2)),
        Step((1,), (2,), np.eye(2)),
        Step((2,), (0,), np.eye(2)[::-1]),
    )
    codes = ChainModel(steps, 1, ()).sample(100, np.random.default_rng(0))
    assert codes.shape == (100, 3)
    assert (codes[:, 2] == codes[:, 1]).all()
    assert (codes[:, 0] == 1 - codes[:, 1]).all()
    assert 0 < codes[:, 1].mean() < 1
    assert ChainModel(steps, 1, ()).sample(0, np.random.default_rng(0)).shape == (0, 3)


@pytest.mark.parametrize("seed", range(20))
def test_marginals_of_a_tree_are_chained_through_one_earlier_marginal_each(seed):
    """Cliques grown at random on a tree, then shuffled: what is given must always be found in a single earlier one."""
    rng = np.random.default_rng(seed)
    cliques = [{0, 1}]
    for new in range(2, 9):
        within = sorted(cliques[rng.integers(len(cliques))])
        cliques.append({new, *rng.choice(within, rng.integers(0, len(within) + 1), replace=False).tolist()})
    maximal = [tuple(sorted(c)) for c in cliques if not any(c < other for other in cliques)]
    marginals = [Marginal(maximal[i], np.ones([2] * len(maximal[i]))) for i in rng.permutation(len(maximal))]
    steps = steps_through(marginals)
    assert sorted(column for step in steps for column in step.new) == list(range(9))
    for i, step in enumerate(steps):
        assert not step.given or any({*step.given} <= {*earlier.given, *earlier.new} for earlier in steps[:i])
