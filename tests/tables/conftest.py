"""A slow and obvious counter of rows, to hold the engines to, and frames written as sources of every kind."""

import sqlite3
from collections import Counter, defaultdict
from contextlib import closing

import duckdb
import pandas as pd
import pytest


def count_by_hand(rows, quasi_identifiers, sensitive):
    """Map each count vector to its number of cells, with the sensitive values in order, missing last."""
    values = sorted({row[sensitive] for row in rows}, key=lambda value: (value is None, value))
    cells = defaultdict(Counter)
    for row in rows:
        cells[tuple(row[name] for name in quasi_identifiers)][row[sensitive]] += 1
    return values, Counter(tuple(cell[value] for value in values) for cell in cells.values())


def as_counter(profile):
    """Profile as a mapping of count vectors to numbers of cells."""
    return Counter(
        {tuple(vector): n for vector, n in zip(profile.counts.tolist(), profile.n_cells.tolist(), strict=True)}
    )


@pytest.fixture(name="count_by_hand", scope="session")
def _count_by_hand():
    return count_by_hand


@pytest.fixture(name="as_counter", scope="session")
def _as_counter():
    return as_counter


def as_parquet(frame, folder):
    frame.to_parquet(folder / "t.parquet")
    return folder / "t.parquet"


def as_duckdb(frame, folder):
    with duckdb.connect(folder / "t.duckdb") as db:
        db.register("given", frame)
        db.execute("CREATE TABLE people AS SELECT * FROM given")
    return f"{folder / 't.duckdb'}::people"


def as_sqlite(frame, folder):
    rows = [tuple(None if pd.isna(value) else value for value in row) for row in frame.astype(object).to_numpy()]
    columns = ", ".join(f"{name} {SQLITE_TYPES[name]}" for name in frame.columns)
    with closing(sqlite3.connect(folder / "t.db")) as db, db:
        db.execute(f"CREATE TABLE people ({columns})")
        db.executemany(f"INSERT INTO people VALUES ({', '.join('?' for _ in frame.columns)})", rows)
    return f"{folder / 't.db'}::people"


def as_csv(frame, folder):
    frame.to_csv(folder / "t.csv", index=False)
    return folder / "t.csv"


SQLITE_TYPES = {"region": "TEXT", "who": "TEXT", "code": "INTEGER", "age": "INTEGER", "income": "REAL"}
SOURCES = {
    "pandas": lambda frame, _: frame,
    "parquet": as_parquet,
    "duckdb": as_duckdb,
    "sqlite": as_sqlite,
    "csv": as_csv,
}


@pytest.fixture(params=SOURCES.values(), ids=SOURCES.keys())
def write(request):
    """Make a frame into a source of some kind, in a folder."""
    return request.param
