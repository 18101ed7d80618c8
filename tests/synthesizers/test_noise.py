"""Real and simulated noise follow the same laws, compared with probabilities written out here."""

import math

import numpy as np
import pytest
from scipy import stats

from epsilometer.synthesizers.noise import ReleaseNoise, SimulatedNoise

SOURCES = pytest.mark.parametrize("noise", [ReleaseNoise(), SimulatedNoise(7)], ids=["release", "simulated"])
N = 20_000
RARELY = 1e-6  # chance that a right law fails a test


@SOURCES
def test_whole_noise_is_two_sided_geometric(noise):
    drawn = noise.whole(np.full((100, N // 100), 5), 2.0) - 5
    q = math.exp(-1 / 2)
    values = np.arange(-6, 7)
    expected = (1 - q) / (1 + q) * q ** np.abs(values)
    seen = np.array([(drawn == value).sum() for value in values])
    assert drawn.shape == (100, N // 100)
    assert stats.chisquare([*seen, N - seen.sum()], [*N * expected, N * (1 - expected.sum())]).pvalue > RARELY


@SOURCES
def test_real_noise_is_laplace(noise):
    drawn = noise.real(np.full(N, 3.0), 0.5) - 3.0
    assert stats.kstest(drawn, stats.laplace(scale=0.5).cdf).pvalue > RARELY


@SOURCES
def test_the_choice_is_the_largest_after_exponential_noise(noise):
    # of two, the lower wins if its noise exceeds the other's by the gap: half of e^(-gap / twice the scale)
    scores, scale, n = np.array([0.0, 2.0]), 1.0, 4000
    lower = sum(noise.choose(scores, scale) == 0 for _ in range(n))
    assert stats.binomtest(lower, n, math.exp(-2.0 / (2 * scale)) / 2).pvalue > RARELY


def test_a_seed_repeats_and_a_release_does_not():
    zeros = np.zeros(20, dtype=np.int64)
    assert (SimulatedNoise(1).whole(zeros, 10.0) == SimulatedNoise(1).whole(zeros, 10.0)).all()
    assert (ReleaseNoise().whole(zeros, 10.0) != ReleaseNoise().whole(zeros, 10.0)).any()
