"""Rows as files."""

import io

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv

from epsilometer.report.delimited import as_csv, as_parquet, without_formulas

ROWS = pa.table({"=x": pa.array(["=a", "-5", None]).dictionary_encode(), "n": [-1, 2, 3], "y": ["+b", "c", "@d"]})


def test_parquet_and_csv_come_back():
    plain = pa.table({"a": [1, None], "b": ["x", "y"]})
    assert pq.read_table(io.BytesIO(as_parquet(plain))).equals(plain)
    assert csv.read_csv(io.BytesIO(as_csv(plain))).equals(plain)


def test_formulas_become_words_in_names_and_values_and_numbers_stay():
    safe = without_formulas(ROWS)
    assert safe.column_names == ["'=x", "n", "y"]
    assert safe.to_pydict() == {"'=x": ["'=a", "-5", None], "n": [-1, 2, 3], "y": ["'+b", "c", "'@d"]}


def test_wide_signs_begin_formulas_too():
    """Some spreadsheets take the signs of Chinese and Japanese keyboards for the plain ones."""
    words = ["\uff1d1+1", "\uff0b1", "\uff0dA1", "\uff20SUM(1)", "1\uff1d1"]
    safe = without_formulas(pa.table({"x": words})).column("x").to_pylist()
    assert safe == [f"'{word}" for word in words[:4]] + words[4:]
