import math

import mpmath as mp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.stats import nbinom

from epsilometer.errors import BadCounts, OutOfRange
from epsilometer.formulas.homogeneity.size_laws import NegativeBinomial, Poisson
from epsilometer.formulas.size_fits import (
    size_fit,
    zero_truncated_negative_binomial_mle,
    zero_truncated_poisson_mle,
)


@pytest.mark.parametrize("mean", [1 + 1e-9, 1.01, 2.4271844660194175, 40.0, 1e6])
def test_the_rate_gives_back_the_mean(mean):
    rate = mp.mpf(zero_truncated_poisson_mle(mean))
    with mp.workdps(40):
        assert float((rate / -mp.expm1(-rate) - 1) / (mp.mpf(mean) - 1)) == pytest.approx(1, rel=1e-6)


def test_adult_has_its_known_rate():
    assert zero_truncated_poisson_mle(4.603950) == pytest.approx(4.555570, abs=1e-6)
    assert zero_truncated_poisson_mle(1) == 0


@pytest.mark.parametrize("mean", [0.9, math.nan, math.inf])
def test_an_impossible_mean_is_named(mean):
    with pytest.raises(OutOfRange, match=r"mean must be in \[1, inf\), got .*non-empty cells"):
        zero_truncated_poisson_mle(mean)


def test_negative_binomial_agrees_with_a_general_optimiser():
    rng = np.random.default_rng(11)
    sizes = rng.negative_binomial(1.5, 0.2, size=2000)
    sizes, n_cells = np.unique(sizes[sizes > 0], return_counts=True)

    def loss(parameters):
        r, p = np.exp(parameters[0]), 1 / (1 + np.exp(-parameters[1]))
        return -(n_cells @ (nbinom.logpmf(sizes, r, p) - np.log(-np.expm1(r * np.log(p)))))

    best = minimize(loss, [0.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-9, "maxiter": 4000})
    fitted = zero_truncated_negative_binomial_mle(sizes, n_cells)
    assert_allclose([math.log(fitted.r), math.log(fitted.p / (1 - fitted.p))], best.x, atol=1e-5)
    fit = size_fit(fitted, sizes, n_cells, n_fitted=2)
    assert fit.log_likelihood == pytest.approx(-best.fun, rel=1e-12)
    assert fit.p_value > 0.01
    poisson = Poisson(zero_truncated_poisson_mle(n_cells @ sizes / n_cells.sum()))
    absurd = size_fit(poisson, sizes, n_cells, n_fitted=1)
    assert absurd.p_value < 1e-12
    assert absurd.log_likelihood < fit.log_likelihood - 100


@pytest.mark.parametrize("sizes", [[1, 1, 1], [2, 2, 3, 2]])
def test_sizes_that_vary_too_little_are_poisson(sizes):
    assert zero_truncated_negative_binomial_mle(sizes) == Poisson(zero_truncated_poisson_mle(np.mean(sizes)))


def test_chi_square_by_hand():
    """Geometric sizes, p = 1/2: of 32 cells 16, 8 and 8 are expected in the bins 1, 2 and above."""
    fit = size_fit(NegativeBinomial(1.0, 0.5), [1, 2, 3, 9], [14, 8, 5, 5], n_fitted=1)
    assert fit.chi_square == pytest.approx(4 / 16 + 4 / 8)
    assert fit.degrees_of_freedom == 1
    assert fit.p_value == pytest.approx(math.erfc(math.sqrt(0.75 / 2)))
    assert fit.log_likelihood == pytest.approx(-(14 + 16 + 15 + 45) * math.log(2))


def test_the_last_bin_has_no_upper_end():
    """Sizes end where the law expects many more cells: the bins are 1 and 2, and everything above."""
    fit = size_fit(NegativeBinomial(1.0, 0.1), [1, 2], [90, 10], n_fitted=0)
    expected = 100 * np.array([0.1, 0.09, 0.81])
    assert fit.chi_square == pytest.approx((([90, 10, 0] - expected) ** 2 / expected).sum())


def test_a_few_cells_cannot_test_a_law():
    fit = size_fit(Poisson(2.0), [1, 2, 3], n_fitted=1)
    assert fit.degrees_of_freedom < 1
    assert math.isnan(fit.p_value)


def test_a_size_that_the_law_rules_out_has_no_likelihood():
    assert size_fit(Poisson(0.0), [1, 2], n_fitted=1).log_likelihood == -math.inf


def test_bad_sizes_are_named():
    with pytest.raises(BadCounts, match="sizes must be whole numbers from 1 on"):
        size_fit(Poisson(1.0), [0, 1], n_fitted=1)
    with pytest.raises(BadCounts, match="n_cells must be 2 numbers from 1 on"):
        size_fit(Poisson(1.0), [1, 2], [1], n_fitted=1)
