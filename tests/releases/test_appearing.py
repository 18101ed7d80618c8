"""Files of a release appear whole, after they were sealed, and the output last."""

import hashlib
import stat

import pytest

from epsilometer.errors import BadLedger, BadOutput, OutputExists, ReleaseFailed
from epsilometer.releases import appearing
from epsilometer.releases.appearing import (
    APPEARING,
    failed_on_error,
    publish,
    put,
    remove_leftovers,
    resume,
    stage,
    telling_nothing,
)
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_events import PendingFile
from epsilometer.report import files
from epsilometer.vocabulary.privacy_loss import PrivacyLoss

LOOK = PrivacyLoss(what="counts", noise="any", epsilon=0.5, delta=0.0)


@pytest.fixture
def ledger(tmp_path):
    (tmp_path / "ledgers").mkdir()
    (tmp_path / "out").mkdir()
    with open_ledger(tmp_path / "ledgers" / "ledger.sqlite") as opened:
        yield opened


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def enter(ledger, output):
    return ledger.enter(dataset="people", kind="counts", plan={}, looks=[LOOK], output=output)


def contents(out, rows=b"rows"):
    return {out / "a.csv": rows, out / "a.csv.passport.json": b"passport"}


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def sealed(ledger, out):
    entry = enter(ledger, out / "a.csv")
    return ledger.seal(
        entry, [stage(path, content, entry.id) for path, content in reversed(contents(out.resolve()).items())]
    )


def test_a_release_appears_with_what_goes_with_it_and_nothing_else(ledger, out):
    entry = publish(ledger, enter(ledger, out / "a.csv"), contents(out), overwrite=False)
    assert entry.state == "done"
    assert names(out) == ["a.csv", "a.csv.passport.json"]
    assert entry.files == {
        "a.csv.passport.json": hashlib.sha256(b"passport").hexdigest(),
        "a.csv": hashlib.sha256(b"rows").hexdigest(),
    }


def test_files_are_put_in_place_when_they_are_sealed_and_the_output_last(ledger, out, monkeypatch):
    order = []

    def noted(temporary, path, *, overwrite):
        order.append((path.name, [entry.state for entry in ledger.entries()]))
        files.put_in_place(temporary, path, overwrite=overwrite)

    monkeypatch.setattr(appearing, "put_in_place", noted)
    publish(ledger, enter(ledger, out / "a.csv"), contents(out), overwrite=False)
    assert order == [("a.csv.passport.json", ["sealed"]), ("a.csv", ["sealed"])]


def test_what_waits_is_whole_hashed_and_for_its_owner_only(tmp_path):
    pending = stage(tmp_path / "a.csv", (b"part" for _ in range(3)), "id")
    assert pending.partial == tmp_path / ".a.csv.id.partial"
    assert pending.partial.read_bytes() == b"partpartpart"
    assert pending.sha256 == hashlib.sha256(b"partpartpart").hexdigest()
    assert stat.S_IMODE(pending.partial.stat().st_mode) == 0o600
    assert not pending.target.exists()


def test_a_release_in_the_way_of_a_file_is_spent(ledger, out):
    (out / "a.csv").write_bytes(b"old")
    with pytest.raises(OutputExists, match=r"a\.csv exists and is kept"):
        publish(ledger, enter(ledger, out / "a.csv"), contents(out), overwrite=False)
    assert [entry.state for entry in ledger.entries()] == ["failed"]
    assert names(out) == ["a.csv"]
    publish(ledger, enter(ledger, out / "a.csv"), contents(out), overwrite=True)
    assert (out / "a.csv").read_bytes() == b"rows"


def test_a_release_that_fails_while_it_is_written_is_spent_and_leaves_nothing(ledger, out):
    def failing():
        yield b"some"
        raise OSError(28, "No space left on device")

    with pytest.raises(BadOutput, match=r"No space left on device\. Choose a folder that can be written to\.$"):
        publish(ledger, enter(ledger, out / "a.csv"), contents(out, failing()), overwrite=False)
    assert [entry.state for entry in ledger.entries()] == ["failed"]
    assert names(out) == []


def test_a_release_whose_place_was_taken_does_not_appear(ledger, out):
    slow = enter(ledger, out / "a.csv")
    publish(ledger, enter(ledger, out / "a.csv"), contents(out), overwrite=False)
    with pytest.raises(BadLedger, match="takes the place of this one"):
        publish(ledger, slow, contents(out, b"other rows"), overwrite=True)
    assert (out / "a.csv").read_bytes() == b"rows"
    assert names(out) == ["a.csv", "a.csv.passport.json"]


def test_all_files_of_a_release_stand_in_one_folder(ledger, out, tmp_path):
    elsewhere = {**contents(out), tmp_path / "page.html": b"page"}
    with pytest.raises(BadOutput) as error:
        publish(ledger, enter(ledger, out / "a.csv"), elsewhere, overwrite=False)
    assert str(error.value) == (
        f"Cannot write {tmp_path / 'page.html'}: all files of a release stand in the folder of {out / 'a.csv'}."
    )
    assert names(out) == []


