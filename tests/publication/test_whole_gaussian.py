"""Discrete Gaussian noise, real and simulated, against probabilities written out here; and many numbers at a time."""

import numpy as np
import pytest
from scipy import stats

from epsilometer.synthesizers import noise as module
from epsilometer.synthesizers.noise import ReleaseNoise, SimulatedNoise

N = 20_000
RARELY = 1e-6  # chance that a right law fails a test


@pytest.mark.parametrize("noise", [ReleaseNoise(), SimulatedNoise(7)], ids=["release", "simulated"])
def test_it_is_discrete_gaussian(noise):
    drawn = noise.whole_gaussian(np.full((100, N // 100), 5), 1.7) - 5
    every = np.arange(-100, 101)
    law = np.exp(-(every**2) / (2 * 1.7**2))
    law /= law.sum()
    values = np.arange(-5, 6)
    seen, expected = np.array([(drawn == value).sum() for value in values]), N * law[values + 100]
    assert drawn.shape == (100, N // 100)
    assert stats.chisquare([*seen, N - seen.sum()], [*expected, N - expected.sum()]).pvalue > RARELY


@pytest.mark.parametrize("at_once", [1, 7, 10, 1000])
def test_numbers_keep_their_places_however_many_are_handed_over_at_once(monkeypatch, at_once):
    """Noise of a tiny scale is zero; ten numbers in parts of one, seven, ten or all."""
    monkeypatch.setattr(module, "AT_ONCE", at_once)
    values = np.arange(10).reshape(2, 5) * 1000
    assert (ReleaseNoise().whole(values, 1e-3) == values).all()
    assert (ReleaseNoise().whole_gaussian(values, 1e-3) == values).all()
    assert np.allclose(ReleaseNoise().real(values * 0.5, 1e-9), values * 0.5)


def test_a_seed_repeats_and_a_release_does_not():
    zeros = np.zeros(20, dtype=np.int64)
    assert (SimulatedNoise(1).whole_gaussian(zeros, 10.0) == SimulatedNoise(1).whole_gaussian(zeros, 10.0)).all()
    assert (ReleaseNoise().whole_gaussian(zeros, 10.0) != ReleaseNoise().whole_gaussian(zeros, 10.0)).any()
