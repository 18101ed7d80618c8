"""Declared types: each value is converted by itself, as a plain evaluator would, and none makes the reading fail."""

import datetime as dt
import json
import re
import sqlite3
from contextlib import closing
from decimal import Decimal
from itertools import count
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epsilometer.errors import BadBins, BadQuestion, BadRoles, UnknownChoice, UnknownColumn
from epsilometer.tables.counting import frequency_table
from epsilometer.tables.engine import fetch
from epsilometer.tables.frames import text_column
from epsilometer.tables.opening import open_table
from epsilometer.tables.types import COLUMN_TYPES, parse_types

VECTORS = json.loads(
    (Path(__file__).parents[1] / "reference" / "converted_texts.json").read_text(encoding="utf-8")
)  # texts, and what they are as values of each type

# A slow and obvious evaluator

BLANKS = " \t\n\r\v\f"
TRUTHS = dict.fromkeys(["true", "t", "yes", "1"], True) | dict.fromkeys(["false", "f", "no", "0"], False)


def integer(text):
    whole, _, zeros = text.partition(".")
    digits = whole[1:] if whole[:1] in {"+", "-"} else whole
    fits = digits.isascii() and digits.isdigit() and len(digits) <= 18 and not zeros.strip("0")
    return int(whole) if fits else None


def number(text):
    shape = r"[+-]?(\d{1,100}(\.\d{0,100})?|\.\d{1,100})([eE][+-]?\d{1,2})?"
    return float(text) if re.fullmatch(shape, text, re.ASCII) else None


def date(text):
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None


def moment(text):
    if not re.fullmatch(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?", text, re.ASCII):
        return None
    try:
        return dt.datetime.fromisoformat(text)
    except ValueError:
        return None


def truth(text):
    return TRUTHS.get(text.lower())


EVALUATORS = {"integer": integer, "number": number, "date": date, "datetime": moment, "boolean": truth}


def by_hand(text, kind):
    """Return what a text is as a value of a type."""
    if text is None or kind == "text":
        return text
    return EVALUATORS[kind](text.strip(BLANKS))


# Sources that hold texts

FRESH = count()


def fresh(folder, suffix):
    return folder / f"t{next(FRESH)}{suffix}"


def as_csv(texts, folder):
    path = fresh(folder, ".csv")
    pd.DataFrame({"i": range(len(texts)), "x": texts}).to_csv(path, index=False, lineterminator="\n")
    return path


def as_json_lines(texts, folder):
    path = fresh(folder, ".jsonl")
    path.write_text("".join(json.dumps({"i": i, "x": text}) + "\n" for i, text in enumerate(texts)), encoding="utf-8")
    return path


def as_sheet(texts, folder):
    book, path = openpyxl.Workbook(), fresh(folder, ".xlsx")
    book.active.append(["i", "x"])
    for i, text in enumerate(texts):
        book.active.append([i])
        cell = book.active.cell(i + 2, 2, text)
        cell.data_type = "s"  # also of what looks like a formula
    book.save(path)
    return path


def as_objects(texts, _folder):
    return pd.DataFrame({"i": range(len(texts)), "x": pd.Series(texts, dtype=object)})


def as_sqlite(texts, folder, kind=""):
    path = fresh(folder, ".db")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"CREATE TABLE people (i INTEGER, x {kind})")
        db.executemany("INSERT INTO people VALUES (?, ?)", list(enumerate(texts)))
    return f"{path}::people"


SOURCES = {"csv": as_csv, "jsonl": as_json_lines, "xlsx": as_sheet, "pandas": as_objects, "sqlite": as_sqlite}
every_source = pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES.keys())


def converted(table, kind, **options):
    """Return the values of a column, in the order of the rows."""
    rows = open_table(table, types={"i": "integer", "x": kind}, **options).expression
    return [row["x"] for row in sorted(fetch(rows.select("i", "x")).to_pylist(), key=lambda row: row["i"])]


