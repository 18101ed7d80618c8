"""The ledger: every release of a data set is entered, and paid for, before any of it appears.

An entry is *reserved* while the release is made, *sealed* once its files wait beside their final names, and *done* when
they stand there. Only a sealed release may appear, and sealing succeeds for a reserved entry only. So a reserved entry
may be made *void* at any time, whatever its process still does; a sealed one is spent for ever.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import uuid
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from epsilometer.errors import BadLedger, OutOfRange, OverBudget
from epsilometer.releases.accounting import added_up, composed, fits
from epsilometer.releases.ledger_entries import (
    DONE,
    FIRST_PREVIOUS,
    RESERVED,
    SEALED,
    VOID,
    Entry,
    as_text,
    chained_hash,
    versions_in_use,
)
from epsilometer.releases.ledger_file import LedgerFile
from epsilometer.vocabulary.wording import shown_down, shown_up

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from sqlite3 import Connection

    from epsilometer.releases.ledger_entries import PendingFile
    from epsilometer.vocabulary.composition import Composition
    from epsilometer.vocabulary.privacy_loss import PrivacyLoss

DEFAULT_LEDGER: Final = Path("epsilometer-ledger.sqlite")
LEDGER_VARIABLE: Final = "EPSILOMETER_LEDGER"  # environment variable that names another file
CHUNK: Final = 2**20  # bytes
SET_BUDGET: Final = """
    INSERT INTO dataset VALUES (?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET epsilon = excluded.epsilon, delta = excluded.delta
"""
MAKE_VOID: Final = "UPDATE entry SET state = ? WHERE output = ? AND state = ?"
INSERT: Final = """
    INSERT INTO entry (id, dataset, time, kind, plan, looks, output, fingerprint, internal, versions, previous, hash)
    VALUES (:id, :dataset, :time, :kind, :plan, :looks, :output, :fingerprint, :internal, :versions, :previous, :hash)
"""


@dataclass(frozen=True, slots=True)
class Budget:
    """What all releases of a data set may cost together."""

    epsilon: float
    delta: float


@contextmanager
def open_ledger(path: Path | str, *, must_exist: bool = False) -> Iterator[Ledger]:
    """Open a ledger, and start a new one if there is none."""
    file = LedgerFile(Path(path), must_exist=must_exist)
    try:
        yield Ledger(file)
    finally:
        file.close()


class Ledger:
    """An open ledger; see :func:`open_ledger`."""

    def __init__(self, file: LedgerFile) -> None:
        self.file = file

    def fingerprint(self, source: Path | Iterable[bytes]) -> str:
        """Return a hash of a table that only the owner of this ledger can compute.

        A plain hash would let whoever knows all records but one try values of the last until the hash is right.
        """
        ((secret,),) = self.file.read("SELECT secret FROM ledger")
        keyed = hmac.new(secret, digestmod=hashlib.sha256)
        for chunk in _chunks(source) if isinstance(source, Path) else source:
            keyed.update(chunk)
        return keyed.hexdigest()

    def set_budget(self, dataset: str, *, epsilon: float, delta: float) -> None:
        """Set what all releases of a data set may cost together; not below what is spent."""
        if not 0 < epsilon < math.inf:
            raise OutOfRange("epsilon", epsilon, "(0, inf)", hint="A smaller budget protects better.")
        if not 0 <= delta < 1:
            raise OutOfRange("delta", delta, "[0, 1)", hint="It is a chance, well below 1 / people.")
        while True:
            spent = self.looks(dataset)
            if not fits(spent, epsilon=epsilon, delta=delta):
                needed = shown_up(composed(spent, delta).epsilon)
                raise OverBudget(
                    f"{dataset!r} has spent ε = {needed} at δ = {delta:g}, more than the ε = {epsilon:g} asked for. "
                    "The budget is left as it was. Choose a larger one."
                )
            with self.file.changing() as changes:
                if self.looks(dataset) == spent:
                    changes.execute(SET_BUDGET, (dataset, float(epsilon), float(delta)))
                    return

    def budget(self, dataset: str) -> Budget | None:
        """Return what all releases of a data set may cost together; ``None`` if nobody has said."""
        rows = self.file.read("SELECT epsilon, delta FROM dataset WHERE name = ? AND epsilon IS NOT NULL", dataset)
        return Budget(*rows[0]) if rows else None

    def reserve(
        self,
        *,
        dataset: str,
        kind: str,
        plan: Mapping[str, Any],
        looks: Sequence[PrivacyLoss],
        output: Path,
        fingerprint: str | None,
        internal: Mapping[str, Any],
    ) -> Entry:
        """Enter a release that is about to be made, and pay for it; or refuse.

        An earlier release to the same output that was never sealed can never appear, and is made void: what it had
        paid pays for this one.
        """
        if not looks:
            raise BadLedger(f"A release of {dataset!r} must say what it looks at. Give at least one look.")
        row: dict[str, Any] = {
            "id": uuid.uuid4().hex,
            "dataset": dataset,
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "kind": kind,
            "plan": as_text(plan),
            "looks": as_text([look.to_dict() for look in looks]),
            "output": str(located(output)),
            "fingerprint": fingerprint,
            "internal": as_text(internal),
            "versions": as_text(versions_in_use()),
        }
        while True:  # the accountant takes its time while others may go on; what it found must hold when we enter
            budget, spent = self.budget(dataset), self.looks(dataset, besides=output)
            if budget is not None and not fits([*spent, *looks], epsilon=budget.epsilon, delta=budget.delta):
                raise OverBudget(self._refusal(dataset, budget, spent, looks))
            with self.file.changing() as changes:
                if (self.budget(dataset), self.looks(dataset, besides=output)) == (budget, spent):
                    self.check_name(dataset, fingerprint)
                    changes.execute(MAKE_VOID, (VOID, row["output"], RESERVED))
                    changes.execute("INSERT OR IGNORE INTO dataset (name) VALUES (?)", (dataset,))
                    _insert(changes, row)
                    break
        return self._entry(row["id"])

    def seal(self, entry: Entry, files: Sequence[PendingFile]) -> Entry:
        """Say which files the release has; from now on they may appear, and are paid for whatever happens."""
        sealed = as_text([file.to_dict() for file in files])
        with self.file.changing() as changes:
            changed = changes.execute(
                "UPDATE entry SET state = ?, files = ? WHERE id = ? AND state = ?", (SEALED, sealed, entry.id, RESERVED)
            )
            if changed.rowcount != 1:
                raise BadLedger(
                    f"Another release to {entry.output} has begun since, and takes the place of this one. "
                    "Nothing was published. Run one release at a time to the same file."
                )
        return self._entry(entry.id)

    def finish(self, entry: Entry) -> Entry:
        """Say that all files of a sealed release stand where they belong."""
        with self.file.changing() as changes:
            changes.execute("UPDATE entry SET state = ? WHERE id = ? AND state = ?", (DONE, entry.id, SEALED))
        return self._entry(entry.id)

    def abandon(self, entry: Entry) -> Entry:
        """Make a release void that was never sealed, so that it costs nothing; a sealed one stays as it is."""
        with self.file.changing() as changes:
            changes.execute("UPDATE entry SET state = ? WHERE id = ? AND state = ?", (VOID, entry.id, RESERVED))
        return self._entry(entry.id)

    def datasets(self) -> tuple[str, ...]:
        """Return the names of all data sets."""
        return tuple(name for (name,) in self.file.read("SELECT name FROM dataset ORDER BY name"))

    def entries(self, dataset: str | None = None) -> tuple[Entry, ...]:
        """Return every entry, oldest first, of one data set or of all."""
        rows = self.file.read("SELECT * FROM entry WHERE ?1 IS NULL OR dataset = ?1 ORDER BY number", dataset)
        return tuple(Entry.from_row(row) for row in rows)

    def entries_to(self, output: Path, state: str) -> tuple[Entry, ...]:
        """Return the entries of releases to this file that are in this state, oldest first."""
        query = "SELECT * FROM entry WHERE output = ? AND state = ? ORDER BY number"
        return tuple(Entry.from_row(row) for row in self.file.read(query, str(located(output)), state))

    def unfinished(self, output: Path) -> tuple[Entry, ...]:
        """Return releases to this file that are paid for and were not seen to appear."""
        return self.entries_to(output, SEALED)

    def looks(self, dataset: str, *, besides: Path | None = None) -> list[PrivacyLoss]:
        """Return every look of the data set that was paid for, ``besides`` what a new release to this file replaces."""
        replaced = (None if besides is None else located(besides), RESERVED)
        return [
            look
            for entry in self.entries(dataset)
            if entry.state != VOID and (entry.output, entry.state) != replaced
            for look in entry.looks
        ]

    def composition(self, dataset: str, *, delta: float | None = None) -> Composition:
        """Return what all releases of a data set guarantee together.

        Without a delta it is that of the budget, or, if there is none, what the deltas of the releases add up to.
        """
        looks, budget = self.looks(dataset), self.budget(dataset)
        if delta is None:
            delta = budget.delta if budget else min(added_up(looks)[1], 1.0)
        return composed(looks, delta)

    def remaining(self, dataset: str) -> float | None:
        """Return the epsilon that is left at the budget's delta; ``None`` without a budget.

        A release that costs no delta and no more than this is always paid for.
        """
        budget = self.budget(dataset)
        return max(0.0, budget.epsilon - self.composition(dataset).epsilon) if budget else None

    def _entry(self, id_: str) -> Entry:
        return Entry.from_row(self.file.read("SELECT * FROM entry WHERE id = ?", id_)[0])

    def names_of(self, fingerprint: str | None) -> tuple[str, ...]:
        """Return the names under which this very table was released before."""
        query = "SELECT DISTINCT dataset FROM entry WHERE fingerprint = ? AND state <> ?"
        return tuple(name for (name,) in self.file.read(query, fingerprint, VOID))

    def check_name(self, dataset: str, fingerprint: str | None) -> None:
        """Refuse a second name for the same data: each would have a budget of its own."""
        for other in self.names_of(fingerprint):
            if other == dataset:
                continue
            raise BadLedger(
                f"This very table was released as {other!r} before, and {dataset!r} would be a second budget for the "
                f"same people. Release it as {other!r}."
            )

    def _refusal(self, dataset: str, budget: Budget, spent: Sequence[PrivacyLoss], looks: Sequence[PrivacyLoss]) -> str:
        """Say why the rest of the budget does not pay for a release."""
        asked, asked_delta = map(shown_up, added_up(looks))
        before, after = (composed(part, budget.delta) for part in (spent, [*spent, *looks]))
        epsilon = before.epsilon
        begun = sum(entry.state == RESERVED for entry in self.entries(dataset))
        return (
            f"This release asks for ε = {asked} and δ = {asked_delta} of {dataset!r}, which has spent "
            f"ε = {shown_up(epsilon)} of {budget.epsilon:g} at δ = {budget.delta:g}: "
            f"{shown_down(max(0.0, budget.epsilon - epsilon))} is left. {_too_much(before, after, budget)} "
            "Nothing was published."
            f"{f' Begun and not finished, but counted: {begun}.' if begun else ''} "
            "Ask for less, or allow more: epsilometer ledger budget."
        )


def _too_much(before: Composition, after: Composition, budget: Budget) -> str:
    """Say what all releases together would come to."""
    if math.isinf(after.epsilon):
        return (
            f"With it the chances of failure would add up to δ = {shown_up(after.added_delta)}, more than "
            f"{budget.delta:g}; a sample costs δ = rows / people."
        )
    twice = (
        " (it hides which of two people is in the data, so that those that hide who is count twice)"
        if before.n_looks and before.adjacency != after.adjacency
        else ""
    )
    return f"All together would be ε = {shown_up(after.epsilon)}{twice}."


def located(output: Path) -> Path:
    """Return the one name of a file under which the ledger knows it: its folder without links, and its own name."""
    return output.parent.resolve() / output.name


def _insert(changes: Connection, row: dict[str, Any]) -> None:
    """Add an entry, chained to the last one."""
    last = changes.execute("SELECT hash FROM entry ORDER BY number DESC LIMIT 1").fetchone()
    row["previous"] = last["hash"] if last else FIRST_PREVIOUS
    row["hash"] = chained_hash(row)
    changes.execute(INSERT, row)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk
