"""``epsilometer assess``: what an attacker could learn from this table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from epsilometer.cli import options
from epsilometer.cli.exits import TARGET_MISSED
from epsilometer.cli.progress import progress
from epsilometer.errors import OutOfRange

if TYPE_CHECKING:
    from epsilometer.assessments.assess import Assessment
    from epsilometer.assessments.plan import Plan


def assess(
    table: Annotated[
        str, typer.Argument(help="File, glob or database URL: people.csv, 'data/*.parquet', sqlite:///x.db::t.")
    ],
    quasi_identifiers: options.QuasiIdentifiers,
    sensitive: options.Sensitive,
    *,
    epsilon: options.Epsilons = [1.0],  # noqa: B006  (never changed)
    mechanism: options.MechanismName = "laplace",
    delta: options.Delta = None,
    calibration: options.Calibration = None,
    adjacency: options.AdjacencyName = "add-remove",
    threshold: options.Threshold = 0.5,
    bins: options.Bins = [],  # noqa: B006
    where: options.Where = None,
    missing: options.Missing = [],  # noqa: B006
    person_id: options.PersonId = None,
    fail_above: options.FailAbove = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Say what an attacker could learn if this table is published raw, or as counts with noise."""
    from epsilometer.assessments.plan import Plan
    from epsilometer.mechanisms.naming import mechanism_named
    from epsilometer.tables.bins import parse_bin

    plan = Plan(
        table=table,
        quasi_identifiers=tuple(quasi_identifiers),
        sensitive=tuple(sensitive),
        person_id=person_id,
        bins=dict(parse_bin(text) for text in bins),
        where=where,
        missing=tuple(missing),
        mechanism=mechanism_named(
            mechanism,
            epsilon=tuple(epsilon) if len(epsilon) > 1 else epsilon[0],
            delta=delta,
            adjacency=adjacency,
            threshold=threshold,
            calibration=calibration,
        ),
    )
    show(plan, fail_above=fail_above, as_json=as_json, quiet=quiet)


def show(plan: Plan, *, fail_above: float | None, as_json: bool, quiet: bool) -> None:
    """Assess a plan, print what came out, and leave with the exit code that the target asks for."""
    if fail_above is not None and not 0 <= fail_above <= 1:
        raise OutOfRange("--fail-above", fail_above, "[0, 1]", hint="It is a share of people.")
    with progress("Reading and counting the table", quiet=quiet):
        from epsilometer.assessments.assess import assess as assessed

        assessment = assessed(plan)
    if as_json:
        from epsilometer.report.documents import as_json_text

        typer.echo(as_json_text(assessment))
    else:
        from epsilometer.cli.rendering import print_assessment, standard_output

        print_assessment(assessment, standard_output())
    if fail_above is not None:
        _judge(assessment, fail_above)


def _judge(assessment: Assessment, fail_above: float) -> None:
    import numpy as np

    worst = max(float(np.max(attribute.people.value)) for attribute in assessment.attributes)
    if worst > fail_above:
        typer.echo(f"Target missed: {worst:.6f} of the people are disclosed, above {fail_above:g}.", err=True)
        raise typer.Exit(TARGET_MISSED)
