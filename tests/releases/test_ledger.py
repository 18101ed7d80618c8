"""The ledger: budgets, states, refusals, and what makes it useless."""

import re
import sqlite3
import stat
from pathlib import Path

import pytest

from epsilometer.errors import BadLedger, BadOutput, OutOfRange, OverBudget
from epsilometer.releases import ledger_file
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_entries import Books, Budget
from epsilometer.releases.ledger_events import (
    Done,
    Entered,
    Event,
    Failed,
    Fingerprint,
    PendingFile,
    Sealed,
    UnreadableEvent,
    read_body,
    written,
)
from epsilometer.vocabulary.privacy_loss import PrivacyLoss


def look(epsilon, delta=0.0, noise="any"):
    known = {"scale": 1 / epsilon, "moved_counts": 1} if noise == "geometric" else {}
    return PrivacyLoss(what="counts", noise=noise, epsilon=epsilon, delta=delta, **known)


@pytest.fixture
def ledger(tmp_path):
    with open_ledger(tmp_path / "ledger.sqlite") as opened:
        yield opened


def enter(ledger, output="a.csv", *, dataset="people", epsilon=0.5, looks=None, **more):
    return ledger.enter(
        dataset=dataset,
        kind="counts",
        plan={"columns": ["sex"], "ε": 1},
        looks=[look(epsilon)] if looks is None else looks,
        output=ledger.file.path.parent / output,
        **more,
    )


def states(ledger):
    return [entry.state for entry in ledger.entries()]


def refused(call, *arguments, error=BadLedger, **keywords):
    with pytest.raises(error) as caught:
        call(*arguments, **keywords)
    return str(caught.value)


def test_an_entry_is_read_as_it_was_written(ledger, tmp_path):
    fingerprint = Fingerprint(file="f" * 64, sketch=(("ab", 3), ("cd", 1)))
    entry = enter(ledger, looks=[look(0.5), look(0.25, 1e-6)], fingerprint=fingerprint)
    assert (entry.number, entry.state, entry.sealed, dict(entry.files)) == (1, "spent", (), {})
    assert entry.plan == {"columns": ["sex"], "ε": 1}
    assert entry.looks == (look(0.5), look(0.25, 1e-6))
    assert entry.fingerprint == fingerprint
    assert entry.output == tmp_path / "a.csv"
    assert set(entry.versions) == {"epsilometer", "opendp", "dp-accounting", "python"}
    with open_ledger(ledger.file.path) as again:
        assert again.entries("people") == again.entries() == ledger.entries() == (entry,)
    assert ledger.entries("others") == ()


def test_a_release_goes_from_spent_to_sealed_to_done(ledger, tmp_path):
    file = PendingFile(target=tmp_path / "a.csv", partial=tmp_path / ".a.csv.x.partial", sha256="0" * 64)
    entry = ledger.seal(enter(ledger), [file], {"risk": 0.25})
    assert (entry.state, entry.sealed, entry.files) == ("sealed", (file,), {"a.csv": "0" * 64})
    assert entry.internal == {"risk": 0.25}
    assert ledger.unfinished(tmp_path / "a.csv") == (entry,)
    assert ledger.finish(entry).state == ledger.finish(entry).state == "done"
    assert ledger.unfinished(tmp_path / "a.csv") == ()
    with open_ledger(ledger.file.path) as again:
        assert again.entries() == ledger.entries()


def test_every_event_is_read_as_it_was_written(tmp_path):
    bodies = [
        Entered(
            release="ab",
            dataset="ä\udcff",
            also=("b",),
            kind="counts",
            plan={"a": [1, None, {"b": 0.5}]},
            looks=(look(float("inf"), 1.0),),
            output=tmp_path,
            fingerprint=Fingerprint(),
            salt="00",
            versions={"python": "3"},
        ),
        Sealed(release="ab", files=(), internal={}),
        Done(release="ab"),
        Failed(release="ab", code="lost"),
    ]
    kinds = ("entered", "sealed", "done", "failed")
    assert [
        read_body(Event(1, "", kind, written(body), "")) for kind, body in zip(kinds, bodies, strict=True)
    ] == bodies


