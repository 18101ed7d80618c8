"""What an analyst loses to sampling and noise together: limits, and what is said where a sum is too long."""

import math

import pytest

import epsilometer as em
from epsilometer.formulas.sampling.median_loss import median_loss, prior_loss
from epsilometer.formulas.sampling.noisy_loss import bounded_noisy_loss, noisy_loss, noisy_shares_loss
from epsilometer.formulas.sampling.shares_loss import prior_shares_loss, shares_loss

BELIEFS = [0.4, 1.0, math.inf]


@pytest.mark.parametrize("alpha", BELIEFS)
@pytest.mark.parametrize(("n", "m"), [(30, 11), (31, 1), (16, 16)])
def test_limits_of_no_noise_and_of_nothing_but_noise(n, m, alpha):
    for kind in (em.Laplace, em.Geometric):
        clear, blurred = kind(epsilon=500.0), kind(epsilon=5e-3)
        assert noisy_loss(n, m, alpha, clear).value == pytest.approx(median_loss(n, m, alpha).value, abs=1e-14)
        assert noisy_loss(n, m, alpha, blurred).value == pytest.approx(prior_loss(n, alpha), rel=1e-2)


@pytest.mark.parametrize("alpha", BELIEFS)
@pytest.mark.parametrize(
    ("n", "m", "noise"),
    [
        (10**9, 10**4, em.Laplace(epsilon=0.1)),
        (10**6, 1000, em.Geometric(epsilon=0.01)),  # an affordable sum over the noise alone
        (10**6, 10**6, em.Laplace(epsilon=0.1)),
        (10**7, 5000, em.Geometric(epsilon=1e-4)),  # a table of noise that is thinned
    ],
)
def test_beyond_reach_the_answer_is_a_bracket(n, m, alpha, noise):
    found = noisy_loss(n, m, alpha, noise)
    assert found == bounded_noisy_loss(n, m, alpha, noise)
    assert not found.exact
    assert median_loss(n, m, alpha).low <= found.low <= found.value <= found.high <= prior_loss(n, alpha)


@pytest.mark.parametrize(("epsilon", "worst"), [(2.0, 0.01), (0.3, 0.06), (0.05, 0.12), (0.01, 0.02)])
def test_the_estimate_between_the_bounds_is_close(epsilon, worst):
    noise = em.Laplace(epsilon=epsilon)
    exact = noisy_loss(1000, 100, 1.0, noise)
    assert exact.exact
    assert bounded_noisy_loss(1000, 100, 1.0, noise).value == pytest.approx(exact.value, rel=worst)


@pytest.mark.parametrize("alpha", BELIEFS)
@pytest.mark.parametrize("n_values", [3, 7])
def test_shares_lose_at_least_what_sampling_and_what_noise_costs(n_values, alpha):
    n, m = 5000, 800
    without, prior = shares_loss(n, m, n_values, alpha).value, prior_shares_loss(n, n_values, alpha)
    slope = 1 if math.isinf(alpha) else (n + n_values * alpha) / (m + n_values * alpha)
    for epsilon in (0.002, 0.05, 1.0, 400.0):
        found = noisy_shares_loss(n, m, n_values, alpha, em.Laplace(epsilon=epsilon))
        noise = n_values / 2 * slope / n / epsilon
        assert found.low == pytest.approx(min(max(without, noise), prior), rel=1e-12)
        assert found.low <= found.value == found.high
        assert found.high <= min(without + noise, prior) * (1 + 1e-12)
    assert noisy_shares_loss(n, m, n_values, alpha, em.Laplace(epsilon=1e9)).value == pytest.approx(without, rel=1e-6)
