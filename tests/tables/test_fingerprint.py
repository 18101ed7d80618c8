"""The same rows have the same fingerprint wherever they are stored; other rows have another one."""

import csv
import gzip
import hashlib
import hmac
import json
import math
import random
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import UTC, date, datetime, time
from decimal import Decimal

import duckdb
import ibis
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import feather, parquet

from epsilometer.tables import fingerprint
from epsilometer.tables.engine import bounded_engine, named
from epsilometer.tables.fingerprint import SIZE, similarity, sketch
from epsilometer.tables.opening import open_table

SCHEMA = pa.schema({
    "Age": pa.int64(), "region": pa.string(), "income": pa.float64(), "born": pa.date32(),
    "seen": pa.timestamp("us"), "member": pa.bool_(), "fee": pa.decimal128(10, 2),
})  # fmt: skip
COLUMNS = tuple(SCHEMA.names)


def made_rows(n=40, seed=1):
    """Rows of every plain type, some of them missing, some of them twice."""
    chance = random.Random(seed)
    choices = {
        "Age": [None, 7, 31, 45, 1_234_567_890_123_456],
        "region": [None, "north", "South", "Zürich", "east, far", 'the "west"', "007", "two\nlines"],
        "income": [None, 10.5, 2.0, -0.1234567, 1e-5, 99_999.99],
        "born": [None, date(1969, 12, 31), date(2024, 2, 29)],
        "seen": [None, datetime(2024, 2, 29, 23, 59, 59), datetime(1970, 1, 1)],  # noqa: DTZ001
        "member": [None, True, False],
        "fee": [None, Decimal("0.10"), Decimal("-12.50"), Decimal("99999999.99")],
    }
    rows = [{name: chance.choice(values) for name, values in choices.items()} for _ in range(n)]
    return [*rows, *rows[: n // 4]]


ROWS = made_rows()


def arrow(rows=ROWS, schema=SCHEMA):
    return pa.Table.from_pylist(rows, schema)


def as_text(value):
    return "" if value is None else str(value)


def write_text(path, rows=ROWS, *, opened=open, columns=COLUMNS, encoding="utf-8", **form):
    with opened(path, "wt", newline="", encoding=encoding) as file:
        writer = csv.writer(file, **form)
        writer.writerow(columns)
        writer.writerows([[as_text(row[name]) for name in columns] for row in rows])
    return path


def write_parts(folder):
    write_text(folder / "part-1.csv", ROWS[:7])
    write_text(folder / "part-2.csv", ROWS[7:])
    return str(folder / "part-*.csv")


def write_json_lines(path):
    kept = [
        {name: value if isinstance(value, bool | int | float | None) else str(value) for name, value in row.items()}
        for row in ROWS
    ]
    path.write_text("\n".join(map(json.dumps, kept)), encoding="utf-8")
    return path


def write_workbook(path):
    book = openpyxl.Workbook()
    book.active.append(COLUMNS)
    for row in ROWS:
        book.active.append([row[name] for name in COLUMNS])
    book.save(path)
    return path


def write_sqlite(path, rows=ROWS, types=("INTEGER", "TEXT", "REAL", "DATE", "TIMESTAMP", "BOOLEAN", "NUMERIC")):
    kept = [[value if isinstance(value, int | float | None) else str(value) for value in row.values()] for row in rows]
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"CREATE TABLE people ({', '.join(map(' '.join, zip(COLUMNS, types, strict=True)))})")
        db.executemany(f"INSERT INTO people VALUES ({', '.join('?' for _ in COLUMNS)})", kept)
    return f"{path}::people"


def write_duckdb(path):
    with duckdb.connect(path) as db:
        db.register("given", arrow())
        db.execute("CREATE TABLE people AS SELECT * FROM given")
    return f"{path}::people"


def written(write, name, rows=None):
    def make(folder):
        write(arrow() if rows is None else rows, folder / name)
        return folder / name

    return make


def in_another_engine(_folder):
    """Rows in an engine whose SQL is not ours."""
    return ibis.polars.connect({"people": pl.from_arrow(arrow())}).table("people")


SOURCES = {
    "csv": lambda folder: write_text(folder / "t.csv"),
    "semicolons, quotes, Windows": lambda folder: write_text(
        folder / "t.csv", delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\r\n", encoding="utf-8-sig"
    ),
    "tsv": lambda folder: write_text(folder / "t.tsv", delimiter="\t"),
    "csv.gz": lambda folder: write_text(folder / "t.csv.gz", opened=gzip.open),
    "glob": write_parts,
    "glob of one file": lambda folder: str(write_text(folder / "t.csv")).replace("t.csv", "[t].csv"),
    "parquet": written(parquet.write_table, "t.parquet"),
    "parquet of text": written(
        parquet.write_table, "t.parquet", pa.table({name: [as_text(row[name]) for row in ROWS] for name in COLUMNS})
    ),
    "feather": written(feather.write_feather, "t.feather"),
    "json lines": lambda folder: write_json_lines(folder / "t.jsonl"),
    "workbook": lambda folder: write_workbook(folder / "t.xlsx"),
    "sqlite": lambda folder: write_sqlite(folder / "t.db"),
    "sqlite without types": lambda folder: write_sqlite(folder / "t.db", types=[""] * len(COLUMNS)),
    "duckdb": lambda folder: write_duckdb(folder / "t.duckdb"),
    "pandas": lambda _: arrow().to_pandas(),
    "pandas categories": lambda _: arrow().to_pandas().astype({"region": "category"}),
    "polars": lambda _: pl.from_arrow(arrow()),
    "arrow": lambda _: arrow(),
    "another engine": in_another_engine,
    "other rows first": lambda _: arrow(random.Random(3).sample(ROWS, len(ROWS))),
    "other columns first": lambda _: arrow().select(COLUMNS[::-1]),
    "other spelling of names": lambda _: arrow().rename_columns([f" {name.upper()} " for name in COLUMNS]),
    "with an empty row": lambda _: pa.concat_tables([arrow(), arrow([dict.fromkeys(COLUMNS)])]),
}


@pytest.fixture(scope="module")
def expected():
    return sketch(open_table(arrow()))


@pytest.mark.parametrize("source", SOURCES)
def test_the_same_rows_have_the_same_sketch(source, tmp_path, expected):
    assert sketch(open_table(SOURCES[source](tmp_path))) == expected


def test_declared_types_change_nothing(tmp_path, expected):
    """A value that does not fit its declared type is missing, in what is counted: here nearly all of them."""
    path = write_text(tmp_path / "t.csv")
    types = dict.fromkeys(COLUMNS, "boolean")
    assert sketch(open_table(path, types=types)) == expected


def test_a_sketch_counts_the_different_rows(expected):
    counts = Counter(tuple(row.values()) for row in ROWS)
    assert sorted(n for _, n in expected) == sorted(counts.values())
    assert [row for row, _ in expected] == sorted(row for row, _ in expected)
    assert all(len(row) == 32 and set(row) <= set("0123456789abcdef") for row, _ in expected)


@pytest.mark.parametrize("end_of_line", ["\n", "\r\n"])
def test_an_empty_line_at_the_end_changes_nothing(end_of_line, tmp_path, expected):
    path = write_text(tmp_path / "t.csv", lineterminator=end_of_line)
    path.write_bytes(path.read_bytes() + end_of_line.encode())
    assert sketch(open_table(path)) == expected


SAME = {
    "whole": [34, 34.0, "34", " 34\t", "+34", "034", "34.", "34.0", "3.4e1", "340E-1", Decimal("34.00"), 33.9999999999],
    "fraction": [1.5, "1.5", "1.50", "01.5", "+1.5", "15e-1", Decimal("1.500"), "1.5000000000001"],
    "below one": [0.5, ".5", "0.50", Decimal("0.5"), pa.scalar(0.5, pa.float32())],
    "32 bits": ["12345.678", pa.scalar(12345.678, pa.float32())],
    "zero": [0, -0.0, "0", "-0", "0.00", "-0.0000001", "1e-400", 1e-300, "-1e-300", False, "FALSE"],
    "one": [1, True, "true", "True", "1", "1.0"],
    "negative": [-7, "-7", "-7.0", -7.0, Decimal(-7)],
    "beyond 32 bits": [2**40, str(2**40), float(2**40), Decimal(2**40)],
    "identifier": [1_234_567_890_123_456, "1234567890123456", Decimal(1_234_567_890_123_456)],
    "long identifier": ["123456789012345678901234567890", Decimal(123456789012345678901234567890)],
    "large": [1e300, "1e+300", "1E300", math.inf, "inf", "Infinity", "+inf"],
    "very negative": [-1e300, "-1e300", -math.inf, "-inf", "-Infinity"],
    "missing": [None, "", "  ", "\t", "nan", "NaN"],
    "text": ["North", "north", " NORTH ", "north\r\n"],
    "beyond ASCII": ["Zürich", "zürich", "ZüRICH"],
    "day": [date(2024, 2, 29), "2024-02-29", datetime(2024, 2, 29), "2024-02-29 00:00:00", "2024-02-29T00:00:00.000Z",  # noqa: DTZ001
            datetime(2024, 2, 29, tzinfo=UTC), "2024-02-29T00:00"],
    "moment": [datetime(2024, 2, 29, 23, 59, 59, 999_999), "2024-02-29 23:59:59.999999", "2024-02-29T23:59:59Z",  # noqa: DTZ001
               datetime(2024, 2, 29, 23, 59, 59, tzinfo=UTC), "2024-02-29 23:59:59+00", "2024-02-29 23:59:59+00:00"],
    "before 1970": [datetime(1969, 12, 31, 23, 59, 59, 500_000), "1969-12-31 23:59:59"],  # noqa: DTZ001
    "time": [time(12, 30), "12:30", "12:30:00", "12:30:00.5"],
    "bytes": [b"\xca\xfe", "cafe"],
}  # fmt: skip


def of_one(value):
    return sketch(open_table(pa.table({"only": pa.array([value]), "id": ["a"]})))


@pytest.mark.parametrize("value", SAME)
def test_the_same_value_is_known_however_it_is_written(value):
    assert len({of_one(form) for form in SAME[value]}) == 1


def test_different_values_are_told_apart():
    different = [forms[0] for name, forms in SAME.items() if name not in ("zero", "one", "day", "moment", "time")]
    different += ["a", "ä", "1,5", "1.500001", "1_000", "0x22", "34 a", "2024-02-29 23:59:59+02", "12:30:01", "1.5d"]
    assert len({of_one(value) for value in different}) == len(different)


def test_numbers_are_told_apart_by_millionths():
    assert len({of_one(value) for value in (0.1, 0.100001, 0.1000012, 0.10000149)}) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("ab", "c"), ("a", "bc")),
        (("1;n2", "3"), ("1", "2;n3")),
        (("t1:a", "b"), ("a", "t1:b")),
        (("-", ""), ("", "-")),
        ((None, "-"), ("-", None)),
        (("x\x1fy", "z"), ("x", "y\x1fz")),
    ],
)
def test_values_do_not_run_into_each_other(one, other):
    both = [sketch(open_table(pa.table({"a": [a], "b": [b]}, pa.schema({"a": pa.string(), "b": pa.string()}))))
            for a, b in (one, other)]  # fmt: skip
    assert both[0] != both[1]


