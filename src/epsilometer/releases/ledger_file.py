"""The file of a ledger: SQLite, appended to by one process at a time, safe on the disk when that is done."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from epsilometer.errors import BadLedger, OutputExists
from epsilometer.releases.ledger_events import Event
from epsilometer.report.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

APPLICATION: Final = 0x45505349  # "EPSI": tells a ledger from other SQLite files
VERSION: Final = 2
OLDEST_SQLITE: Final = (3, 37, 0)  # the first with strict tables
PATIENCE: Final = 60.0  # seconds to wait for other processes
REASONS: Final = {
    "SQLITE_BUSY": f"another process has kept it busy for {PATIENCE:g} s. Try again when that one is done",
    "SQLITE_CANTOPEN": "it cannot be opened. Choose a file that may be read and written",
    "SQLITE_FULL": "there is no space left on the disk. Make some, and run it again",
    "SQLITE_NOTADB": "it is not a ledger. Name the file of a ledger, or one that does not exist yet",
    "SQLITE_READONLY": "it may not be written to. Choose a file, in a folder, that may",
}

# The rollback journal, not a write-ahead log: one file is the whole ledger, also on network disks.
SCHEMA: Final = {
    "event": """
    CREATE TABLE event (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        time TEXT NOT NULL,
        kind TEXT NOT NULL,
        body TEXT NOT NULL,
        mac TEXT NOT NULL
    ) STRICT
    """,
    "events_stay": """
    CREATE TRIGGER events_stay BEFORE DELETE ON event
    BEGIN
        SELECT RAISE (ABORT, 'an event is never deleted');
    END
    """,
    "events_are_kept": """
    CREATE TRIGGER events_are_kept BEFORE UPDATE ON event
    BEGIN
        SELECT RAISE (ABORT, 'an event is never changed');
    END
    """,
    "events_follow": """
    CREATE TRIGGER events_follow BEFORE INSERT ON event
    WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM event)
    BEGIN
        SELECT RAISE (ABORT, 'an event never takes the place of another');
    END
    """,
}
INSERT: Final = "INSERT INTO event (number, time, kind, body, mac) VALUES (?, ?, ?, ?, ?)"


def start_file(path: Path, first: Event) -> None:
    """Make the file of a new ledger, whole or not at all; one that another process has made meanwhile stays."""
    _check_sqlite()
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for statement in SCHEMA.values():
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        _insert(connection, first)
        content = connection.serialize()
    finally:
        connection.close()
    with suppress(OutputExists):
        write_atomically(path, content, overwrite=False)


class LedgerFile:
    """An open ledger file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        _check_sqlite()
        if not path.exists():
            raise BadLedger(f"There is no ledger {path}. Name one with --ledger, or make a release: that starts one.")
        with self._in_plain_words():
            self._connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def close(self) -> None:
        """Close the file; what was appended is on the disk already."""
        self._connection.close()

    @contextmanager
    def appending(self) -> Iterator[Appending]:
        """Append events, all of them or none, while nobody else does; when it is done the disk has them."""
        with self._in_plain_words():
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield Appending(self._connection)
                self._connection.execute("COMMIT")
            except BaseException:
                self._connection.rollback()
                raise

    def events(self, after: int = 0) -> Iterator[Event]:
        """Return the events after a number, in order; damaged ones as they are."""
        columns = "number, time, kind, body, mac"
        for row in self.read(f"SELECT {columns} FROM event WHERE number > ? ORDER BY number", after):  # noqa: S608
            number, *texts = row
            time, kind, body, mac = (each if isinstance(each, str) else repr(each) for each in texts)
            yield Event(number if isinstance(number, int) else -1, time, kind, body, mac)

    def read(self, query: str, *values: object) -> list[tuple[object, ...]]:
        """Return the rows that answer a query."""
        with self._in_plain_words():
            return self._connection.execute(query, values).fetchall()

    def _prepare(self) -> None:
        """Set how safe changes are, and look whether this is a ledger that we know how to read."""
        self._connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        self._connection.execute("PRAGMA synchronous = EXTRA")  # a journal is gone from the folder before we go on
        if self._pragma("application_id") != APPLICATION:
            raise BadLedger(f"Cannot use the ledger {self.path}: {REASONS['SQLITE_NOTADB']}.")
        if self._pragma("user_version") != VERSION:
            raise BadLedger(
                f"The ledger {self.path} was written by another version of epsilometer. Use that version, or a backup."
            )

    def _pragma(self, name: str) -> object:
        rows = self.read(f"PRAGMA {name}")
        return rows[0][0] if rows else None

    @contextmanager
    def _in_plain_words(self) -> Iterator[None]:
        try:
            yield
        except (
            sqlite3.Error,
            UnicodeError,
            OverflowError,
        ) as error:  # what SQLite says of a damaged file may be no text
            primary = "_".join(getattr(error, "sqlite_errorname", "").split("_")[:2])
            said = ascii(str(error))[1:-1]
            reason = REASONS.get(primary, f"SQLite says: {said}. Restore it from a backup if this does not pass")
            raise BadLedger(f"Cannot use the ledger {self.path}: {reason}.") from error


class Appending:
    """A ledger file while events are appended to it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def append(self, event: Event) -> None:
        """Append an event."""
        _insert(self._connection, event)


def _insert(connection: sqlite3.Connection, event: Event) -> None:
    connection.execute(INSERT, (event.number, event.time, event.kind, event.body, event.mac))


def _check_sqlite() -> None:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise BadLedger(f"A ledger needs SQLite 3.37, this Python has {sqlite3.sqlite_version}. Use a newer Python.")
