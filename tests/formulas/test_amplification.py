"""The guarantee of sampling followed by noise: extremes, and the noise's own guarantee for one replacement."""

import math

import mpmath
import pytest

import epsilometer as em
from epsilometer.formulas.amplification import (
    discrete_gaussian_guarantee,
    epsilon_after_sampling,
    epsilon_before_sampling,
    gaussian_guarantee,
    laplace_guarantee,
)

EPSILONS = [1e-300, 1e-12, 0.1, 1.0, 30.0, 599.0, 601.0, 1000.0, 1e6]


@pytest.mark.parametrize("rate", [1e-9, 0.01, 0.5, 1.0])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_no_digit_is_lost_at_either_end(epsilon, rate):
    with mpmath.workdps(400):
        grown = mpmath.expm1(mpmath.mpf(epsilon))
        after, before = mpmath.log1p(mpmath.mpf(rate) * grown), mpmath.log1p(grown / mpmath.mpf(rate))
    assert epsilon_after_sampling(epsilon, rate) == pytest.approx(float(after), rel=1e-15)
    assert epsilon_before_sampling(epsilon, rate) == pytest.approx(float(before), rel=1e-15)


@pytest.mark.parametrize("kind", [em.Laplace, em.Geometric])
def test_laplace_noise_is_worth_what_the_mechanism_says(kind):
    """For K counts, replacement is the mechanism's own adjacency; for one count it moves no more than a removal."""
    replace, remove = kind(epsilon=0.7, adjacency="replace"), kind(epsilon=0.7)
    assert laplace_guarantee(replace.scale, n_values=3) == pytest.approx(0.7)
    assert laplace_guarantee(remove.scale, n_values=2) == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("kind", "guarantee"), [(em.Gaussian, gaussian_guarantee), (em.DiscreteGaussian, discrete_gaussian_guarantee)]
)
def test_gaussian_noise_is_worth_what_the_mechanism_says(kind, guarantee):
    replace, remove = (kind(epsilon=0.7, delta=1e-6, adjacency=adjacency) for adjacency in ("replace", "add-remove"))
    assert guarantee(replace.sigma, n_values=4, delta=1e-6) == pytest.approx(0.7, rel=1e-6)
    assert guarantee(remove.sigma, n_values=2, delta=1e-6) == pytest.approx(0.7, rel=1e-6)
    assert guarantee(2e3, n_values=4, delta=1e-3) == 0


def test_randomised_response_of_a_sample_of_one_is_amplified_exactly():
    """One of n people is asked and answers truly with odds e^epsilon: the bound is met, by enumeration."""
    n, epsilon = 5, 1.3
    truthful = math.exp(epsilon) / (1 + math.exp(epsilon))
    yes = [(k * truthful + (n - k) * (1 - truthful)) / n for k in (0, 1)]
    assert math.log(yes[1] / yes[0]) == pytest.approx(epsilon_after_sampling(epsilon, 1 / n), rel=1e-12)
