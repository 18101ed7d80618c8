"""Errors of published counts: by formula, by enumeration of all that can be published, and by publishing."""

import math
from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.formulas.count_error import expected_absolute_error, expected_largest_error, expected_table_l1

MECHANISMS = {
    "laplace": em.Laplace(epsilon=0.8),
    "laplace with a threshold": em.Laplace(epsilon=0.8, threshold=4.0),
    "laplace with a threshold between levels": em.Laplace(epsilon=1.5, threshold=2.7),
    "laplace with a threshold above all counts": em.Laplace(epsilon=1.1, threshold=30.0),
    "laplace that hides little": em.Laplace(epsilon=0.8, threshold=-2.0),
    "geometric": em.Geometric(epsilon=1.2, threshold=2.0),
    "gaussian": em.Gaussian.with_sigma(1.7),
    "gaussian with a threshold": em.Gaussian.with_sigma(2.0, threshold=6.5),
    "discrete gaussian": em.DiscreteGaussian(epsilon=2.0, delta=1e-3),
}
every_mechanism = pytest.mark.parametrize("noise", MECHANISMS.values(), ids=MECHANISMS.keys())
profiles = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(1, 5)), min_size=1, max_size=6).map(
    lambda rows: (np.array(rows)[:, :2], np.array(rows)[:, 2])
)


def error_distribution(count, noise):
    """Absolute errors of every value that can be published for a count, with their probabilities.

    The noise that leads to a value is an interval; values above 120 are left out.
    """
    values = np.arange(121)
    from_ = np.where(values == 1, -np.inf, values - 0.5)
    ends = values + 0.5
    starts = np.maximum(from_, noise.threshold)
    ends[0], starts[0] = noise.threshold, -np.inf
    ends = np.maximum(starts, ends)
    probability = np.where(
        starts - count > 0,
        noise.probability_at_least(starts - count) - noise.probability_at_least(ends - count),
        noise.probability_below(ends - count) - noise.probability_below(starts - count),
    )
    return np.abs(values - count), probability


def expected_maximum(counts, noise):
    """Largest error averaged over all combinations of what can be published."""
    errors, probabilities = zip(*(error_distribution(count, noise) for count in counts), strict=True)
    largest = reduce(np.maximum.outer, errors)
    return float((largest * reduce(np.multiply.outer, probabilities)).sum())


@every_mechanism
@given(count=st.integers(0, 40))
@settings(max_examples=40, deadline=None)
def test_error_of_one_count_equals_enumeration(noise, count):
    errors, probabilities = error_distribution(count, noise)
    assert probabilities.sum() == pytest.approx(1, abs=1e-12)
    assert float(expected_absolute_error(count, noise)) == pytest.approx(errors @ probabilities, rel=1e-10)


@every_mechanism
@given(counts=st.lists(st.integers(0, 40), min_size=1, max_size=3))
@settings(max_examples=15, deadline=None)
def test_largest_error_equals_enumeration(noise, counts):
    largest = expected_largest_error([counts], [1], noise)
    assert float(largest) == pytest.approx(expected_maximum(counts, noise), rel=1e-9)


@every_mechanism
def test_errors_agree_with_published_tables(noise):
    """Publish a table 20,000 times and look. Normal interval at a false-alarm rate of 1e-6, fixed seed."""
    counts, n_cells, n_runs = np.array([[3, 0, 0], [2, 1, 0], [5, 2, 35]]), np.array([4, 2, 1]), 20_000
    table = np.repeat(counts, n_cells, axis=0)
    noisy = table + noise.sample(np.random.default_rng(5), (n_runs, *table.shape))
    shown = np.where(noisy < noise.threshold, 0, np.maximum(1, np.floor(noisy + 0.5)))
    errors = np.abs(shown - table).reshape(n_runs, -1)
    for draws, formula in ((errors.sum(axis=1), expected_table_l1), (errors.max(axis=1), expected_largest_error)):
        exact = float(formula(counts, n_cells, noise))
        assert abs(draws.mean() - exact) < 4.9 * draws.std() / math.sqrt(n_runs) + 1e-9


