"""The ends of the domain, and the priors at which plain formulas lose their digits."""

import mpmath as mp
import numpy as np
import pytest

from epsilometer.formulas.guessing import (
    advantage_single,
    epsilon_single,
    posterior,
    worst_case_advantage,
    worst_case_epsilon,
)

INF = np.inf


def test_events_that_are_impossible_or_would_become_certain_need_no_noise():
    priors = [[0.0], [0.5], [1.0]]
    advantages = [-0.1, 0.0, 0.1, 0.5, 2.0]
    finite = 0.40546510810816438
    expected = np.array([[0, 0, INF, INF, INF], [0, 0, finite, INF, INF], [0, 0, INF, INF, INF]])
    assert epsilon_single(advantages, priors, 1.0) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("prior", [1e-300, 1e-17, 1e-9, 0.3, 1 - 1e-9, 1 - 2**-52])
@pytest.mark.parametrize("share", [1e-9, 0.5, 1 - 1e-9])
def test_rare_and_nearly_certain_events_keep_their_digits(prior, share):
    advantage = share * (1 - prior)
    with mp.workdps(400):
        p, after = mp.mpf(prior), mp.mpf(prior) + mp.mpf(advantage)
        truth = float((mp.log(after / (1 - after)) - mp.log(p / (1 - p))) / 3)
    found = float(epsilon_single(advantage, prior, 3.0))
    assert found == pytest.approx(truth, rel=3e-15)
    assert found <= truth


def test_certainty_is_compared_without_rounding():
    """As floats 0.9 + 0.1 is above one and 0.7 + 0.3 is below, though both sums round to one."""
    assert epsilon_single(0.1, 0.9, 1.0) == INF
    assert 36 < epsilon_single(0.3, 0.7, 1.0) < 37


def test_the_smallest_prior_neither_overflows_nor_needs_no_noise():
    assert 700 < epsilon_single(0.1, 5e-324, 1.0) < 743


def test_posterior_from_no_release_to_no_noise():
    priors = [0.0, 5e-324, 0.5, 1.0]
    at = posterior(priors, [[0.0], [2.0], [800.0], [INF]], 1.0)
    assert at[0].tolist() == priors
    assert at[1] == pytest.approx([0, 3.5e-323, 0.8807970779778824, 1], rel=1e-14)
    assert at[2:].tolist() == [[0, 1, 1, 1]] * 2


def test_advantage_from_no_release_to_no_noise():
    rise = advantage_single([0.0, 1.0, 800.0, INF], [[0.0], [0.5], [1.0]], 1.0)
    assert rise == pytest.approx(np.array([[0] * 4, [0, 0.2310585786300049, 0.5, 0.5], [0] * 4]), rel=1e-14)


def test_worst_case_at_the_ends():
    assert worst_case_epsilon([-0.5, 0.0, 1.0, 2.0], 2.0).tolist() == [0, 0, INF, INF]
    assert worst_case_advantage([0.0, 1e3, INF], 2.0).tolist() == [0, 1, 1]
