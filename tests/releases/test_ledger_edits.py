"""Whoever edits the file of a ledger without its key is found out: by verify alone, or at the latest with an anchor."""

import hashlib
import json
import random
import secrets
import sqlite3

import pytest
from typer.testing import CliRunner

from epsilometer.cli.ledger import app
from epsilometer.errors import BadLedger, EpsilometerError
from epsilometer.releases.appearing import publish
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_anchor import anchor_of, read_anchors
from epsilometer.releases.ledger_events import FIRST_PREVIOUS, Event, Fingerprint, as_text, mac_of
from epsilometer.releases.ledger_file import SCHEMA
from epsilometer.releases.ledger_findings import findings
from epsilometer.vocabulary.privacy_loss import PrivacyLoss

LOOK = PrivacyLoss(what="counts", noise="geometric", epsilon=0.5, delta=0.0, scale=2.0, moved_counts=1)
KINDS = ["started", "budget", *["entered", "sealed", "done"] * 3]  # events 1 to 11
FLIPS = 400


@pytest.fixture
def path(tmp_path):
    """A ledger with a budget and three releases, all in order."""
    path = tmp_path / "ledger.sqlite"
    with open_ledger(path) as ledger:
        ledger.set_budget("people", epsilon=2.0, delta=0.0, who="Ann", why="a year")
        for name in ("a.csv", "b.csv", "c.csv"):
            output = tmp_path / name
            entry = ledger.enter(
                dataset="people",
                kind="counts",
                plan={},
                looks=[LOOK],
                output=output,
                fingerprint=Fingerprint(file="ab"),
            )
            publish(ledger, entry, {output: name.encode()}, overwrite=False, internal={"risk": 0.25})
        assert [event.kind for event in ledger.file.events()] == KINDS
    return path


@pytest.fixture
def anchor(path):
    with open_ledger(path) as ledger:
        return str(anchor_of(ledger))


class Editor:
    """Somebody who may write to the file, knows how it is made, and has not got the key."""

    def __init__(self, path):
        self.path = path
        self.connection = sqlite3.connect(path, isolation_level=None)
        for name in SCHEMA:
            if name != "event":
                self.connection.execute(f"DROP TRIGGER {name}")

    def close(self):
        """Leave no trace: the rules are put back."""
        for name, sql in SCHEMA.items():
            if name != "event":
                self.connection.execute(sql)
        self.connection.close()

    def events(self):
        return [Event(*row) for row in self.connection.execute("SELECT * FROM event ORDER BY number")]

    def body(self, number, **changes):
        """Change what an event says."""
        (text,) = self.connection.execute("SELECT body FROM event WHERE number = ?", (number,)).fetchone()
        changed = as_text({**json.loads(text), **changes})
        self.connection.execute("UPDATE event SET body = ? WHERE number = ?", (changed, number))

    def renumber(self):
        for place, event in enumerate(self.events(), start=1):
            self.connection.execute("UPDATE event SET number = ? WHERE number = ?", (place, event.number))

    def set_sequence(self):
        self.connection.execute("UPDATE sqlite_sequence SET seq = (SELECT max(number) FROM event)")

    def rehash(self):
        """Chain all events anew, under a key of one's own."""
        previous, key = FIRST_PREVIOUS, secrets.token_bytes(32)
        for event in self.events():
            mac = mac_of(event, key, previous)
            self.connection.execute("UPDATE event SET mac = ? WHERE number = ?", (mac, event.number))
            previous = mac


def a_release_is_made_to_fail(editor):
    editor.connection.execute("UPDATE event SET kind = 'failed', body = '{\"code\":\"lost\"}' WHERE number = 5")


def a_cost_is_changed(editor):
    editor.body(6, looks=[{**LOOK.to_dict(), "epsilon": 0.001}])


def a_release_is_removed_from_the_middle(editor):
    editor.connection.execute("DELETE FROM event WHERE number BETWEEN 6 AND 8")


def a_release_is_removed_from_the_middle_and_the_rest_renumbered(editor):
    editor.connection.execute("DELETE FROM event WHERE number BETWEEN 6 AND 8")
    editor.renumber()
    editor.set_sequence()


def everything_is_hashed_anew(editor):
    editor.body(6, looks=[{**LOOK.to_dict(), "epsilon": 0.001}])
    editor.rehash()


def the_last_release_is_removed(editor):
    editor.connection.execute("DELETE FROM event WHERE number > 8")


def the_budget_is_raised(editor):
    editor.body(2, epsilon=100.0)


def the_reason_of_a_budget_is_changed(editor):
    editor.body(2, why="told so", who="Bob")


def a_data_set_is_renamed(editor):
    editor.body(3, dataset="others")


def the_name_of_the_ledger_is_replaced(editor):
    editor.body(1, ledger=secrets.token_hex(16))


def the_name_of_the_key_is_replaced(editor):
    editor.body(1, key="00" * 8)


