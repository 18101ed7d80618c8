import math

import pytest

from epsilometer.errors import OutOfRange
from epsilometer.formulas import diversity


def test_distinct_l_is_that_of_the_poorest_cell():
    assert diversity.distinct_l([[5, 1, 1], [9, 9, 0]]) == 2


def test_entropy_l_of_equally_frequent_values_is_their_number():
    assert diversity.entropy_l([[7, 7, 7, 7], [2, 2, 2, 2]]) == pytest.approx(4, rel=1e-12)


def test_entropy_l_of_a_homogeneous_cell_is_one():
    assert diversity.entropy_l([[7, 0], [1, 1]]) == 1.0


def test_entropy_l_by_hand():
    """Shares 1/2, 1/4, 1/4: entropy 3/2 bits."""
    assert diversity.entropy_l([[2, 1, 1]]) == pytest.approx(2**1.5, rel=1e-12)


def test_recursive_c_compares_the_first_with_the_tail():
    """Counts 8, 4, 2, 1: at l = 3 the most frequent value meets 2 + 1."""
    assert diversity.recursive_c([[4, 1, 8, 2]], level=3) == 8 / 3


def test_recursive_c_at_one_is_alpha():
    assert diversity.recursive_c([[3, 1], [2, 2]], level=1) == 0.75


@pytest.mark.parametrize("level", [2, 3, 4])
def test_recursive_c_is_unbounded_with_fewer_values_than_l(level):
    assert diversity.recursive_c([[5, 0, 0], [1, 1, 1]], level=level) == math.inf


def test_recursive_c_refuses_an_l_below_one():
    with pytest.raises(OutOfRange, match=r"^level must be in \{1, 2, ...\}, got 0. It counts sensitive values.$"):
        diversity.recursive_c([[1, 1]], level=0)
