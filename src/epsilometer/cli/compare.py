"""``epsilometer compare``: kinds of release of one table on one chart of risk and loss."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from epsilometer.cli import options
from epsilometer.cli.exits import INFEASIBLE
from epsilometer.cli.output import show
from epsilometer.cli.pictures import check_picture, write_picture
from epsilometer.cli.planning import planned
from epsilometer.cli.progress import progress
from epsilometer.cli.reporting import report_target, work_out
from epsilometer.errors import BadQuestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from epsilometer.plans.plan import Plan

OPTIONS: Final = {
    "bins": "--bin",
    "where": "--where",
    "missing": "--missing",
    "person_id": "--person-id",
    "types": "--type",
    "domain": "--domain",
}


def compare(
    sources: Annotated[
        list[str], typer.Argument(metavar="PLAN… | TABLE", help="Plan files; or one table, with -q and -s.")
    ],
    *,
    quasi_identifiers: options.QuasiIdentifiers = [],  # noqa: B006  (never changed)
    sensitive: options.Sensitive = [],  # noqa: B006
    kinds: Annotated[
        list[str],
        typer.Option("--kind", help="With one plan or a table: counts, sample, synthetic, local or raw; all if none."),
    ] = [],  # noqa: B006
    methods: Annotated[
        list[str],
        typer.Option("--method", help="With one plan or a table: how synthetic tables are made; repeat for more."),
    ] = [],  # noqa: B006
    max_risk: Annotated[
        float | None,
        typer.Option(
            metavar="PROBABILITY", help="Largest chance that an attacker names a random person's value right."
        ),
    ] = None,
    max_loss: Annotated[
        float | None,
        typer.Option(
            metavar="DISTANCE", help="Largest mean total variation distance of the 1- and 2-way shares, 0 to 1."
        ),
    ] = None,
    bins: options.Bins = [],  # noqa: B006
    where: options.Where = None,
    missing: options.Missing = [],  # noqa: B006
    person_id: options.PersonId = None,
    types: options.Types = [],  # noqa: B006
    domain: options.Domains = [],  # noqa: B006
    repeats: Annotated[int, typer.Option(help="Number of releases simulated for each point, at most.")] = 30,
    runs: Annotated[int, typer.Option(help="Number of synthetic tables made for each point.")] = 5,
    seed: Annotated[int, typer.Option(help="Seed of everything that chance decides. Nothing is released.")] = 0,
    chart: Annotated[
        Path | None, typer.Option(metavar="FILE.svg", help="Also draw the chart: .svg, .png or .json.")
    ] = None,
    report: options.Report = None,
    language: options.LanguageName = "en",
    overwrite: options.Overwrite = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Compare samples, noisy counts, synthetic tables, local reports and the raw table by one risk and one loss."""
    check_picture(chart, overwrite=overwrite)
    target = report_target(report, language=language, overwrite=overwrite)
    targets = {"max_risk": max_risk, "max_loss": max_loss}
    reading = {
        "bins": bins,
        "where": where,
        "missing": missing,
        "person_id": person_id,
        "types": types,
        "domain": domain,
    }
    roles = {"quasi_identifiers": quasi_identifiers, "sensitive": sensitive}
    if any(roles.values()):
        plans = [_of_table(sources, {**roles, **reading, **targets})]
    else:
        plans = _of_files(sources, reading, targets)
    if len(plans) > 1 and (kinds or methods):
        raise BadQuestion(
            "--kind and --method go with one plan or a table; several plans say for themselves what they are."
        )
    with progress("Comparing releases", quiet=quiet) as tell:
        from epsilometer.assessments.currency.compare import compare as compared
        from epsilometer.assessments.currency.compare import compare_kinds
        from epsilometer.plans.release_kinds import KINDS

        chance = {"repeats": repeats, "runs": runs, "seed": seed}
        if len(plans) > 1:
            found = compared(plans, **chance, tell=tell)
        else:
            found = compare_kinds(plans[0], kinds or KINDS, methods=methods, **chance, tell=tell)
    if chart is not None:
        write_picture(found.plot(), chart, overwrite=overwrite)
    if target is not None:
        from epsilometer.report.building.frontier import frontier_report

        build = partial(frontier_report, found, language=language)
        work_out(build, target, overwrite=overwrite, quiet=quiet)
    from epsilometer.cli.compare_tables import print_frontier

    show(found.to_dict, partial(print_frontier, found), as_json=as_json)
    if found.has_targets and found.recommended is None:
        raise typer.Exit(INFEASIBLE)


def _of_table(sources: Sequence[str], flags: Mapping[str, object]) -> Plan:
    """Return a plan that says how to read a table, and nothing of what is published."""
    if len(sources) > 1:
        raise BadQuestion(f"With -q and -s name one table, got {len(sources)}. Plan files say their own roles.")
    return planned({"table": sources[0], **flags, "kind": "raw"}, plan=None, write_plan=None, overwrite=False)


def _of_files(paths: Sequence[str], reading: Mapping[str, object], targets: Mapping[str, float | None]) -> list[Plan]:
    """Read plan files, and put the targets over theirs."""
    from epsilometer.plans.files import read_plan

    for name, value in reading.items():
        if value:
            raise BadQuestion(
                f"{OPTIONS[name]} plays no part beside plan files. Say it in the plans, or name a table with -q and -s."
            )
    return [_with_targets(read_plan(path), **targets) for path in paths]


def _with_targets(plan: Plan, *, max_risk: float | None, max_loss: float | None) -> Plan:
    return replace(
        plan,
        max_risk=plan.max_risk if max_risk is None else max_risk,
        max_loss=plan.max_loss if max_loss is None else max_loss,
    )
