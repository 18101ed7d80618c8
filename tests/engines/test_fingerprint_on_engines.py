"""Every engine computes the same fingerprint of the same rows, whatever they hold."""

import math
import random
from datetime import UTC, date, datetime
from decimal import Decimal

import psycopg
import pyarrow as pa
import pytest

from epsilometer.tables import fingerprint
from epsilometer.tables.fingerprint import SIZE, sketch
from epsilometer.tables.opening import open_table

pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # Spark leaves its own open

TEXTS = [
    None, "", "  ", "\t", "34", "034", " 34 ", "+34", "34.0", "3.4E1", "-0", "1.50", ".5", "5.", "-0.1234565",
    "1e-05", "1E+16", "1e400", "-1e400", "1e-400", "1e99", "9" * 17, "9" * 38, "9" * 500, "0" * 60, "0." + "0" * 400,
    "99999999999.5", "9223372036854775807", "1_000", "1d", "0x10", "1,5", "--1", "1e", ".", "-", "+", "nan", "-NaN",
    "inf", "-Infinity", "TRUE", "False", "yes", "2024-02-29", "2024-02-29T10:30", "2024-02-29 00:00:00.000",
    "2024-02-29 23:59:59.999+00", "2024-02-29t23:59:59Z", "2024-02-29 23:59:59+02", "9999-99-99 99:99:99", "12:00",
    "12:00:00.5", "Zürich", "ÄÖ", "İI", "ΑΣ", "ß", "e\u0301", "👨‍👩‍👧", "東京", "34\u2028", "a\nb", " \x0b ", "\x1f",
    "'", '"', "\\", "\\d", "`", "{0}", "%s", "%", ":", ";", "x" * 20_000, "٣٤",
]  # fmt: skip
NUMBERS = [
    None, math.nan, math.inf, -math.inf, 0.0, -0.0, 0.1, 0.30000000000000004, 1e-7, -5e-7, 5e-324, 1.5, -2.5, 34.0,
    33.99999999999, 123456.7891235, 4_503_599_628.000001, 99_999_999_999.5, 1e11, 1e12 + 0.5, 2.0**53, 9e18, 1e300,
]  # fmt: skip
MOMENTS = [
    None, datetime(2024, 2, 29, 23, 59, 59, 999_999), datetime(2024, 3, 31, 2, 30), datetime(1970, 1, 1),  # noqa: DTZ001
    datetime(1969, 12, 31, 23, 59, 59, 1), datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59),  # noqa: DTZ001
]  # fmt: skip
SCHEMA = pa.schema({
    "id": pa.int64(), "word": pa.string(), "number": pa.float64(), "whole": pa.int64(), "truth": pa.bool_(),
    "day": pa.date32(), "moment": pa.timestamp("us"), "money": pa.decimal128(10, 2),
})  # fmt: skip


def made_rows():
    chance = random.Random(20)
    choices = {
        "number": NUMBERS,
        "whole": [None, -3, 0, 7, 2**40, 2**63 - 1, -(2**63)],
        "truth": [None, True, False],
        "day": [None, date(1969, 12, 31), date(2024, 2, 29), date(1, 1, 1), date(9999, 12, 31)],
        "moment": MOMENTS,
        "money": [None, Decimal("0.10"), Decimal("-12.50"), Decimal("99999999.99"), Decimal("0.00")],
    }
    return [
        {"id": i, "word": word} | {name: chance.choice(values) for name, values in choices.items()}
        for i, word in enumerate(TEXTS)
    ]


ROWS = made_rows()


@pytest.fixture
def table(engine):
    return open_table(engine.source("fingerprinted", pa.Table.from_pylist(ROWS, SCHEMA)))


@pytest.fixture
def many(engine):
    return open_table(engine.source("fingerprinted_many", pa.table({"a": [i * i % 1009 for i in range(2000)]})))


def test_engines_agree_on_every_column(table):
    """One column at a time, to say which one is read differently."""
    rows = pa.Table.from_pylist(ROWS, SCHEMA)
    for name in SCHEMA.names[1:]:
        found = sketch(open_table(table.expression.select("id", name)))
        assert found == sketch(open_table(rows.select(["id", name]))), name
    assert sketch(table) == sketch(open_table(rows))
    assert len(sketch(table)) == len(ROWS)


