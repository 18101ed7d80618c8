"""Each printed equation, copied into 40-digit arithmetic as it stands in the paper, against the module."""

import mpmath as mp
import numpy as np
import pytest

from epsilometer.formulas.homogeneity import published
from epsilometer.mechanisms import Gaussian, Laplace

SIZES = [1, 2, 3, 7, 30]
N_MAX = 60
HALF = mp.mpf("0.5")

erf, gamma, beta, sqrt = mp.erf, mp.gamma, mp.beta, mp.sqrt


@pytest.fixture(autouse=True)
def forty_digits():
    with mp.workdps(40):
        yield


@pytest.fixture(params=[0.01, 0.7, 5.0])
def e(request):
    return mp.mpf(request.param)


@pytest.fixture(params=[0.3, 2.0, 40.0])
def s(request):
    return mp.mpf(request.param)


def laplace(e):
    return Laplace(epsilon=float(e))


def gaussian(s):
    return Gaussian.with_sigma(float(s))


def exactly(values):
    return pytest.approx([float(value) for value in values], rel=1e-12, abs=0)


def decay(x):
    return HALF * mp.exp(x)


def gamma_ratio(alpha, n):
    total = sum(alpha)
    return sum(gamma(total) * gamma(a + n) / (gamma(total + n) * gamma(a)) for a in alpha)


def gamma_second(alpha, n):
    total = sum(alpha)
    return sum(gamma(n + a - 1) * (total - a) / (gamma(a) * gamma(n + total)) for a in alpha)


def sum_n(first, term):
    return sum(term(mp.mpf(n)) for n in range(first, N_MAX + 1))


def poisson(rate):
    return lambda n: mp.exp(-rate) * rate**n / mp.factorial(n)


def weights(law):
    return [float(law(mp.mpf(n))) for n in range(N_MAX + 1)]


ALPHA2 = [mp.mpf("0.7"), mp.mpf("1.9")]
ALPHA3 = [mp.mpf("0.4"), mp.mpf("1.3"), mp.mpf("2.5")]
A, B = ALPHA2
P3 = [mp.mpf("0.5"), mp.mpf("0.3125"), mp.mpf("0.1875")]
POISSON = poisson(mp.mpf("2.5"))


def floats(numbers):
    return [float(number) for number in numbers]


class TestPaper000Laplace:
    def test_3_1(self, e):
        printed = [
            (1 - decay(-HALF * e)) / beta(A, B) * (1 - decay(-e * (n - HALF))) * (beta(n + A, B) + beta(A, n + B))
            for n in SIZES
        ]
        assert published.remains_homogeneous(SIZES, floats(ALPHA2), laplace(e)) == exactly(printed)

    def test_3_2(self, e):
        printed = [(1 - decay(-HALF * e)) * (1 - decay(-e * (n - HALF))) for n in SIZES]
        assert published.homogeneous(SIZES, 2, laplace(e)) == exactly(printed)

    def test_3_3_poisson(self, e):
        rate = mp.mpf("2.5")
        printed = (
            (1 - decay(-HALF * e))
            * mp.exp(-rate)
            / beta(A, B)
            * sum_n(
                0,
                lambda n: rate**n / mp.factorial(n) * (1 - decay(-e * (n - HALF))) * (beta(n + A, B) + beta(A, n + B)),
            )
        )
        value = published.global_remains_homogeneous_laplace(weights(POISSON), floats(ALPHA2), laplace(e))
        assert value == pytest.approx(float(printed), rel=1e-12)

    def test_3_3_negative_binomial(self, e):
        shape, r = mp.mpf("1.5"), mp.mpf("0.375")
        printed = (
            (1 - decay(-HALF * e))
            * r**shape
            / beta(A, B)
            * sum_n(
                0,
                lambda n: (
                    mp.binomial(n + shape + 1, n)
                    * (1 - r) ** n
                    * (1 - decay(-e * (n - HALF)))
                    * (beta(n + A, B) + beta(A, n + B))
                ),
            )
        )
        law = published.negative_binomial_weights(1.5, 0.375, N_MAX)
        value = published.global_remains_homogeneous_laplace(law, floats(ALPHA2), laplace(e))
        assert value == pytest.approx(float(printed), rel=1e-12)

    def test_3_4(self, e):
        printed = [gamma_ratio(ALPHA3, n) * (1 - decay(-HALF * e)) ** 2 * (1 - decay(-e * (n - HALF))) for n in SIZES]
        assert published.remains_homogeneous(SIZES, floats(ALPHA3), laplace(e)) == exactly(printed)

    def test_3_5(self, e):
        printed = [(1 - decay(-HALF * e)) ** 3 * (1 - decay(-e * (n - HALF))) for n in SIZES]
        assert published.homogeneous(SIZES, 4, laplace(e)) == exactly(printed)

    def test_3_6(self, e):
        printed = sum_n(
            0,
            lambda n: POISSON(n) * gamma_ratio(ALPHA3, n) * (1 - decay(-HALF * e)) ** 2 * (1 - decay(-e * (n - HALF))),
        )
        value = published.global_remains_homogeneous_laplace(weights(POISSON), floats(ALPHA3), laplace(e))
        assert value == pytest.approx(float(printed), rel=1e-12)


class TestPaper000Gaussian:
    def test_3_7(self, s):
        printed = [
            (1 + erf(1 / (2 * sqrt(2) * s)))
            / (4 * beta(A, B))
            * (beta(n + A, B) + beta(A, n + B))
            * (1 + erf((n - HALF) / (sqrt(2) * s)))
            for n in SIZES
        ]
        assert published.remains_homogeneous(SIZES, floats(ALPHA2), gaussian(s)) == exactly(printed)

    def test_3_10(self, s):
        printed = [
            (1 + erf(1 / (2 * sqrt(2) * s))) ** 2 / 8 * gamma_ratio(ALPHA3, n) * (1 + erf((n - HALF) / (sqrt(2) * s)))
            for n in SIZES
        ]
        assert published.remains_homogeneous(SIZES, floats(ALPHA3), gaussian(s)) == exactly(printed)

    def test_3_11(self, s):
        printed = [(1 + erf(1 / (2 * sqrt(2) * s))) ** 2 / 8 * (1 + erf((n - HALF) / (sqrt(2) * s))) for n in SIZES]
        assert published.homogeneous(SIZES, 3, gaussian(s)) == exactly(printed)

    def test_3_12(self, s):
        printed = (
            (1 + erf(1 / (2 * sqrt(2) * s))) ** 2
            / 8
            * sum_n(0, lambda n: POISSON(n) * gamma_ratio(ALPHA3, n) * (1 + erf((n - HALF) / (sqrt(2) * s))))
        )
        value = published.global_remains_homogeneous_gaussian(weights(POISSON), floats(ALPHA3), gaussian(s))
        assert value == pytest.approx(float(printed), rel=1e-12)

    def test_3_12_poisson(self, s):
        rate = mp.mpf("2.5")
        printed = (
            mp.exp(-rate)
            * (1 + erf(1 / (2 * sqrt(2) * s)))
            / (4 * beta(A, B))
            * sum_n(
                0,
                lambda n: (
                    rate**-n
                    / mp.factorial(n)
                    * (beta(n + A, B) + beta(A, n + B))
                    * (1 + erf((n - HALF) / (s * sqrt(2))))
                ),
            )
        )
        law = published.inverse_poisson_weights(2.5, N_MAX)
        value = published.global_remains_homogeneous_gaussian(law, floats(ALPHA2), gaussian(s))
        assert value == pytest.approx(float(printed), rel=1e-12)


