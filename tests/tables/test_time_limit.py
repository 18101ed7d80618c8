"""A filter that keeps the engine busy is ended in time, and says so."""

import time

import duckdb
import pyarrow as pa
import pytest

from epsilometer.errors import BadFilter
from epsilometer.tables.counting import frequency_table
from epsilometer.tables.engine import embedded_engine
from epsilometer.tables.time_limit import interrupted_in_time, time_limit

ROWS = pa.table({"age": list(range(50)) * 2_000, "job": ["nurse", "baker"] * 50_000})
HARD = " or ".join(f"age * {i}.5 % 7 > 9 + age" for i in range(400))
ENDLESS = "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range * b.range = 7"


def count(where):
    return frequency_table(ROWS, quasi_identifiers="age", sensitive="job", where=where).n_records


def test_a_filter_that_takes_too_long_is_ended():
    with time_limit(0.05), pytest.raises(BadFilter, match=r"still running after 0\.05 seconds, and was ended"):
        count(HARD)


def test_a_filter_that_is_quick_enough_is_not():
    with time_limit(60):
        assert count("age >= 25") == 50_000


def test_a_scan_without_a_filter_has_no_limit():
    with time_limit(0.0):
        assert count(None) == 100_000


def test_the_limit_ends_with_its_block():
    with time_limit(0.0):
        pass
    assert count("age >= 25") == 50_000


def test_an_interrupt_between_two_queries_is_not_the_last():
    engine = embedded_engine()
    with time_limit(0.0), interrupted_in_time(engine):
        time.sleep(0.2)
        with pytest.raises(duckdb.InterruptException):
            engine.con.execute(ENDLESS).fetchall()


def test_a_filter_that_is_too_long_is_not_read():
    with pytest.raises(BadFilter, match=r"The filter has 20,001 characters; at most 20,000 can be read\."):
        count("x" * 20_001)
