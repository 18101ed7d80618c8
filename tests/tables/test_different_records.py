"""Different records are found inside the engine, and a few show what all would."""

import math

import pyarrow as pa
import pytest

from epsilometer.errors import BadTable, UnknownColumn
from epsilometer.tables import different_records as module
from epsilometer.tables.different_records import different_records, landmarks
from epsilometer.tables.opening import open_table
from epsilometer.tables.records import draw_records

ROWS = {
    "age": [20, 30, 20, 20],
    "size": [1.5, math.nan, 1.5, None],
    "sex": ["f", "m", "f", None],
    "times": [True, False, True, True],
}


def of(rows, columns=()):
    return different_records(open_table(pa.table(rows)), columns)


def test_records_are_told_apart_with_missing_as_a_value():
    found = of(ROWS)
    assert (found.n_records, found.n_different) == (4, 3)
    rows, times = found.fetch()
    assert rows.column_names == list(ROWS)
    by_sex = dict(zip(rows["sex"].to_pylist(), times.tolist(), strict=True))
    assert by_sex == {"f": 2, "m": 1, None: 1}


def test_not_a_number_is_missing():
    assert of(ROWS, ["size"]).n_different == 2
    assert of(ROWS, ["size"]).fetch()[0]["size"].null_count == 1


def test_landmarks_show_ends_values_and_what_is_missing():
    other = {"age": [25, 99], "size": [0.0, 2.5], "sex": ["x", "f"], "times": [False, False]}
    ours, theirs = landmarks(of(ROWS), of(other))
    assert set(ours.rows["age"].to_pylist()) == {20, 30}
    assert set(ours.rows["size"].to_pylist()) == {1.5, None}, "one number has no range: every value is shown"
    assert set(ours.rows["sex"].to_pylist()) == {"f", "m", None}
    assert set(ours.rows["times"].to_pylist()) == {True, False}
    assert set(theirs.rows["age"].to_pylist()) == {25, 99}
    assert set(theirs.rows["size"].to_pylist()) == {0.0, 2.5}
    assert (ours.name, theirs.name) == ("the pyarrow table", "the pyarrow table")


def test_a_missing_number_is_a_landmark_where_there_is_a_range():
    ours, theirs = landmarks(of({"age": [20, 30, None]}), of({"age": [7]}))
    assert ours.rows["age"].to_pylist() == [20, 30, None]
    assert theirs.rows["age"].to_pylist() == [7, 7]


def test_words_of_a_dictionary_are_landmarks():
    coded = pa.array(["f", "m", "f"]).dictionary_encode()
    ours, _ = landmarks(of({"sex": coded}), of({"sex": coded}))
    assert sorted(ours.rows["sex"].to_pylist()) == ["f", "m"]


def test_what_cannot_be_compared_is_refused(monkeypatch):
    with pytest.raises(BadTable, match="the pyarrow table has no row to read"):
        of({"age": pa.array([], pa.int64())})
    with pytest.raises(UnknownColumn, match="agee"):
        of(ROWS, ["agee"])
    with pytest.raises(BadTable, match="both must hold numbers, or both words"):
        landmarks(of({"age": [1]}), of({"age": ["x"]}))
    with pytest.raises(BadTable, match="'age' of the pyarrow table is infinite in some row"):
        landmarks(of({"age": [1.0, math.inf]}), of({"age": [1.0]}))
    monkeypatch.setattr(module, "MOST_VALUES", 2)
    with pytest.raises(BadTable, match="'sex' of the pyarrow table has more than 2 different values, too many"):
        landmarks(of(ROWS), of(ROWS))


def test_a_random_part_is_drawn_of_what_is_too_large():
    table = open_table(pa.table({"age": list(range(1000)), "sex": ["f"] * 1000}))
    assert draw_records(table, most=1000).rows["age"].to_pylist() == list(range(1000))
    one, other = (draw_records(table, ["age"], most=200).rows["age"].to_pylist() for _ in range(2))
    assert len(set(one)) == len(set(other)) == 200
    assert set(one) != set(other)
    assert sum(one) / 200 == pytest.approx(499.5, abs=5 * 288.7 * math.sqrt(0.8 / 200))  # five standard errors
    with pytest.raises(UnknownColumn):
        draw_records(table, ["agee"], most=10)
