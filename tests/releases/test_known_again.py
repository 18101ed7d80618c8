"""Rows that were released before are charged to their older names too; what they are known by stays in the ledger."""

import gzip
import hashlib
import hmac
import json
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.errors import OverBudget
from epsilometer.mechanisms import Geometric
from epsilometer.plans.plan import Plan
from epsilometer.plans.release_kinds import Counts
from epsilometer.releases.entering import dataset_name
from epsilometer.releases.known_again import committed, file_of, fingerprint, hashed_file, known_again
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_events import Fingerprint
from epsilometer.releases.release import carry_out
from epsilometer.tables.opening import open_table

ROWS = [f"{'fm'[number % 2]},{('nurse', 'baker')[number % 3 % 2]},{number}" for number in range(100)]
KEY = b"secret"


@pytest.fixture
def table(tmp_path):
    return written(tmp_path / "people.csv", ROWS)


@pytest.fixture
def ledger(tmp_path):
    with open_ledger(tmp_path / "ledger.sqlite") as opened:
        opened.set_budget("people", epsilon=0.75, delta=0.0)
    return tmp_path / "ledger.sqlite"


@pytest.fixture
def rows_by_hand(monkeypatch):
    """A sketch of rows that takes all of them, and counts how often it is asked for."""
    asked = []

    def sketch(table):
        asked.append(table.name)
        rows = table.expression.to_pyarrow().to_pylist()
        words = sorted(hashlib.sha256(repr(sorted(map(str, row.values()))).encode()).hexdigest() for row in rows)
        return tuple((word, words.count(word)) for word in dict.fromkeys(words))

    def similarity(one, other):
        return len({*one} & {*other}) / (len({*one} | {*other}) or 1)

    stand_in = SimpleNamespace(sketch=sketch, similarity=similarity)
    monkeypatch.setitem(sys.modules, "epsilometer.tables.fingerprint", stand_in)
    return asked


def written(path, rows):
    content = "\n".join(["sex,job,id", *rows, ""]).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def plan(table, dataset=None):
    return Plan(
        table=str(table),
        dataset=dataset,
        quasi_identifiers=("sex",),
        unit="row",
        sensitive=("job",),
        domain={"sex": ["f", "m"], "job": ["nurse", "baker"]},
        release=Counts(mechanism=Geometric(epsilon=0.5)),
    )


def release(table, ledger, out, dataset=None):
    return carry_out(plan(table, dataset), out=ledger.with_name(out), ledger=ledger, overwrite=False).entry


ROUTES = {
    "a copy": lambda folder: written(folder / "copy.csv", ROWS),
    "packed": lambda folder: written(folder / "others.csv.gz", ROWS),
    "one row more": lambda folder: written(folder / "others.csv", [*ROWS, "f,nurse,1000"]),
    "another order": lambda folder: written(folder / "others.csv", ROWS[::-1]),
    "most of them": lambda folder: written(folder / "others.csv", ROWS[:80]),
}


@pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES.keys())
def test_the_same_rows_have_no_second_budget(table, ledger, rows_by_hand, tmp_path, route):
    release(table, ledger, "a.csv")
    with pytest.raises(OverBudget) as told:
        release(route(tmp_path), ledger, "b.csv")
    assert "'people'" in str(told.value)
    with open_ledger(ledger) as opened:
        assert len(opened.entries()) == 1


def test_a_pattern_of_the_very_file_has_its_name(table, ledger, tmp_path):
    release(table, ledger, "a.csv")
    with pytest.raises(OverBudget):
        release(tmp_path / "peopl[e].csv", ledger, "b.csv")


def test_they_are_charged_to_every_older_name(table, ledger, rows_by_hand, tmp_path):
    with open_ledger(ledger) as opened:
        opened.set_budget("people", epsilon=9.0, delta=0.0)
    release(table, ledger, "a.csv")
    assert release(table, ledger, "b.csv", "others").also == ("people",)
    assert release(written(tmp_path / "z.csv", ROWS[1:]), ledger, "c.csv", "thirds").also == ("people", "others")
    with open_ledger(ledger) as opened:
        spent = {name: opened.composition(name).epsilon for name in opened.datasets()}
        assert spent == {"people": 1.5, "others": 1.0, "thirds": 0.5}
        assert opened.remaining("people") == 7.5


def test_other_rows_are_other_data(table, ledger, rows_by_hand, tmp_path):
    release(table, ledger, "a.csv")
    others = [row.replace("nurse", "baker") for row in ROWS]
    entry = release(written(tmp_path / "others.csv", [f"{row}0" for row in others]), ledger, "b.csv")
    assert (entry.dataset, entry.also) == ("others", ())


