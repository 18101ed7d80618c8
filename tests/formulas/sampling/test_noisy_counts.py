"""K noisy counts of a sample: where the answer is exact, and that bounds take over where it is not."""

import math

import pytest

import epsilometer as em
from epsilometer.formulas.sampling.largest_sample_count import expected_largest_count
from epsilometer.formulas.sampling.noisy_counts import noisy_any_population, noisy_counts_inside, noisy_counts_outside
from epsilometer.formulas.sampling.winner_count import bounded_winner_count, expected_winner_count


@pytest.mark.parametrize("noise", [em.Laplace(epsilon=300.0), em.Geometric(epsilon=300.0)])
def test_noise_that_moves_no_count_changes_nothing(noise):
    assert expected_winner_count(25, 4, 2.0, noise) == expected_largest_count(25, 4, 2.0)


@pytest.mark.parametrize(
    ("sample", "n_values", "alpha", "epsilon"),
    [
        (10**6, 5, 1.0, 0.1),  # too many counts
        (50, 3, 1.0, 1e-5),  # too much noise to tabulate
        (50, 3, 1e-12, 1.0),  # a sample so unlikely that rounding would show
    ],
)
def test_beyond_reach_the_answer_is_a_bracket(sample, n_values, alpha, epsilon):
    noise = em.Laplace(epsilon=epsilon)
    found = expected_winner_count(sample, n_values, alpha, noise)
    assert found == bounded_winner_count(sample, n_values, alpha, noise)
    assert not found.exact
    assert sample / n_values <= found.low < found.high == found.value
    assert found.high <= expected_largest_count(sample, n_values, alpha).high


def test_much_noise_makes_the_upper_bound_smaller_than_the_largest_count():
    largest = expected_largest_count(10**5, 3, 1.0).value
    assert bounded_winner_count(10**5, 3, 1.0, em.Laplace(epsilon=1e-6)).high < 0.6 * largest


@pytest.mark.parametrize(
    ("sample", "n_values", "alpha"),
    [(2000, 3, 0.001), (10_000, 3, 0.1), (500, 20, 0.01), (50, 50, 1.0), (100_000, 3, math.inf)],
)
def test_next_to_no_noise_is_as_exact_as_none(sample, n_values, alpha):
    """The noise is summed over, though it moves a count only once in 10^15; the other sum knows of no noise."""
    found = expected_winner_count(sample, n_values, alpha, em.Geometric(epsilon=35.0))
    without = expected_largest_count(sample, n_values, alpha)
    assert found.exact
    assert found.value == pytest.approx(without.value, rel=1e-12)


def test_people_outside_of_known_shares_stay_unknown():
    assert noisy_counts_outside(10, 4, math.inf, em.Laplace(epsilon=1.0)) == (0.25, 0.25, 0.25)
    inside = noisy_counts_inside(10, 4, 1.0, em.Laplace(epsilon=1.0)).value
    assert noisy_counts_outside(10, 4, 1.0, em.Laplace(epsilon=1.0)).value == pytest.approx((10 * inside + 1) / 14)


def test_a_large_population_of_one_value_is_guessed():
    assert noisy_any_population(10**6, 3, em.Laplace(epsilon=1.0)) == pytest.approx(1, abs=1e-13)
    assert noisy_any_population(10**6, 2, em.Geometric(epsilon=1.0)) == 1
    assert noisy_any_population(1, 3, em.Laplace(epsilon=1e9)) == 1
