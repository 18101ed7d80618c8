"""Entering a release: under which name, and with which fingerprint of the table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from epsilometer.errors import BadQuestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from epsilometer.releases.ledger import Ledger
    from epsilometer.releases.ledger_entries import Entry
    from epsilometer.vocabulary.privacy_loss import PrivacyLoss


def dataset_name(table: object, name: str, given: str | None) -> str:
    """Return what the ledger calls the data that a table is a part or a version of."""
    if given is not None:
        return given
    if not isinstance(table, str | Path):
        raise BadQuestion("A table in memory has no name. Give the plan a dataset, under which the ledger knows it.")
    return name


def fingerprint_of(ledger: Ledger, table: object) -> str | None:
    """Return the ledger's own hash of a table that is one file; of others there is none."""
    file = Path(table) if isinstance(table, str | Path) else None
    return ledger.fingerprint(file) if file is not None and file.is_file() else None


def entered(
    ledger: Ledger,
    table: object,
    *,
    dataset: str,
    kind: str,
    plan: Mapping[str, Any],
    looks: Sequence[PrivacyLoss],
    output: Path,
    internal: Mapping[str, Any] | None = None,
) -> Entry:
    """Enter a release that is about to be made, and pay for it; a table that is one file is known again."""
    return ledger.reserve(
        dataset=dataset,
        kind=kind,
        plan=plan,
        looks=looks,
        output=output,
        fingerprint=fingerprint_of(ledger, table),
        internal=internal or {},
    )