def test_names_of_columns_count():
    one, other = (sketch(open_table(pa.table({name: [1], "b": [2]}))) for name in ("a", "c"))
    assert one != other
    assert sketch(open_table(pa.table({"a": [1, 2]}))) != sketch(open_table(pa.table({"a": [1, 2], "b": ["", ""]})))


HOSTILE_TEXTS = [
    "9" * 1000, "-" + "9" * 400 + "." + "9" * 400, "1e999999999", "1e-999999999", "1e400", "-1e400", "1e-400",
    "0." + "0" * 400 + "1", ".", "-", "+", "e", "1e", "--1", "1..2", "infinityy", "9999-99-99 99:99:99", "99:99",
    "0000-00-00", "2024-02-29 25:61:61", "\x00", "a\x00b", "\u2028", "34\u2028", "\ufeff", "\ud7ff", "\U0010ffff",
    "İI", "ΑΣ", "ß", "e\u0301", "👨‍👩‍👧", "'", '"', "\\", "`", "{}", "{0}", "%s", "%", ":", ";", "t5:", "\x1f",
    " \x0b ", "x" * 100_000, "٣٤", "३", "1\u00a0000",
]  # fmt: skip


def test_hostile_texts_are_read_alike(tmp_path):
    """By SQL and by Python: two ways that have nothing but the rules in common."""
    rows = [{"t{0}'\"`": text, "id": i} for i, text in enumerate(HOSTILE_TEXTS)]
    with closing(sqlite3.connect(tmp_path / "t.db")) as db, db:
        db.execute('CREATE TABLE hostile ("t{0}\'""`", id)')
        db.executemany("INSERT INTO hostile VALUES (?, ?)", [tuple(row.values()) for row in rows])
    found = sketch(open_table(pa.Table.from_pylist(rows)))
    assert len(found) == len(HOSTILE_TEXTS)
    assert sketch(open_table(f"{tmp_path / 't.db'}::hostile")) == found