@pytest.mark.parametrize(
    "body", ["", "{", "[]", "null", "[" * 100_000, '{"release":1}', '{"release":"ab","x":1}', "1e999"]
)
@pytest.mark.parametrize("kind", ["done", "entered", "budget", "unknown"])
def test_an_event_that_nobody_wrote_is_told_apart(kind, body):
    with pytest.raises(UnreadableEvent):
        Books().take(Event(1, "", kind, body, ""))


def test_an_output_is_one_file_under_whichever_name(ledger, tmp_path, monkeypatch):
    (tmp_path / "link").symlink_to(tmp_path)
    enter(ledger, "link/a.csv")
    monkeypatch.chdir(tmp_path)
    first, second = enter(ledger, "a.csv"), enter(ledger, "b.csv")
    assert states(ledger) == ["failed", "spent", "spent"]
    assert first.output == tmp_path / "a.csv"
    assert ledger.entries_to(Path("b.csv"), "spent") == (second,)


def test_a_new_release_takes_the_place_of_one_that_was_not_sealed_and_both_are_spent(ledger):
    ledger.set_budget("people", epsilon=1.0, delta=0.0)
    first, second = enter(ledger), enter(ledger)
    assert ledger.remaining("people") == 0
    assert "takes the place of this one" in refused(ledger.seal, first, [])
    assert ledger.seal(second, []).state == "sealed"
    assert states(ledger) == ["failed", "sealed"]


@pytest.mark.parametrize("code", ["stopped", "error"])
def test_a_failed_release_stays_spent(ledger, code):
    ledger.set_budget("people", epsilon=0.5, delta=0.0)
    entry = enter(ledger)
    assert ledger.fail(entry, code).state == ledger.fail(entry, code).state == "failed"
    refused(enter, ledger, error=OverBudget)
    assert ledger.remaining("people") == 0
    refused(ledger.seal, entry, [])


def test_a_sealed_release_fails_only_if_its_files_are_lost(ledger):
    entry = ledger.seal(enter(ledger), [])
    assert ledger.fail(entry, "stopped").state == "sealed"
    assert ledger.fail(entry, "lost").state == "failed"
    assert ledger.finish(entry).state == "failed"


def test_what_the_budget_does_not_pay_for_is_refused(ledger):
    ledger.set_budget("people", epsilon=1.0, delta=0.0)
    enter(ledger, epsilon=0.75)
    assert refused(enter, ledger, "b.csv", epsilon=0.3, error=OverBudget) == (
        "This release asks for ε = 0.3 and δ = 0 of 'people', which has spent ε = 0.75 of 1 at δ = 0: 0.25 is left. "
        "All together would be ε = 1.05. Nothing was published. Ask for less, or allow more: epsilometer ledger budget."
    )
    assert enter(ledger, "b.csv", epsilon=0.25).state == "spent"
    assert len(ledger.entries()) == 2


def test_failure_has_a_budget_too(ledger):
    ledger.set_budget("people", epsilon=1.0, delta=1e-6)
    enter(ledger, looks=[look(0.1, 0.9e-6)])
    refused(enter, ledger, "b.csv", looks=[look(0.1, 0.9e-6)], error=OverBudget)
    refused(enter, ledger, "b.csv", looks=[look(float("inf"))], error=OverBudget)
    assert enter(ledger, "b.csv", looks=[look(0.1, 1e-8)]).state == "spent"


def test_many_small_releases_are_paid_for_by_the_laws_of_their_noise(ledger):
    ledger.set_budget("people", epsilon=5.0, delta=1e-6)
    enter(ledger, looks=[look(0.1, noise="geometric")] * 100)  # 10 when added up
    together = ledger.composition("people")
    assert together.tight < 5 < together.added_up
    assert ledger.remaining("people") == 5.0 - together.tight
    assert ledger.composition("people", delta=1e-9).tight > together.tight
    refused(ledger.set_budget, "people", epsilon=5.0, delta=1e-9, error=OverBudget)


