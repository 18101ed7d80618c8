"""The ledger: budgets, states, refusals, and what makes it useless."""

import hashlib
import hmac
import re
import sqlite3
import stat
from pathlib import Path

import pytest

from epsilometer.errors import BadLedger, BadOutput, OutOfRange, OverBudget
from epsilometer.releases import ledger_file
from epsilometer.releases.ledger import Budget, open_ledger
from epsilometer.releases.ledger_entries import PendingFile
from epsilometer.vocabulary.privacy_loss import PrivacyLoss


def look(epsilon, delta=0.0, noise="any"):
    known = {"scale": 1 / epsilon, "moved_counts": 1} if noise == "geometric" else {}
    return PrivacyLoss(what="counts", noise=noise, epsilon=epsilon, delta=delta, **known)


@pytest.fixture
def ledger(tmp_path):
    with open_ledger(tmp_path / "ledger.sqlite") as opened:
        yield opened


def reserve(ledger, output="a.csv", *, dataset="people", epsilon=0.5, looks=None, fingerprint=None):
    return ledger.reserve(
        dataset=dataset,
        kind="counts",
        plan={"columns": ["sex"], "ε": 1},
        looks=[look(epsilon)] if looks is None else looks,
        output=ledger.file.path.parent / output,
        fingerprint=fingerprint,
        internal={"risk": 0.25},
    )


def sealed(ledger, *arguments, **keywords):
    return ledger.seal(reserve(ledger, *arguments, **keywords), [])


def refused(call, *arguments, error=BadLedger, **keywords):
    with pytest.raises(error) as caught:
        call(*arguments, **keywords)
    return str(caught.value)


def test_an_entry_is_read_as_it_was_written(ledger, tmp_path):
    entry = reserve(ledger, looks=[look(0.5), look(0.25, 1e-6)], fingerprint="f" * 64)
    assert (entry.number, entry.state, entry.sealed, dict(entry.files)) == (1, "reserved", (), {})
    assert entry.plan == {"columns": ["sex"], "ε": 1}
    assert entry.looks == (look(0.5), look(0.25, 1e-6))
    assert entry.internal == {"risk": 0.25}
    assert entry.output == tmp_path / "a.csv"
    assert set(entry.versions) == {"epsilometer", "opendp", "dp-accounting", "python"}
    assert ledger.entries("people") == ledger.entries() == (entry,)
    assert ledger.entries("others") == ()


def test_a_release_goes_from_reserved_to_sealed_to_done(ledger, tmp_path):
    file = PendingFile(target=tmp_path / "a.csv", partial=tmp_path / ".a.csv.x.partial", sha256="0" * 64)
    entry = ledger.seal(reserve(ledger), [file])
    assert (entry.state, entry.sealed, entry.files) == ("sealed", (file,), {"a.csv": "0" * 64})
    assert ledger.unfinished(tmp_path / "a.csv") == (entry,)
    assert ledger.finish(entry).state == ledger.finish(entry).state == "done"
    assert ledger.unfinished(tmp_path / "a.csv") == ()


def test_an_output_is_one_file_under_whichever_name(ledger, tmp_path, monkeypatch):
    (tmp_path / "link").symlink_to(tmp_path)
    reserve(ledger, "link/a.csv")
    monkeypatch.chdir(tmp_path)
    first, second = reserve(ledger, "a.csv"), reserve(ledger, "b.csv")
    assert [entry.state for entry in ledger.entries()] == ["void", "reserved", "reserved"]
    assert first.output == tmp_path / "a.csv"
    assert ledger.entries_to(Path("b.csv"), "reserved") == (second,)


def test_a_new_release_takes_the_place_of_one_that_was_not_sealed(ledger):
    ledger.set_budget("people", epsilon=0.5, delta=0.0)
    first, second = reserve(ledger), reserve(ledger)
    assert refused(ledger.seal, first, []) == (
        f"Another release to {first.output} has begun since, and takes the place of this one. "
        "Nothing was published. Run one release at a time to the same file."
    )
    assert ledger.seal(second, []).state == "sealed"
    assert [entry.state for entry in ledger.entries()] == ["void", "sealed"]


def test_a_sealed_release_is_paid_for_whatever_happens(ledger):
    ledger.set_budget("people", epsilon=0.5, delta=0.0)
    entry = sealed(ledger)
    assert ledger.abandon(entry).state == "sealed"
    refused(reserve, ledger, error=OverBudget)
    assert ledger.remaining("people") == 0


def test_an_abandoned_release_costs_nothing(ledger):
    ledger.set_budget("people", epsilon=0.5, delta=0.0)
    assert ledger.abandon(reserve(ledger)).state == "void"
    assert ledger.remaining("people") == 0.5
    assert reserve(ledger, "b.csv").state == "reserved"


