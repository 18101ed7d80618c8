import pytest

from epsilometer.formulas import anonymity

COUNTS = [[1, 0, 0], [0, 4, 0], [3, 1, 0], [2, 2, 2]]
N_CELLS = [6, 2, 1, 1]


def test_k_is_the_size_of_the_smallest_cell():
    assert anonymity.k_anonymity(COUNTS) == 1
    assert anonymity.k_anonymity(COUNTS[1:]) == 4


def test_alpha_is_the_largest_share_of_a_value():
    assert anonymity.largest_value_share(COUNTS[2:]) == 0.75


def test_unique_records_are_the_cells_of_one():
    assert anonymity.unique_records(COUNTS, N_CELLS) == 6
    assert anonymity.unique_records(COUNTS[1:], N_CELLS[1:]) == 0


def test_homogeneous_cells_are_weighted_by_how_often_they_occur():
    assert anonymity.homogeneous_cells(COUNTS, N_CELLS) == 8
    assert anonymity.homogeneous_records(COUNTS, N_CELLS) == 6 + 8


@pytest.mark.parametrize("measure", [anonymity.unique_records, anonymity.homogeneous_cells])
def test_numbers_of_people_and_cells_are_plain_integers(measure):
    assert type(measure(COUNTS, N_CELLS)) is int
