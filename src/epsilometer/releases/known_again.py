"""Rows that were released before are known again, whatever their file is called now and however it is written."""

from __future__ import annotations

import hashlib
import hmac
import importlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from epsilometer.releases.ledger_events import Fingerprint, as_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.releases.ledger_entries import Entry
    from epsilometer.tables.table import Table

Sketch: TypeAlias = tuple[tuple[str, int], ...]
ALIKE: Final = 0.5  # the part of the rows from which on two tables count as the same data
DIGITS: Final = 16  # of a keyed hash of a row: enough to tell a few hundred apart
CHUNK: Final = 2**20  # bytes


class RowFingerprints(Protocol):
    """What :mod:`epsilometer.tables.fingerprint` does with rows."""

    def sketch(self, table: Table, /) -> Sketch:
        """Return the smallest hashes of different rows in ascending order, each with how many rows have it."""

    def similarity(self, one: Sketch, other: Sketch, /) -> float:
        """Estimate the part of the rows that two tables share; of keyed hashes too, if they are in the same order."""


def fingerprint(source: object, table: Table, key: bytes, known: Sequence[Entry]) -> Fingerprint:
    """Return what the rows of a table are known again by; a file that is known as it is need not be read again.

    It is taken before anything is paid for, so that whatever goes wrong with the rows is silent.
    """
    file = file_of(source)
    hashed = None if file is None else hashed_file(file, key)
    if hashed is not None:
        for entry in known:
            if entry.fingerprint.file == hashed and entry.fingerprint.sketch is not None:
                return entry.fingerprint
    rows = None
    with suppress(Exception):
        rows = tuple((_keyed(key, row.encode())[:DIGITS], times) for row, times in _rows().sketch(table))
    return Fingerprint(file=hashed, sketch=rows)


def file_of(source: object) -> Path | None:
    """Return the file that a table is, if it is one: also by a pattern that fits this file alone."""
    if not isinstance(source, str | Path):
        return None
    with suppress(OSError, ValueError):
        path = Path(source)
        if path.is_file():
            return path
        anchor, pattern = (
            (Path(path.anchor), str(path.relative_to(path.anchor))) if path.anchor else (Path(), str(path))
        )
        found = list(anchor.glob(pattern)) if any(mark in pattern for mark in "*?[") else []
        return found[0] if len(found) == 1 and found[0].is_file() else None
    return None


def hashed_file(file: Path, key: bytes) -> str | None:
    """Return a hash of a file that only the owner of the key can compute; ``None`` if it cannot be read.

    A plain hash would let whoever knows all records but one try values of the last until the hash is right.
    """
    hashed = hmac.new(key, digestmod=hashlib.sha256)
    try:
        with file.open("rb") as opened:
            while chunk := opened.read(CHUNK):
                hashed.update(chunk)
    except OSError:
        return None
    return hashed.hexdigest()


def older_names(dataset: str, seen: Fingerprint, entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return the other names under which the same rows were released before."""
    same = (name for entry in entries if known_again(seen, entry.fingerprint) for name in entry.names)
    return tuple(dict.fromkeys(name for name in same if name != dataset))


def known_again(one: Fingerprint, other: Fingerprint) -> bool:
    """Whether two tables are the same file, or have most of their rows in common."""
    if one.file is not None and one.file == other.file:
        return True
    return bool(one.sketch and other.sketch) and _rows().similarity(one.sketch or (), other.sketch or ()) >= ALIKE


def commitment(entry: Entry) -> str | None:
    """Return what a passport says of the table: another value for each release, of the same bytes too.

    Its key is the salt of the entry, which stays in the ledger.
    """
    return committed(entry.fingerprint, entry.salt)


def committed(seen: Fingerprint, salt: str) -> str | None:
    """Return the commitment to a table with this fingerprint; ``None`` where there is none."""
    content = seen.file if seen.file is not None else seen.sketch
    return None if content is None else _keyed(bytes.fromhex(salt), as_text(content).encode())


def _keyed(key: bytes, content: bytes) -> str:
    return hmac.digest(key, content, hashlib.sha256).hex()


def _rows() -> RowFingerprints:
    found: RowFingerprints = importlib.import_module("epsilometer.tables.fingerprint")
    return found
