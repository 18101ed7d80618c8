"""A filter that keeps the engine busy is ended in time, and says so."""

import time

import duckdb
import pyarrow as pa
import pytest

from epsilometer.errors import BadPredicate
from epsilometer.tables.counting import frequency_table
from epsilometer.tables.engine import embedded_engine
from epsilometer.tables.time_limit import interrupted_in_time, time_limit

ROWS = pa.table({"age": list(range(50)) * 2_000, "job": ["nurse", "baker"] * 50_000})
HARD = " or ".join(f"sin(age * {i}) > 2" for i in range(2_000))
ENDLESS = "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range * b.range = 7"


def count(where):
    return frequency_table(ROWS, quasi_identifiers="age", sensitive="job", where=where).n_records


@pytest.mark.parametrize(
    "where",
    [
        HARD,
        "levenshtein(repeat(job, 50), repeat(job, 49)) >= 0",
        "length(replace(repeat('ab', 30000000), 'a', 'c')) > age",  # worked out before there is a row
    ],
    ids=["many terms", "slow function", "constant"],
)
def test_a_filter_that_takes_too_long_is_ended(where):
    with time_limit(0.05), pytest.raises(BadPredicate, match=r"still running after 0\.05 seconds, and was ended"):
        count(where)


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
    with pytest.raises(BadPredicate, match=r"The filter has 100,001 characters; at most 100,000 can be read\."):
        count("x" * 100_001)
