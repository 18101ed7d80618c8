"""Deviations of beta-binomial counts against sums over every value in 40-digit arithmetic."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epsilometer.formulas.sampling.beta_binomial import (
    CENTRAL_ERROR,
    binomial_mean_deviation,
    central_median_deviation,
    log_beta_binomial,
    mean_deviation,
    median_deviation,
    variance,
)

LAWS = [(1, 1, 1), (7, 0.5, 0.5), (7, 1 / 3, 40), (12, 3, 5), (30, 2.5, 0.25), (200, 60.5, 90.5), (150, 0.01, 3)]


def probabilities(trials, a, b):
    a, b = mp.mpf(a), mp.mpf(b)
    every = mp.rf(a + b, trials)
    return [mp.binomial(trials, x) * mp.rf(a, x) * mp.rf(b, trials - x) / every for x in range(trials + 1)]


@pytest.mark.parametrize("law", LAWS)
def test_deviations_are_the_sums_they_stand_for(law):
    trials, a, b = law[0], np.array([float(law[1])]), np.array([float(law[2])])
    with mp.workdps(40):
        pmf = probabilities(*law)
        mean = mp.mpf(law[0]) * law[1] / (mp.mpf(law[1]) + law[2])
        about_mean = mp.fsum(p * abs(x - mean) for x, p in enumerate(pmf))
        squares = mp.fsum(p * (x - mean) ** 2 for x, p in enumerate(pmf))
        about_median = min(mp.fsum(p * abs(x - c) for x, p in enumerate(pmf)) for c in range(trials + 1))
    log_pmf = log_beta_binomial(np.arange(trials + 1.0), trials, a, b)
    assert np.exp(log_pmf) == pytest.approx([float(p) for p in pmf], rel=3e-14)
    assert mean_deviation(trials, a, b)[0] == pytest.approx(float(about_mean), rel=3e-14)
    assert median_deviation(trials, a, b)[0] == pytest.approx(float(about_median), rel=3e-14)
    assert variance(trials, a, b)[0] == pytest.approx(float(squares), rel=3e-14)


@settings(deadline=None, max_examples=200)
@given(
    st.integers(1, 10**12),
    st.one_of(st.integers(1, 10**4).map(float), st.floats(40, 10**4), st.floats(1e-3, 40)),
    st.floats(1, 10**4),
)
def test_the_median_is_at_least_as_good_as_the_mean(trials, a, larger):
    trials = trials if a >= 40 or a == round(a) else min(trials, 10**5)  # other laws are summed over X
    laws = trials, np.array([a]), np.array([np.ceil(a * larger)])
    assert mean_deviation(*laws) / 2 <= median_deviation(*laws) <= mean_deviation(*laws) * (1 + 1e-12)


def test_whole_and_other_parameters_meet():
    """Whole a and b are summed over draws, their neighbours over X."""
    a, b = np.array([3.0, 20.0]), np.array([9.0, 21.0])
    assert median_deviation(5000, a, b) == pytest.approx(median_deviation(5000, a + 1e-13, b + 1e-13), rel=1e-12)


@pytest.mark.parametrize("trials", [300, 3_000, 30_000, 75_000, 3_000_000])
@pytest.mark.parametrize("alpha", [1, 0.5, 7.7, 300])
def test_central_laws_are_close_to_normal(trials, alpha):
    y = np.array([100.0, 300, 1000, 3000, 10_000, 15_000])
    a, b = y + alpha, 30_000 - y + alpha
    smallest = a * np.minimum(1, trials / (a + b))
    exact, close = median_deviation(trials, a, b), central_median_deviation(trials, a, b)
    central = smallest >= 30
    assert (np.abs(close / exact - 1)[central] <= CENTRAL_ERROR / smallest[central] ** 2 + 1e-14).all()


@pytest.mark.parametrize(("trials", "probability"), [(1, 0.5), (5, 0.5), (6, 0.5), (9, 1 / 3), (40, 0.1)])
def test_de_moivre(trials, probability):
    with mp.workdps(40):
        p = mp.mpf(probability)
        terms = (
            mp.binomial(trials, x) * p**x * (1 - p) ** (trials - x) * abs(x - trials * p) for x in range(trials + 1)
        )
        truth = float(mp.fsum(terms))
    assert binomial_mean_deviation(trials, probability) == pytest.approx(truth, rel=1e-14)


@pytest.mark.parametrize("trials", [16, 28, 501, 10**6, 10**12, 10**12 + 1])
def test_fair_coins_keep_their_digits(trials):
    half = (trials - 1) // 2
    with mp.workdps(50):
        log_ways = mp.loggamma(trials) - mp.loggamma(half + 1) - mp.loggamma(trials - half)
        truth = float(trials * mp.exp(log_ways - trials * mp.log(2)))
    assert binomial_mean_deviation(trials, 0.5) == pytest.approx(truth, rel=1e-14)
