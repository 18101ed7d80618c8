"""``epsilometer check``: hold a passport against its files, its own numbers, the ledger and the table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from epsilometer.cli import options
from epsilometer.cli.exits import TARGET_MISSED
from epsilometer.cli.output import show
from epsilometer.cli.progress import progress


def check(
    passport: Annotated[Path, typer.Argument(help="The passport's JSON file; the published files lie beside it.")],
    *,
    table: Annotated[
        str | None,
        typer.Option(metavar="TABLE", help="The table that was released, for its fingerprint and risk."),
    ] = None,
    ledger: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The curator's ledger, for the entry of the release.")
    ] = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Check the passport of a release: exit with 0 if everything that was checked holds, with 1 if anything differs."""
    with progress("Checking the passport", quiet=quiet):
        from epsilometer.releases.passport_checks import check_passport

        checked = check_passport(passport, ledger=ledger, table=table)
    from epsilometer.cli.check_tables import print_check

    show(checked.to_dict, lambda console: print_check(checked, console), as_json=as_json)
    if not checked.passed:
        raise typer.Exit(TARGET_MISSED)
