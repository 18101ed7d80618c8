"""The different rows of a table are those that a set of tuples has, however large the numbers."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from epsilometer.vocabulary.distinct_rows import distinct_rows


@pytest.mark.parametrize("largest", [1, 5, 2**31, 2**53])  # the last two are too large to be digits of one number
@given(data=st.data())
def test_rows_are_those_of_a_counter_in_order(largest, data):
    shapes = array_shapes(min_dims=2, max_dims=2, max_side=12)
    table = data.draw(arrays(np.int64, shapes, elements=st.sampled_from([0, 1, largest - 1, largest])))
    rows, n_rows = distinct_rows(table)
    expected = Counter(map(tuple, table.tolist()))
    assert list(map(tuple, rows.tolist())) == sorted(expected)
    assert n_rows.tolist() == [expected[row] for row in sorted(expected)]


@pytest.mark.parametrize("huge", [2**53 - 1, 2**53])
def test_many_rows_of_huge_numbers_are_not_taken_for_each_other(huge):
    """As digits of one number they would go round: 2**53 times 2**12 rows is beyond what 64 bits hold."""
    first = np.arange(2**12)
    table = np.column_stack([first, np.where(first % 2, huge, 0), np.full(2**12, huge)])
    rows, n_rows = distinct_rows(table[::-1])
    np.testing.assert_array_equal(rows, table)
    assert (n_rows == 1).all()


def test_a_table_without_rows_has_none():
    rows, n_rows = distinct_rows(np.zeros((0, 3), np.int64))
    assert (rows.shape, n_rows.shape) == ((0, 3), (0,))