def test_data_sets_have_budgets_of_their_own(ledger):
    ledger.set_budget("people", epsilon=0.5, delta=0.0, who="Ann", why="a year's worth")
    enter(ledger)
    assert enter(ledger, "b.csv", dataset="others").state == "spent"
    assert ledger.datasets() == ("others", "people")
    assert ledger.budget("people") == Budget(0.5, 0.0, "Ann", "a year's worth")
    assert ledger.budget("others") is ledger.remaining("others") is None


def test_without_a_budget_nothing_is_refused_and_all_is_counted(ledger):
    for number in range(3):
        enter(ledger, f"{number}.csv", looks=[look(100.0, 0.5)])
    together = ledger.composition("people")
    assert (together.n_looks, together.delta, together.added_delta) == (3, 1.0, 1.5)


def test_a_budget_may_change_but_not_fall_below_what_is_spent(ledger):
    ledger.set_budget("people", epsilon=1.0, delta=0.0, who="Ann")
    enter(ledger, epsilon=0.75)
    assert refused(ledger.set_budget, "people", epsilon=0.5, delta=0.0, error=OverBudget) == (
        "'people' has spent ε = 0.75 at δ = 0, more than the ε = 0.5 asked for. "
        "The budget is left as it was. Choose a larger one."
    )
    assert ledger.budget("people") == Budget(1.0, 0.0, "Ann")
    ledger.set_budget("people", epsilon=0.75, delta=1e-6, who="Bob")
    assert ledger.budget("people") == Budget(0.75, 1e-6, "Bob")
    assert [event.kind for event in ledger.file.events()].count("budget") == 2  # nothing is forgotten


@pytest.mark.parametrize(
    ("epsilon", "delta", "name"),
    [(0.0, 0.0, "epsilon"), (float("inf"), 0.0, "epsilon"), (float("nan"), 0.0, "epsilon"), (1.0, 1.0, "delta"),
     (1.0, -1e-9, "delta")],
)  # fmt: skip
def test_a_budget_that_cannot_be_one_is_refused(ledger, epsilon, delta, name):
    assert refused(ledger.set_budget, "people", epsilon=epsilon, delta=delta, error=OutOfRange).startswith(name)


def test_a_release_says_what_it_looks_at(ledger):
    message = "A release of 'people' must say what it looks at. Give at least one look."
    assert refused(enter, ledger, looks=[]) == message


def test_only_its_owner_can_read_a_ledger(ledger):
    assert stat.S_IMODE(ledger.file.path.stat().st_mode) == 0o600


def test_a_ledger_outlives_its_process_and_is_written_for_good(ledger):
    enter(ledger)
    with open_ledger(ledger.file.path) as again:
        assert again.entries() == ledger.entries()
        assert again.file.read("PRAGMA synchronous")[0][0] == 3  # EXTRA
        assert again.file.read("PRAGMA journal_mode")[0][0] == "delete"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DELETE FROM event", "an event is never deleted"),
        ("UPDATE event SET body = '{}'", "an event is never changed"),
        ("UPDATE event SET number = 9", "an event is never changed"),
        ("INSERT OR REPLACE INTO event VALUES (1, '', '', '', '')", "an event never takes the place of another"),
    ],
)
def test_the_file_itself_refuses_to_change_an_event(ledger, change, said):
    enter(ledger)
    before = list(ledger.file.events())
    connection = sqlite3.connect(ledger.file.path, isolation_level=None)
    with pytest.raises(sqlite3.IntegrityError, match=said):
        connection.execute(change)
    connection.close()
    assert list(ledger.file.events()) == before


