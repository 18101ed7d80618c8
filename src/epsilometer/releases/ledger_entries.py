"""What the events of a ledger come to: releases with their states, and budgets."""

from __future__ import annotations

import platform
from dataclasses import dataclass, field, replace
from importlib import metadata
from typing import TYPE_CHECKING, Any

from epsilometer.releases.ledger_events import (
    FIRST_PREVIOUS,
    LOST,
    BudgetSet,
    Done,
    Entered,
    Failed,
    Rekeyed,
    Sealed,
    Started,
    UnreadableEvent,
    read_body,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from epsilometer.releases.ledger_events import Event, Fingerprint, PendingFile
    from epsilometer.vocabulary.privacy_loss import PrivacyLoss

SPENT, SEALED, DONE, FAILED = STATES = ("spent", "sealed", "done", "failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One release in the ledger. Whatever its state is, it is paid for.

    Attributes:
        number: its place among the releases, from 1.
        id: a name that no other release has.
        dataset: the data it is about.
        also: older names of the same rows, which are charged too.
        time: when it was entered, in universal time.
        kind: what is released: ``"counts"``, ``"sample"``, ``"synthetic"`` or ``"local"``.
        plan: the plan it follows.
        looks: each look at the data.
        output: the file that is published.
        fingerprint: what its rows are known again by; never shown.
        salt: what makes its public commitment to the table its own.
        versions: the software that made it.
        key: name of the key it was entered under.
        previous: keyed hash of the event before.
        mac: keyed hash of the event that entered it.
        state: ``"spent"`` once it is entered, ``"sealed"`` when its files are complete, ``"done"`` when they are in
            place, ``"failed"`` if they never will be.
        sealed: the files it has, the output last; none before it is sealed.
        internal: what is known of the risk to this very table; confidential.
    """

    number: int
    id: str
    dataset: str
    also: tuple[str, ...]
    time: str
    kind: str
    plan: Mapping[str, Any]
    looks: tuple[PrivacyLoss, ...]
    output: Path
    fingerprint: Fingerprint
    salt: str
    versions: Mapping[str, str]
    key: str
    previous: str
    mac: str
    state: str = SPENT
    sealed: tuple[PendingFile, ...] = ()
    internal: Mapping[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Every data set that it is charged to."""
        return (self.dataset, *self.also)

    @property
    def files(self) -> Mapping[str, str]:
        """The SHA-256 of each published file, by name."""
        return {file.target.name: file.sha256 for file in self.sealed}


@dataclass(frozen=True, slots=True)
class Budget:
    """What all releases of a data set may cost together, and who says so."""

    epsilon: float
    delta: float
    who: str = ""
    why: str = ""


class Books:
    """Everything that a ledger says, put together event by event.

    Attributes:
        ledger: the name of the ledger.
        key: name of the key that its last events were written under.
        budgets: what each data set may cost.
        entries: every release, oldest first.
        last: the event that was taken last.
    """

    def __init__(self) -> None:
        self.ledger, self.key = "", ""
        self.budgets: dict[str, Budget] = {}
        self.entries: dict[str, Entry] = {}
        self.last: Event | None = None

    def take(self, event: Event) -> None:
        """Take the next event, or raise an error if it cannot be one."""
        match body := read_body(event):
            case Started():
                self.ledger, self.key = body.ledger, body.key
            case Rekeyed():
                self.key = body.key
            case BudgetSet():
                self.budgets[body.dataset] = Budget(body.epsilon, body.delta, body.who, body.why)
            case Entered():
                self._enter(event, body)
            case Sealed():
                entry = self._moved(body.release, SPENT)
                self.entries[entry.id] = replace(entry, state=SEALED, sealed=body.files, internal=body.internal)
            case Done():
                entry = self._moved(body.release, SEALED)
                self.entries[entry.id] = replace(entry, state=DONE)
            case Failed():
                entry = self._moved(body.release, SEALED if body.code == LOST else SPENT)
                self.entries[entry.id] = replace(entry, state=FAILED)
        self.last = event

    def _enter(self, event: Event, body: Entered) -> None:
        if body.release in self.entries:
            raise UnreadableEvent("it enters a release for the second time")
        self.entries[body.release] = Entry(
            number=len(self.entries) + 1,
            id=body.release,
            dataset=body.dataset,
            also=body.also,
            time=event.time,
            kind=body.kind,
            plan=body.plan,
            looks=body.looks,
            output=body.output,
            fingerprint=body.fingerprint,
            salt=body.salt,
            versions=body.versions,
            key=self.key,
            previous=FIRST_PREVIOUS if self.last is None else self.last.mac,
            mac=event.mac,
        )

    def _moved(self, release: str, before: str) -> Entry:
        """Return a release that moves on from a state."""
        entry = self.entries.get(release)
        if entry is None or entry.state != before:
            raise UnreadableEvent(f"it is about a release that is not {before}")
        return entry


def versions_in_use() -> dict[str, str]:
    """Return the versions of what draws the noise, keeps the account and writes the files."""
    packages = {name: metadata.version(name) for name in ("epsilometer", "opendp", "dp-accounting")}
    return {**packages, "python": platform.python_version()}
