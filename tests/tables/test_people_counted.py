"""Counts to which a person adds a bounded number of ones: the law that a release rests on, and its engines."""

import re
import sqlite3
from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epsilometer.errors import BadBins
from epsilometer.tables.bins import as_bins
from epsilometer.tables.opening import open_table
from epsilometer.tables.people_combined import combine_people
from epsilometer.tables.people_counted import bin_codes, distinct_keys, one_row_each
from epsilometer.tables.roles import assign_roles

ROWS = st.lists(
    st.tuples(
        st.sampled_from([None, "ann", "bob", "cyd"]), st.sampled_from(["f", "m"]), st.sampled_from(["a", "b", None])
    ),
    min_size=1,
    max_size=14,
)
SETS = (("sex", "job"), ("job",), ("job", "sex"))


def counted(source, most, person_id="id"):
    table = open_table(source)
    roles = assign_roles(table.columns, ["sex"], "job", person_id=person_id)
    return [
        Counter(dict(zip(zip(*found.keys.to_pydict().values(), strict=True), found.n.tolist(), strict=True)))
        for found in (each.fetch() for each in combine_people(table, roles, SETS, most=most))
    ]


def frame(rows):
    """One more person, without an id, so that no column is always missing."""
    ids, sexes, jobs = zip(*rows, (None, "f", "a"), strict=True)
    return pa.table({"id": pa.array(ids, pa.string()), "sex": sexes, "job": pa.array(jobs, pa.string())})


@settings(deadline=None, max_examples=15)
@given(rows=ROWS, most=st.integers(1, 3))
def test_a_person_moves_few_counts_by_one(rows, most):
    """With and without ann, in every table; nothing else moves."""
    everybody, others = counted(frame(rows), most), counted(frame([row for row in rows if row[0] != "ann"]), most)
    for one, other in zip(everybody, others, strict=True):
        moved = {key: one[key] - other[key] for key in one | other if one[key] != other[key]}
        assert set(moved.values()) <= {1}
        assert len(moved) <= most


@settings(deadline=None, max_examples=8)
@given(rows=ROWS, most=st.integers(1, 3))
def test_people_add_as_much_as_they_may(rows, most):
    found = counted(frame(rows), most)
    for names, counts in zip(SETS, found, strict=True):
        theirs = {person: set() for person, _, _ in rows if person}
        alone = Counter()
        for person, sex, job in [*rows, (None, "f", "a")]:
            key = tuple({"sex": sex, "job": job}[name] for name in names)
            if person is None:
                alone[key] += 1
            else:
                theirs[person].add(key)
        assert counts.total() == alone.total() + sum(min(most, len(keys)) for keys in theirs.values())
        everything = alone + Counter(key for keys in theirs.values() for key in keys)
        assert counts <= everything


def test_without_an_id_a_row_is_a_person():
    rows = [("ann", "f", "a"), ("ann", "f", "a"), ("bob", "m", None)]
    assert counted(frame(rows), 1, person_id=None)[0] == {("f", "a"): 3, ("m", None): 1}


def test_an_engine_without_a_hash_keeps_the_first_in_order(tmp_path):
    rows = [("ann", "m", "b"), ("ann", "f", "b"), (None, "f", "a")]
    with sqlite3.connect(tmp_path / "people.db") as base:
        base.execute("CREATE TABLE people (id TEXT, sex TEXT, job TEXT)")
        base.executemany("INSERT INTO people VALUES (?, ?, ?)", rows)
    base.close()
    assert counted(f"{tmp_path / 'people.db'}::people", 1)[0] == {("f", "b"): 1, ("f", "a"): 1}


def test_who_is_kept_does_not_depend_on_the_order_of_rows():
    rows = [("ann", sex, job) for sex in "fm" for job in "ab"]
    assert counted(frame(rows), 2) == counted(frame(rows[::-1]), 2)


def test_bins_of_numbers_are_those_of_rows():
    bins = as_bins("x", {"width": 0.1, "closed": "right", "top": 0.5})
    numbers = [0.1, 0.3, 0.30000000000000004, 0.7]
    table = open_table(pa.table({"x": numbers, "y": ["a"] * 4}))
    found = distinct_keys(table, ["x"], bins={"x": bins})["x"].to_pylist()
    assert sorted(map(int, found)) == sorted(set(bin_codes(bins, numbers)))


@pytest.mark.parametrize("number", [1e308, -1e308, 1e30])
def test_a_number_too_large_for_bins_is_named(number):
    with pytest.raises(
        BadBins, match=rf"^{re.escape(f'{number:g}')} is too large to have a bin \(width 5 from 0, closed"
    ):
        bin_codes(as_bins("x", 5), [0.0, number])


@pytest.mark.parametrize(
    ("ids", "where", "alone"),
    [
        ([1, 2, 3], None, True),
        ([1, 2, 1], None, False),
        ([1, None, None], None, True),  # whoever has no id is a person of their own
        ([1, 2, 1], "x < 3", True),
    ],
)
def test_whether_everybody_has_one_row_is_counted(ids, where, alone):
    table = open_table(pa.table({"id": ids, "x": [1, 2, 3]}))
    assert one_row_each(table, "id", where=where) is alone


def test_what_occurs_is_fetched_once_each():
    table = open_table(pa.table({"sex": ["f", None, "f", "m"], "age": [12, 19, 35, 99]}))
    found = distinct_keys(table, ["sex", "age"], bins={"age": as_bins("age", 10)}, where="age < 90")
    assert set(found["sex"].to_pylist()) == {"f", None}
    assert sorted(found["age"].to_pylist()) == [1, 3]
