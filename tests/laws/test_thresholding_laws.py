"""What holds for the guessing attacks whatever the table and the noise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epsilometer.formulas.homogeneity.largest_count import winning_probability
from epsilometer.formulas.homogeneity.local import local_records
from epsilometer.formulas.homogeneity.share_of_counts import expected_shares
from epsilometer.formulas.homogeneity.thresholding import empty_probability, hard, soft
from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace

epsilons = st.floats(0.02, 30)
thresholds = st.one_of(st.just(0.5), st.floats(-2, 12))
noises = st.one_of(
    st.builds(Laplace, epsilon=epsilons, threshold=thresholds),
    st.builds(Geometric, epsilon=epsilons, threshold=thresholds),
    st.builds(Gaussian, epsilon=epsilons, delta=st.just(1e-5), threshold=thresholds),
    st.builds(DiscreteGaussian, epsilon=st.floats(0.3, 10), delta=st.just(1e-5), threshold=thresholds),
)
counts = st.one_of(st.integers(0, 6), st.integers(0, 10**15))
cells = st.lists(counts, min_size=1, max_size=6).filter(any)


@settings(deadline=None)
@given(cells, noises)
def test_some_value_wins_or_the_cell_is_published_empty(cell, noise):
    empty = empty_probability(cell, noise)
    assert winning_probability(cell, noise).sum() + empty == pytest.approx(1, abs=1e-13)
    assert expected_shares(cell, noise).sum() + empty == pytest.approx(1, abs=1e-13)


@settings(deadline=None)
@given(cells, noises, st.randoms(use_true_random=False))
def test_values_have_no_order(cell, noise, random):
    order = list(range(len(cell)))
    random.shuffle(order)
    shuffled = [cell[k] for k in order]
    for measure in (winning_probability, expected_shares):
        assert measure(shuffled, noise) == pytest.approx(measure(cell, noise)[order], rel=1e-11, abs=1e-15)


@settings(deadline=None)
@given(cells, noises)
def test_a_lone_published_value_is_always_guessed(cell, noise):
    """Whoever acts on lone values only cannot be right more often."""
    alone = local_records(cell, noise)
    assert hard(cell, noise) >= alone - 1e-14
    assert soft(cell, noise) >= alone - 1e-14


@settings(deadline=None)
@given(cells, noises)
def test_larger_counts_win_more_often(cell, noise):
    """The noise of the four mechanisms is log-concave."""
    order = np.argsort(cell)
    assert (np.diff(winning_probability(cell, noise)[order]) >= -1e-13).all()
    assert (np.diff(expected_shares(cell, noise)[order]) >= -1e-13).all()


@settings(deadline=None, max_examples=25)
@given(st.lists(st.lists(counts, min_size=3, max_size=3).filter(any), min_size=1, max_size=6))
def test_many_cells_and_parameters_are_answered_one_by_one(rows):
    one_by_one = [Laplace(epsilon=e, threshold=1.7) for e in (0.05, 1.0, 40.0)]
    at_once = Laplace(epsilon=(0.05, 1.0, 40.0), threshold=1.7)
    for measure in (hard, soft):
        together = measure([rows], at_once)
        assert together.shape == (3, 1, len(rows))
        assert together[:, 0] == pytest.approx(np.array([[measure(r, n) for r in rows] for n in one_by_one]), rel=1e-12)


@pytest.mark.parametrize("cell", [[3, 0], [2, 1, 0], [0, 0, 5, 1], [7]], ids=str)
def test_without_privacy_budget_only_chance_is_left(cell):
    chance = (1 - 2.0 ** -len(cell)) / len(cell)
    noise = Laplace(epsilon=1e-3)
    assert hard(cell, noise) == pytest.approx(chance, abs=5e-3)
    assert soft(cell, noise) == pytest.approx(chance, abs=5e-3)


@pytest.mark.parametrize(
    ("cell", "plurality"), [([3, 0], 1), ([2, 1, 0], 2 / 3), ([2, 2, 1], 2 / 5), ([4, 0, 5, 1], 1 / 2)], ids=str
)
def test_without_noise_the_counts_speak(cell, plurality):
    noise = Laplace(epsilon=200.0)
    shares = np.array(cell) / sum(cell)
    assert hard(cell, noise) == pytest.approx(plurality, rel=1e-14)
    assert soft(cell, noise) == pytest.approx((shares**2).sum(), rel=1e-14)


@pytest.mark.parametrize("n_values", [65, 300, 10_000])
def test_many_values_still_share_out_all_that_is_published(n_values):
    """Every published cell has one winner: winners and the empty cell sum to one, whatever the number of values."""
    row = np.random.default_rng(n_values).multinomial(1000, np.full(n_values, 1 / n_values))
    noise = Laplace(epsilon=1.0)
    wins = winning_probability(row, noise)
    assert wins.sum() + empty_probability(row, noise) == pytest.approx(1.0, abs=1e-11)
    assert (np.diff(wins[np.argsort(row, kind="stable")]) >= -1e-15).all()
