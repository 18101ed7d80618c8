"""Coarser tables derived from counts are those that counting the rows again would give."""

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.tables.bins import EdgeBins, WidthBins, as_bins, parse_bin
from epsilometer.tables.coarsening import as_option, coarser_bins, in_coarser_bins, without_column
from epsilometer.tables.counting import count_table
from epsilometer.tables.opening import open_table
from epsilometer.tables.roles import assign_roles

RNG = np.random.default_rng(5)
N = 400
AGES = RNG.integers(0, 99, N)
TABLE = pa.table(
    {
        "age": pa.array(AGES, mask=RNG.random(N) < 0.05),
        "weight": RNG.normal(70, 12, N).round(1),
        "sex": RNG.choice(["f", "m"], N),
        "old": AGES > 60,
        "job": RNG.choice(["a", "b", "c"], N),
    }
)
WAYS_TO_BIN = {
    "no bins": None,
    "width": 5,
    "right-closed from 3": {"width": 5, "origin": 3, "closed": "right"},
    "ends inside a bin": {"width": 5, "bottom": 17, "top": 83},
    "right-closed ends inside a bin": {"width": 5, "bottom": 17, "top": 83, "closed": "right"},
    "decimal width": {"width": "2.5", "origin": "0.5"},
    "edges": {"edges": [5, 10, 18, 25, 30, 40, 50, 65, 80]},
    "right-closed edges": {"edges": [10, 18, 40, 65], "closed": "right"},
}


def counted(bins, quasi_identifiers=("age", "sex")):
    table = open_table(TABLE)
    given_bins = {column: bin_ for column, bin_ in bins.items() if bin_ is not None}
    return count_table(table, assign_roles(table.columns, quasi_identifiers, ["job"], bins=given_bins))


def cells(counts):
    return counts.frequency_table("job").cells().to_pylist()


@pytest.mark.parametrize("bins", WAYS_TO_BIN.values(), ids=WAYS_TO_BIN.keys())
def test_every_coarser_table_is_the_one_that_is_counted_afresh(bins):
    counts = counted({"age": bins})
    offered = coarser_bins(counts)
    assert offered
    for column, coarse in offered:
        derived = in_coarser_bins(counts, column, coarse)
        afresh = counted({"age": coarse})
        assert cells(derived) == cells(afresh)
        assert derived.roles == afresh.roles
        assert derived.frequency_table("job").n_cells <= counts.frequency_table("job").n_cells


def test_a_column_less_is_the_table_counted_without_it():
    counts = counted({"age": 10}, ("sex", "age", "weight"))
    derived = without_column(counts, "sex")
    afresh = counted({"age": 10}, ("age", "weight"))
    assert cells(derived) == cells(afresh)
    assert derived.roles == afresh.roles
    without_bins = without_column(counts, "age")
    assert cells(without_bins) == cells(counted({}, ("sex", "weight")))
    assert without_bins.roles.bins == {}


def test_coarser_tables_can_be_coarsened_again():
    counts = counted({"age": 5})
    twice = in_coarser_bins(in_coarser_bins(counts, "age", as_bins("age", 10)), "age", as_bins("age", 50))
    assert cells(twice) == cells(counted({"age": 50}))


def widths(counts, column):
    return [float(bins.width) for name, bins in coarser_bins(counts) if name == column]


def test_which_bins_are_offered():
    assert widths(counted({"age": 10}), "age") == [20, 50]  # ten bins; a hundred years would be one
    assert widths(counted({"age": 5}), "age") == [10, 25, 50]
    assert widths(counted({}), "age") == [2, 5, 10, 20, 50]
    assert widths(counted({}, ("weight", "sex")), "weight")[0] <= 1
    incomes = open_table(pa.table({"income": np.arange(0, 100_000, 50), "job": ["a", "b"] * 1_000}))
    assert widths(count_table(incomes, assign_roles(incomes.columns, "income", "job")), "income")[:3] == [
        1000,
        2000,
        5000,
    ]
    edges = [bins.edges for _, bins in coarser_bins(counted({"age": {"edges": [10, 20, 30, 40, 50]}}))]
    assert edges == [(10, 30, 50), (10, 50)]


def test_columns_of_words_and_of_few_numbers_have_no_coarser_bins():
    assert coarser_bins(counted({}, ("sex", "old"))) == ()
    few = open_table(pa.table({"children": [0, 1, 2, 0], "job": ["a", "b", "a", "a"]}))
    assert coarser_bins(count_table(few, assign_roles(few.columns, "children", "job"))) == ()


decimals = st.decimals(-1_000, 1_000, places=2).map(Fraction)


@given(decimals.filter(lambda width: width > 0), decimals, st.sampled_from(["left", "right"]), st.booleans())
@settings(max_examples=50, deadline=None)
def test_bins_are_written_as_the_command_line_reads_them(width, origin, closed, ended):
    bottom, top = (origin, origin + 3 * width) if ended else (None, None)
    for bins in (WidthBins(width, origin, closed, top, bottom), EdgeBins((origin, origin + width), closed)):
        assert parse_bin(as_option("a:b", bins)) == ("a:b", bins)


def test_the_rows_are_not_read_again(monkeypatch):
    counts = counted({"age": 5})
    monkeypatch.setattr("epsilometer.tables.counting.scan", None)
    derived = in_coarser_bins(counts, "age", as_bins("age", 10))
    assert em.raw_risk(derived.frequency_table("job")).n_records == N
