"""The ledger: every release of a data set is entered, and spent, before anything of its table is read or drawn.

It is a list of events that are only ever appended, chained under a key that is kept apart from it. A release is *spent*
when it is entered, *sealed* once its files wait beside their final names, and *done* when they stand there. Only a
sealed release may appear, and what is sealed appears as it is: no noise is drawn twice for one entry. A release that is
not sealed *failed*, sooner or later; it stays spent, since somebody may have seen what it drew.
"""

from __future__ import annotations

import getpass
import math
import secrets
import uuid
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from epsilometer.errors import BadLedger, OutOfRange, OutputExists, OverBudget
from epsilometer.releases.accounting import added_up, composed, fits
from epsilometer.releases.known_again import older_names
from epsilometer.releases.ledger_chain import Chain
from epsilometer.releases.ledger_entries import SEALED, SPENT, Books, Budget, Entry, versions_in_use
from epsilometer.releases.ledger_events import (
    FIRST_PREVIOUS,
    KINDS,
    LOST,
    REPLACED,
    BudgetSet,
    Done,
    Entered,
    Event,
    Failed,
    Fingerprint,
    Rekeyed,
    Sealed,
    Started,
    UnreadableEvent,
    mac_of,
    written,
)
from epsilometer.releases.ledger_file import VERSION, LedgerFile, start_file
from epsilometer.releases.ledger_key import (
    CHAIN,
    FINGERPRINTS,
    KEY_VARIABLE,
    derived,
    key_file,
    key_name,
    key_or_new,
    read_key,
)
from epsilometer.releases.refusals import refusal
from epsilometer.report.files import check_free
from epsilometer.vocabulary.wording import shown_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from epsilometer.releases.ledger_events import Body, PendingFile
    from epsilometer.releases.ledger_file import Appending
    from epsilometer.vocabulary.composition import Composition
    from epsilometer.vocabulary.privacy_loss import PrivacyLoss

DEFAULT_LEDGER: Final = Path("epsilometer-ledger.sqlite")
LEDGER_VARIABLE: Final = "EPSILOMETER_LEDGER"  # environment variable that names another file
NOBODY: Final = Fingerprint()


@contextmanager
def open_ledger(path: Path | str, *, must_exist: bool = False) -> Iterator[Ledger]:
    """Open a ledger, and start a new one if there is none."""
    path = Path(path)
    if not must_exist and not path.exists():
        _start(path)
    file = LedgerFile(path)
    try:
        yield Ledger(file, read_key())
    finally:
        file.close()


