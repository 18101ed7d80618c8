"""Samples on a terminal: the answer in words, then the numbers, then the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from rich.table import Table
from rich.text import Text

from epsilometer.cli.rendering import print_list, titled_table
from epsilometer.report.sentences import in_words
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.wording import CONFIDENTIAL, percent, percent_at_least

if TYPE_CHECKING:
    from rich.console import Console

    from epsilometer.vocabulary.sample_assessment import SampleAssessment, SampleCurves
    from epsilometer.vocabulary.sample_choice import SampleChoice
    from epsilometer.vocabulary.table_sample import GroupSample, TableSample

BAR: Final = 16  # characters of the longest bar
MODEL_ONLY: Final = "That is for an attacker and an analyst who do not know the shares of this table."
MORE_BELOW: Final = "What its own shares give away stands below, and can be more."
NAMES: Final = {
    "in": "known to be in the sample",
    "out": "known to be outside",
    "unknown": "not known to be either",
}


def print_choice(choice: SampleChoice, console: Console, *, from_table: bool) -> None:
    """Print which sizes meet the targets and what these mean, or why none does."""
    console.print(Text(choice.in_words))
    if from_table:
        console.print(Text(f"{MODEL_ONLY} {MORE_BELOW}" if choice else MODEL_ONLY))
    if not choice.ends:
        return
    table = titled_table("What the ends of that stretch mean", plain=not console.is_terminal)
    for heading in ("sample", "in the sample", "outside", "unknown", "analyst's error"):
        table.add_column(heading, justify="right")
    for end in choice.ends:
        chances = (end.inside, end.outside, end.unknown, end.loss)
        table.add_row(f"{end.sample:,}", *(_shown(chance) for chance in chances))
    console.print()
    console.print(table)


def print_sample(assessment: SampleAssessment, console: Console) -> None:
    """Print what publishing a sample means, and what other sizes would."""
    plain = not console.is_terminal
    console.print(Text(in_words(assessment)))
    console.print()
    console.print(_three_people(assessment.at_size, plain=plain))
    risk, loss = assessment.at_size.risks[0], assessment.at_size.loss
    print_list("What the numbers take for granted", dict.fromkeys((*risk.assumptions, *loss.assumptions[1:])), console)
    print_list("What to keep in mind", risk.caveats, console)


def print_sizes(assessment: SampleAssessment, console: Console) -> None:
    """Print risk and loss over the size of the sample."""
    console.print(_over_sizes(assessment, plain=not console.is_terminal))


def print_table_sample(found: TableSample, console: Console) -> None:
    """Print what a sample of a real table gives away: everybody, then the largest cells."""
    plain = not console.is_terminal
    console.print(Text(in_words(found)))
    console.print()
    console.print(_groups(found, plain=plain))
    print_list("What the numbers take for granted", found.assumptions, console)
    print_list("What to keep in mind", found.caveats, console)
    console.print()
    console.print(Text(CONFIDENTIAL, style="bold"))


def _three_people(found: SampleCurves, *, plain: bool) -> Table:
    table = titled_table("How often a person's value is named right", plain=plain)
    table.add_column("a person")
    for heading in ("no release", "this sample", "any table", "gained", "times", "known as"):
        table.add_column(heading, justify="right")
    for risk in found.risks:
        known = risk.evidence if risk.fraction is None else f"{risk.evidence}, {risk.fraction}"
        table.add_row(
            NAMES[risk.adversary],
            percent_at_least(risk.no_release),
            ENGLISH.percent_beside(float(np.asarray(risk.value)), risk.no_release),
            percent(float(np.asarray(risk.any_table))),
            percent(float(np.asarray(risk.additive_leakage))),
            f"{float(np.asarray(risk.multiplicative_leakage)):.3f}",
            known,
        )
    return table


def _over_sizes(assessment: SampleAssessment, *, plain: bool) -> Table:
    """Risk and loss over the size of the sample, with bars to look at."""
    curves = assessment.over_sizes
    table = titled_table("Other sizes", plain=plain)
    table.add_column("sample", justify="right")
    for risk in curves.risks:
        table.add_column({"in": "in", "out": "outside", "unknown": "unknown"}[risk.adversary], justify="right")
    table.add_column("risk (unknown)")
    table.add_column("error", justify="right")
    table.add_column("analyst's error")
    unknown = curves.risk("unknown") or curves.risks[0]
    risks, losses = np.asarray(unknown.value), np.asarray(curves.loss.value)
    columns = [np.asarray(risk.value) for risk in curves.risks]
    for i, size in enumerate(curves.loss.release.sizes):
        here = size == assessment.release.sample
        table.add_row(
            f"{size:,}",
            *(percent(float(column[i])) for column in columns),
            bar(float(risks[i]), 1.0),
            percent(float(losses[i])),
            bar(float(losses[i]), curves.loss.no_release),
            style="bold" if here else None,
        )
    table.caption = Text("Bars: risk from 0 to 100 %; error from 0 to what it is without a release.")
    table.caption_justify = "left"
    return table


def bar(value: float, whole: float) -> str:
    """Return a bar whose length is a share of the longest one.

    >>> bar(0.5, 1.0)
    '████████'
    """
    return "█" * round(BAR * value / whole) if whole else ""


def _groups(found: TableSample, *, plain: bool) -> Table:
    table = titled_table(f"{found.sensitive}: the table's own shares, and the prior on {found.prior}", plain=plain)
    for name in found.quasi_identifiers:
        table.add_column(name)
    headings = ("people", "sampled", "most common", "shares known: in", "outside", "prior: in", "outside", "error")
    for heading in headings:
        table.add_column(heading, justify="right")
    for group in (found.everybody, *found.cells):
        table.add_row(*_labels(group, found), *_numbers(group))
    rest = found.n_cells - len(found.cells)
    more = f" The {len(found.cells):,} largest of {found.n_cells:,} cells are shown." if rest else ""
    table.caption = Text(
        "Most common: share of the value that most people have, which is what an attacker who knows the shares names "
        "right without a release. Shares known: the same attacker after it, about a person in the sample and about "
        "one outside; “no more” is as much as without a release. Prior: an attacker who does not know the shares. "
        f"Error: expected distance of the sample's shares, read off as they are, from the true ones.{more}"
    )
    table.caption_justify = "left"
    return table


def _labels(group: GroupSample, found: TableSample) -> list[Text]:
    if not group.label:
        return [Text("everybody"), *(Text("") for _ in found.quasi_identifiers[1:])]
    return [Text(label) for label in group.label.values()]


def _numbers(group: GroupSample) -> list[str]:
    before = group.no_release
    return [
        f"{group.people:,}",
        f"{group.sampled:,}",
        percent_at_least(before),
        *(
            "–" if chance is None else ENGLISH.percent_beside(chance, before)
            for chance in (group.inside, group.outside)
        ),
        *map(_shown, (group.model_inside, group.model_outside, group.loss)),
    ]


def _shown(chance: float | None) -> str:
    return "–" if chance is None else percent(chance)
