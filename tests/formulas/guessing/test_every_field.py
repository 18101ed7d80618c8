"""Every field right: the ends of the domain, many fields, and arrays."""

import mpmath as mp
import numpy as np
import pytest

from epsilometer.formulas.guessing import (
    advantage_all_independent,
    advantage_all_joint,
    advantage_all_separate,
    epsilon_all_independent,
    epsilon_all_joint,
    epsilon_all_separate,
)

INF = np.inf
EPSILONS = (epsilon_all_joint, epsilon_all_separate, epsilon_all_independent)
ADVANTAGES = (advantage_all_joint, advantage_all_separate, advantage_all_independent)


@pytest.mark.parametrize("epsilon_all", EPSILONS)
def test_without_room_for_the_advantage_no_noise_is_needed(epsilon_all):
    assert epsilon_all(0.1, [0.0, 0.5], 1.0) == INF
    assert epsilon_all(0.1, [1.0, 1.0], 1.0) == INF
    assert epsilon_all(0.76, [0.5, 0.5], 1.0) == INF
    assert epsilon_all(0.74, [0.5, 0.5], 1.0) < INF


@pytest.mark.parametrize("epsilon_all", EPSILONS)
@pytest.mark.parametrize("priors", [[0.0, 0.5], [0.5, 0.5], [1.0]])
def test_no_advantage_allows_no_release(epsilon_all, priors):
    assert epsilon_all(0.0, priors, 1.0) == 0
    assert epsilon_all(-0.1, priors, 1.0) == 0


@pytest.mark.parametrize("advantage_all", ADVANTAGES)
def test_advantage_from_no_release_to_no_noise(advantage_all):
    for impossible_or_certain in ([0.0, 0.5], [1.0, 1.0]):
        assert not advantage_all([0.0, 1.0, 800.0, INF], impossible_or_certain, 1.0).any()
    assert advantage_all([0.0, 800.0, INF], [0.5, 0.5], 1.0) == pytest.approx([0, 0.75, 0.75], rel=1e-13)
    assert advantage_all(INF, [1e-200, 1e-200], 1.0) == 1


def test_a_hundred_thousand_fields():
    """The product of the priors is e^-230,259, far below the smallest float."""
    priors = np.full(100_000, 0.1)
    with mp.workdps(50):
        log_prior = 100_000 * mp.log(mp.mpf(0.1))
        room = float(mp.log(mp.mpf(0.01)) - mp.log(1 - mp.mpf(0.01)) - log_prior)
        each = mp.exp(mp.log(mp.mpf(0.01)) / 100_000)
        independent = float(mp.log(each / (1 - each)) - mp.log(mp.mpf(0.1) / (1 - mp.mpf(0.1))))
    assert epsilon_all_joint(0.01, priors, 2.0) == pytest.approx(room / 2, rel=1e-13)
    assert epsilon_all_separate(0.01, priors, 2.0) == pytest.approx(room / 200_000, rel=1e-13)
    assert epsilon_all_independent(0.01, priors, 2.0) == pytest.approx(independent / 2, rel=1e-9)
    assert advantage_all_joint(room / 2, priors, 2.0) == pytest.approx(0.01, rel=1e-8)
    assert advantage_all_separate(room / 200_000, priors, 2.0) == pytest.approx(0.01, rel=1e-8)
    assert advantage_all_independent(independent / 2, priors, 2.0) == pytest.approx(0.01, rel=1e-8)


def test_records_and_privacy_parameters_in_arrays():
    priors, sensitivities = np.array([[0.1, 0.4], [0.5, 0.9]]), np.array([[1.0, 2.0], [3.0, 0.5]])
    for formula in (epsilon_all_joint, epsilon_all_separate, *ADVANTAGES):
        together = formula([0.2, 0.3], priors, sensitivities)
        alone = [float(formula(x, p, r)) for x, p, r in zip((0.2, 0.3), priors, sensitivities, strict=True)]
        assert together == pytest.approx(alone, rel=1e-14)


def test_a_number_given_once_is_that_of_every_field():
    for epsilon_all in EPSILONS:
        assert epsilon_all(0.1, 0.5, [2.0, 2.0]) == epsilon_all(0.1, [0.5, 0.5], 2.0)
