"""Laws of the expected, shrinkage and global risk."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import epsilometer as em
from epsilometer.formulas.empirical_bayes import CommonShares, HomogeneousCells
from epsilometer.formulas.homogeneity.expected import expected, expected_of_counts
from epsilometer.formulas.homogeneity.global_risk import global_fixed, global_shrinkage
from epsilometer.formulas.homogeneity.local import largest_local, local
from epsilometer.formulas.homogeneity.shrinkage import shrinkage
from epsilometer.formulas.homogeneity.size_laws import NegativeBinomial, Poisson, ZeroInflated
from epsilometer.mechanisms import Gaussian, Geometric, Laplace

SIZES = st.integers(1, 300)
NOISES = st.one_of(
    st.floats(0.01, 30).map(lambda e: Laplace(epsilon=e)),
    st.floats(0.01, 30).map(lambda e: Geometric(epsilon=e, threshold=2.0)),
    st.floats(0.2, 20).map(lambda e: Gaussian(epsilon=e, delta=1e-6)),
)
POSITIVE = st.lists(st.floats(0.01, 1.0), min_size=2, max_size=6).map(np.array)
SHARES = POSITIVE.map(lambda weights: weights / weights.sum())


def printed_12(n, p, epsilon):
    """Equation (12) of Paper 001, character by character."""
    k = len(p)
    first = (1 - 0.5 * np.exp(-0.5 * epsilon)) ** (k - 1) * (1 - 0.5 * np.exp((0.5 - n) * epsilon)) * (p**n).sum()
    second = (1 - 0.5 * np.exp((1.5 - n) * epsilon)) * 0.5 * np.exp(-0.5 * epsilon)
    return first + second * (1 - 0.5 * np.exp(-0.5 * epsilon)) ** (k - 2) * (p ** (n - 1) * (1 - p)).sum()


@given(st.integers(2, 60), SHARES, st.floats(0.01, 20))
def test_the_printed_bound_is_below_the_risk(n, shares, epsilon):
    """Erratum E1: Eq. (12) is stated as an upper bound and is strictly smaller."""
    printed = printed_12(n, shares, epsilon)
    assert float(expected(n, shares, Laplace(epsilon=epsilon))) > printed * (1 - 1e-12)
    if n * (1 - shares.max()) * np.exp(-epsilon) > 1e-6:
        assert float(expected(n, shares, Laplace(epsilon=epsilon))) > printed


@given(SIZES, SHARES, NOISES, st.randoms(use_true_random=False))
def test_the_order_of_the_values_does_not_matter(n, shares, noise, random):
    order = random.sample(range(len(shares)), len(shares))
    assert_allclose(expected(n, shares[order], noise), expected(n, shares, noise), rtol=1e-12)
    assert_allclose(shrinkage(n, 5 * shares[order], noise), shrinkage(n, 5 * shares, noise), rtol=1e-9)


@given(SIZES, SHARES, NOISES)
def test_a_mean_of_risks_is_at_most_the_largest(n, shares, noise):
    largest = float(largest_local(len(shares), noise)) * (1 + 1e-9)
    for risk in (expected(n, shares, noise), shrinkage(n, 3 * shares, noise)):
        assert 0 <= float(risk) <= largest
    for sizes in (Poisson(n / 10), NegativeBinomial(0.7, 0.2)):
        assert 0 <= float(global_fixed(shares, sizes, noise)) <= largest
        assert 0 <= float(global_shrinkage(shares, sizes, noise)) <= largest


@given(SIZES, SHARES)
def test_without_information_in_the_counts_only_presence_matters(n, shares):
    """As epsilon tends to 0 every count vanishes with probability 1/2."""
    limit = -np.expm1(n * np.log1p(-shares)).sum() / 2 ** len(shares)
    assert float(expected(n, shares, Laplace(epsilon=1e-9))) == pytest.approx(limit, rel=1e-5)


@given(SIZES, SHARES)
def test_without_noise_only_homogeneous_cells_are_disclosed(n, shares):
    risk = float(expected(n, shares, Laplace(epsilon=1e4)))
    assert risk == pytest.approx((shares**n).sum(), rel=1e-10, abs=1e-290)


@given(SIZES, SHARES, st.lists(st.floats(0.01, 20), min_size=2, max_size=4))
def test_a_curve_is_its_points(n, shares, epsilons):
    noise, points = Laplace(epsilon=epsilons), [Laplace(epsilon=e) for e in epsilons]
    sizes = NegativeBinomial(1.0, 0.3)
    for formula in (
        lambda noise: expected([n, 1], shares, noise),
        lambda noise: shrinkage([[n], [1]], shares, noise),
        lambda noise: shrinkage(n, HomogeneousCells(shares), noise),
        lambda noise: global_fixed(shares, Poisson(3.0), noise),
        lambda noise: global_fixed(shares, sizes, noise),
        lambda noise: global_shrinkage(shares, sizes, noise),
    ):
        assert_allclose(formula(noise), np.stack([formula(point) for point in points]), rtol=1e-9)


@settings(max_examples=25)
@given(st.integers(1, 80), SHARES, NOISES)
def test_shrinkage_has_the_limits_of_its_prior(n, shares, noise):
    fixed, homogeneous = CommonShares(shares), HomogeneousCells(shares)
    assert_allclose(shrinkage(n, 1e9 * shares, noise), shrinkage(n, fixed, noise), rtol=1e-4)
    assert_allclose(shrinkage(n, 1e-9 * shares, noise), shrinkage(n, homogeneous, noise), rtol=1e-6)
    cell = np.r_[n, np.zeros(len(shares) - 1)]
    assert_allclose(shrinkage(n, homogeneous, noise), local(cell, noise), rtol=1e-12)
    assert_allclose(shrinkage(n, fixed, noise), expected(n, shares, noise), rtol=1e-11)


@given(SIZES, SHARES, NOISES)
def test_one_record_makes_every_prior_alike(n, shares, noise):
    assert_allclose(shrinkage(1, n * shares, noise), expected(1, shares, noise), rtol=1e-10)


@given(SHARES, NOISES, st.floats(0, 0.99), st.floats(0.01, 50))
def test_extra_empty_cells_only_dilute(shares, noise, extra, rate):
    plain, truncated = Poisson(rate, truncated=False), Poisson(rate)
    diluted = (1 - extra) * global_fixed(shares, plain, noise)
    assert_allclose(global_fixed(shares, ZeroInflated(plain, extra), noise), diluted, rtol=1e-12)
    assert_allclose(
        global_shrinkage(shares, ZeroInflated(truncated, extra), noise),
        global_shrinkage(shares, truncated, noise),
        rtol=1e-12,
    )


def test_a_rate_of_zero_is_a_table_of_single_records():
    noise = Laplace(epsilon=1.0)
    for risk in (global_fixed([0.5, 0.5], Poisson(0.0), noise), global_shrinkage([2, 1], Poisson(0.0), noise)):
        assert float(risk) == pytest.approx(float(local([1, 0], noise)))


def test_a_profile_is_its_cells():
    rng = np.random.default_rng(7)
    counts = rng.multinomial(rng.integers(1, 200, size=60), [0.7, 0.2, 0.1, 0.0])
    noise = Gaussian(epsilon=[0.3, 3.0], delta=1e-6)
    one_by_one = [expected(c.sum(), c / c.sum(), noise) for c in counts]
    assert_allclose(expected_of_counts(counts, noise), np.transpose(one_by_one), rtol=1e-11)


@pytest.mark.parametrize("noise", [Laplace(epsilon=1e-5), Geometric(epsilon=1e-5)], ids=["laplace", "geometric"])
def test_a_cell_of_a_million_records(noise):
    """Rates of 1e5 records against a scale of 1e5: the counts are known to a thousandth, and so is the risk."""
    shares = np.full(4, 0.25)
    risk = float(expected(10**6, shares, noise))
    assert risk == pytest.approx(float(local(10**6 * shares, noise)), rel=1e-3)


def test_ten_thousand_values():
    noise = Laplace(epsilon=30.0)
    shares = np.r_[0.999, np.full(9_999, 0.001 / 9_999)]
    nobody_else = float(local([1000, *np.zeros(9_999)], noise))
    risk = float(expected(1000, shares, noise))
    assert risk == pytest.approx(0.999**1000 * nobody_else, rel=1e-5)
    denormal = np.r_[1.0, np.full(9_999, 5e-324)]
    assert float(expected(1000, denormal, noise)) == pytest.approx(nobody_else)


@pytest.mark.parametrize("measure", ["local", "expected", "shrinkage", "global-fixed"])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 6.0])
def test_ten_thousand_values_in_cells_of_a_thousand_neither_overflow_nor_exceed_the_worst_table(measure, epsilon):
    """Shares as a real cell has them: most values absent, the others with one record or two."""
    row = np.random.default_rng(0).multinomial(1000, np.full(10_000, 1e-4))
    freq = em.FrequencyTable.from_counts([row, np.roll(row, 1)])
    risk = em.homogeneity_risk(freq, em.Laplace(epsilon=epsilon), measure)
    assert 0 <= risk.value <= risk.any_table + 1e-12
