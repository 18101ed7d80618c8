"""An assessment on a terminal: the answer in words, then the numbers, then the evidence."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from epsilometer.report.sentences import answer
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.wording import CONFIDENTIAL, percent, percent_at_least, percent_under_noise, rounded_up

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from epsilometer.assessments.assess import Assessment, AttributeAssessment
    from epsilometer.vocabulary.raw_risk import RawRisk

PIPED_WIDTH = 100
BESIDE_A_PUBLIC_REPORT = (
    "The report {report} is public: nothing in it was computed from the table. What is printed here is confidential: "
    "it was computed from the table itself. Share it only with people who may see the table."
)


def standard_output() -> Console:
    """Return a console that fits a terminal, or prints plain text of a fixed width into a pipe."""
    return _Output(width=None if sys.stdout.isatty() else PIPED_WIDTH, highlight=False)


class _Output(Console):
    """A console that lets a closed pipe be known, where rich would leave with the exit code of a missed target."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def print_assessment(assessment: Assessment, console: Console, *, audience: str = CONFIDENTIAL) -> None:
    """Print an assessment: with colours and lines on a terminal, as plain text when piped; last, who may see it."""
    console.print(Text(answer(assessment)))
    for attribute in assessment.attributes:
        console.print()
        console.print(_three_numbers(attribute, plain=not console.is_terminal))
        console.print()
        console.print(_raw_measures(attribute, plain=not console.is_terminal))
        if attribute.riskiest:
            console.print()
            console.print(_riskiest_cells(attribute, plain=not console.is_terminal))
    if len(assessment.attributes) > 1:
        console.print()
        console.print(_homogeneous_attributes(assessment, plain=not console.is_terminal))
    people = assessment.attributes[0].people
    print_list("What the numbers take for granted", people.assumptions, console)
    print_list("What to keep in mind", dict.fromkeys((*people.caveats, *assessment.notes)), console)
    console.print()
    console.print(Text(audience, style="bold"))


def print_list(title: str, lines: Iterable[str], console: Console) -> None:
    """Print lines under a heading, each wrapped by itself."""
    grid = Table.grid(padding=(0, 1))
    for line in lines:
        grid.add_row("  -", Text(line))
    console.print(Text(f"\n{title}", style="bold"))
    console.print(grid)


def titled_table(title: str, *, plain: bool) -> Table:
    """Return an empty table: ruled on a terminal, bare in a pipe."""
    return Table(
        title=Text(title, style="bold"),
        title_justify="left",
        min_width=min(len(title) + 2, PIPED_WIDTH),
        box=None if plain else box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 2, 0, 0) if plain else (0, 1),
    )


def table_with_columns(
    title: str, headings: Sequence[str], *, plain: bool, words: Collection[int] = (0,), caption: str = ""
) -> Table:
    """Return a table without rows; the columns at the positions of ``words`` hold words, the others numbers."""
    table = titled_table(title, plain=plain)
    for position, heading in enumerate(headings):
        table.add_column(heading, justify="left" if position in words else "right")
    table.caption = Text(caption)
    table.caption_justify = "left"
    return table


def _three_numbers(attribute: AttributeAssessment, *, plain: bool) -> Table:
    """No release, this table, any table: one row per epsilon."""
    people, cells = attribute.people, attribute.cells
    table = titled_table(f"How much of {attribute.sensitive} the published counts give away", plain=plain)
    for heading in ("ε", "people disclosed", "cells disclosed", "true of random member", "any table", "own record"):
        table.add_column(heading, justify="right")
    own = np.atleast_1d(attribute.own_record.value_advantage)
    for row in sorted(
        zip(
            np.atleast_1d(people.mechanism["epsilon"]),
            np.atleast_1d(people.value),
            np.atleast_1d(cells.value),
            np.atleast_1d(attribute.precision),
            np.atleast_1d(people.any_table),
            own,
            strict=True,
        )
    ):
        # of no cell published with a single value, none is true and none is false
        table.add_row(
            f"{row[0]:g}", *("–" if np.isnan(number) else percent_under_noise(float(number)) for number in row[1:])
        )
    guessed = percent_at_least(people.no_release)
    table.caption = Text(
        f"Without a release, guessing the most common value is right for {guessed} of the people. "
        "Cells disclosed: cells that show a single value that at least one member really has. "
        "True of random member: of the cells published with a single value, those where a member picked at random "
        "has it. "
        "Any table: people disclosed in the worst table there could be. "
        "Own record: how much better than a coin anyone can tell which of two values a person has, "
        "from the part that person's own record plays."
    )
    table.caption_justify = "left"
    return table


def _raw_measures(attribute: AttributeAssessment, *, plain: bool) -> Table:
    """Return the measures everybody knows, of the unprotected table."""
    table = titled_table("The table as it is, unprotected", plain=plain)
    table.add_column("measure")
    table.add_column("value", justify="right")
    for name, value in _headline_measures(attribute.raw):
        table.add_row(name, value)
    return table


def _riskiest_cells(attribute: AttributeAssessment, *, plain: bool) -> Table:
    """Return the cells with the most people disclosed, by name."""
    epsilon = float(np.atleast_1d(attribute.people.mechanism["epsilon"])[0])
    title = f"Cells with the most people disclosed of their {attribute.sensitive}, at ε = {epsilon:g}"
    table = titled_table(title, plain=plain)
    for name in attribute.riskiest[0].cell:
        table.add_column(name)
    for heading in ("values", "chance", "people"):
        table.add_column(heading, justify="right")
    for cell in attribute.riskiest:
        values = ", ".join(f"{n:,} {value}" for value, n in cell.counts.items())
        people = f"{rounded_up(cell.people, 2):g}"
        table.add_row(*map(Text, cell.cell.values()), Text(values), percent_under_noise(cell.own_value), people)
    return table


def _homogeneous_attributes(assessment: Assessment, *, plain: bool) -> Table:
    """Return in how many cells how many attributes have a single value: complete and partial homogeneity."""
    table = titled_table("Sensitive attributes with a single value in a cell, raw", plain=plain)
    for heading in ("attributes", "cells", "people"):
        table.add_column(heading, justify="right")
    for row in assessment.homogeneous:
        table.add_row(f"{row.n_attributes}", f"{row.n_cells:,}", f"{row.n_records:,}")
    return table


def _from_to(prior: float, posterior: float) -> str:
    """Write a guess before, rounded down, and after, rounded up; what has not grown is not made to by rounding."""
    return f"{percent_at_least(prior)} → {ENGLISH.percent_beside(posterior, prior)}"


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
            _from_to(raw.inference.prior, raw.inference.posterior),
        ),
        ("person picked out: mean (marketer)", percent(raw.reidentification.marketer)),
    ]
