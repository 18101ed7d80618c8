"""How many counts are how far off: against the expected error, and against counting it out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epsilometer.formulas.count_error import expected_absolute_error
from epsilometer.formulas.error_share import probability_within
from epsilometer.formulas.homogeneity.simulation import publish
from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace

KINDS = {
    "laplace": lambda threshold: Laplace(epsilon=0.8, threshold=threshold),
    "geometric": lambda threshold: Geometric(epsilon=0.8, threshold=threshold),
    "gaussian": lambda threshold: Gaussian(epsilon=2.0, delta=1e-3, threshold=threshold),
    "discrete": lambda threshold: DiscreteGaussian(epsilon=2.0, delta=1e-3, threshold=threshold),
}
every_kind = pytest.mark.parametrize("noise_at", KINDS.values(), ids=KINDS.keys())


@every_kind
@given(threshold=st.sampled_from([-1.0, 0.0, 0.3, 0.5, 1.0, 1.5, 2.5, 4.0, 9.0]))
@settings(deadline=None, max_examples=9)
def test_sums_to_the_expected_error(noise_at, threshold):
    """The mean of a whole number is the sum of its tails."""
    noise, counts = noise_at(threshold), np.array([0, 1, 2, 3, 8, 60])
    further = sum(1 - probability_within(counts, distance, noise) for distance in range(400))
    np.testing.assert_allclose(further, expected_absolute_error(counts, noise), atol=1e-9)


@every_kind
@pytest.mark.parametrize("threshold", [0.5, 3.2])
def test_agrees_with_published_counts(noise_at, threshold):
    noise, counts = noise_at(threshold), np.array([0, 1, 4, 30])
    shown = publish(np.broadcast_to(counts[:, None], (4, 40_000)), noise, np.random.default_rng(1))
    off = np.abs(shown - counts[:, None])
    for distance in (0, 1, 3):
        share = (off <= distance).mean(axis=1)
        np.testing.assert_allclose(share, probability_within(counts, distance, noise), atol=0.015)


def test_never_falls_with_the_distance():
    noise = Laplace(epsilon=(0.05, 1.0), threshold=5.0)
    shares = np.stack([probability_within([0, 3, 100], distance, noise) for distance in range(80)])
    assert (np.diff(shares, axis=0) >= -1e-15).all()
