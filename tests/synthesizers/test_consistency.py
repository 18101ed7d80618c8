"""Consistent marginals: they agree, have one total, are not negative, and stay as they are if they were right."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.synthesizers.consistency import agreeing, consistent
from epsilometer.synthesizers.noisy_marginals import Marginal

SIZES = (2, 3, 2, 4, 3)
column_sets = st.lists(st.frozensets(st.integers(0, 4), min_size=1, max_size=3), min_size=1, max_size=6, unique=True)


def marginals_of(joint, sets):
    whole = Marginal(tuple(range(joint.ndim)), joint)
    return [Marginal(tuple(sorted(each)), whole.onto(sorted(each))) for each in sets]


def noisy_marginals(sets, seed):
    rng = np.random.default_rng(seed)
    return [
        Marginal(tuple(sorted(each)), rng.normal(5, 9, [SIZES[column] for column in sorted(each)])) for each in sets
    ]


def assert_agree(marginals, atol):
    for one, other in combinations(marginals, 2):
        shared = sorted({*one.columns} & {*other.columns})
        np.testing.assert_allclose(one.onto(shared), other.onto(shared), rtol=0, atol=atol)


@given(column_sets, st.integers(0, 99))
def test_agreeing_marginals_agree_on_all_they_share(sets, seed):
    """Sets within sets are among them."""
    assert_agree(agreeing(noisy_marginals(sets, seed)), atol=1e-9)


@given(column_sets, st.integers(0, 99))
def test_marginals_of_one_table_stay_as_they_are(sets, seed):
    marginals = marginals_of(np.random.default_rng(seed).integers(0, 9, SIZES).astype(float), sets)
    for after in (agreeing(marginals), consistent(marginals)):
        for before, each in zip(marginals, after, strict=True):
            np.testing.assert_allclose(each.table, before.table, rtol=0, atol=1e-9)


def test_the_average_has_the_least_variance():
    """Totals of 2 and 8 noisy counts: their variances are as 1 to 4, so that the first weighs 4 / 5."""
    one, other = Marginal((0,), np.array([10.0, 0.0])), Marginal((1, 2, 3), np.zeros((2, 2, 2)))
    totals = [each.table.sum() for each in agreeing([one, other])]
    assert totals == pytest.approx([8, 8])


@given(column_sets, st.integers(0, 99))
def test_consistent_marginals_are_not_negative_and_have_one_total(sets, seed):
    marginals = consistent(noisy_marginals(sets, seed))
    totals = [each.table.sum() for each in marginals]
    assert all(each.table.min() >= 0 for each in marginals)
    assert totals == pytest.approx([totals[0]] * len(totals))
    assert totals[0] >= 1 - 1e-9


def test_consistent_marginals_nearly_agree():
    """A table with noise of about a tenth of its counts, and with empty cells."""
    rng = np.random.default_rng(0)
    joint = rng.poisson(20, SIZES) * (rng.random(SIZES) < 0.7).astype(float)
    sets = [{0, 1, 2}, {1, 2, 3}, {0, 3, 4}, {2, 4}]
    noisy = [
        Marginal(each.columns, each.table + rng.laplace(0, 30, each.table.shape)) for each in marginals_of(joint, sets)
    ]
    assert_agree(consistent(noisy), atol=0.005 * joint.sum())


def test_less_than_no_records_are_taken_for_one():
    (only,) = consistent([Marginal((0,), np.array([-5.0, -3.0]))])
    assert only.table.sum() == pytest.approx(1)
