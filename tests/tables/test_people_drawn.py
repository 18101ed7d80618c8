"""Rows that stay in their engine until they are drawn."""

import sqlite3

import numpy as np
import pyarrow as pa
import pytest

from epsilometer.errors import BadTable
from epsilometer.tables.opening import open_table
from epsilometer.tables.people_drawn import people_to_draw
from epsilometer.tables.roles import assign_roles

PEOPLE = pa.table({"id": [1, 2, 3], "age": [17, None, 12], "job": ["a", None, "a"], "name": ["x", "y", "z"]})


def test_rows_come_with_labels_for_bins_and_without_the_id():
    table = open_table(PEOPLE)
    roles = assign_roles(table.columns, ["age"], "job", person_id="id", bins={"age": 10})
    people = people_to_draw(table, roles, ["job"])
    assert people.sizes.tolist() == [2, 1]  # those with a job first, missing last
    assert people.fetch(np.array([2, 0])).to_pylist() == [
        {"age": "(missing)", "job": None}, {"age": "[10, 20)", "job": "a"},
    ]  # fmt: skip


def test_strata_are_numbered_by_their_values_wherever_the_rows_are():
    rows = pa.table({"x": [2, 1, None, 2], "y": ["b", "b", "a", "a"], "z": list("stuv")})
    for order in ([0, 1, 2, 3], [3, 1, 0, 2]):
        table = open_table(rows.take(order))
        people = people_to_draw(table, assign_roles(table.columns, ["x", "y"], "z"), ["x", "y"])
        assert people.sizes.tolist() == [1] * 4
        assert people.fetch(np.arange(4))["z"].to_pylist() == ["t", "s", "v", "u"]


def test_an_engine_that_keeps_no_rows_in_memory_is_asked_the_same_way(tmp_path):
    with sqlite3.connect(tmp_path / "people.db") as base:
        base.execute("CREATE TABLE people (sex TEXT, job TEXT)")
        base.executemany("INSERT INTO people VALUES (?, ?)", [("f", "a"), ("m", "b"), (None, "c"), ("m", "d")])
    base.close()
    table = open_table(f"{tmp_path / 'people.db'}::people")
    people = people_to_draw(table, assign_roles(table.columns, ["sex"], "job"), ["sex"])
    assert people.sizes.tolist() == [1, 2, 1]
    assert people.fetch(np.array([3, 0])).to_pylist() == [{"sex": None, "job": "c"}, {"sex": "f", "job": "a"}]
    assert sorted(people.fetch(np.array([1, 2]))["job"].to_pylist()) == ["b", "d"]


def test_people_with_several_rows_have_one_to_draw():
    table = open_table(pa.table({"id": [1, 1, None, None], "age": [1, 2, 3, 4], "job": list("abcd")}))
    people = people_to_draw(table, assign_roles(table.columns, ["age"], "job", person_id="id"), [])
    drawn = people.fetch(np.arange(3))["age"].to_pylist()
    assert people.sizes.tolist() == [3]
    assert {3, 4} < set(drawn) < {1, 2, 3, 4}


def test_a_table_without_rows_is_refused():
    table = open_table(pa.table({"age": [1], "job": ["a"]}))
    for strata in ([], ["job"]):
        with pytest.raises(BadTable, match="has no row to draw from"):
            people_to_draw(table, assign_roles(table.columns, ["age"], "job"), strata, where="age > 1")
