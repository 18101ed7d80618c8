"""One noisy count of a sample: limits, several privacy parameters at once, and samples too large to sum over."""

import math

import numpy as np
import pytest

import epsilometer as em
from epsilometer.formulas.sampling.largest_sample_count import mean_distance_from_half
from epsilometer.formulas.sampling.noisy_count import noisy_inside, noisy_outside


def direct_sum(m, noise):
    """The formula over every count of the sample, for equally likely counts."""
    y = np.arange(m + 1)
    distance = np.abs(y - m / 2)
    told = 1 - noise.probability_below(-distance) - noise.probability_at_least(distance)
    return 0.5 + (2 * distance * told).mean() / (2 * m)


@pytest.mark.parametrize("m", [1, 2, 2047, 2048, 5000, 300_001])
@pytest.mark.parametrize("noise", [em.Laplace(epsilon=1.0), em.Geometric(epsilon=1e-4), em.Gaussian.with_sigma(700.0)])
def test_chunks_leave_nothing_out(m, noise):
    assert float(noisy_inside(m, 1.0, noise)) == pytest.approx(direct_sum(m, noise), abs=1e-14)


@pytest.mark.parametrize("alpha", [0.3, 1.0, math.inf])
@pytest.mark.parametrize("kind", [em.Laplace, em.Geometric])
def test_several_privacy_parameters_are_answered_one_by_one(kind, alpha):
    epsilons = (0.001, 0.1, 5.0)
    together = noisy_inside(60, alpha, kind(epsilon=epsilons))
    outside = noisy_outside(60, alpha, kind(epsilon=epsilons))
    assert together.shape == outside.shape == (3,)
    alone = [float(noisy_inside(60, alpha, kind(epsilon=epsilon))) for epsilon in epsilons]
    assert together == pytest.approx(alone, abs=1e-15)


def test_a_thousand_million_people_are_no_more_work_than_the_noise():
    """The counts are equally likely, so what the noise takes away is a sum of d q^d over all distances from half."""
    m, q = 10**9, math.exp(-1e-4)
    without, lost = 3 / 4 + 1 / (4 * (m + 1)), 2 * q / (1 - q) ** 2 / (m * (m + 1))
    assert lost > 1e-10
    assert float(noisy_inside(m, 1.0, em.Laplace(epsilon=1e-4))) == pytest.approx(without - lost, abs=1e-14)


@pytest.mark.parametrize("alpha", [0.3, 1.0, math.inf])
def test_noise_that_moves_no_count_changes_nothing(alpha):
    expected = 0.5 + mean_distance_from_half(31, alpha) / 31
    assert float(noisy_inside(31, alpha, em.Laplace(epsilon=500.0))) == pytest.approx(expected, abs=1e-15)
