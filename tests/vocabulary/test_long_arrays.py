"""Parts of long arrays are all of them, and fit a cache."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.vocabulary import long_arrays
from epsilometer.vocabulary.long_arrays import histogram, parts, row_sums


@given(n_rows=st.integers(0, 60), numbers_per_row=st.integers(1, 40))
def test_parts_are_the_rows_in_order_and_fit(n_rows, numbers_per_row):
    rows = np.arange(n_rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_arrays, "FITS_A_CACHE", 20)
        several = parts(rows, numbers_per_row)
    assert np.concatenate(several).tolist() == rows.tolist()
    assert all(len(part) * numbers_per_row <= max(20, numbers_per_row) + numbers_per_row for part in several)


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9), st.integers(-9, 9)), min_size=1))
def test_rows_are_summed_one_by_one(rows):
    assert row_sums(np.array(rows)).tolist() == [sum(row) for row in rows]


@given(st.lists(st.tuples(st.integers(0, 10**12) | st.integers(0, 9), st.integers(1, 9)), min_size=1))
def test_histogram_is_a_tally_however_large_the_numbers(pairs):
    tally = Counter()
    for number, weight in pairs:
        tally[number] += weight
    different, sums = histogram(*np.array(pairs).T)
    assert dict(zip(different.tolist(), sums.tolist(), strict=True)) == tally
    assert different.tolist() == sorted(tally)