class Ledger:
    """An open ledger; see :func:`open_ledger`. It can be read without the key, and not written to."""

    def __init__(self, file: LedgerFile, key: bytes | None) -> None:
        self.file = file
        self._key = key
        self._books, self._chain = Books(), Chain(key)

    @property
    def books(self) -> Books:
        """What all events so far come to."""
        for event in self.file.events(after=self._chain.last):
            self._chain.follow(event)
            try:
                self._books.take(event)
            except UnreadableEvent as error:
                raise BadLedger(
                    f"Cannot use the ledger {self.file.path}: event {event.number} cannot be read, because {error}. "
                    "Restore it from a backup."
                ) from error
        if not self._chain.last:
            raise BadLedger(f"Cannot use the ledger {self.file.path}: it is empty. Restore it from a backup.")
        return self._books

    def followed(self) -> Chain:
        """Follow all events, whatever they hold, and return what was found."""
        chain = Chain(self._key)
        for event in self.file.events():
            chain.follow(event)
        return chain

    @property
    def doubt(self) -> str:
        """Why what the ledger says cannot be relied on; empty if it can."""
        try:
            self.check()
        except BadLedger as error:
            return str(error)
        return ""

    def check(self) -> None:
        """Refuse to go on with a ledger whose key is not here, or that was changed by others."""
        _ = self.books
        if not self._chain.key_is_here:
            raise BadLedger(
                f"The key that the ledger {self.file.path} is written under is not in {key_file()}. Restore it, or "
                f"name its file with {KEY_VARIABLE}. If it is lost: epsilometer ledger rekey."
            )
        if self._chain.faults:
            raise BadLedger(
                f"The ledger {self.file.path} was changed by something else than epsilometer. "
                f"{self._chain.faults[0]} Restore it from a backup; epsilometer ledger verify says more."
            )

    @property
    def fingerprint_key(self) -> bytes:
        """The key that hashes of tables are made with."""
        self.check()
        return self._derived(FINGERPRINTS)

    def set_budget(self, dataset: str, *, epsilon: float, delta: float, who: str | None = None, why: str = "") -> None:
        """Set what all releases of a data set may cost together; not below what is spent."""
        check_budget(epsilon, delta)
        self.check()
        said = BudgetSet(dataset=dataset, epsilon=float(epsilon), delta=float(delta), who=who or whoever(), why=why)
        while True:
            spent = self.looks(dataset)
            if not fits(spent, epsilon=epsilon, delta=delta):
                needed = shown_up(composed(spent, delta).largest)
                raise OverBudget(
                    f"{dataset!r} has spent ε = {needed} at δ = {delta:g}, more than the ε = {epsilon:g} asked for. "
                    "The budget is left as it was. Choose a larger one."
                )
            with self._changing() as changes:
                if self.looks(dataset) == spent:
                    self._append(changes, said)
                    break

    def budget(self, dataset: str) -> Budget | None:
        """Return what all releases of a data set may cost together; ``None`` if nobody has said."""
        return self.books.budgets.get(dataset)

    def enter(
        self,
        *,
        dataset: str,
        kind: str,
        plan: Mapping[str, Any],
        looks: Sequence[PrivacyLoss],
        output: Path,
        fingerprint: Fingerprint = NOBODY,
    ) -> Entry:
        """Enter a release that is about to be made: from now on it is spent, whatever happens; or refuse.

        If its rows were released under other names before, it is charged to those too. An earlier release to the same
        output that was never sealed can never appear now; it stays spent.
        """
        if not looks:
            raise BadLedger(f"A release of {dataset!r} must say what it looks at. Give at least one look.")
        self.check()
        id_, place = uuid.uuid4().hex, located(output)
        while True:  # the accountant takes its time while others may go on; what it found must hold when we enter
            also = self.also(dataset, fingerprint)
            before = self._accounts((dataset, *also))
            for name, (budget, spent) in before.items():
                if budget is not None and not fits([*spent, *looks], epsilon=budget.epsilon, delta=budget.delta):
                    raise OverBudget(refusal(name, budget, spent, looks, older=name != dataset))
            with self._changing() as changes:
                if self.also(dataset, fingerprint) == also and self._accounts((dataset, *also)) == before:
                    for earlier in self.entries_to(place, SPENT):
                        self._append(changes, Failed(release=earlier.id, code=REPLACED))
                    said = Entered(
                        release=id_,
                        dataset=dataset,
                        also=also,
                        kind=kind,
                        plan=dict(plan),
                        looks=tuple(looks),
                        output=place,
                        fingerprint=fingerprint,
                        salt=secrets.token_hex(32),
                        versions=versions_in_use(),
                    )
                    self._append(changes, said)
                    break
        return self._entry(id_)

    def seal(self, entry: Entry, files: Sequence[PendingFile], internal: Mapping[str, Any] | None = None) -> Entry:
        """Say which files the release has; from now on these may appear, and no others."""
        with self._changing() as changes:
            if self._entry(entry.id).state != SPENT:
                raise BadLedger(
                    f"Another release to {entry.output} has begun since, and takes the place of this one. "
                    "Nothing was published, and its cost stays entered. Run one release at a time to the same file."
                )
            self._append(changes, Sealed(release=entry.id, files=tuple(files), internal=dict(internal or {})))
        return self._entry(entry.id)

    def finish(self, entry: Entry) -> Entry:
        """Say that all files of a sealed release stand where they belong."""
        return self._move(entry, SEALED, Done(release=entry.id))

    def fail(self, entry: Entry, code: str) -> Entry:
        """Say that a release that was never sealed, or has lost its files, will never appear. It stays spent."""
        return self._move(entry, SEALED if code == LOST else SPENT, Failed(release=entry.id, code=code))

    def rekey(self, *, who: str, why: str) -> None:
        """Go on under the key that is at hand now, which is made if there is none."""
        if self.books is not None and self._chain.key_is_here:
            raise BadLedger(
                f"The ledger {self.file.path} is written under the key in {key_file()}, and can go on. To take another "
                f"key, name its file with {KEY_VARIABLE}."
            )
        self._key = key_or_new()
        self._books, self._chain = Books(), Chain(self._key)  # read anew, with the key
        with self.file.appending() as changes:
            ledger = self.books.ledger
            said = Rekeyed(key=key_name(self._key, ledger), before=self._chain.digest, who=who, why=why)
            self._append(changes, said)

    def datasets(self) -> tuple[str, ...]:
        """Return the names of all data sets."""
        return tuple(sorted({*self.books.budgets, *(name for entry in self.entries() for name in entry.names)}))

    def entries(self, dataset: str | None = None) -> tuple[Entry, ...]:
        """Return every entry, oldest first, of all data sets or that is charged to one."""
        return tuple(entry for entry in self.books.entries.values() if dataset is None or dataset in entry.names)

    def entries_to(self, output: Path, *states: str) -> tuple[Entry, ...]:
        """Return the entries of releases to this file that are in one of these states, oldest first."""
        place = located(output)
        return tuple(entry for entry in self.entries() if entry.output == place and entry.state in states)

    def unfinished(self, output: Path) -> tuple[Entry, ...]:
        """Return releases to this file whose files are complete and were not seen to appear."""
        return self.entries_to(output, SEALED)

    def looks(self, dataset: str) -> list[PrivacyLoss]:
        """Return every look that was charged to the data set."""
        return [look for entry in self.entries(dataset) for look in entry.looks]

    def also(self, dataset: str, fingerprint: Fingerprint) -> tuple[str, ...]:
        """Return the older names that a release of these rows is charged to as well."""
        return older_names(dataset, fingerprint, self.entries())

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
        return max(0.0, budget.epsilon - self.composition(dataset).largest) if budget else None

    def _entry(self, id_: str) -> Entry:
        return self.books.entries[id_]

    def _accounts(self, names: Sequence[str]) -> dict[str, tuple[Budget | None, list[PrivacyLoss]]]:
        """Return what each data set may cost and has cost."""
        return {name: (self.budget(name), self.looks(name)) for name in names}

    def _move(self, entry: Entry, before: str, said: Body) -> Entry:
        """Let a release move on from a state, unless it is not there any more."""
        with self._changing() as changes:
            if self._entry(entry.id).state == before:
                self._append(changes, said)
        return self._entry(entry.id)

    @contextmanager
    def _changing(self) -> Iterator[Appending]:
        """Change the ledger while nobody else does, and make sure that the disk has it."""
        try:
            with self.file.appending() as changes:
                self.check()
                yield changes
        except BaseException:
            self._books, self._chain = Books(), Chain(self._key)  # read anew: what was appended is gone again
            raise
        last = self._chain.last
        if self.file.read("SELECT mac FROM event WHERE number = ?", last) != [(self._chain.mac,)]:
            raise BadLedger(f"The ledger {self.file.path} has lost what was written to it. Check the disk.")

    def _append(self, changes: Appending, body: Body) -> None:
        """Append an event after all that are there."""
        last = self.books.last
        number, previous = (last.number + 1, last.mac) if last else (1, FIRST_PREVIOUS)
        changes.append(_chained(number, body, self._derived(CHAIN), previous))
        self.check()

    def _derived(self, purpose: str) -> bytes:
        assert self._key is not None  # noqa: S101  (checked before)
        return derived(self._key, self.books.ledger, purpose)


