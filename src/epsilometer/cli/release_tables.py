"""A release on a terminal: what was published, what it cost, and what only its owner should know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from epsilometer.cli.local_tables import print_local_release
from epsilometer.cli.rendering import print_list
from epsilometer.cli.synthesize import print_synthetic_table
from epsilometer.releases.release import PAGE, PASSPORT, beside
from epsilometer.report.odds import said
from epsilometer.report.passport_page import protects, published
from epsilometer.vocabulary.joint_risk import JointRisk
from epsilometer.vocabulary.local_release import LocalRelease
from epsilometer.vocabulary.synthetic_table import SyntheticTable
from epsilometer.vocabulary.wording import CONFIDENTIAL, percent_under_noise, shown_down

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rich.console import Console

    from epsilometer.releases.release import Released


def print_release(released: Released, out: Path, console: Console) -> None:
    """Print what was published in words, what is known of it, and what stays in the ledger."""
    match released.detail:
        case LocalRelease() as reports:
            print_local_release(reports, out, console)
        case SyntheticTable() as made:
            print_synthetic_table(made, console)
        case None:
            console.print(Text(f"{published(released.passport)} {protects(released.passport)}"))
    print_list("What was written, for everybody", _files(released, out), console)
    print_list("What the ledger says of the data set", _account(released), console)
    if given_away := list(_this_table(released)):
        print_list("What this very table gives away", given_away, console)
        console.print()
        console.print(Text(CONFIDENTIAL, style="bold"))


def _files(released: Released, out: Path) -> tuple[str, ...]:
    return (
        *(f"{output.file}: {output.rows:,} rows." for output in released.passport.outputs),
        f"{beside(out, PASSPORT).name}: the passport, for programs; check it with `epsilometer check`.",
        f"{beside(out, PAGE).name}: the same for people.",
    )


def _account(released: Released) -> Iterator[str]:
    yield f"Entry {released.entry.number} of {released.entry.dataset!r}: {released.composition.in_words}"
    if released.table_changed:
        yield "The table is not the file of the release before: is it still about the same people?"
    if released.remaining is None:
        yield "No budget is set, so that nothing is refused: epsilometer ledger budget sets one."
    else:
        yield f"ε = {shown_down(released.remaining)} of the budget is left."


def _this_table(released: Released) -> Iterator[str]:
    internal = released.entry.internal
    for what, share in internal.get("risks", {}).items():
        yield f"{what[0].upper()}{what[1:]} by this release alone: {percent_under_noise(share)}."
    if released.entry.kind == "counts" and not internal.get("risks"):
        yield "The share of people disclosed is worked out for one table whose rows are people, not for this release."
    joint = internal.get("joint")
    if joint:
        together = said(JointRisk.from_dict(joint))
        if len(joint["each"]) > 1:
            yield together.finding
        yield together.baseline
