"""A ledger on a terminal: the answer in words, then the releases, then what they guarantee together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from epsilometer.cli.rendering import print_list, titled_table
from epsilometer.releases.accounting import added_up, by_unit
from epsilometer.report.odds import said
from epsilometer.vocabulary.privacy_loss import PERSON, ROW
from epsilometer.vocabulary.wording import CONFIDENTIAL, readable, shown_up

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from epsilometer.releases.ledger_entries import Entry
    from epsilometer.releases.ledger_statement import Account, Statement


def print_statement(found: Statement, console: Console) -> None:
    """Print what a ledger says: with lines on a terminal, as plain text when piped."""
    console.print(Text(found.in_words))
    for account in found.accounts:
        if not account.entries:
            continue
        console.print()
        console.print(_releases(account, plain=not console.is_terminal))
        console.print()
        console.print(Text(account.composition.in_words))
        if account.joint_risk is not None:
            together = said(account.joint_risk)
            console.print(Text(f"{together.finding} {together.baseline}"))
        if account.composition.caveats:
            print_list("What to keep in mind", account.composition.caveats, console)
    if found.confidential:
        console.print()
        console.print(Text(CONFIDENTIAL, style="bold"))


def _releases(account: Account, *, plain: bool) -> Table:
    """Every release of a data set, with what it costs by itself."""
    table = titled_table(f"Releases of {account.dataset}", plain=plain)
    for heading in ("number", "time", "release", "state", "ε", "δ", "per", "output"):
        table.add_column(heading, justify="right" if heading in ("number", "ε", "δ") else "left")
    for entry in account.entries:
        cost, unit = map(shown_up, added_up(entry.looks)), _unit(entry)
        named = Text(readable(f"{entry.output}{'' if entry.dataset == account.dataset else f' ({entry.dataset})'}"))
        table.add_row(str(entry.number), entry.time, entry.kind, entry.state, *cost, unit, named)
    return table


def _unit(entry: Entry) -> str:
    """Whose part the cost of a release is about."""
    return ROW if by_unit(entry.looks).of_rows else PERSON
