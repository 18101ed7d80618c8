"""DPCopula: the correlation behind cut normal variables, exact sums, and what an order of codes keeps."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal, norm

from epsilometer.synthesizers import copula
from epsilometer.synthesizers.budget import Budget
from epsilometer.synthesizers.coded import CodedColumn, CodedTable
from epsilometer.synthesizers.copula import GRID, CopulaSynthesizer
from epsilometer.synthesizers.noise import SimulatedNoise

shares_lists = st.lists(st.integers(0, 9), min_size=1, max_size=8).filter(any)


def normal_table(correlation, shares, n, *, ordered=True):
    """Two columns of normal variables with a correlation, cut at shares."""
    normal = np.random.default_rng(0).multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], n)
    codes = np.stack(
        [np.searchsorted(norm.ppf(np.cumsum(each)[:-1]), x) for each, x in zip(shares, normal.T, strict=True)]
    )
    return CodedTable(tuple(CodedColumn(f"c{i}", len(each), ordered=ordered) for i, each in enumerate(shares)), codes.T)


def fitted_correlation(table, epsilon=1e6):
    mixing = CopulaSynthesizer().fit(table, Budget(epsilon), SimulatedNoise(0)).mixing
    np.testing.assert_allclose(np.linalg.norm(mixing, axis=1), 1)
    return float(mixing[0] @ mixing[1])


@given(shares_lists)
def test_scores_rise_within_their_range_and_reach_it(shares):
    """One record adds at most GRID^2 to a sum of products; a single code says nothing."""
    scores = copula._scores(np.array(shares) / sum(shares))
    assert np.abs(scores).max() == (GRID if len(shares) > 1 else 0)
    assert (np.diff(scores) >= 0).all()


@pytest.mark.parametrize("correlation", [-0.9, -0.5, 0.0, 0.3, 0.8])
def test_two_halves_have_the_product_of_the_arcsine_law(correlation):
    """The mean product of the signs of two normal variables is 2 / pi * asin(correlation)."""
    halves, scores = np.array([0.5, 0.5]), np.array([-GRID, GRID])
    products = np.full((2, 2), 2 / math.pi * math.asin(correlation))
    found = copula._latent_correlations([halves] * 2, [scores] * 2, products, 0.0)
    assert found[0, 1] == pytest.approx(correlation, abs=2e-3)


@pytest.mark.parametrize("correlation", [-0.7, 0.4])
def test_uneven_cuts_have_the_product_of_their_rectangles(correlation):
    """Against the mass of the bivariate normal distribution over each combination of codes."""
    shares = np.array([0.1, 0.3, 0.6]), np.array([0.7, 0.3])
    scores = [copula._scores(each) for each in shares]
    cuts = [np.clip(norm.ppf(np.concatenate([[0], np.cumsum(each)])), -9, 9) for each in shares]
    law = multivariate_normal([0, 0], [[1, correlation], [correlation, 1]])
    upto = np.array([[law.cdf([x, y]) for y in cuts[1]] for x in cuts[0]])
    mass = np.diff(np.diff(upto, axis=0), axis=1)
    product = scores[0] @ mass @ scores[1] / GRID**2
    found = copula._latent_correlations(shares, scores, np.full((2, 2), product), 0.0)
    assert found[0, 1] == pytest.approx(correlation, abs=2e-3)


@pytest.mark.parametrize("correlation", [-0.8, 0.0, 0.6])
@pytest.mark.parametrize("shares", [[[0.5, 0.5], [0.8, 0.2]], [[0.1] * 10, [0.2, 0.2, 0.6]]], ids=["binary", "bins"])
def test_the_correlation_of_records_is_found(correlation, shares):
    """30,000 records: the standard error is below 0.013 even for the binary columns; five of them."""
    assert fitted_correlation(normal_table(correlation, shares, 30_000)) == pytest.approx(correlation, abs=0.065)


def test_equal_columns_stay_equal():
    codes = np.repeat(np.random.default_rng(0).integers(0, 4, (3000, 1)), 2, axis=1)
    table = CodedTable((CodedColumn("a", 4, ordered=True), CodedColumn("b", 4, ordered=True)), codes)
    model = CopulaSynthesizer().fit(table, Budget(1e6), SimulatedNoise(0))
    drawn = model.sample(5000, np.random.default_rng(0))
    assert (drawn[:, 0] == drawn[:, 1]).mean() > 0.9


def test_unordered_codes_run_from_frequent_to_rare():
    codes = np.repeat([0, 1, 2], [10, 50, 30])[:, None]
    table = CodedTable((CodedColumn("a", 3, ordered=False),), codes)
    assert CopulaSynthesizer().fit(table, Budget(1e6), SimulatedNoise(0)).orders[0].tolist() == [1, 2, 0]
    table = CodedTable((CodedColumn("a", 3, ordered=True),), codes)
    assert CopulaSynthesizer().fit(table, Budget(1e6), SimulatedNoise(0)).orders[0].tolist() == [0, 1, 2]


def test_names_of_unordered_codes_do_not_matter():
    """The dependence of two columns on being the common code survives any numbering."""
    table = normal_table(0.7, [[0.6, 0.3, 0.1], [0.55, 0.25, 0.2]], 20_000, ordered=False)
    renamed = CodedTable(table.columns, np.array([2, 0, 1])[table.codes])
    assert fitted_correlation(table) == pytest.approx(fitted_correlation(renamed))
    assert fitted_correlation(table) == pytest.approx(0.7, abs=0.05)


def test_a_column_without_variation_is_uncorrelated():
    rng = np.random.default_rng(0)
    table = CodedTable(
        (CodedColumn("a", 3, ordered=True), CodedColumn("b", 2, ordered=True)),
        np.stack([np.ones(500, dtype=np.int64), rng.integers(0, 2, 500)], axis=1),
    )
    assert fitted_correlation(table) == pytest.approx(0)


def test_correlations_that_drown_in_noise_are_left_out():
    """Ten records at epsilon 0.01: noise of scale 200 on sums of at most 10."""
    assert fitted_correlation(normal_table(0.9, [[0.5, 0.5]] * 2, 10), epsilon=0.01) == pytest.approx(0)


@pytest.mark.parametrize("seed", range(5))
def test_correlations_that_contradict_each_other_are_made_possible(seed):
    """Any symmetric matrix with ones: the mixture has unit variances."""
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.uniform(-1, 1, (6, 6)), 1)
    mixing = copula._mixing(upper + upper.T + np.eye(6))
    np.testing.assert_allclose((mixing**2).sum(axis=1), 1)


def test_possible_correlations_are_kept():
    wanted = np.array([[1, 0.5, 0.2], [0.5, 1, -0.3], [0.2, -0.3, 1]])
    mixing = copula._mixing(wanted)
    np.testing.assert_allclose(mixing @ mixing.T, wanted, atol=1e-12)