def test_a_change_that_fails_changes_nothing(ledger, monkeypatch):
    honest = ledger._append

    def failing(changes, body):
        honest(changes, body)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(ledger, "_append", failing)
        with pytest.raises(KeyboardInterrupt):
            enter(ledger)
    assert ledger.datasets() == ()
    enter(ledger)
    assert len(list(ledger.file.events())) == 2


def opened(path, **keywords):
    with open_ledger(path, **keywords) as ledger:
        ledger.entries()


def test_a_file_that_is_no_ledger_is_left_alone(tmp_path):
    text, database, empty = tmp_path / "a.csv", tmp_path / "b.sqlite", tmp_path / "c.sqlite"
    text.write_text("age,sex\n" * 200)
    empty.write_bytes(b"")
    connection = sqlite3.connect(database)
    connection.execute("CREATE TABLE people (age)")
    connection.close()
    for path in (text, database, empty):
        before = path.read_bytes()
        assert refused(opened, path) == (
            f"Cannot use the ledger {path}: it is not a ledger. "
            "Name the file of a ledger, or one that does not exist yet."
        )
        assert path.read_bytes() == before


def test_a_ledger_must_have_a_folder_and_may_have_to_exist(tmp_path):
    missing = tmp_path / "ledger.sqlite"
    assert refused(opened, missing, must_exist=True) == (
        f"There is no ledger {missing}. Name one with --ledger, or make a release: that starts one."
    )
    assert not missing.exists()
    assert re.search("there is no folder", refused(opened, tmp_path / "none" / "x.sqlite", error=BadOutput))


def test_a_ledger_of_another_version_is_not_touched(ledger):
    ledger.file.read("PRAGMA user_version = 99")
    assert "another version" in refused(opened, ledger.file.path)


def test_an_old_sqlite_is_told_apart(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.34.1")
    message = "A ledger needs SQLite 3.37, this Python has 3.34.1. Use a newer Python."
    assert refused(opened, tmp_path / "ledger.sqlite") == message


def test_a_ledger_that_others_keep_busy_is_waited_for_and_then_told(ledger, monkeypatch):
    monkeypatch.setattr(ledger_file, "PATIENCE", 0.05)
    with open_ledger(ledger.file.path) as other, ledger.file.appending():
        assert refused(enter, other) == (
            f"Cannot use the ledger {ledger.file.path}: another process has kept it busy for 60 s. "
            "Try again when that one is done."
        )
    assert enter(ledger).state == "spent"


def test_two_that_have_it_open_see_what_the_other_does(ledger):
    with open_ledger(ledger.file.path) as other:
        first = enter(ledger, "a.csv")
        second = enter(other, "b.csv")
        assert ledger.entries() == other.entries() == (first, second)


def test_what_the_accountant_found_must_hold_when_the_release_is_entered(ledger, monkeypatch):
    """Somebody else spends the budget after it was looked at: the look is repeated, and the release refused."""
    from epsilometer.releases import ledger as module

    ledger.set_budget("people", epsilon=0.5, delta=0.0)
    honest = module.fits

    def slow(*arguments, **keywords):
        answer = honest(*arguments, **keywords)
        monkeypatch.setattr(module, "fits", honest)
        enter(ledger, "faster.csv")
        return answer

    monkeypatch.setattr(module, "fits", slow)
    refused(enter, ledger, "slow.csv", error=OverBudget)
    assert [entry.output.name for entry in ledger.entries()] == ["faster.csv"]


def test_a_budget_is_held_against_what_is_spent_when_it_is_set(ledger, monkeypatch):
    from epsilometer.releases import ledger as module

    honest = module.fits

    def slow(*arguments, **keywords):
        answer = honest(*arguments, **keywords)
        monkeypatch.setattr(module, "fits", honest)
        enter(ledger, "faster.csv", epsilon=2.0)
        return answer

    monkeypatch.setattr(module, "fits", slow)
    refused(ledger.set_budget, "people", epsilon=1.0, delta=0.0, error=OverBudget)
    assert ledger.budget("people") is None
