"""A release on a terminal: what was published, and what it cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from epsilometer.cli.local_tables import print_local_release
from epsilometer.cli.rendering import print_list
from epsilometer.cli.synthesize import print_synthetic_table
from epsilometer.releases.release import PAGE, PASSPORT, beside
from epsilometer.report.passport_page import protects, published
from epsilometer.vocabulary.local_release import LocalRelease
from epsilometer.vocabulary.synthetic_table import SyntheticTable
from epsilometer.vocabulary.wording import shown_down

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rich.console import Console

    from epsilometer.releases.release import Released


def print_release(released: Released, out: Path, console: Console) -> None:
    """Print what was published in words, and what is known of it; what this table gives away stays in the ledger."""
    match released.detail:
        case LocalRelease() as reports:
            print_local_release(reports, out, console)
        case SyntheticTable() as made:
            print_synthetic_table(made, console)
        case None:
            console.print(Text(f"{published(released.passport)} {protects(released.passport)}"))
    print_list("What was written, for everybody", _files(released, out), console)
    print_list("What the ledger says of the data set", _account(released), console)


def _files(released: Released, out: Path) -> tuple[str, ...]:
    return (
        *(f"{output.file}: {output.rows:,} rows." for output in released.passport.outputs),
        f"{beside(out, PASSPORT).name}: the passport, for programs; check it with `epsilometer check`.",
        f"{beside(out, PAGE).name}: the same for people.",
    )


def _account(released: Released) -> Iterator[str]:
    yield f"Entry {released.entry.number} of {released.entry.dataset!r}: {released.composition.in_words}"
    if released.remaining is None:
        yield "No budget is set, so that nothing is refused: epsilometer ledger budget sets one."
    else:
        yield f"ε = {shown_down(released.remaining)} of the budget is left."
