"""A reproduction on a terminal: the printed numbers next to ours, the simulations, the errata, the sum of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console

    from epsilometer.reproduction.comparison import Comparison
    from epsilometer.reproduction.confirmation import Confirmation
    from epsilometer.reproduction.finding import Finding
    from epsilometer.reproduction.result import Reproduction


def print_reproduction(reproduction: Reproduction, console: Console) -> None:
    """Print a reproduction: with colours and lines on a terminal, as plain text when piped."""
    console.print(Text(reproduction.summary, style="bold"))
    console.print(Text(f"\n{reproduction.about} Here: {' and '.join(reproduction.papers)}, {reproduction.data}.\n"))
    console.print(_comparisons(reproduction.comparisons, plain=not console.is_terminal))
    if reproduction.confirmations:
        console.print()
        console.print(_confirmations(reproduction.confirmations, plain=not console.is_terminal))
    console.print(Text("\nWhat is wrong in the papers", style="bold"))
    for finding in reproduction.findings:
        _print_finding(finding, console)
    console.print(Text("\nWhat could not be compared", style="bold"))
    for line in reproduction.left_out:
        console.print(Text(f"- {line}"))


def _comparisons(comparisons: tuple[Comparison, ...], *, plain: bool) -> Table:
    table = _table("Printed numbers next to ours", plain=plain)
    for heading in ("paper", "quantity"):
        table.add_column(heading)
    for heading in ("printed", "ours", ""):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("why not")
    for row in comparisons:
        place = f"{row.paper} {row.place.replace('Section ', '§')}"
        style = None if row.agrees else "bold"
        table.add_row(place, row.quantity, row.printed, row.ours_in_words, _mark(row), row.note, style=style)
    return table


def _confirmations(confirmations: tuple[Confirmation, ...], *, plain: bool) -> Table:
    table = _table("500 simulated releases next to the formula", plain=plain)
    for heading in ("table", "noise"):
        table.add_column(heading)
    for heading in ("δ", "ε", "exact", "simulated", "95 % interval", ""):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in confirmations:
        interval = f"{row.low:.5f} to {row.high:.5f}"
        numbers = (f"{row.delta:g}", f"{row.epsilon:g}", f"{row.exact:.5f}", f"{row.simulated:.5f}", interval)
        table.add_row(row.table, row.mechanism, *numbers, _mark(row))
    return table


def _print_finding(finding: Finding, console: Console) -> None:
    console.print(Text(f"\n{finding.id} ({finding.severity}): {finding.place}", style="bold"))
    console.print(Text(f"Printed: {finding.printed}"))
    console.print(Text(f"Right: {finding.right}"))
    if finding.pairs:
        table = _table("", plain=True)
        for heading in ("", "printed", "right"):
            table.add_column(heading, justify="right" if heading else "left", no_wrap=bool(heading))
        for pair in finding.pairs:
            table.add_row(f"  {pair.quantity}", f"{pair.printed:.7g}", f"{pair.right:.7g}")
        console.print(table)


def _mark(row: Comparison | Confirmation) -> str:
    return "yes" if row.agrees else "no"


def _table(title: str, *, plain: bool) -> Table:
    return Table(
        title=Text(title, style="bold") if title else None,
        title_justify="left",
        box=None if plain else box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 2, 0, 0) if plain else (0, 1),
    )
