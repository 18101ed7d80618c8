"""Each mechanism's probabilities against a 50-digit oracle that only knows the density or the weights."""

import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace

MECHANISMS = {
    "laplace": lambda epsilon: Laplace(epsilon=epsilon),
    "laplace-replace": lambda epsilon: Laplace(epsilon=epsilon, adjacency="replace"),
    "geometric": lambda epsilon: Geometric(epsilon=epsilon),
    "gaussian": lambda epsilon: Gaussian(epsilon=epsilon, delta=1e-5),
    "discrete-gaussian": lambda epsilon: DiscreteGaussian(epsilon=epsilon, delta=1e-5),
}
mechanism = pytest.mark.parametrize("make", MECHANISMS.values(), ids=MECHANISMS.keys())


def oracle_below(mechanism, x):
    """Pr(noise < x) from first principles."""
    scale = mp.mpf(mechanism.scale)
    if mechanism.name == "laplace":
        return mp.exp(x / scale) / 2 if x < 0 else 1 - mp.exp(-x / scale) / 2
    if mechanism.name == "gaussian":
        return mp.ncdf(x / scale)
    weight = (
        (lambda k: mp.exp(-abs(k) / scale))
        if mechanism.name == "geometric"
        else (lambda k: mp.exp(-(mp.mpf(k) ** 2) / (2 * scale**2)))
    )
    reach = int(60 * scale) + 60
    weights = {k: weight(k) for k in range(-reach, reach + 1)}
    return mp.fsum(w for k, w in weights.items() if k < x) / mp.fsum(weights.values())


@mechanism
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("x", [-7.0, -2.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 6.0])
def test_both_tails_keep_twelve_digits(make, epsilon, x):
    noise = make(epsilon)
    below = oracle_below(noise, x)
    assert float(noise.probability_below(x)) == pytest.approx(float(below), rel=1e-12)
    assert float(noise.probability_at_least(x)) == pytest.approx(float(1 - below), rel=1e-12)


@mechanism
def test_the_far_tails_do_not_cancel(make):
    """At forty scales out the upper tail is about e^-40 for Laplace, and must not be rounded to zero."""
    noise = make(1.0)
    x = math.floor(12 * noise.scale)
    expected = float(1 - oracle_below(noise, x))
    assert 0 < expected < 1e-4
    assert float(noise.probability_at_least(x)) == pytest.approx(expected, rel=1e-11)


@mechanism
def test_several_parameters_answer_as_each_alone(make):
    x = np.array([[-1.5, 0.5, 2.0], [0.0, 1.0, 30.0]])
    curve = make((0.5, 1.0, 2.0)).probability_below(x)
    assert curve.shape == (3, 2, 3)
    np.testing.assert_array_equal(curve, [make(epsilon).probability_below(x) for epsilon in (0.5, 1.0, 2.0)])


@mechanism
def test_samples_follow_the_distribution(make):
    """Kolmogorov-Smirnov at a false-alarm rate of 1e-6 for each mechanism, on a fixed seed."""
    noise = make((0.7, 2.0))
    n = 40_000
    draws = noise.sample(np.random.default_rng(20_240_101), (n // 2, 2)).reshape(2, n)
    points = np.arange(-12.0, 12.5, 0.5)
    empirical = (draws[:, :, None] < points).mean(axis=1)
    band = math.sqrt(math.log(2 / 1e-6) / (2 * n))
    assert np.abs(empirical - noise.probability_below(points)).max() < band


@mechanism
@given(
    x=st.floats(-50, 50),
    step=st.floats(0, 10),
    epsilon=st.floats(0.05, 20),
)
@settings(max_examples=60, deadline=None)
def test_probabilities_are_monotone_and_complementary(make, x, step, epsilon):
    noise = make(epsilon)
    below, above = noise.probability_below(x), noise.probability_at_least(x)
    assert 0 <= below <= 1
    assert below + above == pytest.approx(1, abs=1e-14)
    last_digit = 2e-16  # by which the error function itself may step back
    assert noise.probability_below(x + step) >= below - last_digit
