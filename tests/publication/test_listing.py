"""The threshold of a list, against OpenDP's own mechanisms for lists and against listing a lone person."""

import math

import numpy as np
import opendp.prelude as dp
import pytest
from scipy import stats

from epsilometer.mechanisms import DiscreteGaussian, Geometric
from epsilometer.publication.listing import listing_threshold
from epsilometer.synthesizers.noise import ReleaseNoise

dp.enable_features("contrib")
COUNTS = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int))
CASES = [(1.0, 1, 1e-6), (1.0, 3, 1e-6), (0.3, 2, 1e-9), (2.5, 4, 0.01), (0.05, 1, 0.2)]


def first_with(delta_at, support_delta):
    return next(threshold for threshold in range(1, 10_000) if delta_at(threshold) <= support_delta)


@pytest.mark.parametrize(("epsilon", "moved", "support_delta"), CASES)
def test_geometric_noise_agrees_with_opendp(epsilon, moved, support_delta):
    """OpenDP lists counts from its threshold on, but states the delta of those above it: opendp/opendp#2922."""
    noise = Geometric(epsilon=epsilon / moved)
    metric = dp.l01inf_distance(dp.absolute_distance(T=int))

    def delta_above(threshold):
        listing = dp.m.make_laplace_threshold(COUNTS, metric, scale=noise.scale, threshold=threshold)
        return listing.map((moved, moved, 1))[1]

    assert listing_threshold(noise, moved, support_delta) - 1 == max(1, first_with(delta_above, support_delta))


@pytest.mark.parametrize(("epsilon", "moved", "support_delta"), CASES)
def test_gaussian_noise_agrees_with_opendp(epsilon, moved, support_delta):
    """OpenDP takes the tail of real noise, which lies between those of two neighbouring whole numbers."""
    noise = DiscreteGaussian(epsilon=epsilon, delta=1e-6)
    metric = dp.l02inf_distance(dp.absolute_distance(T=int))

    def delta_at(threshold):
        listing = dp.m.make_gaussian_threshold(COUNTS, metric, scale=noise.sigma, threshold=threshold)
        return listing.map((moved, math.ceil(math.sqrt(moved)), 1))[1]

    theirs = first_with(delta_at, support_delta)
    assert listing_threshold(noise, moved, support_delta) in {theirs, theirs + 1}


@pytest.mark.parametrize(
    "noise", [Geometric(epsilon=1.0), DiscreteGaussian(epsilon=1.0, delta=0.01)], ids=lambda m: m.name
)
def test_a_lone_person_is_listed_with_the_probability_stated(noise):
    """At the threshold at most, one below it more; real noise, false alarm once in a million."""
    support_delta, moved, n = 0.02, 2, 50_000
    threshold = listing_threshold(noise, moved, support_delta)
    draw = ReleaseNoise().whole if isinstance(noise, Geometric) else ReleaseNoise().whole_gaussian
    counts = draw(np.ones((n, moved), dtype=np.int64), noise.scale)
    listed, listed_below = (int((counts >= level).any(axis=1).sum()) for level in (threshold, threshold - 1))
    assert stats.binomtest(listed, n, support_delta, alternative="greater").pvalue > 1e-6
    assert stats.binomtest(listed_below, n, support_delta, alternative="greater").pvalue < 1e-6


def test_the_list_starts_at_one_and_at_the_mechanisms_own_threshold():
    assert listing_threshold(Geometric(epsilon=1.0), 1, 0.9) == 1
    assert listing_threshold(Geometric(epsilon=1.0, threshold=99.5), 1, 1e-6) == 100


def test_noise_so_small_that_a_lone_person_shows_for_sure_lists_two_at_least():
    assert listing_threshold(Geometric(epsilon=60.0), 1, 0.5) == 2
