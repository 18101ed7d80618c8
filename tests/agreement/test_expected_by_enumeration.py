"""Means of the local risk: every way of computing them against sums over all count vectors and closed forms."""

from itertools import combinations, product
from math import comb, factorial

import mpmath as mp
import numpy as np
import pytest
from numpy.testing import assert_allclose

from epsilometer.formulas.homogeneity.expected import (
    _recursion,
    _transform,
    expected,
    expected_of_counts,
)
from epsilometer.formulas.homogeneity.global_risk import global_fixed, global_shrinkage
from epsilometer.formulas.homogeneity.local import local
from epsilometer.formulas.homogeneity.shrinkage import _recursion as _recursion_of_random_shares
from epsilometer.formulas.homogeneity.shrinkage import _transforms, shrinkage
from epsilometer.formulas.homogeneity.size_laws import NegativeBinomial, Poisson, size_exceeded_with
from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace

NOISES = [
    Laplace(epsilon=[1e-4, 0.1, 1.0, 5.0, 30.0]),
    Laplace(epsilon=0.7, threshold=2.0),
    Laplace(epsilon=[0.3, 2.0], threshold=0.0),
    Laplace(epsilon=1.0, threshold=-1.5),
    Geometric(epsilon=[0.01, 1.0, 8.0], adjacency="replace"),
    Geometric(epsilon=0.5, threshold=3.5),
    Gaussian.with_sigma(1.5),
    Gaussian(epsilon=[0.5, 2.0], delta=1e-6, threshold=4.0),
    DiscreteGaussian(epsilon=1.0, delta=1e-5),
]
MP_DIGITS = 60


def count_vectors(n, n_values):
    return np.array([c for c in product(range(n + 1), repeat=n_values) if sum(c) == n])


def enumerated(n, probability_of, n_values, noise):
    """Sum of the local risk over all count vectors, each with its probability."""
    vectors = count_vectors(n, n_values)
    probability = np.array([float(probability_of(c)) for c in vectors])
    assert probability.sum() == pytest.approx(1, rel=1e-12)
    return local(vectors, noise) @ probability


def multinomial(shares):
    return lambda c: factorial(sum(c)) * np.prod([p**m / factorial(m) for p, m in zip(shares, c, strict=True)])


def dirichlet_multinomial(alpha):
    def probability(c):
        parts = [mp.rf(a, int(m)) / mp.factorial(int(m)) for a, m in zip(alpha, c, strict=True)]
        return mp.factorial(int(sum(c))) / mp.rf(sum(alpha), int(sum(c))) * mp.fprod(parts)

    return probability


@pytest.mark.parametrize("noise", NOISES, ids=lambda noise: f"{noise.name}-{noise.threshold}")
@pytest.mark.parametrize("shares", [[1.0], [0.3, 0.7], [1.0, 0.0], [0.5, 0.2, 0.3], [0.6, 0.0, 0.1, 0.3]], ids=str)
@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_expected_is_the_sum_over_all_count_vectors(n, shares, noise):
    truth = enumerated(n, multinomial(shares), len(shares), noise)
    assert_allclose(expected(n, shares, noise), truth, rtol=1e-12)


@pytest.mark.parametrize("noise", NOISES, ids=lambda noise: f"{noise.name}-{noise.threshold}")
@pytest.mark.parametrize("alpha", [[2.0], [0.3, 0.7], [1.5, 0.0, 4.0], [30.0, 20.0, 1e-3]], ids=str)
@pytest.mark.parametrize("n", [1, 2, 7])
def test_shrinkage_is_the_sum_over_all_count_vectors(n, alpha, noise):
    truth = enumerated(n, dirichlet_multinomial(alpha), len(alpha), noise)
    assert_allclose(shrinkage(n, alpha, noise), truth, rtol=1e-11)


def test_counts_are_resampled_from_their_own_shares():
    counts = np.array([[2, 1, 0], [0, 0, 4], [3, 3, 1], [1, 2, 0]])
    noise = Laplace(epsilon=[0.2, 2.0])
    truth = [enumerated(sum(c), multinomial(c / sum(c)), 3, noise) for c in counts]
    assert_allclose(expected_of_counts(counts, noise), np.array(truth).T, rtol=1e-12)


@pytest.mark.parametrize("noise", NOISES, ids=lambda noise: f"{noise.name}-{noise.threshold}")
@pytest.mark.parametrize("n", [20.0, 130.0, 400.0])
def test_transform_and_recursion_agree_however_small_the_risk(n, noise):
    shares = np.array([[0.4, 0.3, 0.3, 0.0], [0.97, 0.01, 0.01, 0.01], [0.25, 0.25, 0.25, 0.25]])
    slow, fast = _recursion(n, shares, noise), _transform(n, shares, noise)
    assert_allclose(fast, slow, rtol=1e-11, atol=1e-290)


