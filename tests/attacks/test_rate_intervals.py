"""Intervals of shares, against published tables and against the equations they solve."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, norm

from epsilometer.vocabulary.share_intervals import clopper_pearson, difference, wilson

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_as_tabulated(successes, trials, low, high):
    """Score intervals at 95 % (Newcombe 1998, Statistics in Medicine 17, 857-872, Table I, method 3)."""
    found = wilson(successes, trials)
    assert found.value == successes / trials
    assert (found.interval.low, found.interval.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((6, 7), (2, 7), 0.0582, 0.8062),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 20), -0.1611, 0.2775),
        ((0, 10), (0, 10), -0.2775, 0.2775),
        ((10, 10), (0, 20), 0.6791, 1.0),
        ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)
def test_difference_as_tabulated(one, other, low, high):
    """Score intervals at 95 % (Newcombe 1998, Statistics in Medicine 17, 873-890, Table II, method 10)."""
    found = difference(wilson(*one), wilson(*other))
    assert found.value == pytest.approx(one[0] / one[1] - other[0] / other[1])
    assert (found.interval.low, found.interval.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


@given(counts, st.sampled_from([0.8, 0.95, 0.99]))
def test_wilson_ends_where_the_score_test_rejects(count, confidence):
    """At an end p other than 0 and 1, the share is z standard deviations from p: (x/n - p)^2 = z^2 p (1 - p) / n."""
    (successes, trials), z = count, norm.isf((1 - confidence) / 2)
    interval = wilson(successes, trials, confidence).interval
    for end in (interval.low, interval.high):
        np.testing.assert_allclose((successes / trials - end) ** 2, z**2 * end * (1 - end) / trials, atol=1e-9)


@given(counts)
def test_clopper_pearson_leaves_a_fortieth_at_either_side(count):
    successes, trials = count
    interval = clopper_pearson(successes, trials).interval
    above, below = binom.sf(successes - 1, trials, interval.low), binom.cdf(successes, trials, interval.high)
    assert above == pytest.approx(0.025 if successes else 1.0, rel=1e-6)
    assert below == pytest.approx(0.025 if successes < trials else 1.0, rel=1e-6)


def test_a_sum_of_chances_is_rounded_away_from_the_truth():
    found = wilson(10.4, 40)
    assert found.value == 10.4 / 40
    assert found.interval.low == wilson(10, 40).interval.low
    assert found.interval.high == wilson(11, 40).interval.high
    assert wilson(sum([1 / 3] * 30), 40).interval == wilson(10, 40).interval