def the_files_are_emptied(editor):
    editor.body(4, files=[])


def the_risk_is_changed(editor):
    editor.body(4, internal={"risk": 0.0})


def the_fingerprint_is_removed(editor):
    editor.body(3, fingerprint={"file": None, "sketch": None})


def two_releases_are_swapped(editor):
    one, two = (editor.events()[place] for place in (2, 5))
    for to, event in ((3, two), (6, one)):
        editor.connection.execute("UPDATE event SET body = ?, mac = ? WHERE number = ?", (event.body, event.mac, to))


def an_event_is_put_in(editor):
    last = editor.events()[-1]
    row = (last.number + 1, last.time, "budget", editor.events()[1].body, "0" * 64)
    editor.connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", row)


def an_event_is_written_again(editor):
    last, old = editor.events()[-1], editor.events()[1]
    editor.connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", (last.number + 1, *list_of(old)[1:]))


def a_time_is_changed(editor):
    editor.connection.execute("UPDATE event SET time = '2020-01-01T00:00:00+00:00' WHERE number = 6")


def another_key_goes_on(editor):
    events = editor.events()
    digest = hashlib.sha256(b"".join(event.written + event.mac.encode() for event in events)).hexdigest()
    body = as_text({"key": "00" * 8, "before": digest, "who": "Ann", "why": "lost"})
    row = (len(events) + 1, events[-1].time, "rekeyed", body, secrets.token_hex(32))
    editor.connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", row)


def the_rules_are_dropped(editor):
    editor.close = editor.connection.close


def a_published_file_is_changed(editor):
    editor.path.with_name("b.csv").write_bytes(b"other")


def list_of(event):
    return [event.number, event.time, event.kind, event.body, event.mac]


def the_last_release_and_its_count_are_removed(editor):
    editor.connection.execute("DELETE FROM event WHERE number > 8")
    editor.set_sequence()


FOUND = [
    a_release_is_made_to_fail,
    a_cost_is_changed,
    a_release_is_removed_from_the_middle,
    a_release_is_removed_from_the_middle_and_the_rest_renumbered,
    everything_is_hashed_anew,
    the_last_release_is_removed,
    the_budget_is_raised,
    the_reason_of_a_budget_is_changed,
    a_data_set_is_renamed,
    the_name_of_the_ledger_is_replaced,
    the_name_of_the_key_is_replaced,
    the_files_are_emptied,
    the_risk_is_changed,
    the_fingerprint_is_removed,
    two_releases_are_swapped,
    an_event_is_put_in,
    an_event_is_written_again,
    a_time_is_changed,
    another_key_goes_on,
    the_rules_are_dropped,
    a_published_file_is_changed,
]


NOT_ASKED = (the_rules_are_dropped, a_published_file_is_changed, the_last_release_is_removed)  # by a release


def edited(path, edit):
    editor = Editor(path)
    edit(editor)
    editor.close()


def verify(path, *more):
    outcome = CliRunner().invoke(app, ["verify", "--ledger", str(path), *more])
    assert outcome.exception is None or isinstance(outcome.exception, SystemExit)
    return outcome


@pytest.mark.parametrize("edit", FOUND)
def test_an_edit_is_found_without_an_anchor_and_with_one(path, anchor, edit):
    assert verify(path).exit_code == verify(path, "--anchor", anchor).exit_code == 0
    edited(path, edit)
    assert verify(path).exit_code == 1
    assert verify(path, "--anchor", anchor).exit_code == 1


def test_removing_the_end_with_its_count_is_found_with_an_anchor(path, anchor, tmp_path):
    (tmp_path / "anchors.txt").write_text(f"kept since\n{anchor}\n")
    edited(path, the_last_release_and_its_count_are_removed)
    assert verify(path).exit_code == 0  # nobody could tell
    for given in (anchor, str(tmp_path / "anchors.txt")):
        outcome = verify(path, "--anchor", given)
        assert outcome.exit_code == 1
        assert "removed" in outcome.stdout


@pytest.mark.parametrize("edit", [edit for edit in FOUND if edit not in NOT_ASKED])
def test_nothing_is_entered_in_a_ledger_that_was_edited(path, edit):
    edited(path, edit)
    before = path.read_bytes()
    with open_ledger(path) as ledger, pytest.raises(BadLedger):
        ledger.enter(dataset="people", kind="counts", plan={}, looks=[LOOK], output=path.with_name("d.csv"))
    assert path.read_bytes() == before


def test_one_who_has_the_key_is_found_with_an_anchor_too(path, anchor):
    """An honest ledger of the same name and key that was begun anew holds, but not against the anchor."""
    with open_ledger(path) as ledger:
        key = ledger._derived("chain")
    editor = Editor(path)
    editor.body(6, looks=[{**LOOK.to_dict(), "epsilon": 0.001}])
    previous = FIRST_PREVIOUS
    for event in editor.events():
        mac = mac_of(event, key, previous)
        editor.connection.execute("UPDATE event SET mac = ? WHERE number = ?", (mac, event.number))
        previous = mac
    editor.close()
    assert verify(path).exit_code == 0
    outcome = verify(path, "--anchor", anchor)
    assert outcome.exit_code == 1
    assert "rewritten" in outcome.stdout