def test_values_of_any_type_are_read(tmp_path):
    query = """
        SELECT 'infinity'::DATE AS a, '-infinity'::TIMESTAMP AS b, 'infinity'::TIMESTAMPTZ AS c,
               '0044-03-15 (BC)'::DATE AS w, '290000-01-01'::TIMESTAMP AS d, 'nan'::FLOAT AS e, 'inf'::DOUBLE AS f,
               170141183460469231731687303715884105727::HUGEINT AS x,
               18446744073709551615::UBIGINT AS g, '99999999999999999999999999999999999999'::DECIMAL(38, 0) AS h,
               uuid() AS i, [1, NULL] AS j, {'a': 1} AS k, MAP {'a': 1} AS l, '1010'::BIT AS m, INTERVAL 3 DAY AS n,
               'x'::ENUM ('x') AS o, NULL AS p, '12:00:00+01'::TIMETZ AS q, '[1]'::JSON AS r, '\\xFF'::BLOB AS s,
               5e-324::DOUBLE AS t, 1.7976931348623157e308::DOUBLE AS u, TIMESTAMP_NS '2024-01-01 00:00:00.1' AS v
    """
    with duckdb.connect(tmp_path / "t.duckdb") as db:
        db.execute(f"CREATE TABLE any_type AS {query}")
    found = sketch(open_table(f"{tmp_path / 't.duckdb'}::any_type"))
    assert [n for _, n in found] == [1]


