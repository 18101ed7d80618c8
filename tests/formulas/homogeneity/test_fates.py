import numpy as np
import pytest

from epsilometer.formulas.homogeneity import fates as module
from epsilometer.formulas.homogeneity.alone import alone_probability
from epsilometer.formulas.homogeneity.equal_counts import equal_counts, product_of_other_values
from epsilometer.formulas.homogeneity.fates import Tabulated, fates_of, lone_sum
from epsilometer.formulas.homogeneity.local import homogeneous_pieces, local, local_records, people_disclosed
from epsilometer.formulas.homogeneity.precision import any_alone
from epsilometer.formulas.homogeneity.totals import total_over_cells
from epsilometer.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace

NOISES = (
    Laplace(epsilon=0.7),
    Laplace(epsilon=(0.01, 1.0, 30.0), threshold=4.0),
    Geometric(epsilon=(0.2, 5.0)),
    Gaussian(epsilon=1.0, delta=1e-5),
    DiscreteGaussian(epsilon=(0.5, 2.0), delta=1e-5),
)
with_each_noise = pytest.mark.parametrize("noise", NOISES, ids=lambda noise: f"{noise.name}-{noise.threshold}")
CELLS = np.array([[3, 0, 1], [0, 0, 900], [2, 2, 2], [41, 1, 0]])
FORMULAS = (local, local_records, people_disclosed, any_alone, homogeneous_pieces)


@with_each_noise
def test_sums_over_the_values_are_those_of_each_value_alone(noise):
    alone = alone_probability(CELLS, noise)
    np.testing.assert_allclose(any_alone(CELLS, noise), alone.sum(axis=-1), rtol=1e-13)
    np.testing.assert_allclose(local(CELLS, noise), (alone * (CELLS > 0)).sum(axis=-1), rtol=1e-13)
    np.testing.assert_allclose(people_disclosed(CELLS, noise), (alone * CELLS).sum(axis=-1), rtol=1e-13)
    shares = CELLS / CELLS.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(local_records(CELLS, noise), (alone * shares).sum(axis=-1), rtol=1e-13)


@with_each_noise
@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.__name__)
def test_what_is_looked_up_is_what_is_worked_out(formula, noise):
    np.testing.assert_array_equal(formula(CELLS, Tabulated(noise)), formula(CELLS, noise))
    np.testing.assert_array_equal(formula(CELLS.astype(float), noise), formula(CELLS, noise))


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.__name__)
def test_any_shape_of_cells(formula):
    for noise in NOISES[:2]:
        parameters = noise.probability_below(0.0).shape
        one, cube = formula(CELLS[0], noise), formula(CELLS.reshape(2, 2, 3), noise)
        assert (one.shape, cube.shape) == (parameters, (*parameters, 2, 2))
        np.testing.assert_array_equal(cube.reshape(*parameters, 4)[..., 0], one)


def test_a_table_reaches_as_far_as_it_was_ever_asked():
    known = Tabulated(Laplace(epsilon=0.3))
    near, far = known.fates_up_to(2), known.fates_up_to(900)
    assert 2 < len(near.counts) <= 900 < len(far.counts)
    assert known.fates_up_to(7) is far


def test_what_lies_beyond_the_largest_table_is_worked_out(monkeypatch):
    monkeypatch.setattr(module, "LARGEST_TABLE", 41)
    noise = Laplace(epsilon=1.0)
    known = Tabulated(noise)
    assert known.fates_up_to(40) is not None
    assert known.fates_up_to(41) is None
    np.testing.assert_array_equal(local(CELLS, known), local(CELLS, noise))


def test_many_small_counts_are_not_sorted():
    tables, place = fates_of(np.array([[0, 2], [2, 2]]), Laplace(epsilon=1.0))
    assert (tables.counts.tolist(), place.tolist()) == ([0, 1, 2], [[0, 2], [2, 2]])


def test_a_lone_sum_by_hand():
    vanish, gain = np.array([0.5, 0.2]), np.array([3.0, 7.0])
    expected = 3 * 0.5 * 0.2 + 3 * 0.5 * 0.2 + 7 * 0.5 * 0.5
    assert lone_sum(np.array([0, 0, 1]), vanish, gain) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("n_privacy_parameters", [1, 3])
def test_a_lone_sum_of_two_values_by_hand(n_privacy_parameters):
    """One privacy parameter has a way of its own; numbers of very different sizes keep all their digits."""
    vanish, gain = np.array([0.5, 1e-200, 0.25]), np.array([3.0, 7.0, 1e-90])
    place = np.array([[0, 1], [1, 1], [2, 0]])
    expected = [3e-200 + 3.5, 1.4e-199, 0.75 + 5e-91]
    if n_privacy_parameters > 1:
        vanish, gain = (np.repeat(table[:, None], n_privacy_parameters, axis=1) for table in (vanish, gain))
        expected = [expected] * n_privacy_parameters
    np.testing.assert_allclose(lone_sum(place, vanish, gain), expected, rtol=1e-15)


@with_each_noise
@pytest.mark.parametrize("n_values", [2, 3])
def test_blocks_make_no_difference(noise, n_values, monkeypatch):
    weights, cells = np.array([1, 5, 2, 7]), CELLS[:, -n_values:]
    expected = local(cells, noise) @ weights
    monkeypatch.setattr("epsilometer.vocabulary.long_arrays.FITS_A_CACHE", 2)
    np.testing.assert_allclose(total_over_cells(local, cells, weights, noise), expected, rtol=1e-14)


def test_values_with_equal_counts_are_found():
    rows = np.array([[2, 0, 0, 2], [1, 3, 2, 0]])
    equal = equal_counts(rows)
    np.testing.assert_array_equal(equal.of_values(equal.counts), rows)
    np.testing.assert_array_equal(equal.n_values, [[2, 2, 0, 0], [1, 1, 1, 1]])


@pytest.mark.parametrize("rows", [[[2, 0, 0, 2], [1, 3, 2, 0]], [[1, 3, 2, 0]]], ids=["some equal", "all different"])
def test_products_over_the_other_values(rows):
    rows = np.array(rows)
    equal, factor_of = equal_counts(rows), np.array([0.0, 0.3, 0.5, 0.9])
    products = equal.of_values(product_of_other_values(factor_of[equal.counts], equal.n_values, axis=-1))
    expected = [[np.delete(factor_of[row], k).prod() for k in range(4)] for row in rows]
    np.testing.assert_allclose(products, expected, rtol=1e-15)
