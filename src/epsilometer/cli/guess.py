"""``epsilometer guess``: epsilon from a guessing advantage, and the advantage from epsilon."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from epsilometer.cli import options
from epsilometer.cli.output import show
from epsilometer.cli.progress import progress
from epsilometer.cli.reporting import report_target, work_out
from epsilometer.errors import BadQuestion, BadRoles, OutOfRange, UnknownChoice

if TYPE_CHECKING:
    from rich.console import Console

    from epsilometer.vocabulary.guess import Guess

MOST_SHOWN: Final = 20  # fields
GROUP: Final = re.compile(r"(\d+)/(\d+)")


def guess(
    table: Annotated[str | None, typer.Argument(help="A table to read the groups from.")] = None,
    *,
    advantage: Annotated[
        float | None, typer.Option("--advantage", "-a", help="By how much the chance of a right guess may rise.")
    ] = None,
    epsilon: Annotated[
        float | None, typer.Option("--epsilon", "-e", help="Ask for the advantage at this epsilon per unit instead.")
    ] = None,
    group: Annotated[
        list[str], typer.Option("--group", "-g", metavar="K/N", help="k of n, such as 23/365; repeat for more fields.")
    ] = [],  # noqa: B006  (never changed)
    prior: Annotated[
        list[float], typer.Option("--prior", "-p", help="Chance of a right guess without a release, instead of groups.")
    ] = [],  # noqa: B006
    event: Annotated[str, typer.Option(help="What the attacker wants: single, all or any of the fields.")] = "single",
    sensitivity: Annotated[
        list[float], typer.Option("--sensitivity", "-r", help="Range of the fields: one for all, or one for each.")
    ] = [1.0],  # noqa: B006
    method: Annotated[str, typer.Option(help="exact, or published: the paper as printed.")] = "exact",
    released: Annotated[str, typer.Option(help="separately, or jointly by one mechanism.")] = "separately",
    column: Annotated[
        list[str], typer.Option("--column", "-c", help="With a table: a column to be guessed; repeat for more.")
    ] = [],  # noqa: B006
    by: Annotated[list[str], typer.Option("--by", "-b", help="With a table: a column that makes the groups.")] = [],  # noqa: B006
    declared: Annotated[
        list[str],
        typer.Option("--range", metavar="COLUMN=LOW:HIGH", help="With a table: declared range of a column."),
    ] = [],  # noqa: B006
    where: options.Where = None,
    missing: options.Missing = [],  # noqa: B006
    types: options.Types = [],  # noqa: B006
    report: options.Report = None,
    language: options.LanguageName = "en",
    overwrite: options.Overwrite = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Find the epsilon that keeps an attacker's guess from getting better than it may, or the other way round."""
    if (advantage is None) == (epsilon is None):
        given = "neither was" if advantage is None else "both were"
        raise BadQuestion(f"Give --advantage to find epsilon, or --epsilon to find the advantage; {given} given.")
    if epsilon is not None and method != "exact":
        raise UnknownChoice("method", method, ["exact"], hint="The printed formulas give epsilon, not the advantage.")
    if table is None and (column or by or declared or where or missing or types):
        raise BadRoles("--column, --by, --range, --where, --missing and --type are about a table. Name it.")
    if table is not None and (group or prior or sensitivity != [1.0]):
        raise BadRoles("The groups and ranges are those of the table. Leave out --group, --prior and --sensitivity.")
    target = report_target(report, language=language, overwrite=overwrite)
    about: dict[str, Any] = {"event": event, "released": released}
    caveats: tuple[str, ...] = ()
    if table is None:
        about |= {"groups": [_group(text) for text in group] or None, "priors": prior or None}
        about["sensitivity"] = sensitivity[0] if len(sensitivity) == 1 else sensitivity
    else:
        with progress("Counting the groups", quiet=quiet):
            from epsilometer.assessments.guessing.table import guessed_columns
            from epsilometer.tables.types import parse_types

            ranges = dict(_range(text) for text in declared)
            read: dict[str, Any] = {"where": where, "missing": missing, "types": parse_types(types)}
            found = guessed_columns(table, column, by=by, ranges=ranges, **read)
        about |= {"groups": found.groups, "sensitivity": found.sensitivity, "names": found.names}
        caveats = found.caveats
    from epsilometer.assessments.guessing.advantage import advantage_at, epsilon_for_advantage

    if advantage is not None:
        result = epsilon_for_advantage(advantage, method=method, **about)
    else:
        result = advantage_at(epsilon or 0.0, **about)
    result = replace(result, caveats=(*result.caveats, *caveats))
    if target is not None:
        from epsilometer.report.building.guess import guess_report

        build = partial(guess_report, result, of_table=table is not None, language=language)
        work_out(build, target, overwrite=overwrite, quiet=quiet)
    show(result.to_dict, partial(_print, result, of_table=table is not None), as_json=as_json)


def _group(text: str) -> tuple[int, int]:
    found = GROUP.fullmatch(text.strip())
    if found is None:
        raise OutOfRange("group", text, "k/n", hint="Such as 23/365.")
    return int(found[1]), int(found[2])


def _range(text: str) -> tuple[str, tuple[float, float]]:
    column, _, ends = text.rpartition("=")
    try:
        low, high = (float(end) for end in ends.split(":"))
    except ValueError:
        raise OutOfRange("range", text, "column=low:high", hint="Such as age=0:120.") from None
    return column, (low, high)


def _print(result: Guess, console: Console, *, of_table: bool) -> None:
    from rich.text import Text

    from epsilometer.cli.rendering import print_list, table_with_columns
    from epsilometer.vocabulary.wording import CONFIDENTIAL, percent

    console.print(Text(result.in_words, style="bold" if result.no_noise else ""))
    more = len(result.fields) - MOST_SHOWN
    table = table_with_columns(
        "What is guessed",
        ("field", "k", "n", "no release", "range"),
        plain=not console.is_terminal,
        caption=f"And {more:,} more." if more > 0 else "",
    )
    for field in result.fields[:MOST_SHOWN]:
        table.add_row(
            Text(field.name), _number(field.k), _number(field.n), percent(field.prior), f"{field.sensitivity:g}"
        )
    console.print()
    console.print(table)
    print_list("What the numbers take for granted", result.assumptions, console)
    if result.caveats:
        print_list("What to keep in mind", result.caveats, console)
    if of_table:
        console.print()
        console.print(Text(CONFIDENTIAL, style="bold"))


def _number(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"
