"""What is wrong with a ledger, or with the files it speaks of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.errors import BadLedger
from epsilometer.releases.accounting import fits
from epsilometer.releases.appearing import partials_of
from epsilometer.releases.ledger_anchor import anchor_faults
from epsilometer.releases.ledger_entries import DONE, FAILED, SEALED, SPENT
from epsilometer.releases.ledger_file import SCHEMA
from epsilometer.releases.ledger_key import key_file
from epsilometer.releases.passports import file_hash
from epsilometer.vocabulary.wording import readable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from epsilometer.releases.ledger import Ledger
    from epsilometer.releases.ledger_anchor import Anchor
    from epsilometer.releases.ledger_entries import Entry


def findings(ledger: Ledger, anchors: Sequence[Anchor] = ()) -> Iterator[str]:
    """Say everything that is wrong, one line each; nothing if all is well.

    Without an anchor nobody can tell whether the last events were removed together with the count of them.
    """
    changed = list(_changed(ledger, anchors))
    # after that it would be about something that nobody has written
    yield from map(readable, changed or _unwell(ledger))


def _unwell(ledger: Ledger) -> Iterator[str]:
    """What is wrong with releases and budgets, if the record of them is whole."""
    entries = ledger.entries()
    yield from _unfinished(entries)
    yield from _changed_files(entries)
    for entry in entries:
        for partial in partials_of(entry) if entry.state in (DONE, FAILED) else ():
            yield f"Entry {entry.number}: {partial} was left behind by a release that is {entry.state}. Remove it."
    for dataset in ledger.datasets():
        yield from _overspent(ledger, dataset)


def notes(ledger: Ledger) -> Iterator[str]:
    """Say what cannot be checked any more, though nothing is wrong."""
    chain = ledger.followed()
    if chain.unchecked and chain.key_is_here:
        yield (
            f"Events 1 to {chain.unchecked[-1]} were written under a key that is not here, and are not checked by it; "
            f"they are what they were when event {chain.rekeyed_at} took another key."
        )


def _changed(ledger: Ledger, anchors: Sequence[Anchor]) -> Iterator[str]:
    """What shows that the file is damaged, or that something else than this program has written to it."""
    try:
        damaged = [str(row[0]) for row in ledger.file.read("PRAGMA integrity_check") if row[0] != "ok"]
        if damaged:
            yield f"The file is damaged ({ascii(damaged[0])[1:-1]}). Restore it from a backup."
            return
        yield from _changed_rules(ledger)
        yield from _broken_chain(ledger)
        for anchor in anchors:
            yield from anchor_faults(ledger, anchor)
    except BadLedger as error:  # so damaged that it cannot even be checked
        yield str(error)


def _changed_rules(ledger: Ledger) -> Iterator[str]:
    """Tables and triggers that are not those of a ledger."""
    rows = ledger.file.read("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
    found = {name: " ".join(str(sql).split()) for name, sql in rows}
    if found != {name: " ".join(sql.split()) for name, sql in SCHEMA.items()}:
        yield "The rules that keep events from being changed are not those of a ledger: somebody has changed them."


def _broken_chain(ledger: Ledger) -> Iterator[str]:
    """Events that were changed, removed or put in, and those that cannot be checked."""
    chain = ledger.followed()
    yield from chain.faults
    rows = ledger.file.read("SELECT seq FROM sqlite_sequence WHERE name = 'event'")
    if rows != [(chain.last,)]:
        yield f"The last event is {chain.last}, but {rows[0][0] if rows else 0} were written: events were removed."
    if not chain.key_is_here:
        yield (
            f"Nothing could be checked since event {chain.rekeyed_at}: the key that it names is not in {key_file()}, "
            "or somebody has replaced the name of the ledger or of its key."
        )
    elif not chain.faults:
        _ = ledger.books  # an event that was written under the key and still cannot be read is an error here


def _unfinished(entries: Sequence[Entry]) -> Iterator[str]:
    """Releases that were begun and are not done."""
    for entry in entries:
        if entry.state == SPENT:
            yield (
                f"Entry {entry.number}: the release to {entry.output} was begun, and is spent. If it is not running "
                "any more it will never appear: a new run draws and pays again."
            )
        if entry.state == SEALED:
            yield (
                f"Entry {entry.number}: the release to {entry.output} is paid for and was not put in place. "
                "Run it again: that costs nothing if its files still wait there."
            )


def _changed_files(entries: Sequence[Entry]) -> Iterator[str]:
    """Published files that are still there, and are not what the last release to that name published."""
    last = {file.target: (entry, file) for entry in entries if entry.state == DONE for file in entry.sealed}
    for entry, file in last.values():
        if not file.target.is_file():
            continue
        try:
            found = file_hash(file.target).hex()
        except OSError as error:
            yield f"Entry {entry.number}: {file.target} cannot be read: {error.strerror}."
            continue
        if found != file.sha256:
            yield f"Entry {entry.number}: {file.target} is not what was published: it was changed since."


def _overspent(ledger: Ledger, dataset: str) -> Iterator[str]:
    budget, looks = ledger.budget(dataset), ledger.looks(dataset)
    if budget is not None and not fits(looks, epsilon=budget.epsilon, delta=budget.delta):
        yield f"{dataset!r} has spent more than its budget of ε = {budget.epsilon:g} at δ = {budget.delta:g}."