def test_text_of_sqlite_need_not_be_valid(tmp_path):
    with closing(sqlite3.connect(tmp_path / "t.db")) as db, db:
        db.execute("CREATE TABLE odd (a TEXT, b)")
        db.execute("INSERT INTO odd VALUES (CAST(x'ff41' AS TEXT), x'cafe'), (9e999, -9223372036854775808)")
    assert [n for _, n in sketch(open_table(f"{tmp_path / 't.db'}::odd"))] == [1, 1]


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le", "UTF-16be"])
def test_text_of_sqlite_has_any_encoding(tmp_path, encoding):
    with closing(sqlite3.connect(tmp_path / "t.db")) as db, db:
        db.execute(f"PRAGMA encoding = '{encoding}'")
        db.execute("CREATE TABLE t (word)")
        db.execute("INSERT INTO t VALUES ('Zürich')")
    assert sketch(open_table(f"{tmp_path / 't.db'}::t")) == sketch(open_table(pa.table({"word": ["Zürich"]})))


@pytest.mark.parametrize("n_columns", [17, 130, 600])
def test_tables_may_be_wide(n_columns, tmp_path):
    """Many columns are written together, and a few by one function: the sketch does not tell."""
    rows = [[f"V{i * j % 7}" if i % 3 else i * j + 0.5 for i in range(n_columns)] for j in range(1, 20)]
    names = [f"c{i}" for i in range(n_columns)]
    with closing(sqlite3.connect(tmp_path / "t.db")) as db, db:
        db.execute(f"CREATE TABLE wide ({', '.join(names)})")
        db.executemany(f"INSERT INTO wide VALUES ({', '.join('?' for _ in names)})", rows)
    wide = pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    assert sketch(open_table(wide)) == sketch(open_table(f"{tmp_path / 't.db'}::wide"))


VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.from_regex(r"\A\s?[+-]?[0-9]{0,25}[.]?[0-9]{0,12}([eE][+-]?[0-9]{1,3})?\s?\Z")
    | st.dates().map(str)
    | st.datetimes().map(str)
    | st.datetimes().map(datetime.isoformat)
    | st.times().map(str)
)


@given(st.lists(VALUES, min_size=1, max_size=30))
def test_two_engines_read_every_value_alike(values):
    """By SQL on a column for each type, and by Python in SQLite, whose columns have no types."""
    kinds = {kind: [value for value in values if type(value) is kind] for kind in {type(value) for value in values}}
    for several in kinds.values():
        engine = ibis.sqlite.connect()
        engine.con.execute("CREATE TABLE several (id INTEGER, held)")
        engine.con.executemany("INSERT INTO several VALUES (?, ?)", list(enumerate(several)))
        by_python = sketch(open_table(engine.table("several")))
        engine.con.close()
        assert sketch(open_table(pa.table({"id": range(len(several)), "held": pa.array(several)}))) == by_python


SMALL_TABLES = st.lists(st.tuples(st.integers(0, 3), st.sampled_from("ab")), max_size=12)


def of_pairs(rows):
    schema = pa.schema({"a": pa.int64(), "b": pa.string()})
    return sketch(open_table(pa.Table.from_pylist([{"a": a, "b": b} for a, b in rows], schema)))


@given(SMALL_TABLES, SMALL_TABLES, st.randoms())
def test_similarity_of_small_tables_is_exact(one, other, chance):
    ours, theirs = Counter(one), Counter(other)
    union = len(ours.items() | theirs.items())
    exact = len(ours.items() & theirs.items()) / union if union else 1.0
    sketches = of_pairs(one), of_pairs(other)
    assert similarity(*sketches) == similarity(*sketches[::-1]) == exact
    assert (similarity(*sketches) == 1) == (sketches[0] == sketches[1]) == (ours == theirs)
    assert of_pairs(chance.sample(one, len(one))) == sketches[0]


def bottom(counts):
    """The sketch of rows that are known by their hashes."""
    return tuple(sorted(counts.items())[:SIZE])


def keyed(hashes):
    return tuple((hmac.digest(b"key", row.encode(), "sha256").hex(), n) for row, n in hashes)