def test_engines_agree_on_many_columns(engine):
    names = [f"c{i}" for i in range(120)]
    rows = pa.table({name: [f"V{i}", str(i), None] for i, name in enumerate(names)})
    assert sketch(open_table(engine.source("fingerprinted_wide", rows))) == sketch(open_table(rows))


def test_a_bound_from_the_first_rows_changes_nothing(many, monkeypatch):
    whole = sketch(many)
    assert len(whole) == SIZE
    monkeypatch.setattr(fingerprint, "FIRST_ROWS", 500)
    assert sketch(many) == whole


def test_postgres_reads_what_only_it_can_hold(postgres_url):
    """Each value beside its text in the embedded engine, or only without failing where there is no such text."""
    held = {
        "'NaN'::numeric": "nan", "'Infinity'::numeric": "inf", "'-Infinity'::float8": "-inf", "1e200::numeric": None,
        "('1' || repeat('0', 130000))::numeric": None, "'infinity'::date": None, "'-infinity'::timestamp": None,
        "'4713-01-01 BC'::date": None, "'5874897-12-31'::date": None, "'294276-12-31 23:59:59'::timestamp": None,
        "'2024-03-31 02:30:00+02'::timestamptz": "2024-03-31 00:30:00", "'infinity'::timestamptz": None,
        "'12:30:00.5'::time": "12:30", "'12:30+02'::timetz": "12:30", "12345.678::float4": "12345.678",
        "'\\xcafe'::bytea": "cafe", "'{1,NULL}'::int[]": None, "'{\"a\": 1}'::jsonb": None, "'3 days'::interval": None,
        "'North   '::char(8)": "north", "'0a0B0c0d-0000-0000-0000-000000000000'::uuid":
        "0a0b0c0d-0000-0000-0000-000000000000", "'10.0.0.1'::inet": None, "'x' COLLATE \"und-x-icu\"": "x",
    }  # fmt: skip
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        for i, (value, text) in enumerate(held.items()):
            connection.execute(f"CREATE TABLE held_{i} AS SELECT {value} AS held, 1 AS id")
            found = sketch(open_table(f"{postgres_url}::held_{i}"))
            assert [n for _, n in found] == [1], value
            assert text is None or found == sketch(open_table(pa.table({"held": [text], "id": [1]}))), value


@pytest.mark.parametrize("setting", ["DateStyle = 'German'", "TimeZone = 'Asia/Tokyo'", "extra_float_digits = 0"])
def test_settings_of_a_database_change_nothing(postgres_url, setting):
    rows = pa.table({"day": [date(2024, 2, 29)], "moment": [datetime(2024, 2, 29, 1, 2, 3, tzinfo=UTC)], "x": [0.1]})
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS set_otherwise")
        connection.execute("CREATE TABLE set_otherwise (day date, moment timestamptz, x float8)")
        connection.execute("INSERT INTO set_otherwise VALUES ('2024-02-29', '2024-02-29 01:02:03+00', 0.1)")
        connection.execute(f"ALTER ROLE tester SET {setting}")
        try:
            found = sketch(open_table(f"{postgres_url}::set_otherwise"))
        finally:
            connection.execute("ALTER ROLE tester RESET ALL")
    assert found == sketch(open_table(rows))


@pytest.mark.usefixtures("needs_java")
@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York"])
def test_the_time_zone_of_a_session_changes_nothing(zone):
    """Moments with a time zone are taken in UTC, also where the session's clock is turned back."""
    from epsilometer.tables.spark_session import session_at

    moments = [datetime(2024, 10, 27, hour, 30, tzinfo=UTC) for hour in range(4)] + [datetime(1850, 1, 1, tzinfo=UTC)]
    session = session_at("spark://local[1]")
    before = session.conf.get("spark.sql.session.timeZone")
    session.conf.set("spark.sql.session.timeZone", zone)
    try:
        micros = ", ".join(f"({int(moment.timestamp()) * 10**6}L)" for moment in moments)
        frame = session.sql(f"SELECT timestamp_micros(m) AS moment FROM VALUES {micros} AS t(m)")
        assert sketch(open_table(frame)) == sketch(open_table(pa.table({"moment": moments})))
    finally:
        session.conf.set("spark.sql.session.timeZone", before)
