"""Summaries of columns inside the engines, against pandas."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epsilometer.errors import BadTable
from epsilometer.tables import column_summaries
from epsilometer.tables.column_summaries import summarise_columns


def random_frame(seed, n=400):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "region": rng.choice(["north", "south", "a 'b' \"c\""], n),
            "who": [f"person {i}" for i in range(n)],
            "age": pd.array(rng.integers(0, 30, n), dtype="Int64"),
            "income": rng.integers(-400, 400, n) / 8,
        }
    )
    return frame.mask(rng.random(frame.shape) < 0.1)


@pytest.mark.parametrize("seed", range(2))
def test_agrees_with_pandas(write, seed, tmp_path):
    frame = random_frame(seed)
    for summary in summarise_columns(write(frame, tmp_path)):
        column = frame[summary.name]
        assert summary.n_rows == len(frame)
        assert summary.n_missing == column.isna().sum()
        assert summary.n_distinct == column.nunique()
        if summary.kind == "number":
            assert (summary.smallest, summary.largest) == (column.min(), column.max())
            assert summary.mean_length is None
        else:
            assert summary.kind == "text"
            assert summary.mean_length == pytest.approx(column.dropna().str.len().mean())
            assert (summary.smallest, summary.largest) == (None, None)
    assert [summary.kind for summary in summarise_columns(frame)] == ["text", "text", "number", "number"]


def test_many_values_are_known_to_a_tenth():
    frame = pd.DataFrame({"id": range(200_000), "half": np.arange(200_000) // 2, "few": np.arange(200_000) % 7})
    identity, half, few = summarise_columns(frame)
    assert 180_000 <= identity.n_distinct <= 200_000
    assert half.n_distinct == pytest.approx(100_000, rel=0.1)
    assert few.n_distinct == 7


def test_every_kind_of_column():
    rows = pa.table(
        {
            "lists": [[1], [2, 3]],
            "truth": [True, None],
            "day": [dt.date(2020, 1, 1), dt.date(2020, 1, 2)],
            "moment": [dt.datetime(2020, 1, 1), None],  # noqa: DTZ001
            "money": [Decimal("1.50"), Decimal("2.25")],
            "bytes": [b"1", b"2"],
            "category": pa.array(["a", "b"]).dictionary_encode(),
            "length": [dt.timedelta(seconds=1), dt.timedelta(seconds=2)],
        }
    )
    found = {summary.name: summary for summary in summarise_columns(rows)}
    kinds = {name: summary.kind for name, summary in found.items()}
    assert kinds == {
        "lists": "nested",
        "truth": "truth",
        "day": "time",
        "moment": "time",
        "money": "number",
        "bytes": "nested",
        "category": "text",
        "length": "text",
    }
    assert {name: summary.n_distinct for name, summary in found.items()} == {
        **dict.fromkeys(found, 2),
        "lists": 0,
        "bytes": 0,
        "truth": 1,
        "moment": 1,
    }
    assert (found["money"].smallest, found["money"].largest) == (1.5, 2.25)
    assert found["day"].type == "date"


def test_not_a_number_is_missing_and_infinities_are_no_ends():
    (summary,) = summarise_columns(pd.DataFrame({"x": [np.nan, np.inf, -np.inf, 2.0, 5.0]}))
    assert (summary.n_missing, summary.n_distinct) == (1, 4)
    assert (summary.smallest, summary.largest) == (2.0, 5.0)


def test_a_table_with_nothing_to_count():
    (summary,) = summarise_columns(pa.table({"x": [[1], None, [2, 3]]}))
    assert (summary.kind, summary.n_missing, summary.n_distinct) == ("nested", 1, 0)


def test_a_column_without_values():
    (summary,) = summarise_columns(pd.DataFrame({"x": pd.array([None, None], dtype="Float64")}))
    assert (summary.n_missing, summary.n_distinct, summary.smallest, summary.largest) == (2, 0, None, None)


def test_marks_of_missing_values(tmp_path):
    (tmp_path / "t.csv").write_text("sex,age\nf,?\n?,3\nm,4\n")
    sex, age = summarise_columns(tmp_path / "t.csv", missing=["?"])
    assert (sex.n_missing, sex.n_distinct) == (1, 2)
    assert (age.n_missing, age.kind, age.largest) == (1, "number", 4.0)


@given(
    names=st.lists(
        st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30).filter(str.strip),
        min_size=1,
        max_size=5,
        unique_by=str.casefold,
    )
)
@settings(max_examples=25, deadline=None)
def test_names_may_be_anything(names):
    frame = pd.DataFrame({name: [place, place + 1] for place, name in enumerate(names)})
    found = summarise_columns(frame)
    assert [(summary.name, summary.smallest) for summary in found] == [(name, i) for i, name in enumerate(names)]


def test_names_that_look_like_figures():
    frame = pd.DataFrame({"n_rows": [1, 2], "distinct_0": ["a", "a"], "'; DROP TABLE x; --": [3, 3]})
    assert [summary.n_distinct for summary in summarise_columns(frame)] == [2, 1, 1]


def test_wide_tables_are_taken_in_parts(monkeypatch):
    monkeypatch.setattr(column_summaries, "MOST_COLUMNS", 3)
    frame = pd.DataFrame({f"c{i}": range(i, i + 4) for i in range(8)})
    assert [summary.smallest for summary in summarise_columns(frame)] == list(range(8))


@pytest.mark.parametrize(
    ("texts", "kind", "type_", "ends"),
    [
        (["1", " 20 ", "-3", ""], "number", "integer", (-3, 20)),
        (["1", "2.50"], "number", "number", (1, 2.5)),
        (["1.0", "2"], "number", "integer", (1, 2)),
        (["007", "1"], "text", "string", (None, None)),
        (["12345678901234567", "1"], "text", "string", (None, None)),
        (["1", "x"], "text", "string", (None, None)),
        (["", " "], "text", "string", (None, None)),
    ],
)
def test_text_that_is_all_numbers_is_summarised_as_numbers(tmp_path, texts, kind, type_, ends):
    """What reads as a code, or as an identifier, is none."""
    (tmp_path / "t.csv").write_text("a,x\n" + "".join(f"a,{text}\n" for text in texts))
    _, summary = summarise_columns(tmp_path / "t.csv")
    assert (summary.kind, summary.type) == (kind, type_)
    assert (summary.smallest, summary.largest) == ends
    assert (summary.mean_length is None) == (kind == "number" or not any(text.strip() for text in texts))


def test_a_value_that_is_no_number_makes_text_of_its_column(tmp_path):
    rows = ["1"] * 30_000 + ["unknown"]
    (tmp_path / "t.csv").write_text("x\n" + "\n".join(rows) + "\n")
    (summary,) = summarise_columns(tmp_path / "t.csv")
    assert (summary.kind, summary.n_distinct, summary.n_rows) == ("text", 2, 30_001)


def test_a_table_without_rows_is_refused():
    with pytest.raises(BadTable, match="has no rows"):
        summarise_columns(pd.DataFrame({"x": pd.array([], dtype="Int64")}))
