"""Entering a release: under which name, and with what its rows are known again by."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final

from epsilometer.errors import BadQuestion
from epsilometer.releases.known_again import file_of, fingerprint

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from epsilometer.releases.ledger import Ledger
    from epsilometer.releases.ledger_entries import Entry
    from epsilometer.releases.ledger_events import Fingerprint
    from epsilometer.tables.table import Table
    from epsilometer.vocabulary.privacy_loss import PrivacyLoss

PACKED: Final = ".gz"


def dataset_name(source: object, given: str | None) -> str:
    """Return what the ledger calls the data that a table is a part or a version of: no folders, and no kind of file.

    >>> dataset_name("people/stays.csv.gz", None), dataset_name("hospital.db::stays", None)
    ('stays', 'stays')
    """
    if given is not None:
        return given
    if not isinstance(source, str | Path):
        raise BadQuestion("A table in memory has no name. Give the plan a dataset, under which the ledger knows it.")
    location, _, part = str(source).partition("::")
    if part and "/" not in part:
        return part
    name = PurePath(part or file_of(location) or location).name
    return PurePath(name.removesuffix(PACKED)).stem or name


def fingerprint_of(ledger: Ledger, source: object, table: Table) -> Fingerprint:
    """Return what the ledger knows the rows of a table again by."""
    key = ledger.fingerprint_key
    return fingerprint(source, table, key, ledger.entries())


def entered(
    ledger: Ledger,
    source: object,
    table: Table,
    *,
    dataset: str,
    kind: str,
    plan: Mapping[str, Any],
    looks: Sequence[PrivacyLoss],
    output: Path,
) -> Entry:
    """Enter a release that is about to be made, and pay for it; rows that were released before are known again."""
    return ledger.enter(
        dataset=dataset,
        kind=kind,
        plan=plan,
        looks=looks,
        output=output,
        fingerprint=fingerprint_of(ledger, source, table),
    )
