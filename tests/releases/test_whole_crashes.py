"""Kill -9 at 60 points spread over a whole release, from reading the table to the last rename."""

import hashlib
import shutil

import pytest

from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_findings import findings
from epsilometer.releases.passport_checks import check_passport

EPSILON = 0.5
POINTS = 60
PUBLISHED = ["counts.csv", "counts.csv.passport.html", "counts.csv.passport.json"]
PEOPLE = "sex,job\nf,cook\nm,nurse\nm,nurse\nf,nurse\n"


@pytest.fixture(scope="module")
def zygote(zygote_of):
    return zygote_of("whole_release")


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """A folder with a table, and a ledger whose budget pays for two releases."""
    folder = tmp_path_factory.mktemp("start")
    (folder / "people.csv").write_text(PEOPLE, encoding="utf-8")
    with open_ledger(folder / "ledger.sqlite") as ledger:
        ledger.set_budget("people", epsilon=2 * EPSILON, delta=0.0)
    return folder


def check_what_stands(folder):
    """Every file with a final name is whole and entered, and the output never stands without its passport."""
    standing = [name for name in PUBLISHED if (folder / name).exists()]
    with open_ledger(folder / "ledger.sqlite") as ledger:
        entries = ledger.entries()
        entered = {
            file.target.name: file.sha256
            for entry in entries
            if entry.state in ("sealed", "done")
            for file in entry.sealed
        }
        assert ledger.composition("people").epsilon == len(entries) * EPSILON
    for name in standing:
        assert entered[name] == hashlib.sha256((folder / name).read_bytes()).hexdigest()
    assert "counts.csv" not in standing or standing == PUBLISHED
    return [entry.state for entry in entries]


def test_a_whole_release_killed_at_any_point_can_be_run_again(zygote, start, tmp_path):
    whole = zygote.run("release", shutil.copytree(start, tmp_path / "whole"), die_at=0)
    assert (whole.error, whole.killed) == ("", False)
    n_killed, left = 0, set()
    for number in range(POINTS):
        point = 1 + number * whole.events // POINTS
        folder = shutil.copytree(start, tmp_path / str(point))
        outcome = zygote.run("release", folder, die_at=point)
        assert outcome.error == ""
        n_killed += outcome.killed
        states = check_what_stands(folder)
        left |= {"nothing", *states} if not states else set(states)
        again = zygote.run("release", folder)
        assert again.error == "" or again.error.startswith("OutputExists: ")  # killed when all was done
        assert len(check_what_stands(folder)) == 1 + (states == ["spent"])
        assert sorted(path.name for path in folder.iterdir()) == sorted([*PUBLISHED, "ledger.sqlite", "people.csv"])
        with open_ledger(folder / "ledger.sqlite") as ledger:
            assert list(findings(ledger)) == []
        checked = check_passport(
            folder / "counts.csv.passport.json", ledger=folder / "ledger.sqlite", table=str(folder / "people.csv")
        )
        assert [finding.what for finding in checked.findings if finding.outcome != "passed"] == []
        shutil.rmtree(folder)
    assert n_killed >= POINTS - 2  # a run may have an event less than the one that was counted
    assert {"nothing", "spent", "sealed"} <= left  # every phase was met