class TestPaper001Laplace:
    def test_12(self, e):
        printed = [
            sum(p**n for p in P3) * (1 - decay(-HALF * e)) ** 2 * (1 - decay((HALF - n) * e))
            + (n >= 2)
            * sum(p ** (n - 1) * (1 - p) for p in P3)
            * (1 - decay((1.5 - n) * e))
            * decay(-HALF * e)
            * (1 - decay(-HALF * e))
            for n in SIZES
        ]
        shares = np.tile(floats(P3), (len(SIZES), 1))
        assert published.expected(SIZES, shares, laplace(e)) == exactly(printed)

    def test_13(self, e):
        printed = [
            gamma_ratio(ALPHA3, n) * (1 - decay(-HALF * e)) ** 2 * (1 - decay((HALF - n) * e))
            + (n >= 2)
            * (1 - decay((1.5 - n) * e))
            * decay(-HALF * e)
            * (1 - decay(-HALF * e))
            * gamma(sum(ALPHA3))
            * gamma_second(ALPHA3, n)
            for n in SIZES
        ]
        assert published.shrinkage(SIZES, floats(ALPHA3), laplace(e)) == exactly(printed)

    def test_14(self, e):
        law = lambda n: mp.binomial(n + 2, 2) * (1 - mp.mpf("0.25")) ** n * mp.mpf("0.25") ** 3  # noqa: E731
        printed = sum_n(
            1,
            lambda n: law(n) * gamma_ratio(ALPHA3, n) * (1 - decay(-HALF * e)) ** 2 * (1 - decay((HALF - n) * e)),
        ) + sum_n(
            2,
            lambda n: (
                law(n)
                * (1 - decay((1.5 - n) * e))
                * decay(-HALF * e)
                * (1 - decay(-HALF * e))
                * gamma(sum(ALPHA3))
                * gamma_second(ALPHA3, n)
            ),
        )
        value = published.global_shrinkage(weights(law), floats(ALPHA3), laplace(e))
        assert value == pytest.approx(float(printed), rel=1e-12)

    def test_15(self, e):
        p = mp.mpf("0.8125")
        printed = [
            (p**n + (1 - p) ** n) * (1 - decay(-HALF * e)) * (1 - decay((HALF - n) * e))
            + (n >= 2)
            * (p ** (n - 1) * (1 - p) + (1 - p) ** (n - 1) * p)
            * (1 - decay(e * (1.5 - n)))
            * decay(-HALF * e)
            for n in SIZES
        ]
        shares = np.tile([0.8125, 0.1875], (len(SIZES), 1))
        assert published.expected(SIZES, shares, laplace(e)) == exactly(printed)

    def test_16(self, e):
        printed = [self._two_values(n, e) for n in SIZES]
        assert published.shrinkage(SIZES, floats(ALPHA2), laplace(e)) == exactly(printed)

    def test_17(self, e):
        printed = sum_n(1, lambda n: POISSON(n) * self._two_values(n, e))
        value = published.global_shrinkage(weights(POISSON), floats(ALPHA2), laplace(e))
        assert value == pytest.approx(float(printed), rel=1e-12)

    @staticmethod
    def _two_values(n, e):
        first = beta(n + A, B) + beta(A, n + B)
        second = beta(A + n - 1, B + 1) + beta(A + 1, n + B - 1)
        return (1 - decay(-HALF * e)) / beta(A, B) * (1 - decay((HALF - n) * e)) * first + (n >= 2) * decay(
            -HALF * e
        ) / beta(A, B) * (1 - decay(e * (1.5 - n))) * second

    def test_18(self, e):
        printed = [(1 - decay(-HALF * e)) ** 2 * (1 - decay((HALF - n) * e)) for n in SIZES]
        assert published.homogeneous(SIZES, 3, laplace(e)) == exactly(printed)

    def test_19(self, e):
        printed = sum_n(1, lambda n: (1 - decay(-HALF * e)) * (1 - decay((HALF - n) * e)) * POISSON(n))
        value = published.global_homogeneous(weights(POISSON), laplace(e))
        assert value == pytest.approx(float(printed), rel=1e-12)


