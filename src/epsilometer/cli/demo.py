"""``epsilometer demo``: the whole way on the built-in example."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from epsilometer.cli import options
from epsilometer.cli.assess import show

if TYPE_CHECKING:
    from pathlib import Path


def demo(
    *,
    save: Annotated[
        str | None, typer.Option(metavar="FILE.csv", help="Also save the example table, to try `assess` on it.")
    ] = None,
    report: options.Report = None,
    public: options.Public = False,
    language: options.LanguageName = "en",
    overwrite: options.Overwrite = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Assess the built-in example: 2,400 invented hospital stays, no personal data."""
    from pathlib import Path

    from epsilometer.mechanisms import Laplace
    from epsilometer.plans.plan import Plan
    from epsilometer.plans.release_kinds import Counts
    from epsilometer.tables.example import example_table

    if save is not None:
        _save(Path(save), overwrite=overwrite)
    if not as_json:
        typer.echo("The built-in example: 2,400 invented hospital stays. No personal data.\n")
    plan = Plan(
        table=example_table(),
        quasi_identifiers=("age", "sex", "district", "admission"),
        sensitive=("reason",),
        bins={"age": 5},
        release=Counts(mechanism=Laplace(epsilon=(1.0, 0.1, 0.5, 2.0, 5.0, 10.0))),
    )
    show(
        plan,
        cells=0,
        report=report,
        public=public,
        language=language,
        write_plan=None,
        overwrite=overwrite,
        fail_above=None,
        as_json=as_json,
        quiet=quiet,
    )


def _save(path: Path, *, overwrite: bool) -> None:
    import io

    from pyarrow import csv

    from epsilometer.report.files import write_atomically
    from epsilometer.tables.example import example_table

    text = io.BytesIO()
    csv.write_csv(example_table(), text, csv.WriteOptions(quoting_style="needed"))
    write_atomically(path, text.getvalue(), overwrite=overwrite)
