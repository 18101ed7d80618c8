"""An assessment on a terminal: the answer in words, then the numbers, then the evidence."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from epsilometer.report.sentences import answer, percent, percent_at_least

if TYPE_CHECKING:
    from collections.abc import Iterable

    from epsilometer.assessments.assess import Assessment, AttributeAssessment
    from epsilometer.vocabulary.raw_risk import RawRisk

PIPED_WIDTH = 100
CONFIDENTIAL = "Confidential: computed from the table itself. Share it only with people who may see the table."


def standard_output() -> Console:
    """Return a console that fits a terminal, or prints plain text of a fixed width into a pipe."""
    return Console(width=None if sys.stdout.isatty() else PIPED_WIDTH, highlight=False)


def print_assessment(assessment: Assessment, console: Console) -> None:
    """Print an assessment: with colours and lines on a terminal, as plain text when piped."""
    console.print(Text(answer(assessment)))
    for attribute in assessment.attributes:
        console.print()
        console.print(_three_numbers(attribute, plain=not console.is_terminal))
        console.print()
        console.print(_raw_measures(attribute, plain=not console.is_terminal))
    people = assessment.attributes[0].people
    _print_list("What the numbers take for granted", people.assumptions, console)
    _print_list("What to keep in mind", dict.fromkeys((*people.caveats, *assessment.notes)), console)
    console.print()
    console.print(Text(CONFIDENTIAL, style="bold"))


def _print_list(title: str, lines: Iterable[str], console: Console) -> None:
    grid = Table.grid(padding=(0, 1))
    for line in lines:
        grid.add_row("  -", Text(line))
    console.print(Text(f"\n{title}", style="bold"))
    console.print(grid)


def _table(title: str, *, plain: bool) -> Table:
    return Table(
        title=Text(title, style="bold"),
        title_justify="left",
        box=None if plain else box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 2, 0, 0) if plain else (0, 1),
    )


def _three_numbers(attribute: AttributeAssessment, *, plain: bool) -> Table:
    """No release, this table, any table: one row per epsilon."""
    people, cells = attribute.people, attribute.cells
    table = _table(f"How much of {attribute.sensitive} the published counts give away", plain=plain)
    for heading in ("ε", "people disclosed", "cells disclosed", "worst of any table", "own record"):
        table.add_column(heading, justify="right")
    own = np.atleast_1d(attribute.own_record.value_advantage)
    for row in sorted(
        zip(
            np.atleast_1d(people.mechanism["epsilon"]),
            np.atleast_1d(people.value),
            np.atleast_1d(cells.value),
            np.atleast_1d(people.any_table),
            own,
            strict=True,
        )
    ):
        table.add_row(f"{row[0]:g}", *(percent(float(number)) for number in row[1:]))
    guessed = percent_at_least(people.no_release)
    table.caption = Text(
        f"Without a release, guessing the most common value is right for {guessed} of the people. "
        "Own record: how much better than a coin anyone can tell which of two values a person has, "
        "from the part that person's own record plays."
    )
    table.caption_justify = "left"
    return table


def _raw_measures(attribute: AttributeAssessment, *, plain: bool) -> Table:
    """Return the measures everybody knows, of the unprotected table."""
    table = _table("The table as it is, unprotected", plain=plain)
    table.add_column("measure")
    table.add_column("value", justify="right")
    for name, value in _headline_measures(attribute.raw):
        table.add_row(name, value)
    return table


def _headline_measures(raw: RawRisk) -> list[tuple[str, str]]:
    diversity, closeness = raw.diversity, raw.closeness
    return [
        ("people / cells / values", f"{raw.n_records:,} / {raw.n_cells:,} / {raw.n_values:,}"),
        ("cells with a single value (homogeneous)", f"{diversity.homogeneous_cells:,}"),
        ("people in them", f"{diversity.homogeneous_records:,} ({percent(diversity.homogeneous_share)})"),
        ("people alone in their cell", f"{raw.reidentification.unique_records:,}"),
        ("k (smallest cell)", f"{raw.anonymity.k:,}"),
        ("l (fewest values in a cell)", f"{diversity.distinct_l:,}"),
        ("t (equal distance)", f"{closeness.equal_distance:.3f}"),
        (
            "value named right: no release → raw",
            f"{percent_at_least(raw.inference.prior)} → {percent(raw.inference.posterior)}",
        ),
        ("person picked out: mean (marketer)", percent(raw.reidentification.marketer)),
    ]