def test_what_the_budget_does_not_pay_for_is_refused(ledger):
    ledger.set_budget("people", epsilon=1.0, delta=0.0)
    sealed(ledger, epsilon=0.75)
    assert refused(reserve, ledger, "b.csv", epsilon=0.3, error=OverBudget) == (
        "This release asks for ε = 0.3 and δ = 0 of 'people', which has spent ε = 0.75 of 1 at δ = 0: 0.25 is left. "
        "All together would be ε = 1.05. Nothing was published. Ask for less, or allow more: epsilometer ledger budget."
    )
    assert reserve(ledger, "b.csv", epsilon=0.25).state == "reserved"
    assert " Begun and not finished, but counted: 1. " in refused(reserve, ledger, "c.csv", error=OverBudget)
    assert len(ledger.entries()) == 2


def test_failure_has_a_budget_too(ledger):
    ledger.set_budget("people", epsilon=1.0, delta=1e-6)
    sealed(ledger, looks=[look(0.1, 0.9e-6)])
    refused(reserve, ledger, "b.csv", looks=[look(0.1, 0.9e-6)], error=OverBudget)
    refused(reserve, ledger, "b.csv", looks=[look(float("inf"))], error=OverBudget)
    assert reserve(ledger, "b.csv", looks=[look(0.1, 1e-8)]).state == "reserved"


def test_many_small_releases_are_paid_for_by_the_laws_of_their_noise(ledger):
    ledger.set_budget("people", epsilon=5.0, delta=1e-6)
    sealed(ledger, looks=[look(0.1, noise="geometric")] * 100)  # 10 when added up
    together = ledger.composition("people")
    assert together.tight < 5 < together.added_up
    assert ledger.remaining("people") == 5.0 - together.tight
    assert ledger.composition("people", delta=1e-9).tight > together.tight
    refused(ledger.set_budget, "people", epsilon=5.0, delta=1e-9, error=OverBudget)


def test_data_sets_have_budgets_of_their_own(ledger):
    ledger.set_budget("people", epsilon=0.5, delta=0.0)
    sealed(ledger)
    assert reserve(ledger, "b.csv", dataset="others").state == "reserved"
    assert ledger.datasets() == ("others", "people")
    assert (ledger.budget("people"), ledger.budget("others")) == (Budget(0.5, 0.0), None)
    assert ledger.remaining("others") is None


def test_without_a_budget_nothing_is_refused_and_all_is_counted(ledger):
    for number in range(3):
        sealed(ledger, f"{number}.csv", looks=[look(100.0, 0.5)])
    together = ledger.composition("people")
    assert (together.n_looks, together.delta, together.added_delta) == (3, 1.0, 1.5)


def test_a_budget_may_change_but_not_fall_below_what_is_spent(ledger):
    ledger.set_budget("people", epsilon=1.0, delta=0.0)
    sealed(ledger, epsilon=0.75)
    assert refused(ledger.set_budget, "people", epsilon=0.5, delta=0.0, error=OverBudget) == (
        "'people' has spent ε = 0.75 at δ = 0, more than the ε = 0.5 asked for. "
        "The budget is left as it was. Choose a larger one."
    )
    assert ledger.budget("people") == Budget(1.0, 0.0)
    ledger.set_budget("people", epsilon=0.75, delta=1e-6)
    assert ledger.budget("people") == Budget(0.75, 1e-6)


@pytest.mark.parametrize(
    ("epsilon", "delta", "message"),
    [
        (0.0, 0.0, "epsilon must be in (0, inf), got 0.0. A smaller budget protects better."),
        (float("inf"), 0.0, "epsilon must be in (0, inf), got inf. A smaller budget protects better."),
        (float("nan"), 0.0, "epsilon must be in (0, inf), got nan. A smaller budget protects better."),
        (1.0, 1.0, "delta must be in [0, 1), got 1.0. It is a chance, well below 1 / people."),
        (1.0, -1e-9, "delta must be in [0, 1), got -1e-09. It is a chance, well below 1 / people."),
    ],
)
def test_a_budget_that_cannot_be_one_is_refused(ledger, epsilon, delta, message):
    assert refused(ledger.set_budget, "people", epsilon=epsilon, delta=delta, error=OutOfRange) == message


def test_the_same_table_has_one_name(ledger):
    print_ = ledger.fingerprint([b"table"])
    ledger.abandon(reserve(ledger, dataset="draft", fingerprint=print_))
    reserve(ledger, dataset="people", fingerprint=print_)
    assert refused(reserve, ledger, "b.csv", dataset="others", fingerprint=print_) == (
        "This very table was released as 'people' before, and 'others' would be a second budget for the same people. "
        "Release it as 'people'."
    )
    assert ledger.datasets() == ("draft", "people")


def test_a_release_says_what_it_looks_at(ledger):
    message = "A release of 'people' must say what it looks at. Give at least one look."
    assert refused(reserve, ledger, looks=[]) == message


