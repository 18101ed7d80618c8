"""At least one field right: the ends of the domain, many fields, and arrays."""

import mpmath as mp
import numpy as np
import pytest

from epsilometer.formulas.guessing import advantage_any, epsilon_any

INF = np.inf


def test_without_room_for_the_advantage_no_noise_is_needed():
    assert epsilon_any(0.1, [0.0, 0.0], 1.0) == INF
    assert epsilon_any(0.1, [1.0, 0.2], 1.0) == INF
    assert epsilon_any(0.26, [0.5, 0.5], 1.0) == INF
    assert epsilon_any(0.24, [0.5, 0.5], 1.0) < INF


@pytest.mark.parametrize("priors", [[0.0, 0.0], [0.5, 0.5], [1.0]])
def test_no_advantage_allows_no_release(priors):
    assert epsilon_any(0.0, priors, 1.0) == 0
    assert epsilon_any(-0.1, priors, 1.0) == 0


def test_advantage_from_no_release_to_no_noise():
    assert not advantage_any([0.0, 1.0, 800.0, INF], [0.0, 0.0], 1.0).any()
    assert not advantage_any([0.0, 1.0, 800.0, INF], [1.0, 0.2], 1.0).any()
    assert advantage_any([0.0, 800.0, INF], [0.5, 0.0], 1.0) == pytest.approx([0, 0.5, 0.5], rel=1e-13)


def test_a_hundred_thousand_fields():
    """With equal fields the belief in each may rise to 1 - (none right)^(1/n)."""
    n, prior, advantage = 100_000, 1e-6, 0.05
    with mp.workdps(50):
        p = mp.mpf(prior)
        each = 1 - ((1 - p) ** n - mp.mpf(advantage)) ** (mp.mpf(1) / n)
        truth = float(mp.log(each / (1 - each)) - mp.log(p / (1 - p)))
    found = epsilon_any(advantage, np.full(n, prior), 1.0)
    assert found == pytest.approx(truth, rel=1e-12)
    assert found <= truth
    assert advantage_any(truth, np.full(n, prior), 1.0) == pytest.approx(advantage, rel=1e-12)


def test_records_and_privacy_parameters_in_arrays():
    priors, sensitivities = np.array([[0.1, 0.4], [0.5, 0.9]]), np.array([[1.0, 2.0], [3.0, 0.5]])
    together = advantage_any([0.2, 0.3], priors, sensitivities)
    alone = [float(advantage_any(x, p, r)) for x, p, r in zip((0.2, 0.3), priors, sensitivities, strict=True)]
    assert together == pytest.approx(alone, rel=1e-14)
    assert epsilon_any(0.1, 0.3, [1.0, 1.0]) == epsilon_any(0.1, [0.3, 0.3], 1.0)