def same(found, wanted):
    """Whether values are equal and of one type, zeros of one sign; SQLite knows no less than a millisecond."""
    if isinstance(wanted, dt.datetime) and isinstance(found, dt.datetime):
        return found in {wanted, wanted.replace(microsecond=wanted.microsecond // 1000 * 1000)}
    return repr(found) == repr(wanted)


# Texts as they may stand in a table: numbers, dates and times, nearly such, and anything

PARTS = st.sampled_from(
    ["0", "1", "7", "12", "00", "2020", "02", "29", "30", "31", "-", "+", ".", ":", "e", "E5", " ", "T", "x", "\u0662",
     "\u00bd", "true", "F", "yes", "nan", "inf", ",", "_", "\t", "\u2028", "\u00a0"]
)  # fmt: skip
DAYS = st.builds("{:04}-{:02}-{:02}".format, st.integers(0, 9999), st.integers(0, 13), st.integers(0, 32))
TIMES = st.builds("{:02}:{:02}{}".format, st.integers(0, 25), st.integers(0, 61), st.sampled_from(["", ":59", ":60.5"]))
PRINTABLE = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co"]), max_size=12)
TEXTS = st.one_of(
    st.lists(PARTS, max_size=6).map("".join),
    st.integers(-(10**19), 10**19).map(str),
    st.floats().map(str),
    st.decimals(allow_nan=False, allow_infinity=False).map(str),
    DAYS,
    st.builds("{}{}{}".format, DAYS, st.sampled_from([" ", "T", "  "]), TIMES),
    PRINTABLE,
    st.sampled_from([vector["text"] for vector in VECTORS]),
)
KINDS = st.sampled_from(COLUMN_TYPES)


def test_the_vectors_are_those_of_the_evaluator():
    for vector in VECTORS:
        for kind in EVALUATORS:
            value = by_hand(vector["text"], kind)
            assert (value.isoformat() if isinstance(value, dt.date) else value) == vector.get(kind)
    assert len(VECTORS) > 150


@pytest.mark.parametrize("kind", EVALUATORS)
@pytest.mark.parametrize("source", [as_objects, as_sqlite], ids=["duckdb", "sqlite"])
def test_every_text_is_converted_as_the_evaluator_says(tmp_path, source, kind):
    texts = [vector["text"] for vector in VECTORS]
    found = converted(source(texts, tmp_path), kind)
    assert [text for text, value in zip(texts, found, strict=True) if not same(value, by_hand(text, kind))] == []


@given(texts=st.lists(TEXTS, min_size=1, max_size=20), kind=KINDS)
def test_any_text_is_converted_as_the_evaluator_says(texts, kind):
    found = converted(as_objects(texts, None), kind)
    assert [text for text, value in zip(texts, found, strict=True) if not same(value, by_hand(text, kind))] == []


def ends_a_line(text):
    return "\r" in text or "\n" in text


@every_source
@settings(max_examples=15, deadline=None)
@given(texts=st.lists(TEXTS.filter(lambda text: not ends_a_line(text)), min_size=1, max_size=8), kind=KINDS)
def test_a_row_is_read_as_if_it_were_alone(source, tmp_path_factory, texts, kind):
    """A frame begins with a row that makes it differ from an empty one, and is no part of the comparison."""
    folder = tmp_path_factory.mktemp("rows")
    together = converted(source(["1", *texts], folder), kind)
    alone = [converted(source(["1", text], folder), kind) for text in texts]
    assert all(same(found, other[1]) for found, other in zip(together[1:], alone, strict=True))
    assert all(same(other[0], together[0]) for other in alone)


OBJECTS = st.one_of(
    TEXTS,
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.floats(width=32).map(np.float32),
    st.integers(-99, 99).map(np.int8),
    st.booleans().map(np.bool_),
    st.decimals(),
    st.dates(),
    st.datetimes(min_value=dt.datetime(1970, 1, 1), max_value=dt.datetime(2100, 1, 1)).map(pd.Timestamp),  # noqa: DTZ001
    st.sampled_from([pd.NA, pd.NaT, np.datetime64("NaT"), Decimal("NaN"), [1], {"a": 1}, "\ud800", "<NA>", "NaT"]),
    st.binary(max_size=5),
)


@given(objects=st.lists(OBJECTS, min_size=1, max_size=10))
def test_an_object_is_written_as_if_it_were_alone(objects):
    assert text_column(objects).to_pylist() == [text_column([each])[0].as_py() for each in objects]


def test_objects_are_written_as_they_look():
    objects = [34, 34.0, np.float64(34), np.float32(0.1), True, np.bool_(False), dt.date(2020, 1, 2),
               dt.datetime(2020, 1, 2, 3), Decimal("1.50"), float("nan"), pd.NaT, pd.NA, b"x", b"\xff"]  # noqa: DTZ001  # fmt: skip
    assert text_column(objects).to_pylist() == [
        "34", "34", "34", "0.1", "true", "false", "2020-01-02", "2020-01-02 03:00:00", "1.50", None, None, None, "x",
        "\ufffd",
    ]  # fmt: skip


# One row more changes how no other row is read


def labels(table, **options):
    """How often each value is counted."""
    freq = frequency_table(table, quasi_identifiers="g", sensitive="x", **options)
    (cell,) = freq.cells().to_pylist()
    return {name: n for name, n in cell.items() if name != "g"}


ATTACKS = [
    (["1", "1.0"], ["x", "01", "1e400", "1.5", "99999999999999999999"]),
    (["34", " 34"], ["x", "", "NaN"]),
    (["12:00", "12:00:00"], ["noon", "25:00"]),
    (["2020-01-02", "2020-01-02 00:00"], ["2020-02-30", "yesterday"]),
    (["true", "t"], ["maybe", "2"]),
]


@pytest.mark.parametrize("kind", [None, *COLUMN_TYPES])
@pytest.mark.parametrize(("values", "others"), ATTACKS)
@pytest.mark.parametrize(
    "source", [as_csv, as_json_lines, as_objects, as_sqlite], ids=["csv", "jsonl", "pandas", "sqlite"]
)
def test_one_row_more_relabels_nobody(tmp_path, source, values, others, kind):
    types = {} if kind is None else {"x": kind}
    held = [value for value in values for _ in range(600)]

    def counted(texts):
        rows = open_table(source(texts, tmp_path), types=types).expression
        found = fetch(rows.group_by("x").agg(n=rows.count())).to_pylist()
        return {row["x"]: row["n"] for row in found}

    before = counted(held)
    assert sum(before.values()) == 1200
    assert kind is not None or before == dict.fromkeys(values, 600)
    for other in others:
        after = counted([*held, other])
        assert {**before, **after} == after
        moved = {value: n - before.get(value, 0) for value, n in after.items() if n != before.get(value, 0)}
        assert list(moved.values()) == [1]


@pytest.mark.parametrize("numbers", [[1, 1.0], ["1", 1], [True, "true"], [1, None], [[1], {"a": 2}]])
def test_json_values_of_any_kind_are_text(tmp_path, numbers):
    def labelled(values):
        path = fresh(tmp_path, ".jsonl")
        path.write_text("".join(json.dumps({"g": "all", "x": value}) + "\n" for value in values), encoding="utf-8")
        return labels(path)

    before = labelled(numbers * 600)
    for other in ("x", 2.5, [3], {"b": []}, 10**30):
        after = labelled([*numbers * 600, other])
        assert {**after, **before} == after


def test_json_lines_are_opened_with_the_columns_that_are_asked_for(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1, "b": "x"}\n{"a": 2, "c": [1]}\n', encoding="utf-8")
    assert open_table(path).columns == ("a", "b", "c")
    asked = open_table(path, columns=("d", "a"))
    assert fetch(asked.expression).to_pylist() == [{"d": None, "a": "1"}, {"d": None, "a": "2"}]


@pytest.mark.parametrize(
    ("declared", "given_", "held"),
    [
        ("INTEGER", [1, 2.0, 2.5, "3", "x", b"4", None], [1, 2, None, 3, None, None, None]),
        ("REAL", [1, 2.5, "3", "x", b"4", None], [1.0, 2.5, 3.0, None, None, None]),
        ("TEXT", [1, 2.5, "3", "x", b"4", None], ["1", "2.5", "3", "x", None, None]),
        ("", [1, 2.5, "3", "x", b"4", None], ["1", "2.5", "3", "x", None, None]),
        ("DATE", ["2020-01-02", "x", 7], ["2020-01-02", "x", "7"]),
    ],
)
def test_a_column_of_sqlite_holds_only_what_it_is_declared_to(tmp_path, declared, given_, held):
    """SQLite itself turns texts into numbers where they are declared, and keeps what cannot be turned."""
    rows = open_table(as_sqlite(given_, tmp_path, declared)).expression
    assert fetch(rows.order_by("i"))["x"].to_pylist() == held
    alone = [fetch(open_table(as_sqlite([value], tmp_path, declared)).expression)["x"].to_pylist() for value in given_]
    assert alone == [[value] for value in held]
    kinds = {str(open_table(as_sqlite(some, tmp_path, declared)).expression["x"].type()) for some in (given_, [None])}
    assert len(kinds) == 1


# Columns that have a type already

TYPED = {
    "integers": (pa.array([0, 1, 7, None], pa.int32()), {
        "text": ["0", "1", "7", None], "integer": [0, 1, 7, None], "number": [0, 1, 7, None],
        "boolean": [False, True, None, None], "date": [None] * 4, "datetime": [None] * 4}),
    "floats": (pa.array([1.0, 1.5, 1e300, None, float("inf"), float("nan")]), {
        "integer": [1, None, None, None, None, None], "date": [None] * 6}),
    "decimals": (pa.array([Decimal("1.00"), Decimal("1.50"), None]), {
        "integer": [1, None, None], "number": [1.0, 1.5, None]}),
    "truths": (pa.array([True, False, None]), {
        "text": ["true", "false", None], "integer": [1, 0, None], "number": [1.0, 0.0, None],
        "boolean": [True, False, None], "date": [None] * 3}),
    "dates": (pa.array([dt.date(2020, 2, 29), None]), {
        "text": ["2020-02-29", None], "date": [dt.date(2020, 2, 29), None],
        "datetime": [dt.datetime(2020, 2, 29), None], "integer": [None, None]}),  # noqa: DTZ001
    "times": (pa.array([dt.datetime(2020, 2, 29, 12), None]), {  # noqa: DTZ001
        "date": [dt.date(2020, 2, 29), None], "datetime": [dt.datetime(2020, 2, 29, 12), None],  # noqa: DTZ001
        "number": [None, None]}),
}  # fmt: skip


@pytest.mark.parametrize(
    ("values", "kind", "wanted"),
    [(values, kind, wanted) for values, by_kind in TYPED.values() for kind, wanted in by_kind.items()],
    ids=[f"{name} as {kind}" for name, (_, by_kind) in TYPED.items() for kind in by_kind],
)
def test_columns_with_a_type_are_converted_value_by_value(values, kind, wanted):
    assert converted(pa.table({"i": range(len(values)), "x": values}), kind) == wanted


def test_a_type_that_is_implied_is_for_text_alone():
    rows = pa.table({"day": [dt.date(2020, 1, 1)], "text": ["7"], "n": [7]})
    opened = open_table(rows, of_text={"day": "number", "text": "number", "n": "number", "absent": "number"})
    assert {name: str(kind) for name, kind in opened.expression.schema().items()} == {
        "day": "date",
        "text": "float64",
        "n": "int64",
    }
    assert (
        str(open_table(rows, types={"text": "text"}, of_text={"text": "number"}).expression["text"].type()) == "string"
    )


# What is refused, and what is said


def test_types_and_columns_that_there_are_none_of():
    rows = pa.table({"age": ["1"], "tags": [["a"]]})
    with pytest.raises(UnknownChoice, match=r"type of age must be one of text, integer, .*; got 'int'"):
        open_table(rows, types={"age": "int"})
    with pytest.raises(UnknownColumn, match=r"There is no column 'agee'.*Did you mean 'age'"):
        open_table(rows, types={"agee": "integer"})
    with pytest.raises(BadRoles, match="'tags'"):
        open_table(rows, types={"tags": "text"})


@pytest.mark.parametrize("texts", [["age"], ["=integer"], ["age=integer", "age=text"]])
def test_types_that_the_command_line_cannot_read(texts):
    with pytest.raises(BadQuestion, match=r"age|=integer"):
        parse_types(texts)
    with pytest.raises(UnknownChoice):
        parse_types(["age=int"])
    assert parse_types(["a=b=date"]) == {"a=b": "date"}


def test_the_owner_is_told_what_did_not_fit(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("g,x\n" + "".join(f"all,{x}\n" for x in ["1", "2", "?", "?", "n/a", "", "3"]))
    notes = frequency_table(path, quasi_identifiers="g", sensitive="x", types={"x": "integer"}).notes
    (said,) = [note for note in notes if "cannot be read" in note]
    assert said.startswith("3 values of x cannot be read as integer and count as missing, such as '?'")
    fitting = frequency_table(path, quasi_identifiers="g", sensitive="x", types={"x": "integer"}, missing=("?", "n/a"))
    assert not any("cannot be read" in note for note in fitting.notes)
    with pytest.raises(BadBins, match="'x' is read as date, and no value of it is one, such as '\\?'"):
        frequency_table(path, quasi_identifiers="g", sensitive="x", types={"x": "date"})
