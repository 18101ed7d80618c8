import numpy as np
import pytest
from scipy.stats import betabinom, binom, nbinom, poisson

from epsilometer.errors import OutOfRange
from epsilometer.formulas.homogeneity import bayes
from epsilometer.formulas.homogeneity.bayes import bayes_independent_counts, bayes_two_values
from epsilometer.formulas.homogeneity.thresholding import empty_probability, hard
from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace

NOISES = [
    Laplace(epsilon=(0.3, 2.0)),
    Laplace(epsilon=(0.3, 2.0), threshold=3.3),
    Geometric(epsilon=(0.3, 2.0)),
    Gaussian.with_sigma((1.0, 4.0)),
    DiscreteGaussian(epsilon=(0.5, 4.0), delta=1e-5),
]
SIZE = 6
PAIRS = np.array([(c, SIZE - c) for c in range(SIZE + 1)])


@pytest.mark.parametrize("noise", NOISES, ids=repr)
def test_with_values_alike_the_best_guess_is_the_largest_count(noise):
    """And in a cell published empty, either value."""
    prior = betabinom.pmf(PAIRS[:, 0], SIZE, 0.7, 0.7)
    largest = (hard(PAIRS, noise) + empty_probability(PAIRS, noise) / 2) @ prior
    assert bayes_two_values(PAIRS, prior, noise) == pytest.approx(largest, rel=1e-12)


@pytest.mark.parametrize("noise", NOISES, ids=repr)
@pytest.mark.parametrize("share", [0.55, 0.8, 0.99])
def test_knowing_the_shares_never_hurts(noise, share):
    prior = binom.pmf(PAIRS[:, 0], SIZE, share)
    value = bayes_two_values(PAIRS, prior, noise)
    assert (value >= share - 1e-13).all()
    largest_or_mode = hard(PAIRS, noise) + empty_probability(PAIRS, noise) * PAIRS[:, 0] / SIZE
    assert (value >= largest_or_mode @ prior - 1e-13).all()
    assert (value <= np.maximum(PAIRS[:, 0], PAIRS[:, 1]) @ prior / SIZE + 1e-13).all()


def test_an_attacker_who_knows_the_profile_beats_the_largest_count_on_that_table():
    counts, n_cells = np.array([[9, 1], [4, 3], [0, 5], [1, 1]]), np.array([5, 3, 1, 2])
    noise = Laplace(epsilon=(0.05, 0.5, 5.0))
    weights = n_cells * counts.sum(axis=1) / (n_cells @ counts.sum(axis=1))
    mode_share = (n_cells @ counts)[0] / (n_cells @ counts).sum()
    value = bayes_two_values(counts, weights, noise)
    assert (value >= hard(counts, noise) @ weights - 1e-13).all()
    assert (value >= mode_share - 1e-13).all()


def pmf_rows(laws, length):
    return np.array([law.pmf(np.arange(length)) for law in laws])


@pytest.mark.parametrize("noise", NOISES, ids=repr)
@pytest.mark.parametrize(
    "laws",
    [(poisson(2.1), poisson(0.6)), (nbinom(0.8, 0.4), nbinom(1.7, 0.4))],
    ids=["poisson", "negative binomial"],
)
def test_independent_counts_agree_with_the_sum_over_pairs(noise, laws):
    """The prior of the pairs is that of a member's cell: cells with more members weigh more."""
    length = 60
    prior = pmf_rows(laws, length)
    pairs = np.argwhere(np.ones((length, length)))[1:]
    weights = prior[0, pairs[:, 0]] * prior[1, pairs[:, 1]] * pairs.sum(axis=1)
    by_pairs = bayes_two_values(pairs, weights / weights.sum(), noise)
    assert bayes_independent_counts(prior, noise) == pytest.approx(by_pairs, rel=1e-11)


@pytest.mark.parametrize("noise", NOISES, ids=repr)
def test_with_three_values_alike_the_best_guess_is_the_largest_count(noise):
    length = 12
    prior = pmf_rows([poisson(0.8)] * 3, length)
    cells = np.argwhere(np.ones((length,) * 3))[1:]
    weights = prior[0, cells].prod(axis=1) * cells.sum(axis=1)
    largest = (hard(cells, noise) + empty_probability(cells, noise) / 3) @ (weights / weights.sum())
    assert bayes_independent_counts(prior, noise) == pytest.approx(largest, rel=1e-9)


def test_the_sum_in_blocks_is_the_sum(monkeypatch):
    prior = binom.pmf(PAIRS[:, 0], SIZE, 0.8)
    at_once = bayes_two_values(PAIRS, prior, Laplace(epsilon=1.0))
    monkeypatch.setattr(bayes, "WORKING_SET", 100)
    assert bayes_two_values(PAIRS, prior, Laplace(epsilon=1.0)) == pytest.approx(at_once, rel=1e-14)


def test_more_than_two_values():
    message = r"number of values must be in \{2\}, got 3\. For more values use bayes_independent_counts\."
    with pytest.raises(OutOfRange, match=message):
        bayes_two_values([[1, 0, 2]], [1.0], Laplace(epsilon=1.0))
