"""What the papers' equations give as printed, next to what they should give: errata E1 to E12."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import nbinom, poisson

from epsilometer.formulas.homogeneity import published
from epsilometer.formulas.homogeneity.local import local
from epsilometer.mechanisms import Gaussian, Laplace

SUBSET = json.loads(Path(__file__).with_name("oracle.json").read_text())["datasets"]["bankruptcy_subset"]
SIZES = np.arange(400)


@pytest.mark.parametrize(
    ("n", "p", "epsilon", "printed"),
    [
        (2, (0.5, 0.5), 1, 0.4151494402),
        (3, (0.5, 0.5), 0.01, 0.1274766898),
        (10, (0.9, 0.1), 1, 0.2546751911),
        (100, (0.95, 0.05), 0.01, 0.0025511399),
        (100, (0.95, 0.05), 1, 0.0042195375),
        (3, (0.34, 0.33, 0.33), 1, 0.0934711083),
    ],
)
def test_e1_expected_laplace(n, p, epsilon, printed):
    assert published.expected([n], [p], Laplace(epsilon=epsilon))[0] == pytest.approx(printed, abs=5e-11)


def test_e1_expected_gaussian():
    value = published.expected([20], [[0.95, 0.05]], Gaussian.with_sigma(3.0))[0]
    assert value == pytest.approx(0.211154, abs=5e-7)


def test_e1_shrinkage():
    value = published.shrinkage([5], [1, 1, 1], Laplace(epsilon=0.1))[0]
    assert value == pytest.approx(0.035989, abs=5e-7)


def test_e1_global():
    value = published.global_shrinkage(poisson.pmf(SIZES, 3), [0.7, 1.3, 0.5], Laplace(epsilon=1.0))
    assert value == pytest.approx(0.21192681, abs=5e-9)


def test_e1_small_epsilon_limit_is_below_the_lower_bound_of_the_risk():
    """As epsilon falls to 0 the printed bound tends to sum p^(n-1) / 2^K, the risk to at least 2^-K."""
    p = np.array([0.5, 0.3, 0.2])
    value = published.expected([4], [p], Laplace(epsilon=1e-9))[0]
    assert value == pytest.approx((p**3).sum() / 8, rel=1e-7)
    assert value < 1 / 8


def test_e2_asymptotes_of_the_bankruptcy_subset():
    counts = np.array(SUBSET)
    sizes = counts.sum(axis=1)
    noise = Laplace(epsilon=(1e-9, 1e3))
    low, high = published.expected(sizes, counts / sizes[:, None], noise).mean(axis=1)
    assert len(counts) == 78
    assert low == pytest.approx(0.1001004, abs=5e-8)
    assert high == pytest.approx(0.7501477, abs=5e-8)
    assert local(counts, noise).mean(axis=1) == pytest.approx([0.1650641, 54 / 78], abs=5e-8)


def test_e5_survival_of_small_cells_is_that_at_epsilon_one():
    noise = Laplace(epsilon=(1.0, 0.1))
    survive = published.homogeneous([4, 3, 2], 1, noise)
    assert survive[0] == pytest.approx([0.98490130, 0.95895750, 0.88843492], abs=1e-8)
    assert survive[1] == pytest.approx([0.6477, 0.6106, 0.5696], abs=5e-5)


@pytest.mark.parametrize(("n", "maximiser"), [(3, 0.4620981204), (10, 0.2584970091), (100, 0.0466509629)])
def test_e6_maximiser_of_the_printed_second_term(n, maximiser):
    """For an even split of two values the second term is what the first leaves of the printed bound."""
    epsilons = tuple(maximiser * (1 + shift) for shift in (-1e-3, 0.0, 1e-3))
    noise = Laplace(epsilon=epsilons)
    p = np.array([[0.5, 0.5]])
    second = published.expected([n], p, noise)[:, 0] - 2 * 0.5**n * published.homogeneous([n], 2, noise)[:, 0]
    assert second.argmax() == 1


def test_e7_sum_from_zero_can_be_negative():
    law, noise = poisson.pmf(SIZES, 1), Laplace(epsilon=5.0)
    printed = published.global_remains_homogeneous_laplace(law, [1, 1], noise)
    from_one = published.global_remains_homogeneous_gaussian(np.where(SIZES > 0, law, 0), [1, 1], noise)
    assert printed == pytest.approx(-3.0999, abs=5e-5)
    assert from_one == pytest.approx(0.49228, abs=5e-6)


def test_e8_weights_sum_to_the_inverse_square():
    printed = published.negative_binomial_weights(3, 0.4, 399)
    assert printed.sum() == pytest.approx(6.25, rel=1e-12)
    assert printed * 0.4**2 == pytest.approx(nbinom.pmf(SIZES, 5, 0.4), rel=1e-11)


def test_e9_weights_do_not_sum_to_one():
    assert published.inverse_poisson_weights(2.0, 60).sum() == pytest.approx(0.2231, abs=5e-5)


def test_e10_exponent_of_two_values():
    law, noise = poisson.pmf(SIZES, 2), Laplace(epsilon=1.0)
    assert published.global_homogeneous(law, noise) == pytest.approx(0.517943, abs=5e-7)
    for_three = published.homogeneous(SIZES[1:], 3, noise) @ law[1:]
    assert for_three == pytest.approx(0.360869, abs=5e-7)


def test_e11_unconditional_size_law():
    noise = Laplace(epsilon=(10.0, 1e3))
    at_ten, limit = published.global_homogeneous(poisson.pmf(SIZES, 250 / 103), noise)
    assert at_ten == pytest.approx(0.9079, abs=5e-5)
    assert limit == pytest.approx(0.911715, abs=5e-7)
    truncated = poisson.pmf(SIZES, 2.142259) / -np.expm1(-2.142259)
    assert published.global_homogeneous(truncated, noise)[0] == pytest.approx(0.995674, abs=5e-7)


def test_e12_missing_factor():
    law, noise = poisson.pmf(SIZES, 3), Gaussian.with_sigma(2.0)
    printed = published.global_shrinkage_two_values_gaussian(law, [1, 2], noise)
    assert printed == pytest.approx(0.3037847, abs=5e-8)
    assert published.global_shrinkage(law, [1, 2], noise) == pytest.approx(0.2940608, abs=5e-8)
