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
