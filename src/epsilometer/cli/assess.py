"""``epsilometer assess``: what an attacker could learn from this table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from epsilometer.cli import options
from epsilometer.cli.exits import TARGET_MISSED
from epsilometer.cli.planning import planned, save_plan
from epsilometer.cli.progress import progress
from epsilometer.cli.reporting import report_target, work_out
from epsilometer.errors import OutOfRange

if TYPE_CHECKING:
    from epsilometer.assessments.assess import Assessment
    from epsilometer.assessments.counted import Counted
    from epsilometer.plans.plan import Plan
    from epsilometer.report.model import Report


def assess(
    table: options.PlannedTable = None,
    quasi_identifiers: options.QuasiIdentifiers = [],  # noqa: B006  (never changed)
    sensitive: options.Sensitive = [],  # noqa: B006
    *,
    epsilon: options.Epsilons = [],  # noqa: B006
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
    unit: options.UnitName = None,
    rows_per_person: options.RowsPerPerson = None,
    cells: Annotated[
        int, typer.Option(metavar="N", help="Also list the N cells with the most people disclosed.", min=0)
    ] = 0,
    plan: options.PlanFile = None,
    write_plan: options.WritePlan = None,
    report: options.Report = None,
    public: options.Public = False,
    language: options.LanguageName = "en",
    overwrite: options.Overwrite = False,
    fail_above: options.FailAbove = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Say what an attacker could learn if this table is published raw, or as counts with noise."""
    flags = {
        "table": table,
        "quasi_identifiers": quasi_identifiers,
        "sensitive": sensitive,
        "person_id": person_id,
        "types": types,
        "unit": unit,
        "rows_per_person": rows_per_person,
        "bins": bins,
        "where": where,
        "missing": missing,
        "mechanism": mechanism,
        "epsilon": epsilon,
        "delta": delta,
        "calibration": calibration,
        "adjacency": adjacency,
        "threshold": threshold,
    }
    asked = planned(flags, plan=plan, write_plan=write_plan, overwrite=overwrite)
    show(
        asked,
        cells=cells,
        report=report,
        public=public,
        language=language,
        write_plan=write_plan,
        overwrite=overwrite,
        fail_above=fail_above,
        as_json=as_json,
        quiet=quiet,
    )


def show(
    plan: Plan,
    *,
    cells: int,
    report: str | None,
    public: bool,
    language: str,
    write_plan: str | None,
    overwrite: bool,
    fail_above: float | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Assess a plan, print what came out, and leave with the exit code that the target asks for."""
    if fail_above is not None and not 0 <= fail_above <= 1:
        raise OutOfRange("--fail-above", fail_above, "[0, 1]", hint="It is a share of people.")
    target = report_target(report, public=public, language=language, overwrite=overwrite)
    with progress("Reading and counting the table", quiet=quiet):
        from epsilometer.assessments.assess import assess_counted
        from epsilometer.assessments.counted import counted

        counts = counted(plan)
        assessment = assess_counted(plan, counts, riskiest=cells)
    if target is not None:
        build = partial(_public, plan) if public else partial(_confidential, plan, assessment, counts)
        work_out(partial(build, language=language), target, overwrite=overwrite, quiet=quiet)
    save_plan(plan, write_plan, overwrite=overwrite)
    if as_json:
        from epsilometer.report.documents import as_document
        from epsilometer.report.sentences import answer

        typer.echo(as_document({**assessment.to_dict(), "answer": answer(assessment)}))
    else:
        from epsilometer.cli.rendering import BESIDE_A_PUBLIC_REPORT, print_assessment, standard_output
        from epsilometer.vocabulary.wording import CONFIDENTIAL

        audience = BESIDE_A_PUBLIC_REPORT.format(report=target) if public else CONFIDENTIAL
        print_assessment(assessment, standard_output(), audience=audience)
    if fail_above is not None:
        _judge(assessment, fail_above)


def _public(plan: Plan, language: str) -> Report:
    from epsilometer.report.building.public import public_report

    return public_report(plan, language=language)


def _confidential(plan: Plan, assessment: Assessment, counts: Counted, language: str) -> Report:
    from epsilometer.assessments.curves import risk_and_loss
    from epsilometer.assessments.exploring.risk_grid import THRESHOLDS, risk_grid
    from epsilometer.assessments.exploring.risk_spread import risk_spread
    from epsilometer.plans.release_kinds import Counts
    from epsilometer.report.building.counts import counts_report

    noise, freq = plan.released_as(Counts).mechanism, counts.tables[0]
    asked = noise.at(noise.epsilon[0]) if isinstance(noise.epsilon, tuple) else noise
    return counts_report(
        assessment,
        [risk_and_loss(freq, noise) for freq in counts.tables],
        spread=risk_spread(freq, asked),
        grids=[risk_grid(freq, asked, thresholds=(*THRESHOLDS, asked.threshold))],
        language=language,
    )


def _judge(assessment: Assessment, fail_above: float) -> None:
    import numpy as np

    risks = [attribute.people for attribute in assessment.attributes]
    worst, risk = max(((float(np.max(risk.value)), risk) for risk in risks), key=lambda pair: pair[0])
    epsilon = np.atleast_1d(risk.mechanism["epsilon"])[np.argmax(risk.value)]
    if worst > fail_above:
        words = f"{worst:.6f} of the people are disclosed at ε = {epsilon:g}, above {fail_above:g}."
        typer.echo(f"Target missed: {words}", err=True)
        raise typer.Exit(TARGET_MISSED)
