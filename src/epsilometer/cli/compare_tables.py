"""A comparison of releases on a terminal: the answer in words, then the numbers, then the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from epsilometer.cli.rendering import print_list, titled_table
from epsilometer.report.building.frontier_points import worth_a_line
from epsilometer.vocabulary.wording import CONFIDENTIAL, percent, percent_at_least

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from epsilometer.vocabulary.frontier import Frontier


def print_frontier(found: Frontier, console: Console) -> None:
    """Print a comparison: with lines on a terminal, as plain text when piped."""
    console.print(Text(found.in_words))
    console.print()
    console.print(_releases(found, plain=not console.is_terminal))
    own = [line for curve in found.curves for line in curve.assumptions]
    print_list("What the numbers take for granted", (*found.assumptions, *own), console)
    print_list("What to keep in mind", found.caveats, console)
    console.print()
    console.print(Text(CONFIDENTIAL, style="bold"))


def _releases(found: Frontier, *, plain: bool) -> Table:
    """Return risk and loss of the points that stand out, and of some between them."""
    shown = worth_a_line(found)
    told = any(point.stronger is not None for _, point, _ in shown)
    table = titled_table("How often the attacker is right, and how wrong the analyst is, at most", plain=plain)
    table.add_column("release")
    for heading in ("at", "risk", "known as", *["stronger"] * told, "loss"):
        table.add_column(heading, justify="right")
    table.add_column("stands out")
    for curve, point, marks in shown:
        stronger = "" if point.stronger is None else percent(float(point.stronger.value))
        table.add_row(
            Text(curve.name),
            curve.label(point),
            percent(point.risk_at_most),
            point.risk.kind,
            *[stronger] * told,
            percent(point.loss_at_most),
            ", ".join(marks),
        )
    table.caption = Text(
        f"No release: {percent_at_least(found.no_release)}, rounded down. Raw table: {percent(found.raw)}, rounded up "
        "like everything above. Estimates are shown with the upper ends of their 95 % intervals; so is every loss."
        + " Stronger: an attacker who also knows how the cells are made up."
        * told
    )
    table.caption_justify = "left"
    return table
