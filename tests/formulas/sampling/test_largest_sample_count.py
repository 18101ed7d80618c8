import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

from epsilometer.formulas.sampling import smooth_sums
from epsilometer.formulas.sampling.exact_fractions import largest_count, largest_count_of_uniform_shares
from epsilometer.formulas.sampling.largest_sample_count import expected_largest_count, largest_count_of_many
from epsilometer.formulas.sampling.largest_share import expected_largest_share
from epsilometer.formulas.sampling.symmetric_counts import SymmetricCounts

SIZES = [1, 2, 3, 10, 33, 1000, 10**6, 10**9, 10**9 + 1]
ALPHAS = [1e-6, 0.3, 1.0, 2.5, 40.0, 1e4, 1e9, 1e12, 1e15, math.inf]


def larger_of_two(m, alpha):
    """m/2 + E|y - m/2| by the partial mean of the beta-binomial distribution, in 50 digits."""
    c = m // 2
    if math.isinf(alpha):
        return mp.mpf(m) / 2 + (m - c) * mp.binomial(m, c) / mp.mpf(2) ** m
    a = mp.mpf(alpha)
    log_pmf = mp.log(mp.binomial(m, c)) + mp.log(mp.beta(a + c, a + m - c)) - mp.log(mp.beta(a, a))
    return mp.mpf(m) / 2 + (m - c) * (c + a) / a * mp.exp(log_pmf)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_two_values_at_any_size(alpha):
    with mp.workdps(50):
        for m in SIZES:
            truth = larger_of_two(m, alpha)
            assert abs(float(expected_largest_count(m, 2, alpha).value / truth - 1)) < 1e-14


@pytest.mark.parametrize("m", [*SIZES[:-1], 999_999_999])
def test_two_values_and_uniform_shares_as_printed(m):
    """Paper 002, (4.18)."""
    printed = 0.75 + 1 / (4 * (m + 1)) if m % 2 == 0 else 0.75 + 1 / (4 * m)
    assert expected_largest_count(m, 2, 1.0).value / m == pytest.approx(printed, rel=1e-14)


@pytest.mark.parametrize("k", [3, 4, 10, 100])
@pytest.mark.parametrize("alpha", [Fraction(1, 10**6), Fraction(1, 20), Fraction(1, 2), Fraction(37, 10), 40, math.inf])
def test_few_people_against_fractions(k, alpha):
    for m in (1, 2, 3, 7, 14):
        exact = expected_largest_count(m, k, float(alpha))
        assert exact.exact
        assert exact.value == pytest.approx(float(largest_count(m, k, alpha)), rel=5e-14)


@pytest.mark.parametrize("k", [3, 5, 10, 30, 64])
def test_the_sum_agrees_with_inclusion_and_exclusion(k):
    for m in (1, 2, 5, 10, 100, 1000, 5000):
        summed = SymmetricCounts(m, k, 1.0).expected_largest()
        assert summed == pytest.approx(float(largest_count_of_uniform_shares(m, k)), rel=1e-13)


@pytest.mark.parametrize("m", [10, 1000, 10_000])
def test_three_equal_shares_against_a_double_sum(m):
    first = np.arange(m + 1)
    inside = first[stats.binom.pmf(first, m, 1 / 3) > 1e-22]
    given_first = []
    for y in inside:
        other = np.arange(m - y + 1)
        largest = np.maximum(y, np.maximum(other, m - y - other))
        given_first.append(stats.binom.pmf(other, m - y, 0.5) @ largest)
    truth = stats.binom.pmf(inside, m, 1 / 3) @ np.array(given_first)
    assert expected_largest_count(m, 3, math.inf).value == pytest.approx(truth, rel=1e-12)


@pytest.mark.parametrize(
    ("m", "k", "alpha"),
    [(10**4, 3, math.inf), (10**4, 10, math.inf), (10**4, 100, math.inf), (10**4, 10, 1e4), (2000, 10, 0.5),
     (2000, 10, 3.7), (2000, 3, 0.05)],
)  # fmt: skip
def test_few_thresholds_do_for_all(m, k, alpha, monkeypatch):
    quick = expected_largest_count(m, k, alpha).value
    monkeypatch.setattr(smooth_sums, "_SHORT", 10**9)
    smooth_sums._rule.cache_clear()
    in_full = expected_largest_count(m, k, alpha).value
    smooth_sums._rule.cache_clear()
    assert quick == pytest.approx(in_full, rel=2e-13)


