"""``epsilometer ledger``: what was published of each data set, what it cost, and whether the record is whole."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from epsilometer.cli import options
from epsilometer.cli.exits import TARGET_MISSED
from epsilometer.releases.ledger import DEFAULT_LEDGER, LEDGER_VARIABLE, open_ledger

LedgerFile = Annotated[
    Path,
    typer.Option("--ledger", metavar="FILE", envvar=LEDGER_VARIABLE, help="The ledger that releases are entered in."),
]

app = typer.Typer(
    help="The record of every release: what was published, what it cost, what is left.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def show(
    *,
    ledger: LedgerFile = DEFAULT_LEDGER,
    dataset: Annotated[str | None, typer.Option(metavar="NAME", help="One data set; all if not said.")] = None,
    as_json: options.Json = False,
) -> None:
    """Say what was published, what it cost and guarantees together, and what is left of the budget."""
    from epsilometer.releases.ledger_statement import statement

    with open_ledger(ledger, must_exist=True) as opened:
        found = statement(opened, dataset=dataset)
    if as_json:
        from epsilometer.report.documents import as_document

        typer.echo(as_document(found.to_dict()))
        return
    from epsilometer.cli.ledger_tables import print_statement
    from epsilometer.cli.rendering import standard_output

    print_statement(found, standard_output())


@app.command()
def budget(
    dataset: Annotated[str, typer.Argument(help="Name of the data set.")],
    *,
    epsilon: Annotated[float, typer.Option("--epsilon", "-e", help="What all releases may cost together.")],
    delta: Annotated[float, typer.Option(help="Chance that the guarantee fails, for all releases together.")] = 0.0,
    ledger: LedgerFile = DEFAULT_LEDGER,
) -> None:
    """Set what all releases of a data set may cost together; a release that would cost more is refused."""
    from epsilometer.releases.budgets import set_budget

    for line in set_budget(ledger, dataset, epsilon=epsilon, delta=delta):
        typer.echo(line)


@app.command()
def verify(*, ledger: LedgerFile = DEFAULT_LEDGER) -> None:
    """Check that the ledger is whole, that budgets are kept, and that published files are what was entered."""
    from epsilometer.releases.ledger_findings import findings

    with open_ledger(ledger, must_exist=True) as opened:
        found = list(findings(opened))
        number = len(opened.entries()) if not found else 0
    for line in found:
        typer.echo(line)
    if found:
        raise typer.Exit(TARGET_MISSED)
    typer.echo(f"All is well: {number} {'entry' if number == 1 else 'entries'}, unchanged and within the budgets.")
