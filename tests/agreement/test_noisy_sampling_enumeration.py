"""A noisy histogram of a sample: formulas against every secret, every output and every guess, and against draws.

The channels are written out from the model alone: who has which value, which people are sampled, what is
published. Geometric noise is cut off where less than 1e-14 of it is left.
"""

import functools
import itertools
import math
from collections import Counter

import numpy as np
import pytest
from scipy import integrate, stats

import epsilometer as em
from epsilometer.formulas.sampling.noisy_count import noisy_inside, noisy_outside
from epsilometer.formulas.sampling.noisy_counts import noisy_any_population, noisy_counts_inside, noisy_counts_outside
from epsilometer.formulas.sampling.noisy_loss import bounded_noisy_loss, noisy_loss, noisy_shares_loss
from epsilometer.formulas.sampling.winner_count import bounded_winner_count, expected_winner_count

BELIEFS = [0.5, 1.0, 3.0, math.inf]


def probability(population, n_values, alpha):
    """Prior probability of one sequence of values, by drawing person after person."""
    seen, product = Counter(), 1.0
    for position, value in enumerate(population):
        uniform = math.isinf(alpha)
        product *= 1 / n_values if uniform else (seen[value] + alpha) / (position + n_values * alpha)
        seen[value] += 1
    return product


def geometric(epsilon):
    """Moves and their probabilities."""
    reach = math.ceil(33 / epsilon)
    moves = np.arange(-reach, reach + 1)
    weights = np.exp(-epsilon * np.abs(moves))
    assert 2 * np.exp(-epsilon * (reach + 1)) / (1 - np.exp(-epsilon)) / weights.sum() < 1e-13
    return moves, weights / weights.sum()


def noisy(count, m, epsilon):
    """Law of one noisy count, from the lowest possible number on."""
    moves, chances = geometric(epsilon)
    law = np.zeros(m + len(moves))
    law[count : count + len(moves)] = chances
    return law


def best_guess(n, m, n_values, alpha, epsilon, *, person, shown):
    """How often the best guess of one person's value is right; people 0 .. m-1 are the sample.

    ``shown`` says which counts of the sample are published, each with noise of its own.
    """
    right, laws = [0.0] * n_values, {}
    for population in itertools.product(range(n_values), repeat=n):
        counts = shown(population[:m])
        if counts not in laws:
            laws[counts] = functools.reduce(np.multiply.outer, (noisy(count, m, epsilon) for count in counts))
        value = population[person]
        right[value] = right[value] + probability(population, n_values, alpha) * laws[counts]
    return float(np.maximum.reduce(right).sum())


def yes(sample):
    return (sum(sample),)


def histogram(sample):
    return tuple(sample.count(value) for value in range(3))


@pytest.mark.parametrize("alpha", BELIEFS)
@pytest.mark.parametrize(("n", "m", "epsilon"), [(4, 2, 1.0), (6, 5, 0.3), (7, 1, 2.0), (5, 5, 0.1)])
def test_one_count_by_enumeration(n, m, epsilon, alpha):
    noise = em.Geometric(epsilon=epsilon)
    assert float(noisy_inside(m, alpha, noise)) == pytest.approx(
        best_guess(n, m, 2, alpha, epsilon, person=0, shown=yes), abs=1e-12
    )
    if n > m:
        outside = best_guess(n, m, 2, alpha, epsilon, person=n - 1, shown=yes)
        assert float(noisy_outside(m, alpha, noise)) == pytest.approx(outside, abs=1e-12)


@pytest.mark.parametrize("alpha", [0.01, *BELIEFS])
@pytest.mark.parametrize(("n", "m", "epsilon"), [(4, 3, 1.0), (5, 4, 2.0), (3, 1, 0.5)])
def test_three_counts_by_enumeration(n, m, epsilon, alpha):
    noise = em.Geometric(epsilon=epsilon)
    inside, outside = noisy_counts_inside(m, 3, alpha, noise), noisy_counts_outside(m, 3, alpha, noise)
    assert inside.value == pytest.approx(best_guess(n, m, 3, alpha, epsilon, person=0, shown=histogram), abs=1e-12)
    assert outside.value == pytest.approx(best_guess(n, m, 3, alpha, epsilon, person=n - 1, shown=histogram), abs=1e-12)


