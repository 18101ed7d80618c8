"""Every kind of source gives the same counts, and the counts are those of a plain loop over the rows."""

# ruff: noqa: PD011  the values are those of a profile, not of a pandas frame

import csv
import gzip
import json
import sqlite3
import weakref
from contextlib import closing

import duckdb
import ibis
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from epsilometer.errors import BadTable
from epsilometer.tables import profiling
from epsilometer.tables.counting import frequency_table
from epsilometer.tables.opening import open_table

ROWS = [
    {"age": age, "region": region, "income": income}
    for age, region, income in [
        (31, "north", "high"), (31, "north", "low"), (31, "north", "low"), (45, "south", "low"),
        (45, None, "low"), (45, None, "high"), (None, "south", "low"), (7, "east, far", "low"),
        (7, "east, far", None), (100, 'the "west"', "high"),
    ]
]  # fmt: skip
COLUMNS = ("age", "region", "income")


def arrow():
    return pa.Table.from_pylist(ROWS)


def write_text(path, delimiter=",", opened=open):
    with opened(path, "wt", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(COLUMNS)
        writer.writerows([["" if row[c] is None else row[c] for c in COLUMNS] for row in ROWS])
    return path


def write_json_lines(path):
    path.write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    return path


def write_workbook(path):
    book = openpyxl.Workbook()
    book.active.append(COLUMNS)
    for row in ROWS:
        book.active.append([row[c] for c in COLUMNS])
    book.create_sheet("Other")
    book.save(path)
    return f"{path}::Sheet"


def ibis_table(path):
    engine = ibis.sqlite.connect(path)
    weakref.finalize(engine, engine.con.close)
    return engine.table("people")


def write_sqlite(path, form="{path}::people"):
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE people (age INTEGER, region TEXT, income TEXT)")
        db.executemany("INSERT INTO people VALUES (:age, :region, :income)", ROWS)
    return form.format(path=path)


def write_duckdb(path, form="{path}::people"):
    with duckdb.connect(path) as db:
        db.execute("CREATE TABLE people (age INTEGER, region TEXT, income TEXT)")
        db.executemany("INSERT INTO people VALUES (?, ?, ?)", [[row[c] for c in COLUMNS] for row in ROWS])
    return form.format(path=path)


def write_parts(folder):
    parquet.write_table(arrow().slice(0, 4), folder / "part-1.parquet")
    parquet.write_table(arrow().slice(4), folder / "part-2.parquet")
    return str(folder / "part-*.parquet")


def written(write, *args):
    def make(folder):
        target = folder / args[0]
        write(arrow(), target)
        return target

    return make


SOURCES = {
    "csv": lambda folder: write_text(folder / "t.csv"),
    "csv with semicolons": lambda folder: write_text(folder / "t.csv", ";"),
    "tsv": lambda folder: write_text(folder / "t.tsv", "\t"),
    "csv.gz": lambda folder: write_text(folder / "t.csv.gz", opened=gzip.open),
    "parquet": written(parquet.write_table, "t.parquet"),
    "glob": write_parts,
    "feather": written(feather.write_feather, "t.feather"),
    "arrow file": written(feather.write_feather, "t.arrow"),
    "json lines": lambda folder: write_json_lines(folder / "t.jsonl"),
    "workbook": lambda folder: write_workbook(folder / "t.xlsx"),
    "sqlite file": lambda folder: write_sqlite(folder / "t.db"),
    "sqlite url": lambda folder: write_sqlite(folder / "t.db", "sqlite:///{path}::people"),
    "duckdb file": lambda folder: write_duckdb(folder / "t.duckdb"),
    "duckdb url": lambda folder: write_duckdb(folder / "t.duckdb", "duckdb:///{path}::people"),
    "pandas": lambda _: pd.DataFrame(ROWS),
    "pandas categories": lambda _: pd.DataFrame(ROWS).astype({"region": "category", "income": "category"}),
    "polars": lambda _: pl.DataFrame(ROWS),
    "polars lazy": lambda _: pl.LazyFrame(ROWS),
    "arrow": lambda _: arrow(),
    "ibis": lambda folder: ibis_table(write_sqlite(folder / "t.db", "{path}")),
    "ibis memtable": lambda _: ibis.memtable(arrow()),
    "opened table": lambda _: open_table(arrow()),
}


@pytest.fixture(params=SOURCES)
def source(request, tmp_path):
    return SOURCES[request.param](tmp_path)


def test_counts_are_those_of_a_plain_loop(source, count_by_hand, as_counter):
    freq = frequency_table(source, quasi_identifiers=["age", "region"], sensitive="income")
    values, expected = count_by_hand(ROWS, ["age", "region"], "income")
    assert as_counter(freq.profile) == expected
    assert freq.profile.values == tuple("(missing)" if value is None else value for value in values)
    assert (freq.n_records, freq.n_values) == (10, 3)


def test_many_values_are_counted_by_signature(source, count_by_hand, as_counter, monkeypatch):
    monkeypatch.setattr(profiling, "_MOST_PACKED_VALUES", 0)
    freq = frequency_table(source, quasi_identifiers=["age", "region"], sensitive="income")
    assert as_counter(freq.profile) == count_by_hand(ROWS, ["age", "region"], "income")[1]


def test_filter_bins_and_marks_mean_the_same_everywhere(source, count_by_hand, as_counter):
    freq = frequency_table(
        source,
        quasi_identifiers="region",
        sensitive="age",
        bins={"age": {"width": 10, "top": 45}},
        where="income = 'low' or age >= 100",
        missing=["north"],
    )
    kept = [row for row in ROWS if row["income"] == "low" or (row["age"] or 0) >= 100]
    coded = [
        {
            "region": None if row["region"] == "north" else row["region"],
            "age": None if row["age"] is None else 5 if row["age"] >= 45 else row["age"] // 10,
        }
        for row in kept
    ]
    assert as_counter(freq.profile) == count_by_hand(coded, ["region"], "age")[1]
    assert freq.profile.values == ("[0, 10)", "[30, 40)", ">= 45", "(missing)")


def test_cells_carry_labels_and_counts(source):
    freq = frequency_table(source, quasi_identifiers=["age", "region"], sensitive="income", bins={"age": 5})
    cells = freq.cells().to_pylist()
    assert len(cells) == freq.n_cells == 6
    assert {"age": "[30, 35)", "region": "north", "high": 1, "low": 2, "(missing)": 0} in cells
    assert {"age": "(missing)", "region": "south", "high": 0, "low": 1, "(missing)": 0} in cells
    assert freq.cells(limit=2).num_rows == 2


def test_an_opened_table_says_what_it_is():
    assert repr(open_table(arrow())) == "Table('the pyarrow table', columns=age, region, income)"


def test_something_that_is_no_table_is_refused():
    with pytest.raises(BadTable, match=r"A dict is not a table. Give a path, a URL with ::table, or a pandas"):
        open_table({"a": [1]})
