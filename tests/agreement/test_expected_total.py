"""The expected risk of all cells together is the sum of the risks of the cells, each worked out by itself."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

import epsilometer as em
from epsilometer.formulas.homogeneity.expected import expected_of_counts
from epsilometer.formulas.homogeneity.expected_total import total_in_closed_form
from epsilometer.mechanisms import Geometric, Laplace
from epsilometer.vocabulary import long_arrays

EPSILONS = st.floats(1e-6, 1000)
WITH_ANY_NUMBER_OF_VALUES = st.one_of(
    st.builds(Geometric, epsilon=EPSILONS),
    st.builds(Laplace, epsilon=EPSILONS, threshold=st.floats(-3, 0)),
)
WITH_TWO_VALUES = st.one_of(
    WITH_ANY_NUMBER_OF_VALUES, st.builds(Laplace, epsilon=st.floats(1e-6, 690), threshold=st.floats(0, 1))
)


@st.composite
def weighted_cells(draw, n_values):
    """Count vectors, none of them empty, of small or large cells, and their weights."""
    shape, most = (draw(st.integers(1, 12)), n_values), draw(st.sampled_from([1, 3, 50, 3000]))
    counts = draw(arrays(np.int64, shape, elements=st.integers(0, most)))
    counts[:, 0] += counts.sum(axis=1) == 0
    return counts, draw(arrays(np.int64, shape[0], elements=st.integers(1, 9)))


def total(counts, weights, noise):
    return total_in_closed_form(counts, weights, weights.sum(), int(counts.sum(axis=1).max()), noise.exponential_tails)


def summed(counts, weights, noise):
    return expected_of_counts(counts, noise) @ weights


def assert_same(cells, noise):
    assert_allclose(total(*cells, noise), summed(*cells, noise), rtol=1e-11, atol=1e-290)


@given(weighted_cells(n_values=2), WITH_TWO_VALUES)
def test_two_values(cells, noise):
    assert_same(cells, noise)


@given(st.integers(1, 6).flatmap(weighted_cells), WITH_ANY_NUMBER_OF_VALUES)
@example((np.array([[1, 2, 0]]), np.array([1])), Geometric(epsilon=710.0))  # its decay is hardly a number
def test_any_number_of_values(cells, noise):
    assert_same(cells, noise)


@given(weighted_cells(n_values=2), st.lists(st.floats(1e-4, 690), min_size=2, max_size=6))
def test_a_curve_is_what_its_points_are(cells, epsilons):
    curve = total(*cells, Laplace(epsilon=tuple(epsilons)))
    assert_allclose(curve, [total(*cells, Laplace(epsilon=epsilon)) for epsilon in epsilons], rtol=1e-12)


@given(st.integers(2, 4).flatmap(weighted_cells), st.floats(0.01, 5), st.integers(1, 12))
def test_parts_make_no_difference(cells, epsilon, at_once):
    noise = Geometric(epsilon=(epsilon, 2 * epsilon))
    whole = total(*cells, noise)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_arrays, "FITS_A_CACHE", at_once)
        assert_allclose(total(*cells, noise), whole, rtol=1e-13)


def test_numbers_that_recur_are_counted_first():
    """Five thousand cells with few different counts, of which the powers are worked out once each."""
    rng = np.random.default_rng(1)
    counts, weights = rng.integers(0, 4, (5000, 5)), rng.integers(1, 9, 5000)
    counts[:, 0] += counts.sum(axis=1) == 0
    assert_same((counts, weights), Geometric(epsilon=(0.2, 1.0, 6.0)))


@pytest.mark.parametrize("n_others", [70, 130, 400, 1500])
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_a_risk_that_is_nothing_but_small_has_all_its_digits(epsilon, n_others):
    """Nobody is nearly alone in such a table: what is left out first is all there is."""
    cells = np.array([[n_others, n_others + 3], [2 * n_others, n_others]]), np.array([3, 2])
    with mp.workdps(60):
        truth = sum(int(w) * by_definition([int(c) for c in n], epsilon) for n, w in zip(*cells, strict=True))
        assert total(*cells, Laplace(epsilon=epsilon)) == pytest.approx(float(truth), rel=1e-11, abs=1e-290)


def by_definition(counts, epsilon):
    """Mean of the local risk over a cell of two values, term by term, with many digits."""
    n, (a, b) = sum(counts), counts
    return mp.fsum(
        mp.binomial(n, c) * (mp.mpf(a) / n) ** c * (mp.mpf(b) / n) ** (n - c) * alone(c, n - c, epsilon)
        for c in range(n + 1)
    )


def alone(first, second, epsilon):
    z1, z2 = (
        mp.exp(epsilon * (mp.mpf(0.5) - c)) / 2 if c else 1 - mp.exp(-mp.mpf(epsilon) / 2) / 2 for c in (first, second)
    )
    return (1 - z1) * z2 * bool(first) + (1 - z2) * z1 * bool(second)


@pytest.mark.parametrize("average", ["cells", "records"])
def test_the_risk_of_a_table_is_the_mean_over_its_cells(average):
    counts = np.array([[4, 1], [9, 0], [2, 2], [0, 7]])
    weights = counts.sum(axis=1) if average == "records" else np.ones(4)
    noise = Laplace(epsilon=(0.3, 2.0))
    risk = em.homogeneity_risk(em.FrequencyTable.from_counts(counts), noise, "expected", average=average)
    assert_allclose(risk.value, expected_of_counts(counts, noise) @ weights / weights.sum(), rtol=1e-13)
