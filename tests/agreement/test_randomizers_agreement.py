"""What an attacker makes of a report, computed in two ways: closed forms, channels, quadrature, played-out attacks."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from epsilometer import leakage
from epsilometer.formulas.shuffled_guess import shuffled_vulnerability
from epsilometer.randomizers import (
    ExponentialChoice,
    LocalGaussian,
    LocalLaplace,
    RandomizedResponse,
    UnaryEncoding,
)
from epsilometer.randomizers.drawing import grid_noise

PRIORS = {
    "uniform": [0.25, 0.25, 0.25, 0.25],
    "skewed": [0.1, 0.2, 0.3, 0.4],
    "peaked": [0.01, 0.97, 0.01, 0.01],
    "impossible value": [0.0, 0.5, 0.2, 0.3],
}
SECRETS = [0.0, 1.0, 1.5, 4.0]
NOISES = {
    "laplace, little": LocalLaplace(epsilon=12.0, low=0.0, high=4.0),
    "laplace, much": LocalLaplace(epsilon=1.0, low=0.0, high=4.0),
    "gaussian, little": LocalGaussian(epsilon=12.0, delta=1e-2, low=0.0, high=4.0),
    "gaussian, much": LocalGaussian(epsilon=1.0, delta=1e-5, low=0.0, high=4.0),
}
prior_and_noise = [
    pytest.mark.parametrize("prior", PRIORS.values(), ids=PRIORS.keys()),
    pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES.keys()),
]


def density(noise, x):
    if isinstance(noise, LocalLaplace):
        return np.exp(-np.abs(x) / noise.scale) / (2 * noise.scale)
    return norm.pdf(x, scale=noise.sigma)


@prior_and_noise[0]
@prior_and_noise[1]
def test_the_decision_regions_hold_the_whole_vulnerability(prior, noise):
    """Against the integral of the largest weighted density, twenty nodes in each of two thousand pieces."""
    edges, guesses, channel = noise.decisions(SECRETS, prior)
    np.testing.assert_allclose(channel.sum(axis=1), 1, rtol=1e-13)
    assert (np.diff(edges) >= 0).all()

    spread = math.sqrt(noise.noise_variance)
    knots = np.unique([*np.linspace(-30 * spread, 4 + 30 * spread, 2000), *SECRETS])
    nodes, weights = np.polynomial.legendre.leggauss(20)
    y = (knots[1:] + knots[:-1])[:, None] / 2 + np.diff(knots)[:, None] / 2 * nodes
    best = np.max([p * density(noise, y - x) for p, x in zip(prior, SECRETS, strict=True)], axis=0)
    expected = np.diff(knots) / 2 @ (best @ weights)
    assert leakage.bayes.posterior(prior, channel) == pytest.approx(expected, rel=1e-6)
    told = sum(prior[guess] * channel[guess, region] for region, guess in enumerate(guesses))
    assert told == pytest.approx(expected, rel=1e-6)


@prior_and_noise[0]
@prior_and_noise[1]
def test_a_fine_partition_leaks_no_more_than_the_decision_regions(prior, noise):
    exact = leakage.bayes.posterior(prior, noise.decisions(SECRETS, prior).channel)
    spread = math.sqrt(noise.noise_variance)
    fine = noise.channel(SECRETS, np.linspace(-6 * spread, 4 + 6 * spread, 4001))
    assert exact - 1e-4 < leakage.bayes.posterior(prior, fine) <= exact * (1 + 1e-12)


@prior_and_noise[0]
@prior_and_noise[1]
def test_what_is_drawn_leaks_like_the_noise_up_to_the_step_of_the_grid(prior, noise):
    grid = grid_noise(noise)
    between = (grid.positions[1:] + grid.positions[:-1]) / 2
    drawn = leakage.bayes.posterior(prior, grid.channel(SECRETS, between))
    stated = leakage.bayes.posterior(prior, noise.decisions(SECRETS, prior).channel)
    assert drawn == pytest.approx(stated, abs=2 * noise.epsilon / grid.n_steps)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0, 8.0])
@pytest.mark.parametrize("prior", [[0.5, 0.5], [0.2] * 5, [0.05, 0.6, 0.15, 0.2], [0.0, 0.3, 0.7], [1.0, 0.0]])
def test_unary_encoding_in_closed_form_and_over_all_rows_of_bits(epsilon, prior):
    randomizer = UnaryEncoding(epsilon=epsilon, n_values=len(prior))
    assert randomizer.bayes_vulnerability(prior) == pytest.approx(
        leakage.bayes.posterior(prior, randomizer.channel()), rel=1e-12
    )


def test_unary_encoding_of_many_values_against_a_played_out_attack():
    """A hundred thousand people guessed by their posterior on a fixed seed; five standard errors."""
    rng, randomizer = np.random.default_rng(3), UnaryEncoding(epsilon=2.0, n_values=50)
    prior = rng.dirichlet(np.ones(50))
    secrets = rng.choice(50, size=100_000, p=prior)
    bits = randomizer.simulate(secrets, rng)
    q = randomizer.false_rate
    guesses = (prior * np.where(bits, 0.5 / q, 0.5 / (1 - q))).argmax(axis=1)
    stated = randomizer.bayes_vulnerability(prior)
    assert (guesses == secrets).mean() == pytest.approx(stated, abs=5 * math.sqrt(stated / 100_000))


@pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES.keys())
def test_a_played_out_attack_on_noisy_numbers_never_beats_the_statement(noise):
    rng, prior = np.random.default_rng(4), np.array(PRIORS["skewed"])
    secrets = rng.choice(4, size=100_000, p=prior)
    reports = noise.simulate(np.array(SECRETS)[secrets], rng)
    edges, guesses, channel = noise.decisions(SECRETS, prior)
    right = (guesses[np.searchsorted(edges, reports)] == secrets).mean()
    stated = leakage.bayes.posterior(prior, channel)
    assert right == pytest.approx(stated, abs=5 * math.sqrt(stated / 100_000))


@pytest.mark.parametrize("n_values", [2, 6])
def test_a_played_out_attack_on_randomised_response(n_values):
    rng, randomizer = np.random.default_rng(5), RandomizedResponse(epsilon=1.5, n_values=n_values)
    prior = rng.dirichlet(np.ones(n_values))
    secrets = rng.choice(n_values, size=100_000, p=prior)
    guesses = leakage.bayes.strategy(prior, randomizer.channel())[randomizer.simulate(secrets, rng)]
    stated = leakage.bayes.posterior(prior, randomizer.channel())
    assert (guesses == secrets).mean() == pytest.approx(stated, abs=5 * math.sqrt(stated / 100_000))


def test_a_played_out_attack_after_shuffling_never_beats_the_statement():
    """Thirty people a release, the first guessed from how many said 1; 40,000 releases, five standard errors."""
    rng, n, shares = np.random.default_rng(6), 30, np.array([0.45, 0.55])
    randomizer = RandomizedResponse(epsilon=3.0, n_values=2)
    channel = randomizer.channel()
    secrets = (rng.random((40_000, n)) < shares[1]).astype(np.int64)
    ones = randomizer.simulate(secrets, rng).sum(axis=1)
    outputs = shares @ channel
    beliefs = shares * (np.outer(n - ones, channel[:, 0] / outputs[0]) + np.outer(ones, channel[:, 1] / outputs[1])) / n
    right = (beliefs.argmax(axis=1) == secrets[:, 0]).mean()
    stated = shuffled_vulnerability(shares, channel, n)
    assert right == pytest.approx(stated, abs=5 * math.sqrt(0.25 / 40_000))
    assert stated < leakage.bayes.posterior(shares, channel)


def test_the_order_of_the_numbers_is_immaterial():
    order = [2, 0, 3, 1]
    for noise in NOISES.values():
        sorted_ = noise.decisions(SECRETS, PRIORS["skewed"])
        mixed = noise.decisions(np.array(SECRETS)[order], np.array(PRIORS["skewed"])[order])
        np.testing.assert_array_equal(mixed.edges, sorted_.edges)
        np.testing.assert_array_equal(np.array(order)[mixed.guesses], sorted_.guesses)
        np.testing.assert_array_equal(mixed.channel, sorted_.channel[order])


def test_numbers_beyond_the_range_or_equal_are_one_secret():
    for noise in (NOISES["laplace, much"], NOISES["gaussian, much"]):
        merged = noise.decisions([0.0, 4.0], [0.3, 0.7])
        apart = noise.decisions([0.0, 4.0, 9.0], [0.3, 0.4, 0.3])
        assert leakage.bayes.posterior([0.3, 0.4, 0.3], apart.channel) <= leakage.bayes.posterior(
            [0.3, 0.7], merged.channel
        )
        assert set(apart.guesses.tolist()) <= {0, 1}


def test_the_capacity_of_pure_randomisers_is_what_epsilon_allows():
    """Multiplicative leakage of any prior is at most e^epsilon."""
    for randomizer in (
        RandomizedResponse(epsilon=1.0, n_values=9),
        UnaryEncoding(epsilon=1.0, n_values=9),
        ExponentialChoice(epsilon=1.0, values=tuple(range(9))),
    ):
        assert 1 < leakage.bayes.capacity(randomizer.channel()) <= math.e
