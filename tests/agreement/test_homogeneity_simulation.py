"""Exact formulas against published tables drawn at random: 200 tables, every attack, two privacy parameters.

Each of the 200 x 6 x 2 intervals has the confidence 1 - 1e-4 / 2400: with correct formulas a run fails with
probability 1e-4 at most, up to the normal approximation of the interval. The seeds are fixed.
"""

from itertools import product
from math import factorial, prod

import numpy as np
import pytest
from scipy.special import gammaln

from epsilometer.formulas.homogeneity import simulation
from epsilometer.formulas.homogeneity.local import local, local_records
from epsilometer.formulas.homogeneity.thresholding import hard, soft
from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace

N_TABLES = 200
CONFIDENCE = 1 - 1e-4 / (N_TABLES * 6 * 2)
REPEATS = 400


def random_noise(rng):
    epsilon = tuple(10 ** rng.uniform(-1.5, 1, 2))
    threshold = rng.choice([0.5, 0.5, 1.3, 3.5])
    adjacency = rng.choice(["add-remove", "replace"])
    common = {"epsilon": epsilon, "threshold": float(threshold), "adjacency": str(adjacency)}
    return [
        lambda: Laplace(**common),
        lambda: Geometric(**common),
        lambda: Gaussian(delta=1e-3, **common),
        lambda: DiscreteGaussian(delta=1e-3, **common),
    ][rng.integers(4)]()


def random_table(rng):
    """Few distinct cells, small and large, with how often each occurs."""
    n_values, n_rows = rng.integers(1, 6), rng.integers(1, 5)
    counts = rng.negative_binomial(0.4, 0.1, (n_rows, n_values))
    counts[:, 0] += counts.sum(axis=1) == 0
    return counts, rng.integers(1, 9, n_rows)


def assert_inside(estimate, exact):
    assert (estimate.interval.low <= exact).all()
    assert (exact <= estimate.interval.high).all()


@pytest.mark.parametrize("seed", range(N_TABLES))
def test_counts_as_they_are(seed):
    rng = np.random.default_rng(seed)
    noise, (counts, n_cells) = random_noise(rng), random_table(rng)
    cells = np.repeat(counts, n_cells, axis=0)
    by_cells = np.full(len(cells), 1 / len(cells))
    by_records = cells.sum(axis=1) / cells.sum()
    draw = simulation.as_they_are(counts, n_cells)
    for formula, attack, weights in (
        (local, simulation.shows_a_present_value, by_cells),
        (local_records, simulation.shows_the_members_value, by_records),
        (hard, simulation.largest_count_is_the_members, by_cells),
        (soft, simulation.share_of_counts_is_the_members, by_records),
    ):
        estimate = simulation.simulate(draw, attack, noise, weights, rng=rng, repeats=REPEATS, confidence=CONFIDENCE)
        assert_inside(estimate, formula(cells, noise) @ weights)


def all_counts(size, n_values):
    return [c for c in product(range(size + 1), repeat=n_values) if sum(c) == size]


def multinomial(counts, shares):
    return factorial(sum(counts)) / prod(map(factorial, counts)) * prod(shares ** np.array(counts))


def dirichlet_multinomial(counts, alpha):
    n = np.array(counts)
    log_ratio = gammaln(alpha.sum()) - gammaln(alpha.sum() + n.sum()) + (gammaln(alpha + n) - gammaln(alpha)).sum()
    return factorial(sum(counts)) / prod(map(factorial, counts)) * np.exp(log_ratio)


@pytest.mark.parametrize("seed", range(N_TABLES))
def test_counts_drawn_anew(seed):
    rng = np.random.default_rng([seed, 1])
    noise, n_values = random_noise(rng), rng.integers(2, 4)
    sizes, alpha = rng.integers(1, 6, 3), rng.uniform(0.3, 3, n_values)
    shares, weights = rng.dirichlet(alpha, 3), np.full(3, 1 / 3)
    for draw, laws in (
        (simulation.drawn_with_shares(sizes, shares), [lambda c, p=p: multinomial(c, p) for p in shares]),
        (
            simulation.drawn_with_dirichlet_shares(sizes, alpha),
            [lambda c: dirichlet_multinomial(c, alpha)] * 3,
        ),
    ):
        exact = np.zeros(2)
        for size, law in zip(sizes, laws, strict=True):
            possible = all_counts(size, n_values)
            exact += local(possible, noise) @ [law(c) for c in possible] / 3
        estimate = simulation.simulate(
            draw, simulation.shows_a_present_value, noise, weights, rng=rng, repeats=REPEATS, confidence=CONFIDENCE
        )
        assert_inside(estimate, exact)


def test_a_wrong_formula_is_noticed():
    """The intervals are narrow enough to tell paper 001's printed bound from the risk (erratum E1)."""
    noise = Laplace(epsilon=1.0)
    draw = simulation.drawn_with_shares([2] * 50, [[0.5, 0.5]] * 50)
    estimate = simulation.simulate(
        draw,
        simulation.shows_a_present_value,
        noise,
        np.full(50, 0.02),
        rng=np.random.default_rng(5),
        confidence=CONFIDENCE,
    )
    assert estimate.interval.low <= 0.5207971750 <= estimate.interval.high
    assert estimate.interval.low > 0.4151494402
