"""Kill -9 at any point of a release: no output without its entry, no half-written file, and a re-run works.

The budget pays for one release only, so a re-run works only if what the killed one had paid is not lost.
"""

import hashlib
import json
import random
import shutil
import sys

import pytest

from epsilometer.releases.accounting import added_up
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_findings import findings

EPSILON = 0.5
POINTS = 50


@pytest.fixture(scope="session")
def n_events(zygote_of, prepare, tmp_path_factory):
    """How many events a release has that nobody kills."""
    outcome = zygote_of("small_release").run("release", prepare(tmp_path_factory.mktemp("whole")), die_at=0)
    assert outcome.error == ""
    assert not outcome.killed
    return outcome.events


@pytest.fixture(scope="session")
def prepare(tmp_path_factory):
    """Put a ledger into a folder whose budget pays for one release."""
    empty = tmp_path_factory.mktemp("empty") / "ledger.sqlite"
    with open_ledger(empty) as ledger:
        ledger.set_budget("people", epsilon=EPSILON, delta=0.0)

    def prepared(folder):
        folder.mkdir(exist_ok=True)
        shutil.copy(empty, folder)
        return folder

    return prepared


def released(folder):
    return sorted(path for path in folder.iterdir() if not path.name.startswith((".", "ledger")))


def check_what_stands(folder):
    """Every file with a final name is whole and entered, and the output never stands without its passport."""
    files = released(folder)
    with open_ledger(folder / "ledger.sqlite") as ledger:
        known = {
            file.target: file.sha256
            for entry in ledger.entries()
            if entry.state in ("sealed", "done")
            for file in entry.sealed
        }
    for path in files:
        assert known[path.resolve()] == hashlib.sha256(path.read_bytes()).hexdigest()
    if any(path.name == "counts.csv" for path in files):
        assert (folder / "counts.csv.passport.json") in files


def check_the_end(folder):
    """One release is done and paid for, its passport names it, and nothing is left behind."""
    check_what_stands(folder)
    with open_ledger(folder / "ledger.sqlite") as ledger:
        assert list(findings(ledger)) == []
        (done,) = (entry for entry in ledger.entries() if entry.state != "void")
        assert added_up(ledger.looks("people")) == (EPSILON, 0.0)
    assert done.state == "done"
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


def test_a_release_killed_at_any_event_can_be_run_again(zygote, n_events, prepare, tmp_path):
    seed = random.SystemRandom().randrange(10**6)
    points = sorted(random.Random(seed).sample(range(1, n_events + 1), POINTS))
    sys.stdout.write(f"seed {seed}: killed at {points} of {n_events} events")
    n_killed = 0
    for point in points:
        folder = prepare(tmp_path / str(point))
        n_killed += zygote.run("release", folder, die_at=point).killed
        check_what_stands(folder)
        run_again(zygote, folder)
        check_the_end(folder)
    assert n_killed >= POINTS - 2  # a run may have an event less than the one that was counted


def test_a_release_killed_at_any_moment_can_be_run_again(zygote, prepare, tmp_path):
    for step in range(POINTS):
        folder = prepare(tmp_path / str(step))
        zygote.run("release", folder, die_after=0.002 * step)
        check_what_stands(folder)
        run_again(zygote, folder)
        check_the_end(folder)


def test_a_release_may_be_killed_again_and_again(zygote, n_events, prepare, tmp_path):
    folder = prepare(tmp_path)
    for point in range(n_events // 5, n_events, n_events // 5):
        zygote.run("release", folder, die_at=point)
        check_what_stands(folder)
    run_again(zygote, folder)
    check_the_end(folder)


def test_a_budget_for_one_release_pays_for_one_only(zygote, prepare, tmp_path):
    folder = prepare(tmp_path)
    assert zygote.run("release", folder).error == ""
    assert zygote.run("release", folder, "more.csv").error.startswith("OverBudget: ")
    check_the_end(folder)