def winner_by_integration(m, n_values, alpha, noise, reach):
    """E[y_win] over every histogram, each with its own integral over the winner's published count."""
    law = (
        stats.multinomial(m, [1 / n_values] * n_values)
        if math.isinf(alpha)
        else stats.dirichlet_multinomial([alpha] * n_values, m)
    )
    nodes, weights = np.polynomial.legendre.leggauss(24)
    ends = np.concatenate([np.linspace(k, k + 1, 5)[:-1] for k in range(-reach, m + reach)])
    v, dv = (ends[:, None] + (nodes + 1) / 8).ravel(), np.tile(weights / 8, len(ends))
    expected = 0.0
    for rest in itertools.product(range(m + 1), repeat=n_values - 1):
        count = m - sum(rest)
        if count >= 0:
            wins = noise.pdf(v - count) * np.prod([noise.cdf(v - other) for other in rest], axis=0) @ dv
            expected += law.pmf([count, *rest]) * n_values * count * wins
    return expected


@pytest.mark.parametrize("alpha", BELIEFS)
@pytest.mark.parametrize(("m", "n_values", "epsilon"), [(3, 3, 1.0), (6, 3, 5.0), (4, 4, 0.7)])
def test_continuous_noise_by_integration(m, n_values, epsilon, alpha):
    law = stats.laplace(scale=1 / epsilon)
    expected = winner_by_integration(m, n_values, alpha, law, math.ceil(37 / epsilon))
    found = expected_winner_count(m, n_values, alpha, em.Laplace(epsilon=epsilon))
    assert found.exact
    assert found.value == pytest.approx(expected, rel=1e-11)


def test_gaussian_noise_by_integration():
    law = stats.norm(scale=1.5)
    expected = winner_by_integration(5, 3, 1.0, law, 14)
    assert expected_winner_count(5, 3, 1.0, em.Gaussian.with_sigma(1.5)).value == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("m", [1, 4])
def test_population_of_one_value_seen_in_one_count(m):
    moves, chances = geometric(0.4)
    right = chances @ np.where(m + moves == m / 2, 0.5, m + moves > m / 2)
    assert noisy_any_population(m, 2, em.Geometric(epsilon=0.4)) == pytest.approx(right, abs=1e-12)


@pytest.mark.parametrize(("m", "n_values"), [(1, 3), (4, 3), (2, 6)])
def test_population_of_one_value_seen_in_all_counts(m, n_values):
    moves, chances = geometric(0.4)
    below = np.array([chances[moves < m + move].sum() for move in moves])
    level = np.array([chances[moves == m + move].sum() for move in moves])
    others = n_values - 1
    ties = [math.comb(others, j) * below ** (others - j) * level**j / (j + 1) for j in range(n_values)]
    right = chances @ np.sum(ties, axis=0)
    assert noisy_any_population(m, n_values, em.Geometric(epsilon=0.4)) == pytest.approx(right, abs=1e-12)


def test_population_of_one_value_with_continuous_noise():
    law = stats.laplace()
    right, _ = integrate.quad(lambda x: law.pdf(x) * law.cdf(x + 4) ** 2, -40, 40, points=[-4, 0], epsabs=1e-13)
    assert noisy_any_population(4, 3, em.Laplace(epsilon=1.0)) == pytest.approx(right, abs=1e-11)


def joint_of_population_and_sample(n, m, alpha):
    s, y = np.arange(n + 1)[:, None], np.arange(m + 1)
    prior = stats.binom.pmf(s, n, 0.5) if math.isinf(alpha) else stats.betabinom.pmf(s, n, alpha, alpha)
    return prior * stats.hypergeom.pmf(y, n, s, m)


def distances(n):
    return np.abs(np.subtract.outer(np.arange(n + 1), np.arange(n + 1))) / n


