"""``epsilometer audit``: what a synthetic table gives away about its people, and what it is good for."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from epsilometer.cli import options
from epsilometer.cli.exits import TARGET_MISSED
from epsilometer.cli.output import show
from epsilometer.cli.pictures import check_picture, write_picture
from epsilometer.cli.progress import progress
from epsilometer.cli.reporting import report_target, work_out
from epsilometer.errors import BadQuestion, BadRoles


def audit(
    original: Annotated[str, typer.Argument(help="The table it was made from, and nobody else: file, glob or URL.")],
    synthetic: Annotated[str, typer.Argument(help="The synthetic table, with the same columns.")],
    *,
    holdout: Annotated[
        str | None,
        typer.Option(metavar="TABLE", help="People of the same kind whom it was not made from, chosen by chance."),
    ] = None,
    quasi_identifiers: options.QuasiIdentifiers = [],  # noqa: B006  (never changed)
    sensitive: options.Sensitive = [],  # noqa: B006
    columns: options.Columns = [],  # noqa: B006
    metric: Annotated[str | None, typer.Option(help="euclidean or gower; if not said, what fits the columns.")] = None,
    radius: Annotated[
        float | None, typer.Option(metavar="DISTANCE", help="The y of (y, p)-coverage; if not said, the median.")
    ] = None,
    model_attacker: Annotated[
        bool, typer.Option("--model-attacker", help="Also let an attacker train a model on the synthetic table.")
    ] = False,
    error_rate: Annotated[
        float, typer.Option(metavar="SHARE", help="How often the leak test may find a leak where there is none.")
    ] = 0.05,
    planted: Annotated[
        float, typer.Option(metavar="SHARE", help="Share of records to plant as copies, to see what can be found.")
    ] = 0.01,
    seed: Annotated[int, typer.Option(help="Seed of everything that chance decides.")] = 0,
    missing: options.Missing = [],  # noqa: B006
    types: options.Types = [],  # noqa: B006
    chart: Annotated[
        Path | None,
        typer.Option(metavar="FILE.svg", help="Also draw nearness next to held-out people: .svg, .png or .json."),
    ] = None,
    fail_on_leak: Annotated[bool, typer.Option("--fail-on-leak", help="Exit with 1 if a leak is found.")] = False,
    report: options.Report = None,
    language: options.LanguageName = "en",
    overwrite: options.Overwrite = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Say how near a synthetic table comes to real people, whether that is more than chance, and what it loses."""
    check_picture(chart, overwrite=overwrite)
    if chart is not None and holdout is None:
        raise BadQuestion("The chart shows the table next to held-out people. Give --holdout, or leave --chart out.")
    if fail_on_leak and holdout is None:
        raise BadQuestion("A leak is found by comparing with held-out people. Give --holdout with --fail-on-leak.")
    if len(sensitive) > 1:
        raise BadRoles(f"Guessing is tried for one sensitive column, got {len(sensitive)}. Name one with -s.")
    target = report_target(report, language=language, overwrite=overwrite)
    with progress("Auditing the synthetic table", quiet=quiet) as tell:
        from epsilometer.assessments.synthetic.audit import audit as audited
        from epsilometer.tables.types import parse_types

        found = audited(
            original,
            synthetic,
            holdout=holdout,
            quasi_identifiers=quasi_identifiers,
            sensitive=sensitive[0] if sensitive else None,
            columns=columns,
            metric=metric,  # type: ignore[arg-type]  # a word that is none is told so
            radius=radius,
            attackers=("look-up", "logistic model") if model_attacker else ("look-up",),
            error_rate=error_rate,
            planted_share=planted,
            seed=seed,
            missing=missing,
            types=parse_types(types),
            tell=tell,
        )
    if chart is not None and found.frame is not None:
        from epsilometer.charts.strangers import draw_strangers

        write_picture(draw_strangers(found.frame), chart, overwrite=overwrite)
    if target is not None:
        from epsilometer.report.building.audit import audit_report

        build = partial(audit_report, found, language=language)
        work_out(build, target, overwrite=overwrite, quiet=quiet)
    from epsilometer.cli.audit_tables import print_audit

    show(found.to_dict, partial(print_audit, found), as_json=as_json)
    if fail_on_leak and found.leak_found:
        raise typer.Exit(TARGET_MISSED)
