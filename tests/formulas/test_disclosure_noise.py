"""Epsilon from a magnitude of the noise, as printed and with the quantiles of the Laplace law (erratum R4)."""

import math

import pytest
from scipy import stats

from epsilometer.formulas.disclosure_noise import (
    epsilon_for_noise,
    epsilon_for_noise_above,
    published_epsilon_for_noise,
)


def test_r4_two_standard_deviations_are_not_95_percent():
    for noise in (0.1, 1.0, 20.0):
        law = stats.laplace(scale=1 / published_epsilon_for_noise(noise))
        assert noise == pytest.approx(2 * law.std())
        assert law.cdf(noise) - law.cdf(-noise) == pytest.approx(1 - math.exp(-2 * math.sqrt(2)))
        assert round(law.cdf(noise) - law.cdf(-noise), 4) == 0.9409
        assert round(law.cdf(noise), 4) == 0.9704


@pytest.mark.parametrize("confidence", [0.6, 0.95, 1 - 1e-9])
@pytest.mark.parametrize("sensitivity", [1.0, 2.0])
def test_the_noise_stays_below_with_the_probability_asked_for(confidence, sensitivity):
    noise, asked = 3.0, {"confidence": confidence, "sensitivity": sensitivity}
    both = stats.laplace(scale=sensitivity / epsilon_for_noise(noise, **asked))
    above = stats.laplace(scale=sensitivity / epsilon_for_noise_above(noise, **asked))
    assert 2 * both.sf(noise) == pytest.approx(1 - confidence, rel=1e-7)
    assert above.sf(noise) == pytest.approx(1 - confidence, rel=1e-7)


def test_the_corrected_constants():
    assert epsilon_for_noise(1.0) == pytest.approx(2.9957322735539910, rel=1e-15)
    assert epsilon_for_noise_above(1.0) == pytest.approx(2.3025850929940457, rel=1e-15)
    assert published_epsilon_for_noise(1.0, sensitivity=2.0) == pytest.approx(4 * math.sqrt(2), rel=1e-15)