def test_a_file_that_appears_in_between_is_kept_until_told(ledger, out, monkeypatch):
    honest = ledger.seal

    def somebody_is_faster(*arguments):
        (out / "a.csv").write_bytes(b"theirs")
        return honest(*arguments)

    monkeypatch.setattr(ledger, "seal", somebody_is_faster)
    with pytest.raises(OutputExists):
        publish(ledger, enter(ledger, out / "a.csv"), contents(out), overwrite=False)
    assert (out / "a.csv").read_bytes() == b"theirs"
    (entry,) = ledger.unfinished(out / "a.csv")
    with pytest.raises(OutputExists):
        resume(ledger, entry, overwrite=False)
    assert resume(ledger, entry, overwrite=True)
    assert (out / "a.csv").read_bytes() == b"rows"
    assert names(out) == ["a.csv", "a.csv.passport.json"]


@pytest.mark.parametrize("placed", [0, 1, 2])
@pytest.mark.parametrize("overwrite", [False, True])
def test_a_sealed_release_is_resumed_wherever_it_stopped(ledger, out, placed, overwrite):
    entry = sealed(ledger, out)
    for file in entry.sealed[:placed]:
        put(file, overwrite=overwrite)
    told = []
    assert resume(ledger, entry, overwrite=overwrite, tell=lambda step, _share: told.append((step, names(out))))
    assert told == [(APPEARING, told[0][1])]
    assert len([name for name in told[0][1] if not name.endswith(".partial")]) == placed
    assert names(out) == ["a.csv", "a.csv.passport.json"]
    assert [entry.state for entry in ledger.entries()] == ["done"]


def test_a_file_in_place_whose_other_name_was_not_removed_is_finished(ledger, out):
    entry = sealed(ledger, out)
    for file in entry.sealed:
        file.target.hardlink_to(file.partial)
    assert resume(ledger, entry, overwrite=False)
    assert names(out) == ["a.csv", "a.csv.passport.json"]


@pytest.mark.parametrize("damage", ["missing", "changed"])
def test_a_sealed_release_without_its_files_is_not_resumed(ledger, out, damage):
    entry = sealed(ledger, out)
    partial = entry.sealed[-1].partial
    partial.unlink() if damage == "missing" else partial.write_bytes(b"other")
    assert not resume(ledger, entry, overwrite=True)
    assert not (out / "a.csv").exists()
    assert ledger.unfinished(out / "a.csv") == ()
    assert [entry.state for entry in ledger.entries()] == ["failed"]
    remove_leftovers(ledger, out / "a.csv")
    assert names(out) == []


def test_another_process_may_put_the_same_file_in_place(out):
    out.mkdir()
    pending = stage(out / "a.csv", b"rows", "id")
    put(pending, overwrite=False)
    for overwrite in (False, True):
        put(pending, overwrite=overwrite)
    assert names(out) == ["a.csv"]


def test_a_file_that_cannot_be_put_in_place_is_told(out):
    out.mkdir()
    lost = PendingFile(target=out / "a.csv", partial=out / ".a.csv.id.partial", sha256="0" * 64)
    with pytest.raises(BadOutput, match=r"Cannot write .*a\.csv: No such file or directory\."):
        put(lost, overwrite=False)


def test_what_killed_releases_have_written_is_removed_by_the_next(ledger, out):
    killed, other = enter(ledger, out / "a.csv"), enter(ledger, out / "b.csv")
    stage(out / "a.csv", b"lost", killed.id)
    kept = stage(out / "b.csv", b"kept", other.id).partial.name
    remove_leftovers(ledger, out / "a.csv")
    assert len(names(out)) == 2  # nobody knows yet that it will never appear
    publish(ledger, enter(ledger, out / "a.csv"), contents(out), overwrite=False)
    assert names(out) == [kept, "a.csv", "a.csv.passport.json"]


def test_a_release_that_is_stopped_before_it_is_written_is_spent(ledger, out):
    entry = enter(ledger, out / "a.csv")
    with pytest.raises(KeyboardInterrupt), failed_on_error(ledger, entry):
        raise KeyboardInterrupt
    assert [entry.state for entry in ledger.entries()] == ["failed"]
    assert len(ledger.looks("people")) == 1


def test_a_failure_that_cannot_be_noted_does_not_hide_the_first_one(ledger, out, monkeypatch):
    entry = enter(ledger, out / "a.csv")
    monkeypatch.setattr(ledger, "fail", lambda *_: (_ for _ in ()).throw(BadLedger("disk full")))
    with pytest.raises(ValueError, match="first"), failed_on_error(ledger, entry):
        raise ValueError("first")
    assert [entry.state for entry in ledger.entries()] == ["spent"]


@pytest.mark.parametrize("error", [ValueError("Bob is 64"), MemoryError("64"), BadOutput("Bob"), OSError(5, "Bob")])
def test_what_goes_wrong_with_the_rows_is_told_in_the_same_words(error):
    with pytest.raises(ReleaseFailed) as told, telling_nothing():
        raise error
    assert str(told.value) == str(ReleaseFailed())
    assert told.value.__cause__ is error


def test_who_stops_a_release_has_stopped_it():
    with pytest.raises(KeyboardInterrupt), telling_nothing():
        raise KeyboardInterrupt


def test_an_error_after_the_seal_keeps_what_was_sealed(ledger, out):
    entry = sealed(ledger, out)
    with pytest.raises(ValueError, match="late"), failed_on_error(ledger, entry):
        raise ValueError("late")
    assert resume(ledger, entry, overwrite=False)
