"""The key of ledgers: where it lies, how it is made, and what happens without it."""

import json
import os
import stat
import sys

import pytest
from typer.testing import CliRunner

from epsilometer.cli.ledger import app
from epsilometer.errors import BadLedger
from epsilometer.releases import ledger_key
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_findings import findings, notes
from epsilometer.releases.ledger_key import CHAIN, FINGERPRINTS, derived, key_file, key_name, key_or_new, read_key
from epsilometer.vocabulary.privacy_loss import PrivacyLoss

LOOK = PrivacyLoss(what="counts", noise="any", epsilon=0.5, delta=0.0)


@pytest.fixture(autouse=True)
def key(tmp_path, monkeypatch):
    path = tmp_path / "keys" / "ledger.key"
    monkeypatch.setenv("EPSILOMETER_LEDGER_KEY", str(path))
    return path


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "ledger.sqlite"
    with open_ledger(path) as ledger:
        ledger.set_budget("people", epsilon=2.0, delta=0.0)
        enter(ledger, "a.csv")
    return path


def enter(ledger, name):
    output = ledger.file.path.with_name(name)
    return ledger.enter(dataset="people", kind="counts", plan={}, looks=[LOOK], output=output)


def run(*arguments):
    outcome = CliRunner().invoke(app, list(map(str, arguments)))
    if outcome.exception and not isinstance(outcome.exception, SystemExit):
        raise outcome.exception
    return outcome


def test_it_lies_in_the_settings_of_the_user_unless_the_environment_names_another(monkeypatch, tmp_path):
    assert key_file() == tmp_path / "keys" / "ledger.key"
    monkeypatch.delenv("EPSILOMETER_LEDGER_KEY")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/settings")
    assert key_file().parts[-3:] == ("settings", "epsilometer", "ledger.key")
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", "/home/ann")
    assert key_file().parts[-4:] == ("ann", ".config", "epsilometer", "ledger.key")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("APPDATA", "/roaming")
    assert key_file().parts[-3:] == ("roaming", "epsilometer", "ledger.key")


def test_it_is_made_once_for_its_owner_only(key):
    assert read_key() is None
    made = key_or_new()
    assert (len(made), key_or_new(), read_key()) == (32, made, made)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert [path.name for path in key.parent.iterdir()] == ["ledger.key"]


def test_the_first_of_several_makers_wins(key, monkeypatch):
    honest = ledger_key.write_atomically

    def another_is_faster(path, content, *, overwrite):
        monkeypatch.setattr(ledger_key, "write_atomically", honest)
        honest(path, b"ab" * 32, overwrite=False)
        honest(path, content, overwrite=overwrite)

    monkeypatch.setattr(ledger_key, "write_atomically", another_is_faster)
    assert key_or_new() == bytes.fromhex("ab" * 32)


@pytest.mark.parametrize("content", ["", "zz" * 32, "ab" * 31, "\xff"])
def test_what_is_no_key_is_told(key, content):
    key.parent.mkdir()
    key.write_text(content, encoding="latin-1")
    with pytest.raises(BadLedger, match=r"ledger\.key"):
        read_key()


def test_a_place_that_cannot_be_written_to_is_told_and_no_ledger_is_started(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EPSILOMETER_LEDGER_KEY", str(tmp_path / "file" / "ledger.key"))
    with pytest.raises(BadLedger, match="EPSILOMETER_LEDGER_KEY"), open_ledger(tmp_path / "ledger.sqlite"):
        pass
    assert not (tmp_path / "ledger.sqlite").exists()


def test_keys_of_purposes_and_ledgers_differ():
    made = {derived(key, ledger, what) for key in (b"1", b"2") for ledger in "ab" for what in (CHAIN, FINGERPRINTS)}
    assert len(made) == 8
    assert key_name(b"1", "a") != key_name(b"1", "b") != key_name(b"2", "b")


def test_the_key_is_not_in_the_ledger(path, key):
    content = path.read_bytes()
    secret = read_key()
    with open_ledger(path) as ledger:
        name = ledger.books.ledger
    for each in (secret, derived(secret, name, CHAIN), derived(secret, name, FINGERPRINTS)):
        assert each not in content
        assert each.hex().encode() not in content


def test_without_it_a_ledger_can_be_shown_and_not_changed(path, key):
    key.unlink()
    shown = run("show", "--ledger", path).stdout
    assert shown.startswith("Unchecked. ")
    assert "ε = 2" in " ".join(shown.split())
    assert not json.loads(run("show", "--ledger", path, "--json").stdout)["checked"]
    with open_ledger(path) as ledger:
        for change in (lambda: enter(ledger, "b.csv"), lambda: ledger.set_budget("people", epsilon=3.0, delta=0.0)):
            with pytest.raises(BadLedger) as error:
                change()
            assert all(said in str(error.value) for said in (str(key), "EPSILOMETER_LEDGER_KEY", "rekey"))
            assert "\n" not in str(error.value)
        assert len(ledger.entries()) == 1
    assert run("verify", "--ledger", path).exit_code == 1
    assert not key.exists()


def test_a_lost_key_is_replaced_on_the_record(path, key):
    key.unlink()
    assert run("rekey", "--ledger", path, "--who", "Ann", "--why", "disk lost").exit_code == 0
    with open_ledger(path) as ledger:
        assert list(findings(ledger)) != []  # the release of before was begun, and that is all
        assert "begun" in " ".join(findings(ledger))
        (note,) = notes(ledger)
        assert "Events 1 to 3" in note
        assert ledger.remaining("people") == 1.5
        enter(ledger, "b.csv")
        assert ledger.remaining("people") == 1.0
        last = [event for event in ledger.file.events() if event.kind == "rekeyed"][-1]
        body = json.loads(last.body)
    assert (body["who"], body["why"]) == ("Ann", "disk lost")


def test_the_old_key_does_not_go_on_after_another_one(path, key):
    old = key.read_text()
    key.unlink()
    run("rekey", "--ledger", path, "--why", "lost")
    key.write_text(old)
    with open_ledger(path) as ledger, pytest.raises(BadLedger, match="rekey"):
        enter(ledger, "b.csv")


def test_a_ledger_that_has_its_key_keeps_it(path):
    with open_ledger(path) as ledger, pytest.raises(BadLedger, match="can go on"):
        ledger.rekey(who="Ann", why="curious")


def test_several_ledgers_share_one_key_file_and_no_key(tmp_path, key):
    names = []
    for name in ("one", "two"):
        with open_ledger(tmp_path / f"{name}.sqlite") as ledger:
            names.append((ledger.books.ledger, ledger.books.key, ledger.fingerprint_key))
    assert all(len(set(column)) == 2 for column in zip(*names, strict=True))


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="may read everything")
def test_a_key_that_may_not_be_read_is_told(path, key):
    key.chmod(0)
    with pytest.raises(BadLedger, match="cannot be read"):
        read_key()
