"""A choice on a terminal: the answer in words, the changes that would help, then the numbers."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from rich.text import Text

from epsilometer.assessments.choosing.answer import shown_point
from epsilometer.cli.rendering import print_list, table_with_columns
from epsilometer.report.odds import said
from epsilometer.vocabulary.wording import CONFIDENTIAL, percent_at_least, percent_under_noise

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rich.console import Console
    from rich.table import Table

    from epsilometer.vocabulary.choice import Choice, Consequences, SampleConsequences, TradeOff
    from epsilometer.vocabulary.evidence import Interval


class Shown(NamedTuple):
    """How a parameter is written: its symbol in headings, what a point of it is called, and its digits."""

    symbol: str
    point: str
    digits: str


PUBLIC: Final = "Computed from declared numbers alone; no table was opened."
PARAMETERS: Final = {
    "epsilon": Shown("ε", "ε = {:g}", ".3g"),
    "threshold": Shown("threshold", "threshold = {:g}", ".3g"),
    "size": Shown("rows", "{:,} rows", ",.0f"),
}
EVERY: Final = 3  # so many points of the grid make one row
MEANINGS: Final = {
    "risk": "risk that the target is about",
    "loss": "loss, at the worse end of its interval",
    "any_table": "people disclosed in the worst table there could be",
    "own_record": "own record: how much better than a coin anyone tells a value",
    "count_error": "expected error of a published count",
    "no_release": "people whose value is named right without any release",
    "raw": "people whose value is named right with the table itself",
    "in_sample": "own record: chance that it is in the sample, as it is",
}
WRITTEN: Final[Mapping[str, Callable[[float], str]]] = {  # what is not a risk, which is rounded up
    "loss": "{:.4f}".format,
    "count_error": "{:.3g}".format,
    "no_release": percent_at_least,
}


def print_choice(choice: Choice, console: Console) -> None:
    """Print which parameter meets both targets, or why none does and what would."""
    plain = not console.is_terminal
    console.print(Text(f"{choice.in_words} {said(choice).baseline}"))
    if choice.warnings:
        print_list("Before you release", choice.warnings, console)
    if choice.relaxations:
        console.print()
        console.print(_changes(choice, plain=plain))
    if choice.consequences is not None:
        console.print()
        console.print(_meaning(choice.consequences, choice, plain=plain))
    for curve in choice.curves:
        console.print()
        console.print(_risk_and_loss(curve, choice, plain=plain))
    if not choice.looked_at_the_data:
        print_list("What was declared", (f"{name}: {value}" for name, value in choice.based_on.items()), console)
    print_list("What to keep in mind", (line for line in choice.caveats if line not in choice.warnings), console)
    console.print()
    console.print(Text(CONFIDENTIAL if choice.looked_at_the_data else PUBLIC, style="bold"))


def _changes(choice: Choice, *, plain: bool) -> Table:
    """Return the cheapest change of each kind."""
    title = "Changes that would make it possible, each by itself, cheapest first"
    columns = ("change", PARAMETERS[choice.parameter].symbol, "what it gives up")
    table = table_with_columns(title, columns, plain=plain, words=(0, 2))
    for change in choice.relaxations:
        table.add_row(Text(change.change), shown_point(change.recommended), Text(change.cost_in_words))
    return table


def _meaning(consequences: Consequences | SampleConsequences, choice: Choice, *, plain: bool) -> Table:
    """Return what the recommended point means."""
    title = f"At {PARAMETERS[choice.parameter].point.format(choice.recommended)}"
    table = table_with_columns(title, ("what", "number"), plain=plain)
    for name, number in asdict(consequences).items():
        table.add_row(MEANINGS[name], WRITTEN.get(name, percent_under_noise)(number))
    return table


def _risk_and_loss(curve: TradeOff, choice: Choice, *, plain: bool) -> Table:
    """Return risk and loss side by side on a part of the grid, with what meets the targets marked."""
    symbol, _, digits = PARAMETERS[choice.parameter]
    simulated = () if curve.risk_interval is None else ("interval of the risk",)
    headings = (symbol, "risk", *simulated, "loss", "interval", "both targets")
    table = table_with_columns(f"Risk for {curve.about} and loss against {symbol}", headings, plain=plain, words=())
    loss = np.asarray(curve.loss.value)
    for i in range(0, len(curve.points), EVERY):
        met = any(stretch.low <= curve.points[i] <= stretch.high for stretch in choice.stretches)
        between = () if curve.risk_interval is None else (_ends(curve.risk_interval, i),)
        table.add_row(
            f"{curve.points[i]:{digits}}",
            percent_under_noise(float(curve.risk[i])),
            *between,
            f"{loss[i]:.4f}",
            _ends(curve.loss.interval, i),
            "met" if met else "",
        )
    return table


def _ends(interval: Interval, i: int) -> str:
    """Write the interval at one point of a curve."""
    low, high = np.asarray(interval.low)[i], np.asarray(interval.high)[i]
    return f"{low:.4f} to {high:.4f}"
