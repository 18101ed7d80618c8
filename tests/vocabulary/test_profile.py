"""A profile keeps its counts along its longer side and lets nobody change them; its sums are those of the cells."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.charts.profile import draw_profile
from epsilometer.vocabulary.profile import Profile

CELLS = st.lists(st.tuples(*[st.integers(0, 9)] * 3).filter(any), min_size=1)


@given(CELLS)
def test_totals_sizes_and_shares_are_those_of_the_cells(cells):
    profile, counts = Profile.from_counts(cells), np.array(cells)
    assert profile.totals.tolist() == counts.sum(axis=0).tolist()
    assert sorted(np.repeat(profile.sizes, profile.n_cells)) == sorted(counts.sum(axis=1))
    assert profile.total_records == counts.sum()
    np.testing.assert_allclose(profile.shares, counts.sum(axis=0) / counts.sum())


@pytest.mark.parametrize(("n_rows", "n_values"), [(3, 2), (2, 3)])
def test_counts_lie_along_the_longer_side_whatever_order_they_come_in(n_rows, n_values):
    rows = np.arange(1, n_rows * n_values + 1).reshape(n_rows, n_values)
    for given_order in (rows, np.asfortranarray(rows)):
        kept = Profile(given_order, np.ones(n_rows, dtype=np.int64), ("a", "b", "c")[:n_values]).counts
        assert (kept.flags.f_contiguous, kept.flags.c_contiguous) == (n_rows > n_values, n_rows < n_values)
        assert kept.tolist() == rows.tolist()


def test_nobody_changes_a_profile_and_the_arrays_it_was_made_from_stay_as_they_were():
    counts, n_cells = np.asfortranarray([[1, 2], [3, 4]]), np.array([5, 6])
    profile = Profile(counts, n_cells, ("a", "b"))
    for numbers in (profile.counts, profile.n_cells, profile.sizes, profile.totals):
        with pytest.raises(ValueError, match="read-only"):
            numbers[0] = 0
    assert counts.flags.writeable
    assert n_cells.flags.writeable


def test_whole_numbers_may_be_written_as_real_ones():
    assert Profile.from_counts([[1.0, 2.0]]).counts.dtype == np.int64


def test_a_profile_draws_itself():
    profile = Profile.from_counts([[1, 2], [3, 4]])
    assert profile.plot().to_dict() == draw_profile(profile).to_dict()
