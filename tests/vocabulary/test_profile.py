"""A profile keeps its counts by column and lets nobody change them; what is read off it agrees with the cells."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.vocabulary.profile import Profile

CELLS = st.lists(st.tuples(*[st.integers(0, 9)] * 3).filter(any), min_size=1)


@given(CELLS)
def test_totals_sizes_and_shares_are_those_of_the_cells(cells):
    profile, counts = Profile.from_counts(cells), np.array(cells)
    assert profile.totals.tolist() == counts.sum(axis=0).tolist()
    assert sorted(np.repeat(profile.sizes, profile.n_cells)) == sorted(counts.sum(axis=1))
    assert profile.total_records == counts.sum()
    np.testing.assert_allclose(profile.shares, counts.sum(axis=0) / counts.sum())


def test_counts_are_kept_by_column_whatever_order_they_come_in():
    rows = np.array([[1, 2], [3, 4], [5, 6]])
    for given_order in (rows, np.asfortranarray(rows)):
        kept = Profile(given_order, np.ones(3, dtype=np.int64), ("a", "b")).counts
        assert kept.flags.f_contiguous
        assert kept.tolist() == rows.tolist()


def test_nobody_changes_a_profile_and_the_arrays_it_was_made_from_stay_as_they_were():
    counts, n_cells = np.asfortranarray([[1, 2], [3, 4]]), np.array([5, 6])
    profile = Profile(counts, n_cells, ("a", "b"))
    for numbers in (profile.counts, profile.n_cells, profile.sizes, profile.totals):
        with pytest.raises(ValueError, match="read-only"):
            numbers[0] = 0
    assert counts.flags.writeable
    assert n_cells.flags.writeable
