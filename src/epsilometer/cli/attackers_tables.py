"""A search for attackers on a terminal: the answer in words, then the attackers, then what each column adds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from epsilometer.cli.rendering import print_list, table_with_columns
from epsilometer.vocabulary.wording import CONFIDENTIAL, percent, percent_at_least

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from epsilometer.vocabulary.attackers import Attackers


def print_attackers(found: Attackers, console: Console) -> None:
    """Print who breaks the target: with lines on a terminal, as plain text when piped."""
    plain = not console.is_terminal
    console.print(Text(found.in_words))
    if found.attackers:
        console.print()
        console.print(_attackers(found, plain=plain))
    if found.contributions:
        for table in (_contributions(found, plain=plain), _levels(found, plain=plain)):
            console.print()
            console.print(table)
    print_list("What the numbers take for granted", found.assumptions, console)
    print_list("What to keep in mind", found.caveats, console)
    console.print()
    console.print(Text(CONFIDENTIAL, style="bold"))


def _attackers(found: Attackers, *, plain: bool) -> Table:
    """Return the smallest sets that break the target, cheapest first."""
    noisy = found.mechanism is not None
    n_shown, n_breaking = len(found.attackers), len(found.breaking)
    part = "" if n_shown == n_breaking else f": the cheapest {n_shown} of {n_breaking:,}"
    with_noise = "released: the same from counts with noise. " if noisy else ""
    table = table_with_columns(
        f"Who breaks the target{part}",
        ("known", "cost", "raw", *(("released",) if noisy else ()), "disclosed", "cells", "alone"),
        plain=plain,
        caption=f"raw: share of people whose {found.sensitive} is named right from the raw table; without any release "
        f"{percent_at_least(found.no_release)}. {with_noise}disclosed: people shown with a single value, their own. "
        "cells: combinations of what is known. alone: people who share theirs with nobody.",
    )
    for attacker in found.attackers:
        known = attacker.knowledge
        right = [_right(share, found) for share in (known.raw, *([known.at_most] if noisy else []))]
        sizes = f"{attacker.n_cells:,}", f"{attacker.n_alone:,}"
        names = Text(", ".join(known.columns) or "nothing")
        table.add_row(names, f"{known.cost:g}", *right, percent(attacker.disclosed), *sizes)
    return table


def _right(share: float, found: Attackers) -> str:
    """Write a share named right; one that gains nothing reads like the share without any release."""
    return percent_at_least(share) if share == found.no_release else percent(share)


def _contributions(found: Attackers, *, plain: bool) -> Table:
    headings = ("column", "mean increase", "pairs of sets", "in smallest breaking sets")
    table = table_with_columns("What knowing a column adds", headings, plain=plain)
    for one in found.contributions:
        table.add_row(Text(one.column), percent(one.increase), f"{one.n_pairs:,}", f"{one.n_breaking:,}")
    return table


def _levels(found: Attackers, *, plain: bool) -> Table:
    headings = ("columns known", "sets", "looked at", "smallest that break the target")
    table = table_with_columns("How the search went", headings, plain=plain, words=())
    for level in found.levels:
        table.add_row(*(f"{n:,}" for n in (level.n_columns, level.n_sets, level.n_evaluated, level.n_breaking)))
    return table
