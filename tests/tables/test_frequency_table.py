"""The frequency table: what it says about itself, and counts given as an array."""

import pyarrow as pa
import pytest

from epsilometer.errors import BadCounts
from epsilometer.tables.counting import frequency_table
from epsilometer.tables.frequency_table import FrequencyTable


def test_counts_given_as_an_array():
    freq = FrequencyTable.from_counts([[3, 0], [0, 0], [2, 1]], values=("no", "yes"))
    assert (freq.n_records, freq.n_cells, freq.n_values) == (6, 2, 2)
    assert (freq.quasi_identifiers, freq.sensitive, freq.notes, freq.max_cells_per_person) == ((), (), (), 1)
    assert freq.cells().to_pylist() == [{"cell": 1, "no": 3, "yes": 0}, {"cell": 3, "no": 2, "yes": 1}]
    assert freq.cells(limit=1).num_rows == 1


def test_counts_that_are_none():
    with pytest.raises(BadCounts, match="must not be negative"):
        FrequencyTable.from_counts([[3, -1]])
    with pytest.raises(BadCounts, match="counts has 2 columns, got 1 value labels"):
        FrequencyTable.from_counts([[3, 1]], values=("no",))


def test_missing_values_are_counted_and_noted():
    table = pa.table({"q": ["a", None, "b", None], "s": ["x", "y", "x", None]})
    freq = frequency_table(table, quasi_identifiers=["q"], sensitive="s")
    assert freq.quasi_identifiers == ("q",)
    assert freq.sensitive == ("s",)
    assert freq.profile.values == ("x", "y", "(missing)")
    assert freq.notes == (
        "2 records have no value for q; missing is counted as a value of its own.",
        "1 record has no value for s; missing is counted as a value of its own.",
    )
    assert freq.cells().to_pylist()[-1] == {"q": "(missing)", "x": 0, "y": 1, "(missing)": 1}


def test_what_a_person_adds_is_bounded_and_said():
    # Ann has two rows in cell a that differ; Bob has three equal ones in b and one in a; one row is nobody's.
    table = pa.table({"q": list("aabbbaa"), "s": list("yxzzzzx"), "who": ["ann"] * 2 + ["bob"] * 4 + [None]})
    freq = frequency_table(table, quasi_identifiers="q", sensitive="s", person_id="who")
    assert freq.profile.values == ("x", "z")
    assert freq.cells().to_pylist() == [{"q": "a", "x": 2, "z": 1}, {"q": "b", "x": 0, "z": 1}]
    assert freq.max_cells_per_person == 2
    assert freq.notes == (
        (
            "2 people own the rows; 3 rows were merged so that each person counts once per cell, "
            "and 1 of the people had differing values in one cell, of which the most frequent was kept."
        ),
        "One person appears in up to 2 cells: the guarantee for a person is 2 times epsilon.",
        "1 record has no person id; each is counted as a person of its own.",
    )


def test_without_a_person_id_a_record_is_a_person():
    table = pa.table({"q": ["a", "a"], "s": ["x", "x"]})
    assert frequency_table(table, quasi_identifiers="q", sensitive="s").max_cells_per_person == 1


def test_one_of_several_sensitive_columns_may_be_missing_in_a_combination():
    table = pa.table({"q": ["a", "a"], "s": ["x", None], "t": [1.0, 2.5]})
    freq = frequency_table(table, quasi_identifiers="q", sensitive=["s", "t"])
    assert freq.profile.values == ("x | 1", "(missing) | 2.5")
    assert freq.sensitive == ("s", "t")