def test_an_anchor_still_holds_when_more_was_released(path, anchor):
    with open_ledger(path) as ledger:
        ledger.set_budget("people", epsilon=3.0, delta=0.0)
    assert verify(path, "--anchor", anchor).exit_code == 0


def test_an_anchor_of_another_ledger_does_not_hold(path, anchor, tmp_path):
    with open_ledger(tmp_path / "other.sqlite"):
        pass
    assert verify(tmp_path / "other.sqlite", "--anchor", anchor).exit_code == 1


@pytest.mark.parametrize("given", ["", "no anchor", "/no/such/file", "epsilometer ledger ab event 0 00 x", "a\0b"])
def test_what_is_no_anchor_is_told(given):
    with pytest.raises(BadLedger, match="no anchor"):
        read_anchors(given)


def test_no_anchor_is_taken_of_a_ledger_that_was_edited(path):
    edited(path, a_cost_is_changed)
    with open_ledger(path) as ledger, pytest.raises(BadLedger):
        anchor_of(ledger)


def outcome_of(path):
    """What verify and show make of a file: findings, an error on purpose, or that all is well."""
    try:
        with open_ledger(path, must_exist=True) as ledger:
            found = list(findings(ledger))
    except EpsilometerError as error:
        found = [str(error)]
    assert all("\n" not in line and line.isprintable() for line in found), found
    shown = CliRunner().invoke(app, ["show", "--ledger", str(path)])
    assert shown.exception is None or isinstance(shown.exception, EpsilometerError | SystemExit), repr(shown.exception)
    return found


def contents(path):
    """What a program that knows SQLite alone reads in the file; ``None`` if it cannot."""
    try:
        connection = sqlite3.connect(path)
        connection.text_factory = bytes
        rows = connection.execute("SELECT * FROM event ORDER BY number").fetchall()
    except (sqlite3.Error, UnicodeError):
        return None
    finally:
        connection.close()
    return rows


def test_flipped_bits_are_found_or_change_nothing(path, tmp_path):
    whole, before = path.read_bytes(), contents(path)
    seed = random.SystemRandom().randrange(10**6)
    chance = random.Random(seed)
    damaged = tmp_path / "damaged.sqlite"
    changed = 0
    for _ in range(FLIPS):
        content = bytearray(whole)
        place = chance.randrange(len(content))
        content[place] ^= 1 << chance.randrange(8)
        damaged.write_bytes(content)
        differs = contents(damaged) != before
        changed += differs
        assert outcome_of(damaged) or not differs, (seed, place)
    assert changed > FLIPS / 20


@pytest.mark.parametrize("damage", [
    lambda content: content[: len(content) // 2],
    lambda content: content[:4096],
    lambda content: content[:100],
    lambda content: content[:1],
    lambda content: b"",
    lambda content: bytes(len(content)),
    lambda content: content[:4096] + secrets.token_bytes(len(content) - 4096),
    lambda content: secrets.token_bytes(5000),
    lambda content: content[:-4096] + bytes(4096),
])  # fmt: skip
def test_damage_is_told_in_one_line(path, damage):
    path.write_bytes(damage(path.read_bytes()))
    assert outcome_of(path)


@pytest.mark.parametrize("statement", [
    "DROP TABLE event",
    "DELETE FROM event",
    "ALTER TABLE event DROP COLUMN mac",
    "UPDATE event SET body = '{' WHERE number = 4",
    "UPDATE event SET body = '{\"release\": 1}' WHERE number = 4",
    "UPDATE event SET body = CAST(x'ff00fe' AS TEXT) WHERE number = 3",
    "UPDATE event SET kind = 'done' WHERE number = 3",
    "UPDATE event SET kind = '\U0001f600' WHERE number = 1",
    "UPDATE event SET number = -5 WHERE number = 3",
    "UPDATE event SET number = 9223372036854775807 WHERE number = 11",
    "UPDATE event SET body = json_set(body, '$.epsilon', 'x') WHERE number = 2",
    "UPDATE event SET body = json_set(body, '$.looks', json('[]')) WHERE number = 3",
    "UPDATE event SET body = printf('%.*c', 200000, '[') WHERE number = 3",
    "DELETE FROM sqlite_sequence",
])  # fmt: skip
@pytest.mark.parametrize("with_key", [True, False])
def test_content_that_nobody_writes_is_told_in_one_line(path, statement, with_key, monkeypatch, tmp_path):
    editor = Editor(path)
    editor.connection.execute(statement)
    editor.connection.close()
    if not with_key:
        monkeypatch.setenv("EPSILOMETER_LEDGER_KEY", str(tmp_path / "none.key"))
    assert outcome_of(path)
