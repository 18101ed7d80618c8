"""``epsilometer choose --release synthetic``: make a few tables, measure them, read epsilon off the curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from epsilometer.cli.domains import domain_from
from epsilometer.cli.exits import INFEASIBLE
from epsilometer.cli.pictures import check_picture, write_picture
from epsilometer.cli.progress import progress
from epsilometer.errors import BadRoles

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console
    from rich.table import Table

    from epsilometer.vocabulary.synthetic_choice import SyntheticChoice


def choose_for_synthetic(
    table: str,
    quasi_identifiers: list[str],
    sensitive: list[str],
    *,
    chart: Path | None,
    overwrite: bool,
    as_json: bool,
    quiet: bool,
    about: dict[str, Any],
) -> None:
    """Choose epsilon for a synthetic table; ``about`` holds what the question itself takes."""
    if len(sensitive) != 1:
        raise BadRoles(f"A synthetic table is chosen for one sensitive column, got {len(sensitive)}. Name one with -s.")
    check_picture(chart, overwrite=overwrite)
    given = {name: value for name, value in about.items() if value not in (None, [])}
    given["domain"] = domain_from(about["domain"])
    with progress("Measuring synthetic tables", quiet=quiet) as tell:
        from epsilometer.assessments.synthetic.choose import choose_synthetic

        choice = choose_synthetic(
            table, quasi_identifiers=quasi_identifiers, sensitive=sensitive[0], tell=tell, **given
        )
    if chart is not None:
        write_picture(choice.plot(), chart, overwrite=overwrite)
    if as_json:
        from epsilometer.report.documents import as_document

        typer.echo(as_document(choice.to_dict()))
    else:
        from epsilometer.cli.rendering import standard_output

        _print(choice, standard_output())
    if choice.recommended is None:
        raise typer.Exit(INFEASIBLE)


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
    from rich.text import Text

    from epsilometer.cli.rendering import titled_table

    table = titled_table(f"Tables made by {choice.method}: {choice.risk.name}, and loss", plain=plain)
    for heading in ("ε", "risk, smallest to largest", "curve", "loss, smallest to largest", "curve"):
        table.add_column(heading, justify="right")
    for epsilon in np.unique(choice.risk.epsilons):
        cells = []
        for curve in (choice.risk, choice.loss):
            seen = curve.values[curve.epsilons == epsilon]
            fitted = float(np.interp(np.log(epsilon), np.log(curve.grid), curve.curve))
            cells += [f"{seen.min():.4f} to {seen.max():.4f}", f"{fitted:.4f}"]
        table.add_row(f"{epsilon:g}", *cells)
    raw = f"The table itself published as it is: {choice.raw:.4f}."
    guess = "" if choice.no_release is None else f" Without a release: {choice.no_release:.4f}."
    table.caption = Text(f"{raw}{guess} Curves: {choice.risk.family} for the risk, {choice.loss.family} for the loss.")
    table.caption_justify = "left"
    return table
