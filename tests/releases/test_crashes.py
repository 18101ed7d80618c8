"""Killed at any point of a release: no output without its entry, no half-written file, no free draw, a re-run works.

Every run that has drawn is spent, so the budget pays for as many runs as there are.
"""

import hashlib
import json
import shutil

import pytest

from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_findings import findings

EPSILON = 0.5
RUNS = 12  # that the budget pays for


@pytest.fixture(scope="module")
def prepare(tmp_path_factory):
    """Put a ledger into a folder whose budget pays for some releases."""
    empty = tmp_path_factory.mktemp("empty") / "ledger.sqlite"
    with open_ledger(empty) as ledger:
        ledger.set_budget("people", epsilon=RUNS * EPSILON, delta=0.0)

    def prepared(folder):
        folder.mkdir(exist_ok=True)
        shutil.copy(empty, folder)
        return folder

    return prepared


@pytest.fixture(scope="module")
def n_events(zygote_of, prepare, tmp_path_factory):
    """How many events a release has that nobody kills."""
    outcome = zygote_of("small_release").run("release", prepare(tmp_path_factory.mktemp("whole")), die_at=0)
    assert outcome.error == ""
    assert not outcome.killed
    return outcome.events


def tables(folder):
    """Every noisy table that stands in the folder, under whichever name, whole or not."""
    return {path.read_bytes() for path in folder.iterdir() if "counts.csv" in path.name and "passport" not in path.name}


def check_what_stands(folder, drawn):
    """Every file with a final name is whole and entered, the output with its passport, and each draft is paid for."""
    files = sorted(path for path in folder.iterdir() if not path.name.startswith((".", "ledger")))
    drawn |= {table for table in tables(folder) if table}
    with open_ledger(folder / "ledger.sqlite") as ledger:
        entries = ledger.entries()
        known = {
            file.target: file.sha256 for entry in entries if entry.state in ("sealed", "done") for file in entry.sealed
        }
        assert len(ledger.looks("people")) == len(entries) <= RUNS
    assert len(drawn) <= len(entries)
    for path in files:
        assert known[path.resolve()] == hashlib.sha256(path.read_bytes()).hexdigest()
    if any(path.name == "counts.csv" for path in files):
        assert (folder / "counts.csv.passport.json") in files
    return len(entries)


def check_the_end(folder, drawn):
    """One release is done, its passport names it, and nothing is left behind."""
    check_what_stands(folder, drawn)
    with open_ledger(folder / "ledger.sqlite") as ledger:
        assert list(findings(ledger)) == []
        (done,) = (entry for entry in ledger.entries() if entry.state == "done")
    assert json.loads((folder / "counts.csv.passport.json").read_text())["ledger_entry"] == done.id
    assert sorted(path.name for path in folder.iterdir()) == [
        "counts.csv",
        "counts.csv.passport.json",
        "ledger.sqlite",
    ]


def run_again(zygote, folder):
    outcome = zygote.run("release", folder)
    if outcome.error:  # the release was killed when all was done
        assert outcome.error.startswith("OutputExists: ")
    assert not outcome.killed


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGINT"])
def test_a_release_ended_at_any_event_can_be_run_again(zygote, n_events, prepare, tmp_path, name):
    """At every single one by a kill, at every third one by a signal that could be handled."""
    n_ended, costs = 0, set()
    points = range(1, n_events + 1, 1 if name == "SIGKILL" else 3)
    for point in points:
        folder, drawn = prepare(tmp_path / str(point)), set()
        outcome = zygote.run("release", folder, die_at=point, by=name)
        n_ended += outcome.killed or bool(outcome.error)
        check_what_stands(folder, drawn)
        run_again(zygote, folder)
        check_the_end(folder, drawn)
        costs.add(check_what_stands(folder, drawn))
        shutil.rmtree(folder)
    assert n_ended >= len(points) - 3  # a run may have an event or two less than the one that was counted
    assert costs == {1, 2}  # ended before it was entered or after it was sealed, or in between


def test_a_release_killed_at_any_moment_can_be_run_again(zygote, prepare, tmp_path):
    for step in range(50):
        folder, drawn = prepare(tmp_path / str(step)), set()
        zygote.run("release", folder, die_after=0.001 * step)
        check_what_stands(folder, drawn)
        run_again(zygote, folder)
        check_the_end(folder, drawn)


def test_a_release_may_be_killed_again_and_again(zygote, n_events, prepare, tmp_path):
    folder, drawn = prepare(tmp_path / "again"), set()
    for point in range(n_events // 8, n_events, n_events // 8):
        zygote.run("release", folder, die_at=point)
        check_what_stands(folder, drawn)
    run_again(zygote, folder)
    check_the_end(folder, drawn)


def test_a_budget_pays_for_each_draw(zygote, prepare, tmp_path):
    folder = prepare(tmp_path / "each")
    for number in range(RUNS):
        assert zygote.run("release", folder, f"counts{number}.csv").error == ""
    assert zygote.run("release", folder, "more.csv").error.startswith("OverBudget: ")


def test_who_kills_a_release_at_the_seal_again_and_again_gets_no_draw_for_nothing(zygote, prepare, tmp_path):
    """Twenty-five tries to see a table that waits to be sealed: each table that is seen was paid for."""
    folder, drawn, refused = prepare(tmp_path / "seal"), set(), 0
    for _ in range(25):
        outcome = zygote.run("killed_at_the_seal", folder)
        refused += outcome.error.startswith("OverBudget: ")
        entered = check_what_stands(folder, drawn)
    assert (len(drawn), entered, refused) == (RUNS, RUNS, 25 - RUNS)
