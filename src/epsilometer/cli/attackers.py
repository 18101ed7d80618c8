"""``epsilometer attackers``: who breaks a target knowing least, and which column helps most."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epsilometer.cli import options
from epsilometer.cli.exits import TARGET_MISSED
from epsilometer.cli.output import show
from epsilometer.cli.pictures import check_picture, write_picture
from epsilometer.cli.planning import planned, save_plan
from epsilometer.cli.progress import progress
from epsilometer.cli.reporting import report_target, work_out
from epsilometer.errors import BadQuestion

if TYPE_CHECKING:
    from collections.abc import Sequence


def attackers(
    table: options.PlannedTable = None,
    *,
    quasi_identifiers: options.QuasiIdentifiers = [],  # noqa: B006  (never changed)
    sensitive: options.Sensitive = [],  # noqa: B006
    max_risk: Annotated[
        float | None, typer.Option(metavar="SHARE", help="Largest share of people whose value may be named right.")
    ] = None,
    max_known: Annotated[
        float, typer.Option(metavar="N", help="The most an attacker may know: columns or, with --cost, a total cost.")
    ] = 3,
    costs: Annotated[
        list[str], typer.Option("--cost", metavar="COLUMN=COST", help="How hard a column is to know; 1 if not said.")
    ] = [],  # noqa: B006
    epsilon: Annotated[
        list[float],
        typer.Option("--epsilon", "-e", help="Attack counts with noise of this privacy parameter, not the raw table."),
    ] = [],  # noqa: B006
    mechanism: options.MechanismName = None,
    delta: options.Delta = None,
    calibration: options.Calibration = None,
    adjacency: options.AdjacencyName = None,
    threshold: options.Threshold = None,
    bins: options.Bins = [],  # noqa: B006
    where: options.Where = None,
    missing: options.Missing = [],  # noqa: B006
    person_id: options.PersonId = None,
    types: options.Types = [],  # noqa: B006
    plan: options.PlanFile = None,
    write_plan: options.WritePlan = None,
    chart: Annotated[
        Path | None,
        typer.Option(metavar="FILE.svg", help="Also draw every attacker looked at: .svg, .png or .json."),
    ] = None,
    report: options.Report = None,
    language: options.LanguageName = "en",
    overwrite: options.Overwrite = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Find the least that somebody must know of a person to break a target. Exits with 1 if somebody does."""
    check_picture(chart, overwrite=overwrite)
    target = report_target(report, language=language, overwrite=overwrite)
    costs_given = _costs(costs)
    noise: dict[str, object] = {
        "epsilon": epsilon,
        "mechanism": mechanism,
        "delta": delta,
        "calibration": calibration,
        "adjacency": adjacency,
        "threshold": threshold,
    }
    asked: dict[str, object] = {
        "table": table,
        "quasi_identifiers": quasi_identifiers,
        "sensitive": sensitive,
        "person_id": person_id,
        "types": types,
        "bins": bins,
        "where": where,
        "missing": missing,
        "max_risk": max_risk,
        "kind": _kind(plan, noisy=any(value not in (None, []) for value in noise.values())),
    }
    used = planned(asked | noise, plan=plan, write_plan=write_plan, overwrite=overwrite)
    with progress("Looking for attackers", quiet=quiet) as tell:
        from epsilometer.assessments.attackers.find import find_attackers

        found = find_attackers(used, max_known=max_known, costs=costs_given, tell=tell)
    save_plan(used, write_plan, overwrite=overwrite)
    if chart is not None:
        write_picture(found.plot(), chart, overwrite=overwrite)
    if target is not None:
        from epsilometer.report.building.attackers import attackers_report

        build = partial(attackers_report, found, language=language)
        work_out(build, target, overwrite=overwrite, quiet=quiet)
    from epsilometer.cli.attackers_tables import print_attackers

    show(found.to_dict, partial(print_attackers, found), as_json=as_json)
    if found.breaking:
        raise typer.Exit(TARGET_MISSED)


def _kind(plan: str | None, *, noisy: bool) -> str | None:
    """Say what is released: what the plan says, unless a flag about noise asks for counts."""
    if noisy:
        return "counts"
    return "raw" if plan is None else None


def _costs(given: Sequence[str]) -> dict[str, float]:
    """Read costs such as ``age=2``."""
    costs = {}
    for text in given:
        column, _, cost = text.rpartition("=")
        try:
            costs[column] = float(cost)
        except ValueError:
            column = ""
        if not column:
            raise BadQuestion(f"--cost takes COLUMN=COST such as age=2; got {text!r}.")
    return costs
