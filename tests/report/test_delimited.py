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
