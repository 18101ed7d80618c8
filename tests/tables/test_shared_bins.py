"""Codes that mean the same in several tables, against pandas and by hand."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.errors import BadBins
from epsilometer.tables.records import Records
from epsilometer.tables.shared_bins import binned_codes, quantile_edges


def records(name="people", **columns):
    return Records(pa.table(columns), name)


def test_many_different_numbers_make_ten_bins_as_pandas_does():
    numbers = np.random.default_rng(1).normal(size=1000)
    (codes,), size = binned_codes("x", [records(x=numbers)])
    np.testing.assert_array_equal(codes, pd.qcut(numbers, 10, labels=False))
    assert size == 11  # and missing


@given(st.lists(st.integers(0, 30), min_size=1, max_size=200))
def test_bins_are_few_and_none_is_empty(values):
    numbers = np.array(values, dtype=float)
    edges = quantile_edges(numbers)
    assert len(edges) <= 9
    assert (np.diff(edges) > 0).all()
    assert set(edges) <= set(numbers)
    counts = np.bincount(np.searchsorted(edges, numbers, side="right"), minlength=len(edges) + 1)
    assert counts.min() > 0
    if len(set(values)) <= 10:
        assert len(counts) == len(set(values))


@given(st.lists(st.integers(0, 30), min_size=1, max_size=200))
def test_a_bin_of_several_values_is_not_large_because_of_one_of_them(values):
    """Two quantiles on one value give it a bin of its own, so that no other bin holds two tenths or more of it."""
    numbers = np.array(values, dtype=float)
    code = np.searchsorted(quantile_edges(numbers), numbers, side="right")
    for value, count in zip(*np.unique(numbers, return_counts=True), strict=True):
        together = numbers[code == code[numbers == value][0]]
        if len(set(together)) > 1:
            assert count <= 0.2 * len(numbers)


@pytest.mark.parametrize(
    ("values", "edges"),
    [
        ([0] * 90 + list(range(1, 11)), [1]),
        ([7] * 95 + [1, 2, 3, 4, 5], [2, 3, 4, 5, 7]),  # few different values
        ([50] * 200 + list(range(12)), [50]),  # the rare values below are one bin
        ([50] * 200 + list(range(12)) + [90] * 2, [50, 90]),
        ([3.5], []),
        ([np.nan, np.nan], []),
        ([], []),
    ],
)
def test_edges_of_tied_values(values, edges):
    assert quantile_edges(np.array(values, dtype=float)).tolist() == edges


def test_bins_are_those_of_the_first_table_and_open_at_the_ends():
    first, second = records(x=[1.0, 2.0, 3.0]), records(x=[-9.0, 2.5, None, 99.0])
    codes, size = binned_codes("x", [first, second])
    assert [code.tolist() for code in codes] == [[0, 1, 2], [0, 1, 3, 2]]
    assert size == 4


def test_edges_given_are_closed_on_the_left():
    codes, size = binned_codes("x", [records(x=[17, 18, 64, 65, None])], [18, 65])
    assert codes[0].tolist() == [0, 1, 1, 2, 3]
    assert size == 4


def test_categories_are_numbered_by_value_in_all_tables():
    codes, size = binned_codes("x", [records(x=["b", "a", None]), records(x=["c", "a"])])
    assert [code.tolist() for code in codes] == [[0, 1, 2], [3, 1]]
    assert size == 4


def test_bad_edges():
    with pytest.raises(BadBins, match=r"^Column 'x' of people does not hold numbers; it needs no edges\.$"):
        binned_codes("x", [records(x=["b", "a"])], [1, 2])
    for edges in ([2, 1], [1, 1], [1, np.nan], [np.inf]):
        with pytest.raises(BadBins, match=r"^bins of 'x': edges must be growing finite numbers, got \["):
            binned_codes("x", [records(x=[1, 2])], edges)
