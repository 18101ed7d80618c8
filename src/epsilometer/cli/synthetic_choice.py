"""``epsilometer choose --release synthetic``: make a few tables, measure them, read epsilon off the curves."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from epsilometer.cli.output import show
from epsilometer.cli.pictures import check_picture, write_picture
from epsilometer.cli.progress import progress
from epsilometer.cli.reporting import work_out
from epsilometer.errors import BadRoles

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from rich.console import Console
    from rich.table import Table

    from epsilometer.plans.plan import Plan
    from epsilometer.vocabulary.synthetic_choice import SyntheticChoice


class Telling(NamedTuple):
    """How what was chosen is told.

    Attributes:
        as_json: as the typed result instead of text.
        quiet: without signs of life.
        overwrite: replacing files that exist.
        report: also as a report in this file.
        language: of the report.
    """

    as_json: bool
    quiet: bool
    overwrite: bool
    report: Path | None
    language: str


def choose_for_synthetic(plan: Plan, telling: Telling, *, chart: Path | None, search: Mapping[str, Any]) -> Plan | None:
    """Choose epsilon for a synthetic table, and return the plan with it; ``search`` says how to look for it."""
    if len(plan.sensitive) != 1:
        given = len(plan.sensitive)
        raise BadRoles(f"A synthetic table is chosen for one sensitive column, got {given}. Name one with -s.")
    check_picture(chart, overwrite=telling.overwrite)
    with progress("Measuring synthetic tables", quiet=telling.quiet) as tell:
        from epsilometer.assessments.synthetic.choose import choose_synthetic
        from epsilometer.plans.release_kinds import Synthetic

        settings = plan.released_as(Synthetic)
        choice = choose_synthetic(
            plan.open(),
            quasi_identifiers=plan.quasi_identifiers,
            sensitive=plan.sensitive[0],
            max_risk=plan.max_risk,
            max_loss=plan.max_loss,
            method=settings.method,
            delta=settings.delta,
            domain=plan.domain,
            columns=settings.columns,
            bins=settings.n_bins,
            where=plan.where,
            tell=tell,
            **{name: value for name, value in search.items() if value not in (None, [])},
        )
    if chart is not None:
        write_picture(choice.plot(), chart, overwrite=telling.overwrite)
    if telling.report is not None:
        from epsilometer.report.building.synthetic_choice import synthetic_choice_report

        build = partial(synthetic_choice_report, choice, language=telling.language)
        work_out(build, telling.report, overwrite=telling.overwrite, quiet=telling.quiet)
    show(choice.to_dict, partial(_print, choice), as_json=telling.as_json)
    if choice.recommended is None:
        return None
    return replace(plan, release=replace(settings, epsilon=choice.recommended))


def _print(choice: SyntheticChoice, console: Console) -> None:
    from rich.text import Text

    from epsilometer.cli.rendering import print_list
    from epsilometer.vocabulary.wording import CONFIDENTIAL

    console.print(Text(choice.in_words))
    console.print()
    console.print(_runs(choice, plain=not console.is_terminal))
    print_list("How far the measurements support it", choice.support or (choice.binding,), console)
    print_list("What to keep in mind", choice.caveats, console)
    console.print()
    console.print(Text(CONFIDENTIAL, style="bold"))


def _runs(choice: SyntheticChoice, *, plain: bool) -> Table:
    """Return what the tables at each epsilon came to, with the fitted curves beside it."""
    import numpy as np

    from epsilometer.cli.rendering import table_with_columns

    raw = f"The table itself published as it is: {choice.raw:.4f}."
    guess = "" if choice.no_release is None else f" Without a release: {choice.no_release:.4f}."
    table = table_with_columns(
        f"Tables made by {choice.method}: {choice.risk.name}, and loss",
        ("ε", "risk, smallest to largest", "curve", "loss, smallest to largest", "curve"),
        plain=plain,
        words=(),
        caption=f"{raw}{guess} Curves: {choice.risk.family} for the risk, {choice.loss.family} for the loss.",
    )
    for epsilon in np.unique(choice.risk.epsilons):
        cells = []
        for curve in (choice.risk, choice.loss):
            seen = curve.values[curve.epsilons == epsilon]
            fitted = float(np.interp(np.log(epsilon), np.log(curve.grid), curve.curve))
            cells += [f"{seen.min():.4f} to {seen.max():.4f}", f"{fitted:.4f}"]
        table.add_row(f"{epsilon:g}", *cells)
    return table