def located(output: Path) -> Path:
    """Return the one name of a file under which the ledger knows it: its folder without links, and its own name."""
    return output.parent.resolve() / output.name


def check_budget(epsilon: float, delta: float) -> None:
    """Refuse a budget that cannot be one."""
    if not 0 < epsilon < math.inf:
        raise OutOfRange("epsilon", epsilon, "(0, inf)", hint="A smaller budget protects better.")
    if not 0 <= delta < 1:
        raise OutOfRange("delta", delta, "[0, 1)", hint="It is a chance, well below 1 / people.")


def whoever() -> str:
    """Return the name that the user is logged in with, for the record."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a process that belongs to nobody with a name
        return "unknown"


def _start(path: Path) -> None:
    """Start a new ledger; the key comes first, so that none is ever without."""
    with suppress(OutputExists):  # another process was faster
        check_free(path, overwrite=False)
    key, ledger = key_or_new(), uuid.uuid4().hex
    said = Started(ledger=ledger, version=VERSION, key=key_name(key, ledger))
    start_file(path, _chained(1, said, derived(key, ledger, CHAIN), FIRST_PREVIOUS))


def _chained(number: int, body: Body, key: bytes, previous: str) -> Event:
    """Return the event that comes next."""
    bare = Event(number, datetime.now(UTC).isoformat(timespec="seconds"), KINDS[type(body)], written(body), "")
    return replace(bare, mac=mac_of(bare, key, previous))