@pytest.mark.parametrize("alpha", [[0.5, 0.2, 0.1], [3.0, 2.0, 2.0, 2.0], [90.0, 40.0, 5.0]], ids=str)
@pytest.mark.parametrize("noise", NOISES, ids=lambda noise: f"{noise.name}-{noise.threshold}")
def test_transform_and_recursion_agree_for_random_shares(alpha, noise):
    alpha, sizes = np.array(alpha), np.r_[501.0:560.0, 600.0, 700.0:1100.0:3]
    slow, fast = _recursion_of_random_shares(sizes, alpha, noise), _transforms(sizes, alpha, noise)
    assert_allclose(fast, slow, rtol=1e-10)


@pytest.mark.parametrize("epsilon", [1e-6, 0.01, 1.0, 20.0])
@pytest.mark.parametrize("n", [2, 9, 40, 3000])
def test_two_values_and_laplace_noise_have_a_closed_form(n, epsilon):
    """Elementary form of the binomial sum: geometric tails turn each power into a power of a mixture."""
    with mp.workdps(MP_DIGITS):
        e, p = mp.mpf(epsilon), mp.mpf(0.9)
        h, q, r = mp.exp(e / 2) / 2, mp.exp(-e), 1 - mp.mpf(0.9)
        homogeneous = (1 - mp.exp(-e / 2) / 2) * (1 - h * q**n) * (p**n + r**n)
        mixed = sum(h * ((a + q * b) ** n - a**n - (q * b) ** n) for a, b in ((p, r), (r, p)))
        truth = homogeneous + mixed - 2 * h**2 * q**n * (1 - p**n - r**n)
    assert float(expected(n, [0.9, 0.1], Laplace(epsilon=epsilon))) == pytest.approx(float(truth), rel=1e-11)


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 20.0, 100.0])
@pytest.mark.parametrize(
    ("n", "shares"), [(6, (0.2, 0.3, 0.5)), (300, (0.9, 0.04, 0.03, 0.03)), (5000, (0.9, 0.06, 0.04))]
)
def test_laplace_noise_has_a_closed_form_for_any_number_of_values(n, shares, epsilon):
    """A sum over subsets that cancels: hence the many digits."""
    with mp.workdps(400):
        e = mp.mpf(epsilon)
        h, q, d = mp.exp(e / 2) / 2, mp.exp(-e), 1 - mp.cosh(e / 2)
        p, truth = [mp.mpf(s) for s in shares], mp.mpf(0)
        for k in range(len(p)):
            others = [j for j in range(len(p)) if j != k]
            for m in range(len(p)):
                for subset in combinations(others, m):
                    s = mp.fsum(p[j] for j in subset)
                    terms = (p[k] + q * s) ** n - h * (q * (p[k] + s)) ** n + (h - 1) * (q * s) ** n
                    truth += h**m * d ** (len(p) - 1 - m) * terms
        scale = mp.fsum(p) ** n  # the shares are doubles: their sum is not exactly one
    assert float(expected(n, shares, Laplace(epsilon=epsilon))) == pytest.approx(float(truth / scale), rel=1e-10)


def geometric_closed_form(shares, q, power):
    """Risk under geometric noise of ratio q; ``power(t)`` is t^n, or the generating function of the size."""
    terms = [power(q + (1 - q) * p) - power(q) / (1 + q) - q / (1 + q) * power(q * (1 - p)) for p in shares]
    return mp.fsum(terms) / (1 + q) ** (len(shares) - 1)


@pytest.mark.parametrize("epsilon", [1e-5, 0.3, 4.0])
@pytest.mark.parametrize(
    ("n", "n_values", "largest"), [(50, 3, 0.6), (1000, 10, 0.99), (1000, 5000, 0.9), (100_000, 5, 1 - 1e-4)]
)
def test_geometric_noise_has_a_closed_form(n, n_values, largest, epsilon):
    shares = [largest] + [(1 - largest) / (n_values - 1)] * (n_values - 1)
    with mp.workdps(MP_DIGITS):
        total = mp.fsum(shares)
        truth = float(geometric_closed_form([s / total for s in shares], mp.exp(-mp.mpf(epsilon)), lambda t: t**n))
    assert float(expected(n, shares, Geometric(epsilon=epsilon))) == pytest.approx(truth, rel=1e-9, abs=1e-290)


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 9.0])
@pytest.mark.parametrize(("n", "alpha"), [(30, (0.4, 0.3, 2.0)), (2500, (0.2, 0.2)), (2500, (40.0, 1.0, 0.5))])
def test_geometric_noise_and_random_shares_have_a_hypergeometric_form(n, alpha, epsilon):
    with mp.workdps(MP_DIGITS):
        q, total = mp.exp(-mp.mpf(epsilon)), mp.fsum(alpha)
        terms = []
        for a in alpha:
            rest = total - a
            first = mp.hyp2f1(-n, rest, total, 1 - q, maxterms=10**6)
            terms.append(first - q**n / (1 + q) - q ** (n + 1) / (1 + q) * mp.rf(rest, n) / mp.rf(total, n))
        truth = float(mp.fsum(terms) / (1 + q) ** (len(alpha) - 1))
    assert float(shrinkage(n, alpha, Geometric(epsilon=epsilon))) == pytest.approx(truth, rel=1e-9)


