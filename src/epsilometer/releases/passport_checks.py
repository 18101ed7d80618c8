"""Check a passport: its files, its numbers, and where they are at hand the ledger and the table."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.ledger_checks import check_entry, check_table, entry_of
from epsilometer.releases.number_checks import check_numbers
from epsilometer.releases.output_checks import check_output
from epsilometer.report.passport_document import read_passport
from epsilometer.vocabulary.passport_check import PASSED, Finding, PassportCheck, not_possible

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from epsilometer.releases.ledger import Ledger
    from epsilometer.vocabulary.passport import Passport


def check_passport(path: Path, *, ledger: Path | None = None, table: str | None = None) -> PassportCheck:
    """Hold a passport against everything that is at hand.

    Args:
        path: file of the passport; the published files lie beside it.
        ledger: file of the curator's ledger.
        table: the table that was released.
    """
    passport = read_passport(path)
    findings = [Finding(what="form of the passport", outcome=PASSED)]
    for output in passport.outputs:
        findings += check_output(path.parent, output)
    findings += check_numbers(passport)
    with nullcontext() if ledger is None else open_ledger(ledger, must_exist=True) as opened:
        findings += _confidential(passport, path, opened, table)
    return PassportCheck(
        passport=path.name, dataset=passport.dataset, released_at=passport.released_at, findings=tuple(findings)
    )


def _confidential(passport: Passport, path: Path, ledger: Ledger | None, table: str | None) -> Iterator[Finding]:
    """Check what only those can who may see the ledger and the table."""
    entry = None if ledger is None else entry_of(passport, ledger)
    if ledger is None:
        yield not_possible("entry in the ledger", "--ledger")
    else:
        yield from check_entry(passport, entry, path)
    if table is None:
        yield not_possible("fingerprint and risk of the table", "--table")
    else:
        yield from check_table(passport, entry, ledger, table)
