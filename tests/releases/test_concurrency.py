"""Several processes release at once: budgets are never overspent, and nobody is told of locks."""

import hashlib

import pytest

from epsilometer.releases.accounting import added_up
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_findings import findings

EPSILON = 0.5  # of each release


@pytest.fixture
def folder(tmp_path):
    def with_budget_for(releases):
        with open_ledger(tmp_path / "ledger.sqlite") as ledger:
            ledger.set_budget("people", epsilon=EPSILON * releases, delta=0.0)
        return tmp_path

    return with_budget_for


def check_account(folder, *, done):
    with open_ledger(folder / "ledger.sqlite") as ledger:
        assert list(findings(ledger)) == []
        assert [entry.state for entry in ledger.entries()] == ["done"] * done
        assert added_up(ledger.looks("people")) == (EPSILON * done, 0.0)


@pytest.mark.parametrize(("processes", "paid"), [(2, 1), (4, 1), (4, 3), (8, 4)])
def test_as_many_releases_succeed_as_the_budget_pays_for(zygote, folder, processes, paid):
    place = folder(paid)
    outcomes = zygote.side_by_side(*[("release", place, f"counts{number}.csv") for number in range(processes)])
    errors = [outcome.error.split(":")[0] for outcome in outcomes]
    assert sorted(errors) == [""] * paid + ["OverBudget"] * (processes - paid)
    check_account(place, done=paid)
    published = {path.name for path in place.glob("*.csv")}
    assert published == {f"counts{number}.csv" for number, error in enumerate(errors) if not error}


@pytest.mark.parametrize("processes", [2, 4])
@pytest.mark.parametrize("budget", [1, 9])
def test_releases_to_the_same_file_leave_one_of_them(zygote, folder, processes, budget):
    place = folder(budget)
    outcomes = zygote.side_by_side(*[("release", place)] * processes)
    errors = {outcome.error.split(":")[0] for outcome in outcomes}
    assert "" in errors
    assert errors <= {"", "OutputExists", "BadLedger", "OverBudget"}
    with open_ledger(place / "ledger.sqlite") as ledger:
        paid = ledger.entries()
        digest = hashlib.sha256((place / "counts.csv").read_bytes()).hexdigest()
        assert digest in [entry.files["counts.csv"] for entry in paid if entry.state == "done"]
        assert len(paid) <= budget
        assert {entry.state for entry in paid} <= {"done", "failed"}


def test_a_ledger_is_started_by_one_of_several_at_once(zygote, tmp_path):
    outcomes = zygote.side_by_side(*[("release", tmp_path, f"counts{number}.csv") for number in range(6)])
    assert [outcome.error for outcome in outcomes] == [""] * 6
    check_account(tmp_path, done=6)


def test_releases_killed_side_by_side_never_overspend(zygote, folder):
    place = folder(2)
    for step in range(8):
        calls = [("release", place, f"counts{number}.csv") for number in range(3)]
        zygote.side_by_side(*calls, die_after=0.01 * step)
        with open_ledger(place / "ledger.sqlite") as ledger:
            assert added_up(ledger.looks("people"))[0] <= 2 * EPSILON
            known = {name: digest for entry in ledger.entries() for name, digest in entry.files.items()}
        for path in place.glob("*.csv"):
            assert known[path.name] == hashlib.sha256(path.read_bytes()).hexdigest()