class TestPaper001Gaussian:
    def test_22(self, s):
        printed = [
            sum(p**n for p in P3) / 8 * (1 + erf(1 / (2 * sqrt(2) * s))) ** 2 * (1 + erf((n - HALF) / (sqrt(2) * s)))
            + (n >= 2)
            * sum(p ** (n - 1) * (1 - p) for p in P3)
            / 8
            * (1 - erf((1.5 - n) / (sqrt(2) * s)))
            * (1 + erf(-HALF / (sqrt(2) * s)))
            * (1 + erf(HALF / (sqrt(2) * s)))
            for n in SIZES
        ]
        shares = np.tile(floats(P3), (len(SIZES), 1))
        assert published.expected(SIZES, shares, gaussian(s)) == exactly(printed)

    @staticmethod
    def _three_values(n, s):
        return (1 + erf(1 / (2 * sqrt(2) * s))) ** 2 / 8 * gamma_ratio(ALPHA3, n) * (
            1 + erf((n - HALF) / (sqrt(2) * s))
        ) + (n >= 2) * gamma(sum(ALPHA3)) / 8 * (1 + erf(-HALF / (s * sqrt(2)))) * (1 + erf(HALF / (s * sqrt(2)))) * (
            1 - erf((1.5 - n) / (s * sqrt(2)))
        ) * gamma_second(ALPHA3, n)

    def test_23(self, s):
        printed = [self._three_values(n, s) for n in SIZES]
        assert published.shrinkage(SIZES, floats(ALPHA3), gaussian(s)) == exactly(printed)

    def test_24(self, s):
        printed = sum_n(1, lambda n: POISSON(n) * self._three_values(n, s))
        value = published.global_shrinkage(weights(POISSON), floats(ALPHA3), gaussian(s))
        assert value == pytest.approx(float(printed), rel=1e-12)

    def test_25(self, s):
        p = mp.mpf("0.8125")
        printed = [
            (p**n + (1 - p) ** n) / 4 * (1 + erf(1 / (2 * sqrt(2) * s))) * (1 + erf((n - HALF) / (sqrt(2) * s)))
            + (n >= 2)
            * (p ** (n - 1) * (1 - p) + (1 - p) ** (n - 1) * p)
            / 4
            * (1 - erf((1.5 - n) / (sqrt(2) * s)))
            * (1 + erf(-HALF / (sqrt(2) * s)))
            for n in SIZES
        ]
        shares = np.tile([0.8125, 0.1875], (len(SIZES), 1))
        assert published.expected(SIZES, shares, gaussian(s)) == exactly(printed)

    def test_26(self, s):
        printed = [
            (1 + erf(1 / (2 * sqrt(2) * s)))
            / (4 * beta(A, B))
            * (beta(n + A, B) + beta(A, n + B))
            * (1 + erf((n - HALF) / (sqrt(2) * s)))
            + (n >= 2)
            * (1 + erf(-HALF / (sqrt(2) * s)))
            / (4 * beta(A, B))
            * (beta(A + n - 1, B + 1) + beta(A + 1, n + B - 1))
            * (1 - erf((1.5 - n) / (sqrt(2) * s)))
            for n in SIZES
        ]
        assert published.shrinkage(SIZES, floats(ALPHA2), gaussian(s)) == exactly(printed)

    def test_27(self, s):
        total = A + B
        printed = (1 + erf(1 / (2 * sqrt(2) * s))) / 4 * sum_n(
            1,
            lambda n: (
                POISSON(n)
                * gamma(total)
                / gamma(total + n)
                * (gamma(A + n) / gamma(A) + gamma(B + n) / gamma(B))
                * (1 + erf((n - HALF) / (sqrt(2) * s)))
            ),
        ) + gamma(total) / 4 * sum_n(
            2, lambda n: POISSON(n) * (1 - erf((1.5 - n) / (s * sqrt(2)))) * gamma_second(ALPHA2, n)
        )
        value = published.global_shrinkage_two_values_gaussian(weights(POISSON), floats(ALPHA2), gaussian(s))
        assert value == pytest.approx(float(printed), rel=1e-12)

    def test_28(self, s):
        printed = [(1 + erf(1 / (2 * sqrt(2) * s))) ** 3 / 16 * (1 + erf((n - HALF) / (sqrt(2) * s))) for n in SIZES]
        assert published.homogeneous(SIZES, 4, gaussian(s)) == exactly(printed)

    def test_29(self, s):
        printed = sum_n(
            1,
            lambda n: (1 + erf(1 / (2 * sqrt(2) * s))) * (1 + erf((n - HALF) / (sqrt(2) * s))) * POISSON(n) / 4,
        )
        value = published.global_homogeneous(weights(POISSON), gaussian(s))
        assert value == pytest.approx(float(printed), rel=1e-12)


def test_several_privacy_parameters_come_first():
    noise = Laplace(epsilon=(0.5, 1.0, 2.0))
    law, alpha = weights(POISSON), floats(ALPHA2)
    shares = np.tile([0.8125, 0.1875], (len(SIZES), 1))
    per_cell = [
        published.homogeneous(SIZES, 3, noise),
        published.remains_homogeneous(SIZES, alpha, noise),
        published.expected(SIZES, shares, noise),
        published.shrinkage(SIZES, alpha, noise),
    ]
    overall = [
        published.global_homogeneous(law, noise),
        published.global_shrinkage(law, alpha, noise),
        published.global_remains_homogeneous_laplace(law, alpha, noise),
        published.global_remains_homogeneous_gaussian(law, alpha, noise),
        published.global_shrinkage_two_values_gaussian(law, alpha, noise),
    ]
    assert [value.shape for value in per_cell] == [(3, len(SIZES))] * 4
    assert [value.shape for value in overall] == [(3,)] * 5
