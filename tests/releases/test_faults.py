"""Every write, name, fsync and commit of a release goes wrong in turn, in every way: as SQLite is tested.

Whatever happens, nothing is published without an entry, no half file is, no draw is free, and a re-run works.
"""

import hashlib
import json
import shutil
from contextlib import suppress

import pytest

from epsilometer.errors import EpsilometerError
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_findings import findings

HOW = ["full", "error", "late", "memory", "stopped", "lost", "cut", "kept"]
EPSILON = 0.5


@pytest.fixture(scope="module")
def small(load_file):
    return load_file("small_release")


@pytest.fixture(scope="module")
def faults(load_file):
    return load_file("faults")


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """A folder with a ledger whose budget pays for five releases."""
    folder = tmp_path_factory.mktemp("start")
    with open_ledger(folder / "ledger.sqlite") as ledger:
        ledger.set_budget("people", epsilon=5 * EPSILON, delta=0.0)
    return folder


@pytest.fixture
def drawn(small, monkeypatch):
    """Every noisy table that a release was about to write."""
    noted, honest = [], small.publish

    def publish(ledger, entry, contents, **options):
        noted.append(entry.id)
        return honest(ledger, entry, contents, **options)

    monkeypatch.setattr(small, "publish", publish)
    return noted


def run(small, folder, overwrite, disk, faults):
    """Run a release on a disk that may fail; say how it ended."""
    outcome = ""
    try:
        with disk.failing():
            small.release(folder, overwrite=overwrite)
    except (EpsilometerError, MemoryError, KeyboardInterrupt, faults.PowerCut) as error:
        outcome = type(error).__name__
    disk.after_the_cut()
    return outcome


def check_what_stands(folder, old):
    with open_ledger(folder / "ledger.sqlite") as ledger:
        entries = ledger.entries()
        known = {digest for entry in entries if entry.state in ("sealed", "done") for digest in entry.files.values()}
        assert len(ledger.looks("people")) == len(entries)
    standing = {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith((".", "ledger"))}
    for name, content in standing.items():
        assert content == old.get(name) or hashlib.sha256(content).hexdigest() in known, name
    if standing.get("counts.csv") != old.get("counts.csv"):
        digest = hashlib.sha256(standing["counts.csv"]).hexdigest()
        (entry,) = (entry for entry in entries if entry.files.get("counts.csv") == digest)
        assert json.loads(standing["counts.csv.passport.json"])["ledger_entry"] == entry.id
    return entries


@pytest.mark.parametrize("overwrite", ["", "yes"], ids=["new", "over an old one"])
@pytest.mark.parametrize("how", HOW)
def test_a_release_on_a_disk_that_fails(small, faults, start, drawn, tmp_path, how, overwrite):  # noqa: PLR0917
    begun = shutil.copytree(start, tmp_path / "begun")
    if overwrite:
        small.release(begun)
    old = {path.name: path.read_bytes() for path in begun.iterdir() if not path.name.startswith((".", "ledger"))}
    whole = faults.Disk(shutil.copytree(begun, tmp_path / "whole"))
    assert run(small, whole.folder, overwrite, whole, faults) == ""
    names = {"replace"} if overwrite else {"link", "unlink"}
    assert {"open", "write", "fsync", "begin", "insert", "commit", *names} == set(whole.done)
    ended = set()
    for at in range(1, whole.count + 1):
        drawn.clear()
        folder = shutil.copytree(begun, tmp_path / str(at))
        outcome = run(small, folder, overwrite, faults.Disk(folder, at, how), faults)
        entries = check_what_stands(folder, old)
        assert len(drawn) <= len(entries) - len(old) // 2
        ended.add((outcome, entries[-1].state if entries else "nothing"))
        if outcome or not overwrite:
            with suppress(EpsilometerError):  # all is done, and stands in the way
                small.release(folder, overwrite=overwrite)
        entries = check_what_stands(folder, old)
        assert len(drawn) <= len(entries) - len(old) // 2
        assert entries[-1].state == "done"
        assert (folder / "counts.csv").read_bytes() != old.get("counts.csv")
        left = [path.name for path in folder.iterdir() if path.name.endswith(".partial")]
        with open_ledger(folder / "ledger.sqlite") as ledger:
            found = list(findings(ledger))
        assert len(found) == len(left) <= (how in ("full", "error", "late", "lost", "cut")), found
        shutil.rmtree(folder)
    assert len(ended) > 1  # it mattered where it happened


def test_a_ledger_that_cannot_be_started_is_not_there(faults, tmp_path):
    with open_ledger(tmp_path / "elsewhere.sqlite"):
        pass
    for how in HOW:
        folder = tmp_path / how
        folder.mkdir()
        for at in range(1, 6):
            disk = faults.Disk(folder, at, how)
            failing = suppress(EpsilometerError, MemoryError, KeyboardInterrupt, faults.PowerCut)
            with failing, disk.failing(), open_ledger(folder / "ledger.sqlite") as ledger:
                ledger.entries()
            disk.after_the_cut()
            with open_ledger(folder / "ledger.sqlite") as ledger:
                assert list(findings(ledger)) == []
            (folder / "ledger.sqlite").unlink()
