import math

import pytest

from epsilometer.formulas import closeness

# Salaries 3k to 11k in three cells of three, the example with which Li et al. (2007) motivate the distance.
SALARIES = [[1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 1, 0, 0, 1], [0, 0, 0, 0, 1, 0, 1, 1, 0]]


def test_ordered_distance_of_the_lowest_salaries_is_as_published():
    assert closeness.t_ordered(SALARIES, [1, 1, 1]) == pytest.approx(0.375, rel=1e-12)


def test_ordered_distance_of_spread_salaries_is_as_published():
    """The published second cell {6k, 8k, 11k} has 0.167; the records outside it are pooled here."""
    pooled = [SALARIES[1], [1 - n for n in SALARIES[1]]]
    assert closeness.t_ordered(pooled, [1, 1]) == pytest.approx(0.167, abs=5e-4)


def test_equal_distance_is_total_variation():
    assert closeness.t_equal([[3, 1], [1, 3]], [1, 1]) == 0.25


def test_a_table_of_one_value_is_close_to_itself():
    assert closeness.t_equal([[3], [1]], [1, 1]) == 0.0
    assert closeness.t_ordered([[3], [1]], [1, 1]) == 0.0
    assert closeness.basic_beta([[3], [1]], [1, 1]) == 0.0
    assert closeness.enhanced_beta([[3], [1]], [1, 1]) == 0.0
    assert closeness.delta_disclosure([[3], [1]], [1, 1]) == 0.0


def test_basic_beta_is_the_largest_relative_gain():
    """One record in ten has the second value; in the worst cell every second one."""
    assert closeness.basic_beta([[8, 0], [1, 1]], [1, 1]) == pytest.approx(4.0, rel=1e-12)


def test_enhanced_beta_exists_while_every_gain_is_within_the_logarithm():
    assert closeness.enhanced_beta([[3, 2], [2, 3]], [1, 1]) == pytest.approx(0.2, rel=1e-12)


def test_enhanced_beta_is_unbounded_once_one_is_not():
    """The first value has 3/4 overall and all of a cell: a gain of 1/3 against -ln(3/4) = 0.288."""
    assert closeness.enhanced_beta([[4, 0], [2, 2]], [1, 1]) == math.inf


def test_delta_disclosure_counts_losses_too():
    """The second value falls from 3/8 to 1/8 in the first cell."""
    assert closeness.delta_disclosure([[7, 1], [3, 5]], [1, 1]) == pytest.approx(math.log(3), rel=1e-12)


def test_delta_disclosure_is_unbounded_when_a_value_can_be_ruled_out():
    counts = [[4, 0], [2, 2]]
    assert closeness.delta_disclosure(counts, [1, 1]) == math.inf
    assert closeness.delta_disclosure_present(counts, [1, 1]) == pytest.approx(math.log(2), rel=1e-12)


@pytest.mark.parametrize(
    "measure",
    [
        closeness.t_equal,
        closeness.basic_beta,
        closeness.enhanced_beta,
        closeness.delta_disclosure,
        closeness.delta_disclosure_present,
    ],
)
def test_a_value_nobody_has_changes_nothing(measure):
    assert measure([[3, 0, 2], [2, 0, 3]], [1, 2]) == measure([[3, 2], [2, 3]], [1, 2])
