"""``epsilometer choose``: the epsilon that meets a risk target and an accuracy target."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from epsilometer.cli import options
from epsilometer.cli.exits import INFEASIBLE
from epsilometer.cli.planning import mechanism_from, plan_from
from epsilometer.cli.progress import progress

ANY_EPSILON: Final = 0.5  # the noise needs one before it is chosen; every calibration takes this


def choose(
    table: options.Table,
    quasi_identifiers: options.QuasiIdentifiers,
    sensitive: options.Sensitive,
    *,
    max_risk: Annotated[float, typer.Option(metavar="SHARE", help="Largest share of people that may be disclosed.")],
    max_loss: Annotated[
        float,
        typer.Option(
            metavar="DISTANCE", help="Largest mean total variation distance of the 1- and 2-way shares, 0 to 1."
        ),
    ],
    mechanism: options.MechanismName = "laplace",
    delta: options.Delta = None,
    calibration: options.Calibration = None,
    adjacency: options.AdjacencyName = "add-remove",
    threshold: options.Threshold = 0.5,
    bins: options.Bins = [],  # noqa: B006  (never changed)
    where: options.Where = None,
    missing: options.Missing = [],  # noqa: B006
    person_id: options.PersonId = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Find every epsilon that keeps risk and loss within their targets, or say why there is none."""
    noise = mechanism_from(
        mechanism, epsilon=[ANY_EPSILON], delta=delta, calibration=calibration, adjacency=adjacency, threshold=threshold
    )
    plan = plan_from(
        table,
        quasi_identifiers=quasi_identifiers,
        sensitive=sensitive,
        person_id=person_id,
        bins=bins,
        where=where,
        missing=missing,
        mechanism=noise,
        max_risk=max_risk,
        max_loss=max_loss,
    )
    with progress("Counting the table and simulating releases", quiet=quiet):
        from epsilometer.assessments.choose import choose as chosen

        choice = chosen(plan)
    if as_json:
        from epsilometer.report.documents import as_document

        typer.echo(as_document(choice.to_dict()))
    else:
        from epsilometer.cli.rendering import print_choice, standard_output

        print_choice(choice, standard_output())
    if choice.recommended is None:
        raise typer.Exit(INFEASIBLE)
