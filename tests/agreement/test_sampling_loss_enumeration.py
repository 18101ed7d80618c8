"""Losses of publishing a sample's histogram against every population and every sample, in exact fractions.

The belief is an urn: each person is given a value with odds alpha + (people who have it so far), whatever the
formulas make of that; posterior weights are counted; the best guess of a share is found by trying all.
"""

import math
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest

from epsilometer.formulas.sampling import loss_fractions, median_loss, prior_loss, prior_shares_loss, shares_loss

ALPHAS = [1, math.inf, Fraction(1, 2)]


def urn_probability(population, n_values, alpha):
    if alpha == math.inf:
        return Fraction(1, n_values) ** len(population)
    probability, seen = Fraction(1), Counter()
    for n_seen, value in enumerate(population):
        probability *= Fraction(alpha + seen[value]) / (n_values * alpha + n_seen)
        seen[value] += 1
    return probability


@cache
def weights_by_publication(n, m, n_values, alpha):
    """For each published histogram, how probable each population's histogram is together with it."""
    weights = defaultdict(Counter)
    for population in product(range(n_values), repeat=n):
        weight = urn_probability(population, n_values, alpha) / math.comb(n, m)
        counts = tuple(population.count(value) for value in range(n_values))
        for chosen in combinations(population, m):
            weights[tuple(chosen.count(value) for value in range(n_values))][counts] += weight
    return weights


def loss_of_best_guess(weights, n, value):
    guesses = range(n + 1)
    return min(sum(w * Fraction(abs(guess - c[value]), n) for c, w in weights.items()) for guess in guesses)


def loss_of_mean(weights, n, n_values):
    total = sum(weights.values())
    mean = [sum(w * counts[k] for counts, w in weights.items()) / total for k in range(n_values)]
    return sum(
        w * sum(abs(c - mu) for c, mu in zip(counts, mean, strict=True)) / (2 * n) for counts, w in weights.items()
    )


def every_sample(largest):
    return pytest.mark.parametrize(("n", "m"), [(n, m) for n in range(1, largest + 1) for m in range(n + 1)])


def test_the_urn_is_uniform_on_frequencies():
    histograms = Counter()
    for population in product(range(3), repeat=4):
        histograms[tuple(sorted(Counter(population).items()))] += urn_probability(population, 3, 1)
    assert set(histograms.values()) == {Fraction(1, 15)}


@every_sample(6)
@pytest.mark.parametrize("alpha", ALPHAS)
def test_two_values(n, m, alpha):
    truth = sum(loss_of_best_guess(weights, n, 0) for weights in weights_by_publication(n, m, 2, alpha).values())
    assert loss_fractions.median_loss(n, m, alpha) == truth
    assert median_loss(n, m, float(alpha)).value == pytest.approx(float(truth), rel=1e-13, abs=0)
    if m == 0:
        assert loss_fractions.prior_loss(n, alpha) == truth
        assert prior_loss(n, float(alpha)) == pytest.approx(float(truth), rel=1e-13)


@every_sample(6)
@pytest.mark.parametrize("alpha", ALPHAS)
def test_mean_guessed_of_two_values(n, m, alpha):
    truth = sum(loss_of_mean(weights, n, 2) for weights in weights_by_publication(n, m, 2, alpha).values())
    assert loss_fractions.shares_loss(n, m, 2, alpha) == truth
    assert shares_loss(n, m, 2, float(alpha)).value == pytest.approx(float(truth), rel=1e-13, abs=0)


@every_sample(5)
@pytest.mark.parametrize("alpha", ALPHAS)
def test_three_values(n, m, alpha):
    publications = weights_by_publication(n, m, 3, alpha).values()
    truth = sum(loss_of_mean(weights, n, 3) for weights in publications)
    assert loss_fractions.shares_loss(n, m, 3, alpha) == truth
    assert shares_loss(n, m, 3, float(alpha)).value == pytest.approx(float(truth), rel=1e-13, abs=0)
    if m == 0:
        assert prior_shares_loss(n, 3, float(alpha)) == pytest.approx(float(truth), rel=1e-13)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_best_answer_lies_between_the_medians_and_the_mean(alpha):
    n, m = 5, 2
    answers = [counts for counts in product(range(n + 1), repeat=3) if sum(counts) == n]
    for weights in weights_by_publication(n, m, 3, alpha).values():
        medians = sum(loss_of_best_guess(weights, n, value) for value in range(3)) / 2
        best = min(
            sum(w * sum(map(abs, map(int.__sub__, counts, answer))) for counts, w in weights.items())
            for answer in answers
        ) / (2 * n)
        assert medians <= best
        assert medians <= loss_of_mean(weights, n, 3)


def test_three_values_of_six_people():
    publications = weights_by_publication(6, 2, 3, Fraction(1, 2)).values()
    truth = sum(loss_of_mean(weights, 6, 3) for weights in publications)
    assert loss_fractions.shares_loss(6, 2, 3, Fraction(1, 2)) == truth
