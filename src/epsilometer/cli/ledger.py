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

Who = Annotated[
    str | None, typer.Option(metavar="NAME", help="Who decides this; the name you are logged in with if not said.")
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
    who: Who = None,
    why: Annotated[str, typer.Option(metavar="REASON", help="The reason, for the record.")] = "",
    ledger: LedgerFile = DEFAULT_LEDGER,
) -> None:
    """Set what all releases of a data set may cost together; a release that would cost more is refused."""
    from epsilometer.releases.budgets import set_budget

    for line in set_budget(ledger, dataset, epsilon=epsilon, delta=delta, who=who, why=why):
        typer.echo(line)


@app.command()
def verify(
    *,
    anchor: Annotated[
        str | None,
        typer.Option(metavar="LINE | FILE", help="What `ledger anchor` printed, or a file with such lines."),
    ] = None,
    ledger: LedgerFile = DEFAULT_LEDGER,
) -> None:
    """Check that nothing in the ledger was changed, that budgets are kept, and that published files are as entered."""
    from epsilometer.releases.ledger_anchor import read_anchors
    from epsilometer.releases.ledger_findings import findings, notes

    anchors = () if anchor is None else read_anchors(anchor)
    with open_ledger(ledger, must_exist=True) as opened:
        found = list(findings(opened, anchors))
        noted = [] if found else list(notes(opened))
        number = 0 if found else len(opened.entries())
    for line in (*found, *noted):
        typer.echo(line)
    if found:
        raise typer.Exit(TARGET_MISSED)
    since = (
        "" if anchors else " Only an anchor would show that the last events were removed: epsilometer ledger anchor."
    )
    entries = f"{number} {'entry' if number == 1 else 'entries'}"
    typer.echo(f"All is well: {entries}, unchanged and within the budgets.{since}")


@app.command()
def anchor(*, ledger: LedgerFile = DEFAULT_LEDGER) -> None:
    """Print a line to keep elsewhere: `ledger verify --anchor` tells by it if anything was removed or rewritten."""
    from epsilometer.releases.ledger_anchor import anchor_of

    with open_ledger(ledger, must_exist=True) as opened:
        typer.echo(str(anchor_of(opened)))


@app.command()
def rekey(
    *,
    why: Annotated[str, typer.Option(metavar="REASON", help="What became of the key, for the record.")],
    who: Who = None,
    ledger: LedgerFile = DEFAULT_LEDGER,
) -> None:
    """Go on under another key if the ledger's own is lost; what was written before can then not be checked by it."""
    from epsilometer.releases.ledger import whoever
    from epsilometer.releases.ledger_key import key_file

    with open_ledger(ledger, must_exist=True) as opened:
        opened.rekey(who=who or whoever(), why=why)
        number = opened.books.last.number if opened.books.last else 0
    typer.echo(
        f"The ledger goes on from event {number} under the key in {key_file()}. What was written before cannot be "
        "checked by its key any more, and tables that were released before are not known again."
    )
