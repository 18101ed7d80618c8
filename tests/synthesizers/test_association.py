"""The dependence score against sums of fractions, and its sensitivity over all small tables."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from epsilometer.synthesizers.association import SENSITIVITY, displaced_records

small_tables = arrays(np.int64, st.tuples(st.integers(1, 4), st.integers(1, 4)), elements=st.integers(0, 50))


def by_fractions(counts):
    n = int(counts.sum())
    rows, columns = counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist()
    return (
        sum(
            (abs(int(counts[x, y]) - Fraction(rows[x] * columns[y], n)) for x, y in np.ndindex(counts.shape) if n),
            start=Fraction(0),
        )
        / 2
    )


@given(small_tables)
def test_score_is_the_sum_of_fractions(counts):
    assert displaced_records(counts) == float(by_fractions(counts))


@given(small_tables)
def test_moving_so_many_records_is_enough(counts):
    assert 0 <= displaced_records(counts) <= counts.sum()


@given(st.lists(st.integers(0, 9), min_size=1, max_size=4), st.lists(st.integers(0, 9), min_size=1, max_size=4))
def test_independent_columns_score_zero(rows, columns):
    assert displaced_records(np.outer(rows, columns)) == 0


@pytest.mark.parametrize(("shape", "most"), [((2, 2), 6), ((2, 3), 4), ((3, 3), 2), ((1, 4), 5)])
def test_one_record_moves_the_score_as_little_as_proved(shape, most):
    """Every table of up to so many records, the empty one included, and every record added to it."""
    for counts in product(range(most + 1), repeat=shape[0] * shape[1]):
        before = np.array(counts).reshape(shape)
        n = int(before.sum())
        if n > most:
            continue
        for x, y in np.ndindex(shape):
            after = before.copy()
            after[x, y] += 1
            change = abs(by_fractions(after) - by_fractions(before))
            if not n:
                assert change == 0
                continue
            row, column = int(before[x].sum()), int(before[:, y].sum())
            assert change <= 2 * Fraction(n, n + 1) * (1 - Fraction(row, n)) * (1 - Fraction(column, n)) < SENSITIVITY


@pytest.mark.parametrize("n", [1, 2, 10, 10**6, 6 * 10**7])
def test_no_smaller_sensitivity_would_do_and_rounding_keeps_below_it(n):
    """A record that is new in both columns, added to records that are all alike."""
    change = displaced_records(np.array([[n, 0], [0, 1]])) - displaced_records(np.array([[n, 0], [0, 0]]))
    assert SENSITIVITY - 2.1 / n < change < SENSITIVITY


def test_no_records_do_not_depend():
    assert displaced_records(np.zeros((2, 3), dtype=np.int64)) == 0
