"""``epsilometer check``: hold a passport against its files, its own numbers, the ledger and the table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from epsilometer.cli import options
from epsilometer.cli.exits import TARGET_MISSED
from epsilometer.cli.output import show
from epsilometer.cli.progress import progress
from epsilometer.errors import BadQuestion


def check(
    passport: Annotated[
        Path | None, typer.Argument(help="The passport's JSON file; the published files lie beside it.")
    ] = None,
    *,
    transcripts: Annotated[
        Path | None,
        typer.Option(
            metavar="PLAN.yaml",
            help="Instead of a passport: run this plan on tables that differ by one person, with the same answers of "
            "chance, and say what tells them apart. Nothing is published.",
        ),
    ] = None,
    pairs: Annotated[int, typer.Option(metavar="N", help="With --transcripts: how many such tables.", min=1)] = 50,
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
    """Check a passport, or a plan by its transcripts: exit with 0 if everything holds, with 1 if anything differs."""
    if (passport is None) == (transcripts is None):
        raise BadQuestion("Name a passport to check, or a plan with --transcripts; one of them.")
    if transcripts is not None:
        _check_plan(transcripts, pairs, as_json=as_json, quiet=quiet)
        return
    assert passport is not None  # noqa: S101  (one of them was given)
    with progress("Checking the passport", quiet=quiet):
        from epsilometer.releases.passport_checks import check_passport

        checked = check_passport(passport, ledger=ledger, table=table)
    from epsilometer.cli.check_tables import print_check

    show(checked.to_dict, lambda console: print_check(checked, console), as_json=as_json)
    if not checked.passed:
        raise typer.Exit(TARGET_MISSED)


def _check_plan(path: Path, pairs: int, *, as_json: bool, quiet: bool) -> None:
    with progress("Running the plan on neighbouring tables", quiet=quiet):
        from epsilometer.plans.files import read_plan
        from epsilometer.releases.transcripts.check import check_transcripts

        checked = check_transcripts(read_plan(path), pairs=pairs)
    from epsilometer.cli.check_tables import print_transcripts

    show(checked.document, lambda console: print_transcripts(checked, console), as_json=as_json)
    if not checked.passed:
        raise typer.Exit(TARGET_MISSED)