@pytest.mark.parametrize("alpha", BELIEFS)
@pytest.mark.parametrize(("n", "m", "epsilon"), [(2, 1, 1.0), (5, 5, 0.3), (9, 4, 3.0), (30, 11, 0.2)])
def test_loss_by_trying_every_guess(n, m, epsilon, alpha):
    channel = np.array([noisy(count, m, epsilon) for count in range(m + 1)])
    expected = (distances(n) @ joint_of_population_and_sample(n, m, alpha) @ channel).min(axis=0).sum()
    found = noisy_loss(n, m, alpha, em.Geometric(epsilon=epsilon))
    assert found.exact
    assert found.value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("n", "m", "epsilon", "alpha"), [(8, 5, 1.0, 1.0), (12, 7, 3.0, 2.0), (9, 9, 0.5, math.inf)])
def test_loss_with_continuous_noise_by_integration(n, m, epsilon, alpha):
    costs = distances(n) @ joint_of_population_and_sample(n, m, alpha)
    step = 1 / 512
    z = np.arange(-40 / epsilon, m + 40 / epsilon, step) + step / 2
    densities = stats.laplace.pdf(z - np.arange(m + 1)[:, None], scale=1 / epsilon)
    expected = (costs @ densities).min(axis=0).sum() * step
    assert noisy_loss(n, m, alpha, em.Laplace(epsilon=epsilon)).value == pytest.approx(expected, rel=1e-5)


def test_winner_of_a_middling_sample_by_draws():
    """A sample of 400 people with five values: the interval holds the truth but once in a million runs."""
    rng = np.random.default_rng(20230417)
    noise, draws = em.Laplace(epsilon=0.05), 200_000
    counts = rng.multinomial(400, rng.dirichlet(np.ones(5), draws))
    won = counts[np.arange(draws), (counts + noise.sample(rng, (draws, 5))).argmax(axis=1)] / 400
    found = noisy_counts_inside(400, 5, 1.0, noise)
    assert found.exact
    assert abs(won.mean() - found.value) < 4.9 * won.std() / math.sqrt(draws)


@pytest.mark.parametrize("alpha", BELIEFS)
@pytest.mark.parametrize("noise", [em.Geometric(epsilon=0.02), em.Geometric(epsilon=0.3), em.Laplace(epsilon=2.0)])
def test_bounds_hold_the_exact_numbers(alpha, noise):
    exact, bounds = (
        expected_winner_count(200, 4, alpha, noise),
        bounded_winner_count(200, 4, alpha, noise),
    )
    assert exact.exact
    assert bounds.low <= exact.value <= bounds.high
    loss, loss_bounds = noisy_loss(300, 120, alpha, noise), bounded_noisy_loss(300, 120, alpha, noise)
    assert loss.exact
    assert loss_bounds.low <= loss.value * (1 + 1e-12)
    assert loss.value <= loss_bounds.high * (1 + 1e-12)
    assert loss_bounds.low <= loss_bounds.value <= loss_bounds.high


@pytest.mark.parametrize("epsilon", [0.05, 0.5])
def test_loss_of_three_shares_by_draws(epsilon):
    """The analyst who reads noisy counts as the sample's, drawn: inside the bracket but for 4.9 standard errors."""
    rng = np.random.default_rng(7)
    n, m, draws, noise = 500, 100, 20_000, em.Laplace(epsilon=epsilon)
    population = rng.multinomial(n, rng.dirichlet(np.ones(3), draws))
    sample = np.stack([rng.multivariate_hypergeometric(people, m) for people in population])
    suggested = ((n - m) * (sample + 1) / (m + 3) + sample) / n  # the posterior mean without noise
    slope = (n + 3) / (m + 3) / n
    missed = np.abs(population / n - suggested - slope * noise.sample(rng, (draws, 3))).sum(axis=1) / 2
    prior = np.abs(population / n - 1 / 3).sum(axis=1) / 2
    loss = missed if missed.mean() < prior.mean() else prior
    found, margin = noisy_shares_loss(n, m, 3, 1.0, noise), 4.9 * loss.std() / math.sqrt(draws)
    assert found.low - margin < loss.mean() < found.high + margin