@pytest.mark.parametrize("epsilon", [1e-3, 0.03, 1.0, 7.0, 100.0])
def test_laplace_errors_in_closed_form(epsilon):
    """The tails at 1/2, 3/2, ... are a geometric series; a count of zero can only err upwards."""
    one_side = 1 / (4 * math.sinh(epsilon / 2))
    errors = expected_absolute_error([0, 1_000_000], em.Laplace(epsilon=epsilon))
    np.testing.assert_allclose(errors, [one_side, 2 * one_side], rtol=1e-12)


@pytest.mark.parametrize("n_cells", [1, 1_000, 10_000_000])
def test_largest_of_many_geometric_errors(n_cells):
    """Far from zero Pr(|e| > t) = 2 q^(t+1) / (1 + q); summed here term by term."""
    q = math.exp(-0.1)
    terms = (n_cells * math.log1p(-2 * q ** (t + 1) / (1 + q)) for t in range(2_000))
    expected = -math.fsum(math.expm1(term) for term in terms)
    found = expected_largest_error([[1_000_000]], [n_cells], em.Geometric(epsilon=0.1))
    assert float(found) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("threshold", [50.0, 1e20])
def test_counts_below_a_threshold_that_noise_cannot_reach_are_lost(threshold):
    counts, n_cells = [[0, 3], [17, 20]], [5, 2]
    noise = em.Laplace(epsilon=20.0, threshold=threshold)
    assert float(expected_table_l1(counts, n_cells, noise)) == pytest.approx(3 * 5 + 2 * 37)
    assert float(expected_largest_error(counts, n_cells, noise)) == pytest.approx(20)


def test_without_noise_there_is_no_error():
    noise = em.Laplace(epsilon=1e4)
    assert expected_absolute_error([[0, 1], [2, 10**6]], noise).tolist() == [[0, 0], [0, 0]]
    assert float(expected_largest_error([[0, 1], [2, 10**6]], [1, 1], noise)) == 0


@given(profile=profiles, noise=st.sampled_from(list(MECHANISMS.values())), seed=st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_neither_order_nor_grouping_of_cells_matters(profile, noise, seed):
    counts, n_cells = profile
    cells = np.random.default_rng(seed).permutation(np.repeat(counts, n_cells, axis=0))[:, ::-1]
    for formula in (expected_table_l1, expected_largest_error):
        one_by_one = formula(cells, np.ones(len(cells), dtype=int), noise)
        np.testing.assert_allclose(one_by_one, formula(counts, n_cells, noise), rtol=1e-12)


@given(profile=profiles, noise=st.sampled_from(list(MECHANISMS.values())))
@settings(max_examples=60, deadline=None)
def test_largest_error_lies_between_that_of_each_count_and_their_sum(profile, noise):
    counts, n_cells = profile
    largest = float(expected_largest_error(counts, n_cells, noise))
    assert largest >= expected_absolute_error(counts, noise).max() * (1 - 1e-12)
    assert largest <= float(expected_table_l1(counts, n_cells, noise)) * (1 + 1e-12)
    assert largest <= float(expected_largest_error(counts, n_cells + 1, noise)) * (1 + 1e-12)


@pytest.mark.parametrize("threshold", [0.5, 6.0])
def test_a_curve_is_its_points(threshold):
    counts, n_cells, epsilons = [[0, 3], [17, 1]], [5, 2], (0.01, 0.7, 30.0)
    curve = em.Laplace(epsilon=epsilons, threshold=threshold)
    points = [em.Laplace(epsilon=epsilon, threshold=threshold) for epsilon in epsilons]
    for formula in (expected_table_l1, expected_largest_error):
        found = [formula(counts, n_cells, point) for point in points]
        np.testing.assert_allclose(formula(counts, n_cells, curve), found, rtol=1e-12)
    errors = expected_absolute_error(counts, curve)
    np.testing.assert_allclose(errors, [expected_absolute_error(counts, point) for point in points], rtol=1e-12)
