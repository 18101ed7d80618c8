"""What is wrong with a ledger, or with the files it speaks of."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from epsilometer.errors import BadLedger
from epsilometer.releases.accounting import fits
from epsilometer.releases.appearing import partials_of
from epsilometer.releases.ledger_entries import DONE, FIRST_PREVIOUS, RESERVED, SEALED, VOID, chained_hash

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from epsilometer.releases.ledger import Ledger
    from epsilometer.releases.ledger_entries import Entry


def findings(ledger: Ledger) -> Iterator[str]:
    """Say everything that is wrong, one line each; nothing if all is well."""
    try:
        damaged = [row[0] for row in ledger.file.read("PRAGMA integrity_check") if row[0] != "ok"]
    except BadLedger as error:  # so damaged that it cannot even be checked
        damaged = [str(error.__cause__)]
    if damaged:
        yield f"The file is damaged ({damaged[0]}). Restore it from a backup."
        return
    yield from _broken_chain(ledger)
    entries = ledger.entries()
    yield from _unfinished(entries)
    yield from _changed_files(entries)
    for entry in entries:
        for partial in partials_of(entry) if entry.state in (DONE, VOID) else ():
            yield f"Entry {entry.number}: {partial} was left behind by a release that is {entry.state}. Remove it."
    for dataset in ledger.datasets():
        yield from _overspent(ledger, dataset)


def _broken_chain(ledger: Ledger) -> Iterator[str]:
    """Entries that were changed, and places where entries are missing."""
    previous, number = FIRST_PREVIOUS, 0
    for row in ledger.file.read("SELECT * FROM entry ORDER BY number"):
        if row["number"] != number + 1 or row["previous"] != previous:
            yield f"Entry {row['number']} does not follow the one before it: entries were removed or changed."
        if row["hash"] != chained_hash(dict(row)):
            yield f"Entry {row['number']} does not have the hash it was entered with: it was changed."
        previous, number = row["hash"], row["number"]
    rows = ledger.file.read("SELECT seq FROM sqlite_sequence WHERE name = 'entry'")
    entered = rows[0][0] if rows else 0
    if entered != number:
        yield f"The last entry is {number}, but {entered} were entered: entries were removed."


def _unfinished(entries: Sequence[Entry]) -> Iterator[str]:
    """Releases that were begun and are not done."""
    for entry in entries:
        if entry.state == RESERVED:
            yield (
                f"Entry {entry.number}: the release to {entry.output} was begun and counts as spent. "
                "If it is not running any more, run it again: that costs nothing."
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
        with file.target.open("rb") as published:
            found = hashlib.file_digest(published, "sha256").hexdigest()
        if found != file.sha256:
            yield f"Entry {entry.number}: {file.target} is not what was published: it was changed since."


def _overspent(ledger: Ledger, dataset: str) -> Iterator[str]:
    budget, looks = ledger.budget(dataset), ledger.looks(dataset)
    if budget is not None and not fits(looks, epsilon=budget.epsilon, delta=budget.delta):
        yield f"{dataset!r} has spent more than its budget of ε = {budget.epsilon:g} at δ = {budget.delta:g}."
