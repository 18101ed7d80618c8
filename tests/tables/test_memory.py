"""The embedded engine keeps to the memory it is given, moves the rest to disk, and tells how far it is."""

import re

import duckdb
import pytest

from epsilometer.errors import BadQuestion, BadTable
from epsilometer.tables import scan_progress
from epsilometer.tables.counting import frequency_table
from epsilometer.tables.engine import embedded_engine, keep, named
from epsilometer.tables.engine_errors import explained
from epsilometer.tables.memory import memory_allowed, memory_limit
from epsilometer.vocabulary.telling import heard_by


@pytest.fixture(scope="module")
def nearly_unique(tmp_path_factory):
    path = tmp_path_factory.mktemp("unique") / "people.parquet"
    duckdb.sql(f"COPY (SELECT hash(i) % 1e15::BIGINT AS id, i % 3 AS s FROM range(3000000) t(i)) TO '{path}'")
    return path


@pytest.mark.parametrize(
    ("amount", "n_bytes"), [("4GB", 4 * 10**9), ("1.5 gb", 15 * 10**8), ("300MB", 3 * 10**8), ("1TB", 10**12)]
)
def test_an_amount_is_what_it_says(amount, n_bytes):
    with memory_limit(amount):
        assert memory_allowed() == n_bytes
    assert memory_allowed() is None


@pytest.mark.parametrize("amount", ["", "lots", "4", "4GiB", "-4GB", "199MB", "0.1GB"])
def test_other_amounts_are_refused(amount):
    with pytest.raises(BadQuestion, match="at least 200MB, with its unit"), memory_limit(amount):
        pass


def test_what_does_not_fit_goes_to_disk_and_is_counted_all_the_same(nearly_unique):
    with memory_limit("200MB"):
        freq = frequency_table(nearly_unique, quasi_identifiers="id", sensitive="s")
    assert freq.n_records == 3_000_000
    assert freq.profile.counts.sum(axis=1).max() == 1
    assert freq.n_cells == 3_000_000


def test_an_engine_has_the_limit_and_a_folder_of_its_own():
    with memory_limit("300MB"):
        engine = embedded_engine()
    query = "SELECT current_setting('memory_limit'), current_setting('temp_directory')"
    ((limit, folder),) = engine.con.sql(query).fetchall()
    assert limit == "286.1 MiB"
    assert "epsilometer-" in folder


def test_too_little_memory_says_what_to_do():
    complaint = duckdb.OutOfMemoryException("Out of Memory Error: failed to offload data block")
    with pytest.raises(BadTable, match=r"t.csv takes more than the memory .* give more, such as --memory 8GB before"):
        raise explained("t.csv", complaint)


def test_grouping_tells_how_far_it_is(nearly_unique, monkeypatch):
    monkeypatch.setattr(scan_progress, "PAUSE", 0.01)
    told = []
    with heard_by(lambda what, done: told.append((what, done))):
        frequency_table(nearly_unique, quasi_identifiers="id", sensitive="s")
    assert {what for what, _ in told} == {"counting rows"}
    assert all(0 <= done <= 1 for _, done in told)


def test_nobody_is_told_by_an_engine_that_does_not_know(monkeypatch):
    monkeypatch.setattr(scan_progress, "PAUSE", 0.0)
    engine, told = embedded_engine(), []
    engine.con.execute("CREATE VIEW v AS SELECT * FROM range(3000000)")
    with heard_by(lambda what, done: told.append(done)):
        keep(named(engine, "v"))
    assert all(done >= 0 for done in told)


def test_without_a_limit_an_engine_takes_a_quarter_of_the_memory():
    chosen, whole = (
        engine.sql("SELECT current_setting('memory_limit')").fetchall()[0][0].split()
        for engine in (embedded_engine().con, duckdb.connect(config={"memory_limit": "100%"}))
    )
    assert chosen[1] == whole[1] == "GiB"
    assert float(chosen[0]) == pytest.approx(float(whole[0]) / 4, abs=0.2)


def test_an_identifier_among_very_many_counts_is_found_by_an_estimate(nearly_unique):
    freq = frequency_table(nearly_unique, quasi_identifiers="id", sensitive="s")
    (note,) = freq.notes
    assert re.fullmatch(r"id has about (2,[789]|3,0)00,000 different values in 3,000,000 records: is it an .*", note)
