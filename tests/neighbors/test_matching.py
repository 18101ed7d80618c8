"""Pairings: errata, sizes that differ, and the proof that a pairing is cheapest."""

import numpy as np
import pytest

from epsilometer.errors import BadTable, NotCertified, OutOfRange
from epsilometer.neighbors import Coverage, coverage, matching, mean_matched_distance


def test_r1_cheapest_pairings_disagree():
    assert coverage([[0], [1]], [[2], [3]], radius=1) == Coverage(2, 1, 0, 2.0)


def test_ties_of_irrational_distances():
    """The same along a diagonal: roots of 2, 8 and 18, whose sums rounding tells apart."""
    for scale in (1.0, 1e-3, 0.7, 1e100, 1e-100):
        diagonal = scale * np.array([[1.0, 1.0]])
        original, synthetic = np.array([[0.0], [1.0]]) * diagonal, np.array([[2.0], [3.0]]) * diagonal
        found = coverage(original, synthetic, radius=1.5 * scale)
        assert (found.most_within, found.fewest_within) == (1, 0)


def test_near_is_not_tied():
    """A thousandth off the line makes one pairing cheaper by less than a millionth, and it alone counts."""
    crossed = coverage([[0, 0], [1, 0]], [[2, 0], [3, 1e-3]], radius=1.01)
    assert (crossed.most_within, crossed.fewest_within) == (1, 1)
    straight = coverage([[0, 0], [1, 0]], [[2, 1e-3], [3, 0]], radius=1.01)
    assert (straight.most_within, straight.fewest_within) == (0, 0)


def test_the_boundary_is_within_however_the_root_is_rounded():
    assert coverage([[0.0, 0.0]], [[0.1, 0.2]], radius=np.sqrt(0.05)).rate == 1
    assert coverage([[0.0, 0.0]], [[0.1, 0.2]], radius=np.sqrt(0.05) * (1 - 1e-14)).rate == 0


def test_equal_tables():
    assert coverage([[1, 2]] * 4, [[1, 2]] * 4, radius=0) == Coverage(4, 4, 4, 0.0)


def test_a_larger_table_leaves_records_over():
    original, synthetic = [[0], [10]], [[1], [12], [50], [2]]
    expected = Coverage(2, 1, 1, 1.5)
    assert coverage(original, synthetic, radius=1) == expected
    assert coverage(synthetic, original, radius=1) == expected
    assert mean_matched_distance(original, synthetic) == 1.5


def test_a_record_that_every_cheapest_pairing_uses_is_not_left_over():
    """For -1 and 1 the cheapest are 0 and one of -3 and 3; those two without 0 are made of the same pairs."""
    assert coverage([[-1], [1]], [[0], [-3], [3]], radius=1) == Coverage(2, 1, 1, 1.5)


def test_a_pairing_that_is_not_the_cheapest_is_not_certified():
    costs = np.array([[1.0, 5.0], [5.0, 1.0]])
    matching._reduced_costs(costs, np.array([0, 1]))
    for given, column in ((costs, [1, 0]), (np.array([[1.0, 5.0, 0.0]]), [1])):
        with pytest.raises(NotCertified, match=r"could not be proved to be the cheapest. Take a smaller random part"):
            matching._reduced_costs(given, np.array(column))


@pytest.mark.parametrize("radius", [-1.0, np.inf, np.nan])
def test_a_radius_is_a_distance(radius):
    with pytest.raises(OutOfRange, match=r"radius must be in \[0, inf\), got .* It is a distance between records"):
        coverage([[0]], [[1]], radius=radius)


def test_too_many_pairs():
    with pytest.raises(BadTable, match=r"Pairing 5000 with 5001 records takes more than 25000000 distances. Take a"):
        coverage(np.zeros((5001, 1)), np.zeros((5000, 1)), radius=1)
