"""What each randomiser promises, from likelihood ratios; and what it says when it is asked for nonsense."""

import json
import math

import numpy as np
import pytest

from epsilometer.errors import OutOfRange
from epsilometer.formulas.gaussian import delta_from_sigma
from epsilometer.randomizers import (
    ExponentialChoice,
    LocalGaussian,
    LocalLaplace,
    RandomizedResponse,
    UnaryEncoding,
)

EPSILONS = [0.01, 0.5, 1.0, 3.0, 12.0]


def largest_log_ratio(channel):
    return np.ptp(np.log(channel), axis=0).max()


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("kind", [RandomizedResponse, UnaryEncoding])
@pytest.mark.parametrize("n_values", [2, 3, 8])
def test_marking_randomisers_reach_epsilon_and_stop_there(kind, epsilon, n_values):
    channel = kind(epsilon=epsilon, n_values=n_values).channel()
    np.testing.assert_allclose(channel.sum(axis=1), 1, rtol=1e-13)
    assert largest_log_ratio(channel) == pytest.approx(epsilon, rel=1e-12)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("values", [(0, 1), (0, 1, 2, 10), (-3.5, 0.25, 0.5, 7.0, 100.0)])
def test_the_exponential_choice_keeps_its_metric_promise(epsilon, values):
    choice = ExponentialChoice(epsilon=epsilon, values=values)
    log_channel = np.log(choice.channel())
    np.testing.assert_allclose(choice.channel().sum(axis=1), 1, rtol=1e-13)
    ratios = np.abs(log_channel[:, None, :] - log_channel[None, :, :]).max(axis=2)
    distances = np.abs(np.subtract.outer(values, values))
    assert (ratios <= epsilon * distances / choice.range + 1e-12).all()
    assert choice.tight_epsilon == pytest.approx(ratios.max(), rel=1e-12)
    assert epsilon / 2 - 1e-12 <= choice.tight_epsilon <= epsilon


def test_two_values_cost_the_exponential_choice_half_of_epsilon():
    assert ExponentialChoice(epsilon=3.0, values=(4, 9)).tight_epsilon == pytest.approx(1.5, rel=1e-14)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_laplace_half_lines_reach_epsilon_over_the_range(epsilon):
    noise = LocalLaplace(epsilon=epsilon, low=-2.0, high=3.0)
    channel = noise.channel([-2.0, 0.5, 3.0], np.linspace(-20, 20, 81))
    assert largest_log_ratio(channel) == pytest.approx(epsilon, rel=1e-9)
    halfway = np.abs(np.log(channel[0]) - np.log(channel[1])).max()
    assert halfway == pytest.approx(epsilon / 2, rel=1e-9)


def test_gaussian_noise_is_calibrated_to_the_range():
    noise = LocalGaussian(epsilon=0.8, delta=1e-6, low=10.0, high=60.0)
    assert delta_from_sigma(noise.sigma / 50, epsilon=0.8) <= 1e-6 * (1 + 1e-12)
    assert delta_from_sigma(noise.sigma / 50 * (1 - 1e-9), epsilon=0.8) > 1e-6


def test_epsilon_per_unit_becomes_epsilon_over_the_range():
    """Paper 003: noise of scale 1 / epsilon for each unit, log-odds of epsilon R in all."""
    laplace = LocalLaplace.per_unit(0.2, low=10.0, high=60.0)
    assert laplace.epsilon == pytest.approx(10.0)
    assert laplace.scale == pytest.approx(1 / 0.2)
    choice = ExponentialChoice.per_unit(0.2, values=(10.0, 20.0, 60.0))
    assert choice.epsilon == pytest.approx(10.0)


@pytest.mark.parametrize(
    "randomizer",
    [
        RandomizedResponse(epsilon=1.5, n_values=4),
        UnaryEncoding(epsilon=0.5, n_values=30),
        ExponentialChoice(epsilon=2.0, values=(0, 1, 5)),
        LocalLaplace(epsilon=1.0, low=0.0, high=10.0),
        LocalGaussian(epsilon=1.0, delta=1e-6, low=0.0, high=10.0),
    ],
    ids=lambda randomizer: randomizer.name,
)
def test_a_randomiser_describes_and_equals_itself(randomizer):
    described = json.loads(json.dumps(randomizer.describe()))
    assert described["name"] == randomizer.name
    assert f"e^{randomizer.epsilon:g}" in described["guarantee"]
    settings = {key: described[key] for key in ("epsilon", "n_values", "values", "low", "high") if key in described}
    settings |= {"delta": described["delta"]} if described["delta"] else {}
    assert type(randomizer)(**settings) == randomizer


@pytest.mark.parametrize("epsilon", [0.0, -1.0, math.inf, math.nan])
def test_epsilon_is_positive_and_finite(epsilon):
    with pytest.raises(OutOfRange, match=r"^epsilon must be in \(0, inf\), got .* A smaller epsilon means more noise"):
        RandomizedResponse(epsilon=epsilon, n_values=2)


@pytest.mark.parametrize("delta", [0.0, 1.0, math.nan])
def test_delta_is_a_probability_of_local_noise_too(delta):
    with pytest.raises(OutOfRange, match=r"^delta must be in \(0, 1\), got"):
        LocalGaussian(epsilon=1.0, delta=delta, low=0.0, high=1.0)


@pytest.mark.parametrize("n_values", [1, 0, -2, 2.5])
def test_there_are_at_least_two_values(n_values):
    with pytest.raises(OutOfRange, match=r"^n_values must be in 2, 3, …, got .* how many different values"):
        UnaryEncoding(epsilon=1.0, n_values=n_values)


@pytest.mark.parametrize("values", [(), (1.0,), (1.0, 1.0, 2.0), (0.0, math.nan), (0.0, math.inf), ((1.0, 2.0),)])
def test_the_domain_of_a_choice_has_different_numbers(values):
    with pytest.raises(OutOfRange, match=r"^values must be in the lists of two or more different numbers, got"):
        ExponentialChoice(epsilon=1.0, values=values)


@pytest.mark.parametrize("ends", [(1.0, 1.0), (2.0, 1.0), (-math.inf, 0.0), (0.0, math.nan)])
def test_a_range_has_two_ends(ends):
    with pytest.raises(OutOfRange, match=r"^range must be in the pairs of finite numbers low < high, got"):
        LocalLaplace(epsilon=1.0, low=ends[0], high=ends[1])


@pytest.mark.parametrize("values", [[0, 3], [-1, 0], [0.0, 1.0], ["a", "b"]])
def test_values_are_numbered_from_zero(values):
    with pytest.raises(OutOfRange, match=r"^every value must be in 0, …, 2, got .*\. Number the values from 0"):
        RandomizedResponse(epsilon=1.0, n_values=3).simulate(values, np.random.default_rng(0))


def test_a_missing_number_cannot_report():
    with pytest.raises(OutOfRange, match=r"^every value must be in \(-inf, inf\), got nan\. Missing values cannot"):
        LocalLaplace(epsilon=1.0, low=0.0, high=1.0).simulate([0.5, math.nan], np.random.default_rng(0))


def test_a_channel_of_too_many_bits_sends_to_the_closed_form():
    with pytest.raises(OutOfRange, match=r"^n_values must be in 2, …, 12, got 13\. .* bayes_vulnerability answers"):
        UnaryEncoding(epsilon=1.0, n_values=13).channel()