def test_a_file_that_is_known_is_not_read_again(table, ledger, rows_by_hand):
    with open_ledger(ledger) as opened:
        opened.set_budget("people", epsilon=9.0, delta=0.0)
    prints = [release(table, ledger, f"{name}.csv").fingerprint for name in "abc"]
    assert len(rows_by_hand) == 1
    assert prints[0] == prints[1] == prints[2]


def test_a_sketch_that_cannot_be_taken_is_silent(table, ledger, monkeypatch, tmp_path):
    def failing(_table):
        raise ValueError("Bob is 64")

    monkeypatch.setitem(sys.modules, "epsilometer.tables.fingerprint", SimpleNamespace(sketch=failing))
    entry = release(table, ledger, "a.csv")
    assert entry.fingerprint.sketch is None
    assert entry.fingerprint.file is not None


def test_what_rows_are_known_by_is_keyed_and_in_no_public_file(table, ledger, rows_by_hand, tmp_path):
    entry = release(table, ledger, "a.csv")
    seen = sys.modules["epsilometer.tables.fingerprint"].sketch(open_table(str(table)))
    stored = ledger.read_bytes().decode("latin-1")
    public = "".join(path.read_text(encoding="utf-8") for path in tmp_path.glob("a.csv*"))
    assert hashlib.sha256(table.read_bytes()).hexdigest() not in stored
    assert not any(row[:16] in stored for row, _ in seen)
    assert entry.fingerprint.file in stored
    for secret in (entry.fingerprint.file, entry.salt, *(row for row, _ in entry.fingerprint.sketch)):
        assert secret not in public
    with open_ledger(ledger) as opened:
        key = opened.fingerprint_key
    assert entry.fingerprint.file == hmac.digest(key, table.read_bytes(), "sha256").hex()
    assert [times for _, times in entry.fingerprint.sketch] == [times for _, times in seen]


def test_a_commitment_is_another_one_each_time_and_can_be_checked(table, ledger, rows_by_hand):
    with open_ledger(ledger) as opened:
        opened.set_budget("people", epsilon=9.0, delta=0.0)
    entries = [release(table, ledger, f"{name}.csv") for name in "ab"]
    stated = [
        json.loads(ledger.with_name(f"{name}.csv.passport.json").read_text())["input_commitment"] for name in "ab"
    ]
    assert stated[0] != stated[1]
    assert stated == [committed(entry.fingerprint, entry.salt) for entry in entries]
    assert committed(Fingerprint(sketch=(("ab", 1),)), "00") != committed(Fingerprint(sketch=(("ab", 2),)), "00")
    assert committed(Fingerprint(), "00") is None


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("stays.csv", "stays"),
        ("/home/ann/2030/stays.csv", "stays"),
        ("stays.csv.gz", "stays"),
        ("a.b.parquet", "a.b"),
        ("hospital.db::stays", "stays"),
        ("postgres://ann:secret@host/db::public.stays", "public.stays"),
        ("book.xlsx::Sheet1", "Sheet1"),
        ("spark://host:7077::hdfs://host/data/stays.parquet", "stays"),
        ("parts/*.parquet", "*"),
    ],
)
def test_a_data_set_has_the_name_of_its_file_or_table(source, name):
    assert dataset_name(source, None) == name
    assert dataset_name(source, "given") == "given"


def test_one_file_is_known_by_each_of_its_names(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert {file_of(name).resolve() for name in (table, "people.csv", "peopl?.csv", str(tmp_path / "p*.csv"))} == {
        table
    }
    written(tmp_path / "peopla.csv", ROWS)
    assert file_of("peopl?.csv") is file_of("none.csv") is file_of(tmp_path) is file_of(3) is file_of("x\0y") is None
    assert hashed_file(tmp_path / "none.csv", KEY) is None


@given(one=st.text("ab", min_size=1), other=st.text("ab", min_size=1))
def test_the_same_file_is_known_without_its_rows(one, other):
    assert known_again(Fingerprint(file=one), Fingerprint(file=other)) == (one == other)
    assert not known_again(Fingerprint(), Fingerprint())


def test_a_table_in_memory_is_known_by_its_rows_alone(table, rows_by_hand):
    rows = open_table(str(table))
    assert fingerprint(rows, rows, KEY, ()).file is None
    found = fingerprint(str(table), rows, KEY, ())
    assert known_again(fingerprint(rows, rows, KEY, ()), replace(found, file=None))
