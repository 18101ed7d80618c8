"""Rows fetched once, their numbers, and whether two tables can be compared."""

import datetime as dt

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from epsilometer.errors import BadTable, UnknownColumn
from epsilometer.tables.records import Records, check_alike, coded_alike, read_records, shared_codes

PEOPLE = pd.DataFrame({"age": [30, 41, 30], "sex": ["f", None, "m"], "ill": [True, False, True]})


def test_all_columns_are_read_in_order_with_their_types():
    records = read_records(PEOPLE)
    assert records.columns == ("age", "sex", "ill")
    assert len(records) == 3
    assert [records.is_numeric(name) for name in records.columns] == [True, False, False]


def test_named_columns_filter_and_missing_marks():
    records = read_records(pd.DataFrame({"a": ["x", "?", "y"], "b": [1, 2, 3]}), ["a"], where="b < 3", missing=["?"])
    assert records.rows.to_pydict() == {"a": ["x", None]}


def test_records_can_be_read_again():
    records = read_records(PEOPLE)
    assert read_records(records, ["sex"]).columns == ("sex",)


def test_unknown_columns_are_named():
    with pytest.raises(UnknownColumn, match="'agee'"):
        read_records(PEOPLE, ["agee"])


def test_no_row():
    with pytest.raises(BadTable, match="no row"):
        read_records(PEOPLE, where="age > 100")


def test_infinite_numbers_are_refused():
    with pytest.raises(BadTable, match=r"'x'.*infinite"):
        read_records(pd.DataFrame({"x": [1.0, np.inf]}))


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        ([1, None], pa.int8(), [1.0, np.nan]),
        ([dt.date(1970, 1, 3), None], pa.date32(), [2.0, np.nan]),
        ([1000], pa.timestamp("ms"), [1000.0]),
        ([1.5, float("nan")], pa.float64(), [1.5, np.nan]),
    ],
)
def test_numbers(values, kind, expected):
    records = Records(pa.table({"x": pa.array(values, kind)}), "rows")
    assert records.is_numeric("x")
    np.testing.assert_array_equal(records.numbers("x"), expected)


def test_part_keeps_rows_in_the_order_asked_for():
    assert read_records(PEOPLE).part(np.array([2, 0])).rows.column("sex").to_pylist() == ["m", "f"]


def test_some_columns_in_the_order_asked_for():
    chosen = Records(pa.Table.from_pandas(PEOPLE), "people").select(["ill", "age"])
    assert chosen.rows.to_pydict() == {"ill": [True, False, True], "age": [30, 41, 30]}
    assert chosen.name == "people"
    with pytest.raises(UnknownColumn, match="'agee'"):
        chosen.select(["age", "agee"])


def test_values_stand_for_the_codes_of_a_dictionary():
    words = pa.array(["a", None, "b"])
    records = Records(pa.table({"coded": words.dictionary_encode(), "plain": words}), "rows")
    for name in records.columns:
        assert records.values(name).type == pa.string()
        assert records.values(name).to_pylist() == ["a", None, "b"]


def test_columns_must_be_the_same():
    other = read_records(PEOPLE.drop(columns="sex").assign(job="x"))
    with pytest.raises(BadTable, match=r"lacks sex.*lacks job"):
        check_alike(read_records(PEOPLE), other)


def test_kinds_must_be_the_same():
    with pytest.raises(BadTable, match=r"'age' holds int64 in .* and string"):
        check_alike(read_records(PEOPLE), read_records(PEOPLE.assign(age="30")))


def test_same_columns_in_another_order_are_alike():
    check_alike(read_records(PEOPLE), read_records(PEOPLE[["ill", "age", "sex"]]))


def test_codes_are_shared_across_types_of_the_same_kind():
    one = Records(pa.table({"x": pa.array(["a", None, "b"]).dictionary_encode()}), "one")
    other = Records(pa.table({"x": pa.array(["b", "c", None], pa.large_string())}), "other")
    codes, values = shared_codes("x", [one, other])
    assert [[values.to_pylist()[code] for code in table] for table in codes] == [["a", None, "b"], ["b", "c", None]]


def test_records_with_the_same_codes_are_equal_whatever_the_order_of_the_columns():
    one = Records(pa.table({"x": ["a", "b"], "y": [1, None]}), "one")
    other = Records(pa.table({"y": [None, 1.0, 2.0], "x": ["b", "b", "a"]}), "other")
    before, after = coded_alike(one, other)
    equal = (before[:, None] == after).all(axis=2)
    assert equal.tolist() == [[False, False, False], [True, False, False]]


def test_whole_numbers_and_floats_share_codes_and_nan_is_missing():
    one = Records(pa.table({"x": pa.array([1, None])}), "one")
    other = Records(pa.table({"x": pa.array([1.0, float("nan")])}), "other")
    codes, _ = shared_codes("x", [one, other])
    assert codes[0].tolist() == codes[1].tolist()
