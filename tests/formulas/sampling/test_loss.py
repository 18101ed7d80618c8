"""The branches of the losses against each other, where two of them answer the same question."""

import math
from importlib import import_module

import pytest

from epsilometer.formulas.sampling import median_loss, prior_loss, prior_shares_loss, shares_loss

median_module = import_module("epsilometer.formulas.sampling.median_loss")  # the package's name is the function's
shares_module = import_module("epsilometer.formulas.sampling.shares_loss")

ALPHAS = [1.0, 2.0, 0.5, 7.7, math.inf]


@pytest.mark.parametrize("alpha", ALPHAS)
def test_whole_population_and_nobody(alpha):
    assert median_loss(30, 30, alpha) == shares_loss(30, 30, 4, alpha) == (0, 0, 0)
    assert median_loss(30, 0, alpha).value == prior_loss(30, alpha) == prior_shares_loss(30, 2, alpha)
    assert shares_loss(30, 0, 4, alpha).value == prior_shares_loss(30, 4, alpha)


@pytest.mark.parametrize("population", [1, 2, 7, 8, 501, 10**12])
def test_prior_loss_of_equation_4_34(population):
    n = population
    assert prior_loss(n, 1.0) == pytest.approx(1 / 4 + 1 / (4 * (n // 2 + (n + 2) // 2)), rel=2e-14)


@pytest.mark.parametrize(("population", "sample"), [(10_001, 10_000), (10_100, 10_000), (13_300, 10_000), (101, 60)])
def test_alpha_of_one_meets_its_neighbours(population, sample):
    """For alpha = 1 the sampled and the others change places; for its neighbours they do not."""
    for neighbour in (1 - 1e-9, 1 + 1e-9):
        close = median_loss(population, sample, neighbour).value
        assert median_loss(population, sample, 1.0).value == pytest.approx(close, rel=1e-8)


@pytest.mark.parametrize(
    ("population", "sample", "alpha"),
    [(10**9, 60_000, 1.0), (150_000, 60_000, 1.0), (61_000, 60_000, 1.0), (10**8, 60_000, 0.5), (66_000, 60_000, 2.5)],
)
def test_central_laws_need_no_sum(population, sample, alpha, monkeypatch):
    exact = median_loss(population, sample, alpha)
    monkeypatch.setattr(median_module, "_MOST_TERMS", 3e7)
    close = median_loss(population, sample, alpha)
    assert exact.exact
    assert close.low <= exact.value <= close.high
    assert close.value == pytest.approx(exact.value, rel=1e-8)


@pytest.mark.parametrize(
    ("population", "sample", "alpha"),
    [(10**9, 10**6, 1.0), (2_000_001, 10**6, 1.0), (2_500_000, 10**6, 0.5), (10**9, 10**6, 2e4)],
)
def test_not_every_sample_is_visited(population, sample, alpha, monkeypatch):
    every = median_loss(population, sample, alpha)
    monkeypatch.setattr(median_module, "LARGEST_SUM", 2**17)
    thinned = median_loss(population, sample, alpha)
    assert every.high - every.low < thinned.high - thinned.low < 3e-6 * every.value
    assert thinned.low <= every.low < every.high <= thinned.high


@pytest.mark.parametrize(
    ("population", "sample", "alpha"), [(10**4, 100, 1 / 3), (10**4, 100, 0.001), (10**5, 70_000, 0.5), (110, 100, 1.5)]
)
def test_bounds_hold_where_the_sums_are_too_long(population, sample, alpha, monkeypatch):
    exact = median_loss(population, sample, alpha)
    monkeypatch.setattr(median_module, "_MOST_TERMS", -1)
    bounds = median_loss(population, sample, alpha)
    assert exact.exact
    assert bounds.low < exact.value < bounds.high == bounds.value


def test_bounds_are_close_if_few_are_sampled():
    bounds = median_loss(10**9, 1000, 0.5)
    assert bounds.high * 0.999 < bounds.low < bounds.high


@pytest.mark.parametrize(
    ("outside", "n_values", "alpha"),
    [(10, 3, 1.0), (12_000, 3, 0.5), (10**5, 2, 1.0), (10**9, 1000, 0.01), (1, 2, 1e7)],
)
def test_shares_loss_of_large_samples(outside, n_values, alpha, monkeypatch):
    question = 200_000 + outside, 200_000, n_values, alpha
    every = shares_loss(*question)
    monkeypatch.setattr(shares_module, "LARGEST_SUM", 2**17)
    thinned = shares_loss(*question)
    assert every.exact
    assert thinned.low <= every.value <= thinned.high
    assert thinned.value == pytest.approx(every.value, rel=1e-6)


@pytest.mark.parametrize(("n_values", "alpha"), [(2, 1.0), (3, 0.01), (1000, 1e6)])
def test_a_thousand_million_people_are_answered(n_values, alpha):
    found = shares_loss(10**12, 10**9, n_values, alpha)
    assert 0 < found.low < found.value < found.high < found.low * 1.00001


@pytest.mark.parametrize("alpha", [1e-100, 1e-12, 1e15])
@pytest.mark.parametrize(("population", "sample"), [(2, 1), (10**6, 1000), (10**12, 10**8), (10**12, 10**12 - 5)])
def test_extreme_beliefs(population, sample, alpha):
    """Nearly no belief: everybody is alike, the sample tells. Firm belief: the sample tells nothing."""
    found, shares = median_loss(population, sample, alpha), shares_loss(population, sample, 3, alpha)
    limit = 0 if alpha < 1 else median_loss(population, sample, math.inf).value
    assert found.value == pytest.approx(limit, rel=1e-3, abs=1e-9 if alpha < 1 else 0)
    assert 0 <= shares.value <= prior_shares_loss(population, 3, alpha)