def random_pair(chance):
    """Two tables with some rows in common, of which a few have other counts."""
    n_ours, n_theirs = (int(10 ** chance.uniform(1.5, 4)) for _ in range(2))
    n_common = int(min(n_ours, n_theirs) * chance.choice([0, 0.02, 0.3, 0.7, 0.95, 1]))
    hashes = [f"{chance.getrandbits(64):016x}" for _ in range(n_ours + n_theirs - n_common)]
    ours = {row: chance.choice([1, 1, 2]) for row in hashes[:n_ours]}
    theirs = {row: ours.get(row, 1) for row in hashes[n_ours - n_common :]}
    for row in chance.sample(sorted(theirs), n_theirs // 50):
        theirs[row] += 1
    return ours, theirs


@pytest.mark.parametrize("seed", range(8))
def test_similarity_is_within_four_standard_errors(seed):
    """Up to one row, which is all that tables with next to nothing in common may have. Seeds are fixed."""
    chance = random.Random(seed)
    for _ in range(50):
        ours, theirs = random_pair(chance)
        exact = len(ours.items() & theirs.items()) / len(ours.items() | theirs.items())
        one, other = bottom(ours), bottom(theirs)
        estimate = similarity(one, other)
        assert estimate == pytest.approx(exact, abs=4 * (exact * (1 - exact) / SIZE) ** 0.5 + 1 / SIZE)
        assert similarity(other, one) == pytest.approx(estimate)
        assert similarity(keyed(one), keyed(other)) == estimate
        assert 0 <= estimate <= 1


def test_without_a_row_in_common_tables_are_not_similar():
    one, other = ({f"{i}{j:031x}": 1 for j in range(300)} for i in range(2))
    assert similarity(bottom(one), bottom(other)) == 0
    assert similarity(bottom(one), ()) == similarity((), bottom(one)) == 0
    assert similarity((), ()) == similarity(bottom(one), bottom(one)) == 1


def people(n, seed, n_incomes=10_000):
    chance = random.Random(seed)
    return pd.DataFrame({
        "age": [chance.randrange(100) for _ in range(n)],
        "sex": [chance.choice(("f", "m")) for _ in range(n)],
        "region": [f"region {int(9 * chance.random() ** 3)}" for _ in range(n)],
        "income": [chance.randrange(n_incomes) for _ in range(n)],
    })  # fmt: skip


def test_a_table_that_shares_most_rows_is_known_again():
    frame = people(5000, seed=1)
    whole = sketch(open_table(frame))
    assert len(whole) == SIZE
    more = sketch(open_table(pd.concat([frame, people(1, seed=2)])))
    fewer = sketch(open_table(frame.iloc[1:]))
    assert min(similarity(whole, more), similarity(whole, fewer), similarity(more, fewer)) > 0.9
    twentieth = sketch(open_table(frame.sample(frac=0.95, random_state=1)))
    assert similarity(whole, twentieth) == pytest.approx(0.95, abs=4 * (0.95 * 0.05 / SIZE) ** 0.5)


@pytest.mark.parametrize("n", [30, 300, 3000, 30_000])
@pytest.mark.parametrize("columns", [["age", "sex", "region", "income"], ["age", "sex", "region"], ["age"]])
def test_a_fresh_draw_is_another_table(n, columns):
    """However few different rows there are: their numbers differ."""
    one, other = (sketch(open_table(people(n, seed)[columns])) for seed in (1, 2))
    assert similarity(one, other) < 0.25
    assert len(columns) < 4 or similarity(one, other) < 0.05


@pytest.mark.parametrize("n_rows", [0, 1, 299, 300, 301, 5000])
@pytest.mark.parametrize("n_values", [3, 10_000])
def test_a_bound_from_the_first_rows_changes_nothing(n_rows, n_values, monkeypatch):
    table = open_table(pa.table({"a": pa.array([(i * 7919) % n_values for i in range(n_rows)], pa.int64())}))
    whole = sketch(table)
    assert len(whole) == min(n_rows, n_values, SIZE)
    monkeypatch.setattr(fingerprint, "FIRST_ROWS", 300)
    assert sketch(table) == whole


def test_rows_that_are_deleted_meanwhile_do_not_empty_a_sketch(monkeypatch):
    """The bound is then too small, and all hashes are looked at."""
    engine = bounded_engine()
    engine.raw_sql("CREATE TABLE numbers AS SELECT range AS i FROM range(2000)")
    monkeypatch.setattr(fingerprint, "FIRST_ROWS", 1000)
    table = open_table(named(engine, "numbers"))
    counted, seen = fingerprint._counted, []

    def then_delete(hashes):
        seen.append(hashes)
        if len(seen) == 2:
            engine.raw_sql("DELETE FROM numbers WHERE i < 1700")
        return counted(hashes)

    monkeypatch.setattr(fingerprint, "_counted", then_delete)
    found = sketch(table)
    assert len(seen) == 3
    assert found == sketch(table)
    assert len(found) == SIZE


def test_hashes_are_those_of_the_documented_text():
    text = hashlib.md5(json.dumps(["age", "sex"]).encode()).hexdigest()[:8] + "n34;t1:f"
    expected = hashlib.md5(text.encode()).hexdigest()
    assert sketch(open_table(pa.table({"Sex": ["F"], "age": ["034"]}))) == ((expected, 1),)
