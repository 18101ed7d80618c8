"""Parts of a table: every row is in one of them, whatever engine streams it and however many a part may have."""

import sqlite3

import numpy as np
import pyarrow as pa
import pytest

from epsilometer.tables import in_parts
from epsilometer.tables.in_parts import least, mapped, on_a_cluster
from epsilometer.tables.opening import open_table

WORDS = [*"abcdefgh", None, "j"]
SIZES = pa.schema({"n": pa.int64(), "first": pa.string()})


@pytest.fixture(params=["duckdb", "sqlite"])
def letters(request, tmp_path):
    """Ten rows, with a missing word."""
    if request.param == "duckdb":
        return open_table(pa.table({"word": WORDS}))
    with sqlite3.connect(tmp_path / "words.db") as connection:
        connection.execute("CREATE TABLE words (word TEXT)")
        connection.executemany("INSERT INTO words VALUES (?)", [(word,) for word in WORDS])
    connection.close()
    return open_table(f"{tmp_path / 'words.db'}::words")


def size(part):
    return pa.table({"n": [part.num_rows], "first": [part["word"][0].as_py()]})


@pytest.mark.parametrize(("at_once", "sizes"), [(4, [4, 4, 2]), (5, [5, 5]), (100, [10])])
def test_every_row_is_in_one_part(letters, monkeypatch, at_once, sizes):
    monkeypatch.setattr(in_parts, "ROWS_AT_ONCE", at_once)
    found = mapped(letters.expression, size, SIZES)
    assert found["n"].to_pylist() == sizes
    assert found["first"].to_pylist() == [WORDS[start] for start in np.cumsum([0, *sizes[:-1]])]
    assert mapped(letters.expression, lambda part: part, pa.schema({"word": pa.string()})).num_rows == 10


def test_small_batches_are_joined(monkeypatch):
    monkeypatch.setattr(in_parts, "ROWS_AT_ONCE", 5)
    batches = [pa.record_batch([pa.array(np.arange(size))], ["n"]) for size in (2, 2, 3, 0, 1)]
    assert [part.num_rows for part in in_parts._joined(batches)] == [7, 1]


def test_nothing_is_made_of_no_row(letters):
    nothing = letters.expression.limit(0)
    assert mapped(nothing, size, SIZES).schema == SIZES
    assert mapped(nothing, size, SIZES).num_rows == 0


def test_the_smallest_numbers_of_all_parts_are_found(monkeypatch):
    monkeypatch.setattr(in_parts, "ROWS_AT_ONCE", 3)
    table = open_table(pa.table({"a": [5, 3, 8, 9, 2], "b": [1.0, 7.0, 4.0, 0.5, 6.0]}))
    assert not on_a_cluster(table)
    found = least(table.expression, lambda part: np.array([min(part["a"].to_pylist()), min(part["b"].to_pylist())]))
    assert found.tolist() == [2, 0.5]
