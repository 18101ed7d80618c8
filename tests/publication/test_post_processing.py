"""Noisy counts made to look more like counts: from noisy numbers alone, nearest, whole, with one total."""

import inspect
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from epsilometer.plans.release_kinds import CountsOf
from epsilometer.publication.counts import publish_counts
from epsilometer.publication.post_processing import post_processed, published, whole
from epsilometer.synthesizers.noise import SimulatedNoise

COLUMNS = [("sex", "age"), ("age",), ("job", "sex")]
SHAPES = [(2, 3), (3,), (4, 2)]
VARIANCES = [1.0, 4.0, 2.0]
noisy_tables = st.tuples(*(arrays(np.int64, shape, elements=st.integers(-20, 200)) for shape in SHAPES))


def test_it_is_given_noisy_numbers_only():
    assert list(inspect.signature(post_processed).parameters) == ["noisy", "columns", "variances", "steps"]


@given(noisy_tables)
def test_tables_agree_on_what_they_share(noisy):
    one, other, third = post_processed(noisy, COLUMNS, VARIANCES, ("totals",))
    assert np.allclose(one.sum(axis=0), other)
    assert np.allclose(one.sum(axis=1), third.sum(axis=0))
    assert np.allclose(one.sum(), third.sum())
    for before, after in zip(noisy, (one, other, third), strict=True):
        assert before.shape == after.shape


@given(noisy_tables)
def test_all_steps_together_leave_whole_counts_with_one_total(noisy):
    tables = post_processed(noisy, COLUMNS, VARIANCES, ("whole", "non-negative", "totals"))
    totals = {float(table.sum()) for table in tables}
    assert len(totals) == 1
    assert totals.pop() >= 1
    for table in tables:
        assert (table >= 0).all()
        assert (table == np.floor(table)).all()
        assert (published(table, 0.5) == table).all()


def test_totals_are_weighed_by_their_noise():
    """A table of 2 counts of variance 1 and one of 3 counts of variance 4: 1/2 against 1/12."""
    one, other = post_processed([np.array([5, 5]), np.array([8, 8, 8])], [("a",), ("b",)], [1.0, 4.0], ("totals",))
    assert one.sum() == pytest.approx((10 / 2 + 24 / 12) / (1 / 2 + 1 / 12))
    assert other.sum() == pytest.approx(one.sum())


def test_not_negative_is_the_nearest_with_the_same_total():
    (table,) = post_processed([np.array([5, -1, 2])], [("a",)], [1.0], ("non-negative",))
    assert table.tolist() == [4.5, 0.0, 1.5]


@given(arrays(np.float64, st.integers(1, 20), elements=st.floats(-50, 500)))
def test_rounding_keeps_the_total_and_moves_no_count_by_one(counts):
    rounded = whole(counts)
    assert rounded.sum() == round(counts.sum())
    assert (np.abs(rounded - counts) < 1 + 1e-9).all()
    remainders, up = counts - np.floor(counts), rounded > np.floor(counts)
    assert remainders[up].min(initial=1.0) >= remainders[~up].max(initial=0.0)


def test_published_tables_agree(plan):
    tables = (CountsOf(columns=("sex", "job")), CountsOf(columns=("age", "sex")))
    steps = ("non-negative", "whole", "totals")
    made = publish_counts(plan(tables=tables, post_processing=steps), SimulatedNoise(3))
    totals = [sum(table.rows["count"].to_pylist()) for table in made]
    assert all(one == other for one, other in pairwise(totals))
    assert [table.post_processing for table in made] == [steps, steps]
