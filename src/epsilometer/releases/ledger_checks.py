"""A passport held against the curator's ledger, and against the table itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.errors import EpsilometerError
from epsilometer.plans.reading import Source
from epsilometer.plans.validation import plan_from
from epsilometer.releases.known_again import commitment, committed, file_of, fingerprint
from epsilometer.releases.ledger_entries import DONE, SEALED
from epsilometer.releases.number_checks import same_number
from epsilometer.releases.passports import file_hash
from epsilometer.releases.this_table import this_table_risks
from epsilometer.tables.opening import open_table
from epsilometer.vocabulary.passport_check import FAILED, PASSED, Finding, compared, not_possible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from epsilometer.releases.ledger import Ledger
    from epsilometer.releases.ledger_entries import Entry
    from epsilometer.vocabulary.passport import Passport

PUBLISHED: Final = f"{SEALED} or {DONE}"


def entry_of(passport: Passport, ledger: Ledger) -> Entry | None:
    """Return the entry that a passport names, if the ledger has it for that data set."""
    return next((entry for entry in ledger.entries(passport.dataset) if entry.id == passport.ledger_entry), None)


def check_entry(passport: Passport, entry: Entry | None, path: Path) -> Iterator[Finding]:
    """Check that the ledger knows the release, says the same of it, and sealed the passport and the files beside it."""
    known = f"ledger: entry {passport.ledger_entry} of {passport.dataset}"
    if entry is None:
        yield Finding(what=known, outcome=FAILED, expected="an entry", found="none")
        return
    yield Finding(what=known, outcome=PASSED)
    yield compared("ledger: state", PUBLISHED, PUBLISHED if entry.state in (SEALED, DONE) else entry.state)
    yield compared("ledger: kind of release", entry.kind, passport.kind)
    yield compared("ledger: plan", {**entry.plan, "table": ""}, {**passport.plan, "table": ""})
    yield compared("ledger: looks", entry.looks, passport.looks)
    yield compared("ledger: commitment to the table", commitment(entry), passport.input_commitment)
    sealed = "sealed" if file_hash(path).hex() in entry.files.values() else "not sealed"
    yield compared("ledger: SHA-256 of this passport", "sealed", sealed)
    for output in passport.outputs:
        yield compared(f"ledger: SHA-256 of {output.file}", entry.files.get(output.file), output.sha256)


def check_table(passport: Passport, entry: Entry | None, ledger: Ledger | None, table: str) -> Iterator[Finding]:
    """Check that the table is the one that was released, and that its risk is what the ledger holds."""
    yield _same_input(passport, entry, ledger, table)
    stored = {} if entry is None else entry.internal.get("risks", {})
    if stored:
        yield from _same_risks(passport, table, stored)
    else:
        yield not_possible("table: risk of this very table", "--ledger with an entry that holds the risk")


def _same_input(passport: Passport, entry: Entry | None, ledger: Ledger | None, table: str) -> Finding:
    what = "table: commitment"
    if ledger is None or entry is None:
        return not_possible(what, "--ledger with the entry of the release")
    if entry.key != ledger.books.key or ledger.doubt:
        return not_possible(what, "the key that the release was entered under")
    if passport.input_commitment is None:
        return not_possible(what, "a release whose table was known again")
    if entry.fingerprint.file is not None and file_of(table) is None:
        return not_possible(what, "the file that was released")
    seen = fingerprint(table, open_table(table), ledger.fingerprint_key, ())
    return compared(what, passport.input_commitment, committed(seen, entry.salt))


def _same_risks(passport: Passport, table: str, stored: Mapping[str, float]) -> Iterator[Finding]:
    try:
        recomputed = this_table_risks(plan_from(Source(data={**passport.plan, "table": table})))
    except EpsilometerError as error:
        expected = "a table and a plan that fit each other"
        yield Finding(what="table: plan of the passport", outcome=FAILED, expected=expected, found=str(error))
        return
    for name in dict.fromkeys((*recomputed, *stored)):
        if name in recomputed and name in stored:
            yield same_number(f"table: {name}", recomputed[name], float(stored[name]))
        else:
            yield compared(f"table: {name}", recomputed.get(name), stored.get(name))