def test_a_million_people_and_equal_shares():
    """The largest of k nearly normal counts; the next term is of the order of 1."""
    for k, largest_normal in ((3, 1.5 / math.sqrt(math.pi)), (10, 1.5387527308351728)):
        excess = expected_largest_count(10**6, k, math.inf).value - 10**6 / k
        assert excess == pytest.approx(math.sqrt(10**6 / k) * largest_normal, abs=0.6)


@pytest.mark.parametrize("k", [3, 10, 64])
def test_the_bracket_holds_the_exact_value(k):
    for m in (10**5, 10**9):
        exact = float(largest_count_of_uniform_shares(m, k))
        bracket = largest_count_of_many(m, k, 1.0)
        assert bracket.low <= exact <= bracket.high
        assert bracket.value == pytest.approx(exact, rel=3e-7)
        assert bracket.high - bracket.low == pytest.approx(float(mp.harmonic(k)) - 1, abs=1e-6)


@pytest.mark.parametrize(
    ("m", "k", "alpha"), [(50_000, 3, 0.5), (10_000, 10, 0.05), (30_000, 10, 20.0), (10**5, 3, 300.0)]
)
def test_the_bracket_holds_the_sum(m, k, alpha):
    bracket = largest_count_of_many(m, k, alpha)
    exact = SymmetricCounts(m, k, alpha).expected_largest()
    assert bracket.low <= exact <= bracket.high
    assert bracket.value == pytest.approx(exact, rel=2e-6)


@pytest.mark.parametrize(("m", "k", "alpha"), [(10**4, 10**6, 1e-5), (2000, 10**5, 1e-6), (10**4, 10**6, 1e-3)])
def test_most_of_very_many_values_do_not_occur(m, k, alpha):
    """The few that do have long tails, which must not be cut."""
    bracket = largest_count_of_many(m, k, alpha)
    assert bracket.low <= SymmetricCounts(m, k, alpha).expected_largest() <= bracket.high


def test_many_values_and_people_get_a_bracket():
    bracket = expected_largest_count(10**9, 65, 1.0)
    assert not bracket.exact
    assert bracket.low <= float(largest_count_of_uniform_shares(10**9, 65)) <= bracket.high


@pytest.mark.parametrize("k", [2, 3, 10])
def test_the_ends_of_alpha(k):
    for m in (1, 7, 1000):
        assert expected_largest_count(m, k, 5e-324).value == pytest.approx(m, rel=1e-13)
        equal = expected_largest_count(m, k, math.inf).value
        assert expected_largest_count(m, k, 1e308).value == equal
        assert expected_largest_count(m, k, 1e14).value == pytest.approx(equal, rel=1e-11)


def test_nobody_in_the_sample():
    assert expected_largest_count(0, 3, 1.0) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("k", [2, 3, 100, 10**6])
def test_the_largest_of_uniform_shares(k):
    assert expected_largest_share(k, 1.0) == pytest.approx(float(mp.harmonic(k)) / k, rel=1e-14)


@pytest.mark.parametrize("alpha", [0.01, 0.3, 3.7])
def test_the_largest_share_by_quadrature(alpha):
    def above(x):
        return 1 - mp.gammainc(alpha, 0, x, regularized=True) ** 3

    with mp.workdps(25):
        integral = mp.quad(above, [0, 1e-8, 1e-4, 1e-2, 0.1, 1, 5, 20, 80])
    assert expected_largest_share(3, alpha) == pytest.approx(float(integral) / (3 * alpha), rel=1e-13)


def test_the_largest_share_at_the_ends_of_alpha():
    assert expected_largest_share(3, 1e-30) == pytest.approx(1, abs=1e-13)
    excess = (3 * expected_largest_share(3, 1e9) - 1) * math.sqrt(1e9)
    assert excess == pytest.approx(1.5 / math.sqrt(math.pi), rel=1e-5)
