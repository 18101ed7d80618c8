"""Choices of people at random: against all choices tried out."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array

from epsilometer.attacks import permutation
from epsilometer.attacks.permutation import drawn_choices, moments, p_values, standardised


def all_sums(weights, n_people, n_chosen):
    """Sums over all choices of so many people: sums x choices."""
    of_person = np.repeat(weights, n_people, axis=1)
    chosen = [list(choice) for choice in combinations(range(of_person.shape[1]), n_chosen)]
    return np.stack([of_person[:, choice].sum(axis=1) for choice in chosen], axis=1)


@given(st.data())
def test_moments_are_those_of_all_choices(data):
    n_people = data.draw(arrays(np.int64, st.integers(1, 5), elements=st.integers(1, 2)))
    assume(n_people.sum() >= 2)
    weights = data.draw(arrays(np.float64, (2, len(n_people)), elements=st.sampled_from([0, 1 / 3, 0.5, 1, 2, 7])))
    n_chosen = data.draw(st.integers(1, int(n_people.sum())))
    sums = all_sums(weights, n_people, n_chosen)
    mean, deviation = moments(csr_array(weights), n_people, n_chosen)
    np.testing.assert_allclose(mean, sums.mean(axis=1), atol=1e-12)
    np.testing.assert_allclose(deviation, sums.std(axis=1), atol=1e-9)


def test_what_cannot_vary_has_no_deviation_and_no_score():
    """Equal weights of a tenth, of which the variance is rounding; no weight; everyone chosen."""
    everyone = np.full(1000, 3)
    mean, deviation = moments(csr_array([np.full(1000, 0.1), np.zeros(1000)]), everyone, 700)
    np.testing.assert_allclose(mean, [70.0, 0.0])
    assert deviation.tolist() == [0.0, 0.0]
    assert moments(csr_array([np.arange(1000.0)]), everyone, 3000)[1].tolist() == [0.0]
    assert standardised(np.array([[70.0], [0.0]]), mean, deviation).tolist() == [[0.0], [0.0]]


def test_every_choice_is_drawn_equally_often():
    """12,000 draws of 4 of 6 people: each of the 15 choices within five deviations (fails once in 10^5 if right)."""
    n_draws = 12_000
    drawn = drawn_choices(np.ones(6, dtype=np.int64), np.full(n_draws, 4), np.random.default_rng(1))
    _, n_times = np.unique(drawn, axis=1, return_counts=True)
    assert drawn.sum(axis=0).tolist() == [4] * n_draws
    assert len(n_times) == 15
    assert np.abs(n_times - n_draws / 15).max() < 5 * np.sqrt(n_draws * 14 / 225)


def test_people_of_one_place_are_added_up():
    drawn = drawn_choices(np.array([2, 1, 4]), np.array([7, 0, 3]), np.random.default_rng(1))
    assert drawn.shape == (3, 3)
    assert drawn[:, :2].T.tolist() == [[2, 1, 4], [0, 0, 0]]
    assert drawn[:, 2].sum() == 3


def exact_p_value(weights, n_people, truth, n_chosen):
    sums = all_sums(weights, n_people, n_chosen)
    mean, deviation = sums.mean(axis=1), sums.std(axis=1)
    varies = deviation > 1e-9
    scores = ((sums.T - mean)[:, varies] / deviation[varies]).max(axis=1)
    own = ((weights @ truth - mean)[varies] / deviation[varies]).max()
    return (scores >= own - 1e-9).mean()


@pytest.mark.parametrize("seed", range(5))
def test_p_values_tend_to_the_share_of_choices_that_do_as_well(seed, monkeypatch):
    """Within five deviations of 20,000 draws; two tests at a time, and a few draws at once."""
    monkeypatch.setattr(permutation, "PEOPLE_AT_ONCE", 5000)
    rng = np.random.default_rng(seed)
    n_people = np.array([1, 2, 1, 3, 1, 2])  # nobody at the last place has a weight
    truth = np.array([1, 1, 1, 2, 0, 0])
    weights = rng.integers(0, 4, size=(6, 6)) / 3
    weights[:, -1] = 0
    weights[2] = 0
    found = p_values(csr_array(weights), n_people, truth, n_tests=2, rng=rng, permutations=20_000)
    for p_value, own in zip(found, (weights[:3], weights[3:]), strict=True):
        expected = exact_p_value(own, n_people, truth, 5)
        assert abs(p_value - expected) < 5 * np.sqrt(expected * (1 - expected) / 20_000) + 1e-4


@settings(max_examples=15)
@given(arrays(np.float64, (2, 6), elements=st.sampled_from([0, 1 / 3, 0.1, 0.7, 1])), st.integers(0, 2**32))
def test_the_error_rate_is_kept_whatever_the_weights(weights, seed):
    """Each of the 20 choices of 3 of 6 as the truth, 20 times: p at most 1/4 in at most a quarter of them.

    Five deviations of 400 independent trials are allowed for (one in three million if right).
    """
    rng = np.random.default_rng(seed)
    everyone, wanted = np.ones(6, dtype=np.int64), csr_array(np.vstack([weights, np.ones(6)]))
    n_below = 0
    for choice in combinations(range(6), 3):
        truth = np.isin(np.arange(6), choice).astype(np.int64)
        p = [p_values(wanted, everyone, truth, n_tests=1, rng=rng, permutations=19)[0] for _ in range(20)]
        n_below += sum(value <= 0.25 for value in p)
    assert n_below <= 100 + 5 * np.sqrt(400 * 3 / 16)


def test_a_p_value_is_never_zero():
    """Ten of a thousand: no draw hits them all."""
    truth = (np.arange(1000) < 10).astype(np.int64)
    rng = np.random.default_rng(1)
    found = p_values(csr_array([truth * 1.0]), np.ones_like(truth), truth, n_tests=1, rng=rng, permutations=99)
    assert found.tolist() == [0.01]


def test_a_sum_that_cannot_vary_has_no_say():
    """The third of four numbers, below the mean: three in four do as well, whatever else is always the same."""
    weights = csr_array([[3.0, 2.0, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0]])
    truth, rng = np.array([0, 0, 1, 0]), np.random.default_rng(1)
    found = p_values(weights, np.ones(4, dtype=np.int64), truth, n_tests=1, rng=rng, permutations=20_000)
    assert found[0] == pytest.approx(0.75, abs=5 * np.sqrt(0.1875 / 20_000))


def test_ties_do_not_lose_by_rounding():
    """Three thirds and one whole tie as the largest sum, whatever the order in which they are added."""
    weights = csr_array([[1 / 3, 1 / 3, 1 / 3, 0.1, 0.2, 0.7, 0.0, 0.0]])
    for choice in ([0, 1, 2], [3, 4, 5]):
        truth = np.isin(np.arange(8), choice).astype(np.int64)
        rng = np.random.default_rng(1)
        found = p_values(weights, np.ones(8, dtype=np.int64), truth, n_tests=1, rng=rng, permutations=20_000)
        expected = exact_p_value(weights.toarray(), np.ones(8, dtype=np.int64), truth, 3)
        assert found[0] == pytest.approx(expected, abs=5 * np.sqrt(0.25 / 20_000))
