"""What the ledger says of one release."""

from __future__ import annotations

import hashlib
import json
import platform
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from epsilometer.vocabulary.privacy_loss import PrivacyLoss

if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Row

RESERVED, SEALED, DONE, VOID = STATES = ("reserved", "sealed", "done", "void")
FIRST_PREVIOUS: Final = "0" * 64  # what the first entry is chained to
IMMUTABLE: Final = (
    *("id", "dataset", "time", "kind", "plan", "looks", "output"),
    *("fingerprint", "internal", "versions", "previous"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingFile:
    """A file of a release before it appears.

    Attributes:
        target: where it is to stand.
        partial: where its content waits.
        sha256: hash of the content.
    """

    target: Path
    partial: Path
    sha256: str

    def to_dict(self) -> dict[str, str]:
        """Return plain strings, ready for JSON."""
        return {"target": str(self.target), "partial": str(self.partial), "sha256": self.sha256}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One release in the ledger.

    Attributes:
        number: its place in the ledger, from 1.
        id: a name that no other release has.
        dataset: the data it is about.
        time: when it was entered, in universal time.
        kind: what is released: ``"counts"``, ``"sample"``, ``"synthetic"`` or ``"local"``.
        plan: the plan it follows.
        looks: each look at the data.
        output: the file that is published.
        fingerprint: keyed hash of the input; ``None`` where there is no file to take it of.
        internal: what is known of the risk to this very table; confidential.
        versions: the software that made it.
        previous: hash of the entry before.
        hash: hash of all of the above but the number.
        state: ``"reserved"``, ``"sealed"``, ``"done"``, or ``"void"`` if it will never appear.
        sealed: the files it has, the output last; none before it is sealed.
    """

    number: int
    id: str
    dataset: str
    time: str
    kind: str
    plan: Mapping[str, Any]
    looks: tuple[PrivacyLoss, ...]
    output: Path
    fingerprint: str | None
    internal: Mapping[str, Any]
    versions: Mapping[str, str]
    previous: str
    hash: str
    state: str
    sealed: tuple[PendingFile, ...]

    @property
    def files(self) -> Mapping[str, str]:
        """The SHA-256 of each published file, by name."""
        return {file.target.name: file.sha256 for file in self.sealed}

    @classmethod
    def from_row(cls, row: Row) -> Entry:
        """Read a row of the ledger."""
        stored = dict(row)
        for name in ("plan", "internal", "versions"):
            stored[name] = json.loads(stored[name])
        stored["output"] = Path(stored["output"])
        stored["looks"] = tuple(PrivacyLoss.from_dict(look) for look in json.loads(stored["looks"]))
        stored["sealed"] = tuple(
            PendingFile(target=Path(file["target"]), partial=Path(file["partial"]), sha256=file["sha256"])
            for file in json.loads(stored.pop("files"))
        )
        return cls(**stored)


def as_text(document: object) -> str:
    """Return JSON that is the same for the same content."""
    return json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def chained_hash(row: Mapping[str, Any]) -> str:
    """Return the hash of what never changes in an entry, the hash of the entry before included.

    >>> len(chained_hash(dict.fromkeys(IMMUTABLE, "")))
    64
    """
    return hashlib.sha256(as_text([row[name] for name in IMMUTABLE]).encode()).hexdigest()


def versions_in_use() -> dict[str, str]:
    """Return the versions of what draws the noise, keeps the account and writes the files."""
    packages = {name: metadata.version(name) for name in ("epsilometer", "opendp", "dp-accounting")}
    return {**packages, "python": platform.python_version()}
