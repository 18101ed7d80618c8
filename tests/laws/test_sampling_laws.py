"""Laws of what a sample's histogram tells about a person."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.formulas.sampling import exact_fractions, known_shares, vulnerability

ROUNDING = 1 + 1e-12
SAMPLES = st.integers(1, 3000)
VALUES = st.integers(2, 40)
ALPHAS = st.one_of(st.floats(1e-6, 1e6), st.just(1.0), st.just(math.inf))
COUNTS = st.lists(st.integers(0, 60), min_size=1, max_size=8).filter(any)


@given(SAMPLES, st.integers(1, 500), VALUES, ALPHAS)
def test_a_larger_sample_hides_its_people_and_shows_the_others(m, more, k, alpha):
    n = m + more
    assert vulnerability.inside(n, k, alpha).value <= vulnerability.inside(m, k, alpha).value * ROUNDING
    assert vulnerability.outside(m, k, alpha).value <= vulnerability.outside(n, k, alpha).value * ROUNDING
    assert vulnerability.unknown(n, m, k, alpha).value <= vulnerability.unknown(n, n, k, alpha).value * ROUNDING


@given(SAMPLES, st.integers(0, 10**6), VALUES, ALPHAS)
def test_not_knowing_is_between_outside_and_inside(m, others, k, alpha):
    outside, inside = vulnerability.outside(m, k, alpha).value, vulnerability.inside(m, k, alpha).value
    unknown = vulnerability.unknown(m + others, m, k, alpha).value
    assert 1 / k <= outside * ROUNDING
    assert outside <= unknown * ROUNDING
    assert unknown <= inside * ROUNDING
    assert inside <= 1


@given(SAMPLES, VALUES, st.floats(1e-3, 1e3), st.floats(1.01, 100))
def test_a_belief_in_equal_shares_makes_guessing_harder(m, k, alpha, factor):
    harder = vulnerability.inside(m, k, alpha * factor).value
    assert harder <= vulnerability.inside(m, k, alpha).value * ROUNDING
    assert vulnerability.inside(m, k, math.inf).value <= harder * ROUNDING


@given(st.integers(1, 9), st.integers(2, 6), st.fractions(Fraction(1, 1000), 50, max_denominator=1000))
def test_floats_are_the_fractions(m, k, alpha):
    for name in ("inside", "outside"):
        exact = getattr(exact_fractions, name)(m, k, alpha)
        assert getattr(vulnerability, name)(m, k, float(alpha)).value == pytest.approx(float(exact), rel=1e-13)


@given(st.integers(1, 10**9), st.integers(2, 64))
def test_any_sample_of_uniform_shares_is_exact(m, k):
    assert vulnerability.inside(m, k, 1.0).value == pytest.approx(float(exact_fractions.inside(m, k, 1)), rel=1e-14)


@given(VALUES)
def test_a_huge_sample_of_uniform_shares_tells_the_largest_share(k):
    """It is H_K / K on average."""
    limit = sum(1 / j for j in range(1, k + 1)) / k
    assert vulnerability.inside(10**15, k, 1.0).value == pytest.approx(limit, rel=1e-13)
    assert vulnerability.outside(10**15, k, 1.0).value == pytest.approx(limit, rel=1e-13)


@given(SAMPLES, VALUES)
def test_people_who_are_all_alike_have_no_secret(m, k):
    assert vulnerability.inside(m, k, 1e-12).value == pytest.approx(1, abs=1e-9)
    assert vulnerability.outside(m, k, 1e-12).value == pytest.approx(1, abs=1e-9)


@given(COUNTS, st.floats(1e-3, 1e3), st.randoms(use_true_random=False))
def test_the_order_of_the_values_does_not_matter(counts, alpha, random):
    shuffled = random.sample(counts, len(counts))
    assert vulnerability.outside_given(shuffled, alpha) == vulnerability.outside_given(counts, alpha)
    sample = random.randint(1, sum(counts))
    again = known_shares.inside(shuffled, sample)
    assert known_shares.inside(counts, sample) == pytest.approx(again, rel=1e-13)


@given(COUNTS)
def test_known_shares_are_hidden_by_larger_samples(counts):
    n = sum(counts)
    inside = np.array([known_shares.inside(counts, m) for m in range(1, n + 1, 1 + n // 20)])
    assert (np.diff(inside) <= 1e-13).all()
    assert inside[0] == pytest.approx(1, rel=1e-14)
    assert (known_shares.unknown(counts) <= inside * ROUNDING).all()
    outside = np.array([known_shares.outside(counts, m) for m in range(0, n, 1 + n // 20)])
    assert (np.diff(outside) >= -1e-13).all()
    assert outside[0] == pytest.approx(known_shares.unknown(counts), rel=1e-14)


@given(COUNTS, st.data())
def test_a_value_nobody_has_changes_nothing(counts, data):
    sample = data.draw(st.integers(1, sum(counts)))
    assert known_shares.inside([*counts, 0, 0], sample) == known_shares.inside(counts, sample)