@pytest.mark.parametrize("noise", NOISES, ids=lambda noise: f"{noise.name}-{noise.threshold}")
@pytest.mark.parametrize("truncated", [True, False])
@pytest.mark.parametrize("rate", [1e-8, 2.4, 60.0])
def test_poisson_sizes_make_the_counts_independent(rate, truncated, noise):
    shares, sizes = [0.7, 0.25, 0.0, 0.05], Poisson(rate, truncated=truncated)
    largest = size_exceeded_with(1e-18 * sizes.nonempty, sizes)
    n = np.arange(1, largest + 1)
    assert_allclose(global_fixed(shares, sizes, noise), expected(n, shares, noise) @ sizes.probability(n), rtol=1e-12)


@pytest.mark.parametrize("noise", NOISES, ids=lambda noise: f"{noise.name}-{noise.threshold}")
@pytest.mark.parametrize("truncated", [True, False])
@pytest.mark.parametrize(("r", "p"), [(0.05, 0.2), (1.0, 0.97), (2.5, 0.1), (60.0, 0.6)])
def test_negative_binomial_sizes_are_poisson_with_a_random_rate(r, p, truncated, noise):
    shares, sizes = [0.7, 0.25, 0.0, 0.05], NegativeBinomial(r, p, truncated=truncated)
    n = np.arange(1, size_exceeded_with(1e-18 * sizes.nonempty, sizes) + 1)
    truth = expected(n, shares, noise) @ sizes.probability(n)
    assert_allclose(global_fixed(shares, sizes, noise), truth, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 12.0])
@pytest.mark.parametrize(("r", "p"), [(1.5, 0.4), (0.2, 0.05), (40.0, 0.8)])
def test_geometric_noise_takes_the_generating_function_of_the_size(r, p, epsilon):
    shares = [0.8, 0.15, 0.05]
    with mp.workdps(MP_DIGITS):
        shares_mp = [mp.mpf(s) for s in shares]
        empty = mp.mpf(p) ** r
        size_pgf = lambda t: ((mp.mpf(p) / (1 - (1 - mp.mpf(p)) * t)) ** r - empty) / (1 - empty)  # noqa: E731
        truth = float(geometric_closed_form(shares_mp, mp.exp(-mp.mpf(epsilon)), size_pgf))
    assert float(global_fixed(shares, NegativeBinomial(r, p), Geometric(epsilon=epsilon))) == pytest.approx(
        truth, rel=1e-10
    )


@pytest.mark.parametrize("noise", NOISES, ids=lambda noise: f"{noise.name}-{noise.threshold}")
def test_negative_binomial_sizes_of_the_same_shape_make_the_counts_independent(noise):
    """With r equal to the sum of alpha the count of value k is negative binomial of shape alpha_k."""
    alpha, p = np.array([0.7, 1.3, 0.5]), 0.3
    c = np.arange(400)
    weights = np.array([[comb_real(a, m) * (1 - p) ** m * p**a for m in c] for a in alpha])
    vanish = np.atleast_2d(noise.probability_below(noise.threshold - c))
    survive = np.atleast_2d(noise.probability_at_least(noise.threshold - c))
    gone, seen = vanish @ weights.T, survive[:, 1:] @ weights[:, 1:].T
    truth = sum(seen[:, k] * np.delete(gone, k, axis=1).prod(axis=1) for k in range(3))
    answer = global_shrinkage(alpha, NegativeBinomial(alpha.sum(), p, truncated=False), noise)
    assert_allclose(np.atleast_1d(answer), truth, rtol=1e-11)


def comb_real(a, m):
    return float(mp.rf(a, int(m)) / mp.factorial(int(m)))


def test_binomial_coefficients_of_the_enumeration():
    assert multinomial([0.5, 0.5])((2, 3)) == pytest.approx(comb(5, 2) / 32)
