"""The file of a ledger: SQLite, changed by one process at a time, safe on the disk when a change is done."""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from epsilometer.errors import BadLedger, OutputExists
from epsilometer.report.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

APPLICATION: Final = 0x45505349  # "EPSI": tells a ledger from other SQLite files
VERSION: Final = 1
OLDEST_SQLITE: Final = (3, 37, 0)  # the first with strict tables
PATIENCE: Final = 60.0  # seconds to wait for other processes
REASONS: Final = {
    "SQLITE_BUSY": f"another process has kept it busy for {PATIENCE:g} s. Try again when that one is done",
    "SQLITE_CANTOPEN": "it cannot be opened. Choose a file that may be read and written",
    "SQLITE_NOTADB": "it is not a ledger. Name the file of a ledger, or one that does not exist yet",
    "SQLITE_READONLY": "it may not be written to. Choose a file, in a folder, that may",
}

# The rollback journal, not a write-ahead log: one file is the whole ledger, also on network disks.
SCHEMA: Final = (
    """
    CREATE TABLE ledger (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        secret BLOB NOT NULL CHECK (length(secret) = 32),
        created TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE dataset (
        name TEXT PRIMARY KEY,
        epsilon REAL CHECK (epsilon > 0),
        delta REAL CHECK (delta >= 0 AND delta < 1),
        CHECK ((epsilon IS NULL) = (delta IS NULL))
    ) STRICT
    """,
    """
    CREATE TABLE entry (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        dataset TEXT NOT NULL REFERENCES dataset (name),
        time TEXT NOT NULL,
        kind TEXT NOT NULL,
        plan TEXT NOT NULL,
        looks TEXT NOT NULL,
        output TEXT NOT NULL,
        fingerprint TEXT,
        internal TEXT NOT NULL,
        versions TEXT NOT NULL,
        previous TEXT NOT NULL,
        hash TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'reserved' CHECK (state IN ('reserved', 'sealed', 'done', 'void')),
        files TEXT NOT NULL DEFAULT '[]'
    ) STRICT
    """,
    "CREATE INDEX entry_of_dataset ON entry (dataset)",
    "CREATE INDEX entry_of_output ON entry (output)",
    """
    CREATE TRIGGER entries_stay BEFORE DELETE ON entry
    BEGIN
        SELECT RAISE (ABORT, 'an entry is never deleted');
    END
    """,
    """
    CREATE TRIGGER entries_only_move_on BEFORE UPDATE ON entry
    WHEN NOT (
        (OLD.state, NEW.state) IN (VALUES ('reserved', 'sealed'), ('reserved', 'void'), ('sealed', 'done'))
        AND NEW.hash = OLD.hash AND NEW.number = OLD.number
        AND (NEW.files = OLD.files OR NEW.state = 'sealed')
    )
    BEGIN
        SELECT RAISE (ABORT, 'an entry only moves on');
    END
    """,
)


class LedgerFile:
    """An open ledger file."""

    def __init__(self, path: Path, *, must_exist: bool) -> None:
        self.path = path
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            raise BadLedger(
                f"A ledger needs SQLite 3.37, this Python has {sqlite3.sqlite_version}. Use a newer Python."
            )
        if must_exist and not path.exists():
            raise BadLedger(f"There is no ledger {path}. Name one with --ledger, or make a release: that starts one.")
        with suppress(OutputExists):
            write_atomically(path, b"", overwrite=False)  # an empty file that only its owner can read
        with self._in_plain_words():
            self._connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
            self._connection.row_factory = sqlite3.Row
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def close(self) -> None:
        """Close the file; what was changed is on the disk already."""
        self._connection.close()

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """Change the ledger, all of it or nothing, while nobody else does; when it is done the disk has it."""
        with self._in_plain_words():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                self._connection.rollback()
                raise

    def read(self, query: str, *values: object) -> list[sqlite3.Row]:
        """Return the rows that answer a query."""
        with self._in_plain_words():
            return self._connection.execute(query, values).fetchall()

    def _prepare(self) -> None:
        """Set how safe changes are, and make the tables if the file is new."""
        self._connection.execute("PRAGMA foreign_keys = ON")
        self._connection.execute("PRAGMA synchronous = EXTRA")  # a journal is gone from the folder before we go on
        if self._pragma("application_id") != APPLICATION:
            with self.changing():
                self._create()
        if self._pragma("user_version") > VERSION:
            raise BadLedger(
                f"The ledger {self.path} was written by a newer version of epsilometer. Update epsilometer."
            )

    def _create(self) -> None:
        """Make the tables, unless another process was faster."""
        if self._pragma("application_id") == APPLICATION:
            return
        if self.read("SELECT 1 FROM sqlite_schema"):
            raise BadLedger(f"Cannot use the ledger {self.path}: {REASONS['SQLITE_NOTADB']}.")
        for statement in SCHEMA:
            self._connection.execute(statement)
        secret, now = secrets.token_bytes(32), datetime.now(UTC).isoformat(timespec="seconds")
        self._connection.execute("INSERT INTO ledger VALUES (1, ?, ?)", (secret, now))
        self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
        self._connection.execute(f"PRAGMA user_version = {VERSION}")

    def _pragma(self, name: str) -> int:
        return int(self.read(f"PRAGMA {name}")[0][0])

    @contextmanager
    def _in_plain_words(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            primary = "_".join(getattr(error, "sqlite_errorname", "").split("_")[:2])
            reason = REASONS.get(primary, f"SQLite says: {error}. Restore it from a backup if this does not pass")
            raise BadLedger(f"Cannot use the ledger {self.path}: {reason}.") from error
