"""Counting by place finds what a plain loop and the engine's own grouping find, and steps back where it cannot."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epsilometer.errors import BadFilter, BadRoles, BadTable
from epsilometer.tables import counting, dense_counts, places
from epsilometer.tables.coarsening import without_column
from epsilometer.tables.counting import count_table
from epsilometer.tables.dense_counts import DenseCounts, count_by_place
from epsilometer.tables.kept_counts import KeptCounts
from epsilometer.tables.opening import open_table
from epsilometer.tables.people_combined import combine_people
from epsilometer.tables.places import Digit, Ranges, ranges_of, texts_of
from epsilometer.tables.roles import assign_roles
from epsilometer.tables.time_limit import time_limit
from epsilometer.vocabulary.telling import heard_by

KINDS = {
    "age": (pa.int64(), st.none() | st.integers(-3, 3)),
    "year": (pa.int16(), st.integers(1999, 2001)),
    "size": (pa.uint8(), st.none() | st.integers(250, 255)),
    "member": (pa.bool_(), st.none() | st.booleans()),
    "town": (pa.string(), st.none() | st.sampled_from(["", "Z", "a", "é", "\N{FULLWIDTH LATIN SMALL LETTER A}", "😀"])),
}
NUMBERS = ("age", "year", "size", "member")
ROWS = st.lists(st.fixed_dictionaries({name: values for name, (_, values) in KINDS.items()}), min_size=1, max_size=40)
SENSITIVE = [("member",), ("size",), ("size", "member"), ("member", "size")]


@pytest.fixture(autouse=True)
def _small_tables_too(monkeypatch):
    monkeypatch.setattr(dense_counts, "FEWEST_ROWS", 0)
    monkeypatch.setattr(dense_counts, "PLACES_PER_ROW", 1_000_000)


def as_arrow(rows):
    return pa.table({name: pa.array([row[name] for row in rows], kind) for name, (kind, _) in KINDS.items()})


def joint(table, known, sensitive, **asked):
    opened = replace(open_table(table), has_dictionaries=True)
    return count_table(opened, assign_roles(opened.columns, known, sensitive), **asked)


def in_the_engine(table, known, sensitive, **asked):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "worth_counting_densely", lambda _, **__: None)
        return joint(table, known, sensitive, **asked)


def outcome(count, table, known, where):
    try:
        return count(table, known, ["member", "size"], where=where)
    except (BadTable, BadRoles) as error:
        return str(error)


def has_values(rows, names=tuple(KINDS)):
    return all(any(row[name] is not None for row in rows) for name in names)


@settings(max_examples=40)
@given(rows=ROWS.filter(has_values), sensitive=st.sampled_from(sorted(KINDS)))
def test_a_profile_is_that_of_a_plain_loop(rows, sensitive, count_by_hand, as_counter):
    known = sorted(set(KINDS) - {sensitive})
    counts = joint(as_arrow(rows), known, sensitive)
    assert isinstance(counts.combinations, DenseCounts)
    values, expected = count_by_hand(rows, known, sensitive)
    found = counts.frequency_table(sensitive).profile
    assert as_counter(found) == expected
    said = {None: "(missing)", True: "true", False: "false"} if sensitive == "member" else {None: "(missing)"}
    assert found.values == tuple(said.get(value, str(value)) for value in values)


@settings(max_examples=25)
@given(rows=ROWS.filter(has_values), where=st.sampled_from([None, "age >= 0", "year = 2000 and member"]))
def test_everything_is_as_the_engine_groups_it(rows, where, as_counter):
    table, known = as_arrow(rows), ["age", "year"]
    found, expected = (outcome(count, table, known, where) for count in (joint, in_the_engine))
    if isinstance(expected, str):
        assert found == expected
        return
    assert isinstance(found.combinations, DenseCounts)
    assert isinstance(expected.combinations, KeptCounts)
    assert (found.n_records, found.notes) == (expected.n_records, expected.notes)
    assert found.homogeneous_attributes() == expected.homogeneous_attributes()
    for names in SENSITIVE:
        one, other = found.frequency_table(names), expected.frequency_table(names)
        assert one.profile.values == other.profile.values
        assert as_counter(one.profile) == as_counter(other.profile)
        assert one.cells().equals(other.cells())
    coarser = [without_column(counts, "age").frequency_table("size").profile for counts in (found, expected)]
    assert as_counter(coarser[0]) == as_counter(coarser[1])


@settings(max_examples=10)
@given(rows=ROWS.filter(has_values))
def test_people_are_counted_alike(rows):
    opened = open_table(as_arrow(rows))
    roles = assign_roles(opened.columns, ["age"], "member")
    (combined,) = combine_people(opened, roles, [["member"]], most=1)
    found = combined.fetch()
    counted = dict(zip(found.keys["member"].to_pylist(), found.n.tolist(), strict=True))
    answers = [row["member"] for row in rows]
    assert counted == {answer: answers.count(answer) for answer in set(answers)}


@given(rows=ROWS)
def test_ranges_are_those_of_the_rows(rows):
    found = ranges_of(open_table(as_arrow(rows)).expression, but=["town"])
    if not has_values(rows, NUMBERS):
        assert found is None
        return
    for digit in found.digits:
        values = [row[digit.name] for row in rows if row[digit.name] is not None]
        assert (digit.low, digit.n_values) == (min(values), max(values) - min(values) + 1)
        assert digit.has_missing == (len(values) < len(rows))
        assert [digit.value(place) for place in range(digit.n_values)] == list(range(min(values), max(values) + 1))
    assert found.n_rows == len(rows)
    assert found.n_places == np.prod([digit.size for digit in found.digits])


@pytest.mark.parametrize(
    "column", [pa.array([0.5, 1.0]), pa.array(["a", "b"]), pa.array([None, None], pa.int8())], ids=str
)
def test_other_columns_have_no_ranges(column):
    assert ranges_of(open_table(pa.table({"x": column})).expression) is None


@pytest.mark.parametrize(
    ("low", "n_values", "has_missing"), [(1, 3, True), (0, 2, True), (0, 3, False)], ids=["below", "above", "missing"]
)
def test_a_value_outside_its_range_is_never_taken_for_another(low, n_values, has_missing):
    keys = open_table(pa.table({"x": [0, 1, 2, None]})).expression
    digit = Digit("x", low, n_values, has_missing=has_missing, is_truth=False)
    assert count_by_place(keys, Ranges(4, (digit,))) is None


@given(rows=ROWS)
def test_texts_are_those_of_the_rows(rows):
    found = texts_of(open_table(as_arrow(rows)).expression.select("town"), len(rows))
    towns = [row["town"] for row in rows]
    if not any(town is not None for town in towns):
        assert found is None
        return
    (digit,) = found
    assert [digit.value(place) for place in range(digit.size)] == sorted(
        set(towns), key=lambda town: (town is None, town or "")
    )


@pytest.mark.parametrize("has_missing", [True, False], ids=["with missing ones", "without"])
def test_a_text_that_is_not_known_is_never_taken_for_another(has_missing):
    rows = pa.table({"x": ["a", "b", "c", None] if has_missing else ["a", "b", "c"]})
    digit = Digit("x", 0, 2, has_missing=has_missing, texts=("a", "b"))
    assert count_by_place(open_table(rows).expression, Ranges(rows.num_rows, (digit,))) is None


@pytest.mark.parametrize("constant", ["FIRST_ROWS", "MOST_TEXTS"], ids=["later rows", "first rows"])
def test_columns_with_many_texts_are_left_to_the_engine(monkeypatch, constant):
    rows = pa.table({"x": ["a", "a", "b", "c", "d"], "y": [0, 1, 0, 1, 0]})
    assert isinstance(joint(rows, ["x"], ["y"]).combinations, DenseCounts)
    monkeypatch.setattr(places, "MOST_TEXTS", 2)
    monkeypatch.setattr(places, constant, 2)
    assert isinstance(joint(rows, ["x"], ["y"]).combinations, KeptCounts)


def test_text_is_counted_by_place_where_it_has_dictionaries(tmp_path):
    rows = pa.table({"x": ["a", "b", None], "y": ["no", "no", "yes"]})
    pq.write_table(rows, tmp_path / "rows.parquet")
    for table, kind in ((tmp_path / "rows.parquet", DenseCounts), (rows, KeptCounts)):
        opened = open_table(table)
        counts = count_table(opened, assign_roles(opened.columns, ["x"], ["y"]))
        assert isinstance(counts.combinations, kind)
        found = {tuple(row.values()) for row in counts.rows.to_pyarrow().to_pylist()}
        assert found == {("a", "no", 1), ("b", "no", 1), (None, "yes", 1)}


def test_ranges_that_do_not_hold_leave_counting_to_the_engine(monkeypatch):
    table = pa.table({"q0": [0, 1, 5], "s0": [1, 1, 2]})
    narrow = ranges_of(open_table(table.slice(0, 2)).expression)
    monkeypatch.setattr(counting, "worth_counting_densely", lambda _, **__: narrow)
    counts = joint(table, ["q0"], ["s0"])
    assert isinstance(counts.combinations, KeptCounts)
    assert counts.n_records == 3


def test_a_value_that_a_filter_cannot_convert_leaves_its_row_out():
    numbers = pa.array(np.ones(3_000_000, np.int8))
    rows = pa.table({"x": numbers, "y": numbers, "word": ["7"] * 2_999_999 + ["seven"]})
    assert joint(rows, ["x"], ["y"], where="cast(word as int) > 1").n_records == 2_999_999


def test_a_filter_that_takes_too_long_is_ended_while_counting_by_place():
    rows = pa.table({"x": list(range(50)) * 2_000, "y": [0, 1] * 50_000})
    hard = " or ".join(f"x * {i}.5 % 7 > 9 + x" for i in range(400))
    with time_limit(0.05), pytest.raises(BadFilter, match=r"still running after 0\.05 seconds"):
        joint(rows, ["x"], ["y"], where=hard)


@pytest.mark.parametrize(("constant", "limit"), [("FEWEST_ROWS", 5), ("PLACES_PER_ROW", 1), ("BYTES_PER_PLACE", 10**9)])
def test_small_and_sparse_tables_are_left_to_the_engine(monkeypatch, constant, limit):
    rows = pa.table({"x": [0, 1, 2, 3], "y": [0, 1, 0, 1]})  # eight places
    assert isinstance(joint(rows, ["x"], ["y"]).combinations, DenseCounts)
    monkeypatch.setattr(dense_counts, constant, limit)
    assert isinstance(joint(rows, ["x"], ["y"]).combinations, KeptCounts)


def test_text_that_is_parsed_is_read_once(tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n1,2\n3,4\n")
    assert isinstance(joint(tmp_path / "t.csv", ["x"], ["y"]).combinations, KeptCounts)


def names(engine):
    return engine.con.sql("SELECT view_name FROM duckdb_views() WHERE view_name LIKE 'epsilometer%'").fetchall()


def test_rows_in_memory_are_let_go_with_the_counts():
    opened = open_table(pa.table({"x": [0, 1], "y": [0, 1]}))
    engine = opened.expression.get_backend()
    before = names(engine)
    counts = count_table(opened, assign_roles(opened.columns, ["x"], ["y"]))
    freq = counts.frequency_table("y")
    assert names(engine) == before  # nobody has asked for them yet
    assert freq.cells().to_pydict() == {"x": ["0", "1"], "0": [1, 0], "1": [0, 1]}
    assert counts.rows is counts.rows
    assert len(names(engine)) == len(before) + 1
    del counts, freq
    assert names(engine) == before


def test_counting_tells_how_far_it_is():
    told = []
    with heard_by(lambda what, done: told.append((what, done))):
        joint(
            pa.table({"x": pa.array(np.zeros(2_500_000, np.int8)), "y": pa.array(np.ones(2_500_000, np.int8))}),
            ["x"],
            ["y"],
        )
    assert {what for what, _ in told} == {"counting rows"}
    shares = [done for _, done in told]
    assert len(shares) > 1
    assert shares == sorted(shares)
    assert shares[-1] == 1
