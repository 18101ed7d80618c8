"""The frequency table: what it says about itself, and counts given as an array."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import numpy as np
import pyarrow as pa
import pytest

from epsilometer.errors import BadCounts, BadTable
from epsilometer.tables import profiling
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


@pytest.mark.parametrize("limit", [1, 2, None])
def test_labels_of_cells_are_text_however_many_are_fetched(limit):
    """The missing value comes last: without it a column of numbers must not turn into another kind."""
    table = pa.table({"q": [2, 1, None], "s": ["x", "y", "x"]})
    labels = frequency_table(table, quasi_identifiers="q", sensitive="s").cells(limit)["q"]
    assert labels.to_pylist() == ["1", "2", "(missing)"][:limit]


def test_what_a_person_adds_is_bounded_and_said():
    # Ann's rows in cell a are mostly x; Bob has three equal ones in b and one in a; one row is nobody's.
    table = pa.table({"q": list("aaabbbaa"), "s": list("yxxzzzzx"), "who": ["ann"] * 3 + ["bob"] * 4 + [None]})
    freq = frequency_table(table, quasi_identifiers="q", sensitive="s", person_id="who")
    assert freq.profile.values == ("x", "z")
    assert freq.cells().to_pylist() == [{"q": "a", "x": 2, "z": 1}, {"q": "b", "x": 0, "z": 1}]
    assert freq.max_cells_per_person == 2
    assert freq.notes == (
        (
            "4 records are counted: 2 people, each once in each of their cells, and 1 without a person id, "
            "each taken as a further person."
        ),
        (
            "4 more rows of the same people in the same cells were merged; 1 person had differing values in one "
            "cell, of which the most frequent was kept."
        ),
    )


def test_people_in_several_cells_are_said_to_be_counted_in_each():
    table = pa.table({"q": np.repeat([0, 1], 1500), "s": ["x"] * 3000, "who": np.arange(3000) % 2000})
    freq = frequency_table(table, quasi_identifiers="q", sensitive="s", person_id="who")
    assert freq.notes == ("3,000 records are counted: 2,000 people, each once in each of their cells.",)


def tied_people(n):
    """Everyone has two values once each: a patient in ten has a and z, the others b and y."""
    who = np.repeat(np.arange(n), 2)
    values = np.where(who % 10 == 0, ["a", "z"] * n, ["b", "y"] * n)
    return pa.table({"q": who % 7, "s": values, "who": who})


def test_ties_do_not_shift_the_shares():
    table = tied_people(20_000)
    freq = frequency_table(table, quasi_identifiers="q", sensitive="s", person_id="who")
    assert freq.profile.values == ("a", "b", "y", "z")
    # Five standard deviations of a fair coin around the shares of the rows.
    assert freq.profile.shares == pytest.approx([0.05, 0.45, 0.45, 0.05], abs=5 * 0.5 * 20_000**-0.5)
    assert freq.notes[-1].endswith(
        "20,000 people had differing values in one cell, of which the most frequent was kept. "
        "Of these, 20,000 had no most frequent value; one of theirs was picked by a hash of the id."
    )
    shuffled = table.take(np.random.default_rng(1).permutation(table.num_rows))
    again = frequency_table(shuffled, quasi_identifiers="q", sensitive="s", person_id="who")
    assert again.cells().equals(freq.cells())


def test_an_engine_without_a_hash_takes_the_first_of_equals(tmp_path):
    with closing(sqlite3.connect(tmp_path / "t.db")) as db, db:
        db.execute("CREATE TABLE people (q INTEGER, s TEXT, who INTEGER)")
        db.executemany("INSERT INTO people VALUES (:q, :s, :who)", tied_people(20).to_pylist())
    freq = frequency_table(f"{tmp_path / 't.db'}::people", quasi_identifiers="q", sensitive="s", person_id="who")
    assert freq.profile.values == ("a", "b")
    assert freq.notes[-1].endswith("20 had no most frequent value; the first of theirs in order was taken.")


def test_without_a_person_id_a_record_is_a_person():
    table = pa.table({"q": ["a", "a"], "s": ["x", "x"]})
    assert frequency_table(table, quasi_identifiers="q", sensitive="s").max_cells_per_person == 1


def test_one_of_several_sensitive_columns_may_be_missing_in_a_combination():
    table = pa.table({"q": ["a", "a"], "s": ["x", None], "t": [1.0, 2.5]})
    freq = frequency_table(table, quasi_identifiers="q", sensitive=["s", "t"])
    assert freq.profile.values == ("x | 1", "(missing) | 2.5")
    assert freq.sensitive == ("s", "t")


def test_cells_of_a_column_with_thousands_of_values_can_be_fetched_by_their_counts():
    rows = pa.table({"ward": ["a", "b"] * 1_500, "code": [str(i // 2) for i in range(3_000)]})
    freq = frequency_table(rows, quasi_identifiers="ward", sensitive="code")
    assert freq.cells(having=freq.profile.counts).num_rows == 2


def test_too_many_values_to_compare_are_refused_before_the_engine_runs_out_of_memory(monkeypatch):
    monkeypatch.setattr(profiling, "_MOST_COMPARED_VALUES", 3)
    rows = pa.table({"q": ["a"] * 4, "reason": ["x", "x", "y", "y"], "cost": [1, 2, 3, 4]})
    freq = frequency_table(rows, quasi_identifiers="q", sensitive=["reason", "cost"])
    words = r"^reason \| cost has 4 different values, too many to list its cells: at most 3\. Put numbers into bins\.$"
    with pytest.raises(BadTable, match=words):
        freq.cells(having=freq.profile.counts)
    assert freq.cells().num_rows == 1


def test_threads_may_fetch_cells_at_once():
    """A connection serves one thread at a time and refuses the others; here they wait for each other."""
    table = pa.table({"q": ["a", "b", "b", "c"] * 50, "s": ["x", "y"] * 100})
    freq = frequency_table(table, quasi_identifiers=["q"], sensitive="s")
    expected = sorted(freq.cells().to_pylist(), key=str)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: sorted(freq.cells().to_pylist(), key=str), range(100)))
    assert found == [expected] * 100


def test_what_becomes_of_the_given_counts_changes_nothing():
    given = np.array([[3, 0], [2, 1]])
    freq = FrequencyTable.from_counts(given)
    given[:] = 9
    assert freq.n_records == 6
    assert freq.cells().to_pydict() == {"cell": [1, 2], "value 1": [3, 2], "value 2": [0, 1]}