def test_a_fingerprint_takes_the_ledgers_key(ledger, tmp_path):
    table = tmp_path / "table.csv"
    table.write_bytes(b"sex\nf\n" * 400_000)
    found = ledger.fingerprint(table)
    assert found == ledger.fingerprint([b"sex\nf\n"] * 400_000)
    ((secret,),) = ledger.file.read("SELECT secret FROM ledger")
    assert found == hmac.digest(secret, table.read_bytes(), "sha256").hex()
    assert found != hashlib.sha256(table.read_bytes()).hexdigest()
    with open_ledger(tmp_path / "other.sqlite") as other:
        assert other.fingerprint(table) != found


def test_only_its_owner_can_read_a_ledger(ledger):
    assert stat.S_IMODE(ledger.file.path.stat().st_mode) == 0o600


def test_a_ledger_outlives_its_process_and_is_written_for_good(ledger):
    reserve(ledger)
    with open_ledger(ledger.file.path) as again:
        assert again.entries() == ledger.entries()
        assert again.file.read("PRAGMA synchronous")[0][0] == 3  # EXTRA
        assert again.file.read("PRAGMA journal_mode")[0][0] == "delete"
        assert again.file.read("PRAGMA foreign_keys")[0][0] == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DELETE FROM entry", "an entry is never deleted"),
        ("UPDATE entry SET state = 'void' WHERE state = 'sealed'", "an entry only moves on"),
        ("UPDATE entry SET state = 'reserved' WHERE state = 'sealed'", "an entry only moves on"),
        ("UPDATE entry SET state = 'done', files = '[1]' WHERE state = 'sealed'", "an entry only moves on"),
        ("UPDATE entry SET hash = 'x', state = 'done'", "an entry only moves on"),
    ],
)
def test_the_file_itself_refuses_to_take_a_release_back(ledger, change, said):
    sealed(ledger)

    def changed():
        with ledger.file.changing() as changes:
            changes.execute(change)

    reason = f"SQLite says: {said}. Restore it from a backup if this does not pass."
    assert refused(changed) == f"Cannot use the ledger {ledger.file.path}: {reason}"
    assert [entry.state for entry in ledger.entries()] == ["sealed"]


def test_a_change_that_fails_changes_nothing(ledger):
    def failing():
        with ledger.file.changing() as changes:
            changes.execute("INSERT INTO dataset (name) VALUES ('x')")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        failing()
    assert ledger.datasets() == ()
    reserve(ledger)


def opened(path, **keywords):
    with open_ledger(path, **keywords):
        pass


def test_a_file_that_is_no_ledger_is_left_alone(tmp_path):
    text, database = tmp_path / "a.csv", tmp_path / "b.sqlite"
    text.write_text("age,sex\n" * 200)
    connection = sqlite3.connect(database)
    connection.execute("CREATE TABLE people (age)")
    connection.close()
    for path in (text, database):
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


def test_a_ledger_of_a_newer_version_is_not_touched(ledger):
    ledger.file.read("PRAGMA user_version = 2")
    assert refused(opened, ledger.file.path) == (
        f"The ledger {ledger.file.path} was written by a newer version of epsilometer. Update epsilometer."
    )


def test_an_old_sqlite_is_told_apart(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.34.1")
    message = "A ledger needs SQLite 3.37, this Python has 3.34.1. Use a newer Python."
    assert refused(opened, tmp_path / "ledger.sqlite") == message


def test_a_ledger_that_others_keep_busy_is_waited_for_and_then_told(ledger, monkeypatch):
    monkeypatch.setattr(ledger_file, "PATIENCE", 0.05)
    with open_ledger(ledger.file.path) as other, ledger.file.changing():
        assert refused(reserve, other) == (
            f"Cannot use the ledger {ledger.file.path}: another process has kept it busy for 60 s. "
            "Try again when that one is done."
        )
    assert reserve(ledger).state == "reserved"


def test_what_the_accountant_found_must_hold_when_the_release_is_entered(ledger, monkeypatch):
    """Somebody else spends the budget after it was looked at: the look is repeated, and the release refused."""
    from epsilometer.releases import ledger as module

    ledger.set_budget("people", epsilon=0.5, delta=0.0)
    honest = module.fits

    def slow(*arguments, **keywords):
        answer = honest(*arguments, **keywords)
        monkeypatch.setattr(module, "fits", honest)
        sealed(ledger, "faster.csv")
        return answer

    monkeypatch.setattr(module, "fits", slow)
    refused(reserve, ledger, "slow.csv", error=OverBudget)
    assert [entry.output.name for entry in ledger.entries()] == ["faster.csv"]


def test_a_budget_is_held_against_what_is_spent_when_it_is_set(ledger, monkeypatch):
    from epsilometer.releases import ledger as module

    honest = module.fits

    def slow(*arguments, **keywords):
        answer = honest(*arguments, **keywords)
        monkeypatch.setattr(module, "fits", honest)
        sealed(ledger, "faster.csv", epsilon=2.0)
        return answer

    monkeypatch.setattr(module, "fits", slow)
    refused(ledger.set_budget, "people", epsilon=1.0, delta=0.0, error=OverBudget)
    assert ledger.budget("people") is None
