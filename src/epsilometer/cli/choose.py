"""``epsilometer choose``: the epsilon that meets a risk target and an accuracy target."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from epsilometer.cli import options
from epsilometer.cli.exits import INFEASIBLE
from epsilometer.cli.planning import mechanism_from, plan_from
from epsilometer.cli.progress import progress
from epsilometer.cli.synthetic_choice import choose_for_synthetic
from epsilometer.errors import BadQuestion, UnknownChoice

if TYPE_CHECKING:
    from collections.abc import Mapping

ANY_EPSILON: Final = 0.5  # the noise needs one before it is chosen; every calibration takes this


def choose(
    table: options.Table,
    quasi_identifiers: options.QuasiIdentifiers,
    sensitive: options.Sensitive,
    *,
    release: Annotated[str, typer.Option(help="What is to be published: counts or synthetic.")] = "counts",
    max_risk: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="counts: largest share of people that may be disclosed; synthetic: largest value of the measure.",
        ),
    ] = None,
    max_loss: Annotated[
        float | None,
        typer.Option(
            metavar="DISTANCE", help="Largest mean total variation distance of the 1- and 2-way shares, 0 to 1."
        ),
    ] = None,
    min_distance: Annotated[
        float | None,
        typer.Option(metavar="DISTANCE", help="synthetic: smallest median distance to the nearest original record."),
    ] = None,
    measure: Annotated[str, typer.Option(help="synthetic: inference, hitting-rate or nearest-distance.")] = "inference",
    method: options.Method = "mst",
    epsilons: Annotated[
        list[float], typer.Option("--epsilon", "-e", help="synthetic: an epsilon to make tables at; three or more.")
    ] = [],  # noqa: B006  (never changed)
    runs: Annotated[int, typer.Option(help="synthetic: number of tables made at each epsilon.")] = 3,
    domain: options.Domains = [],  # noqa: B006
    domain_table: options.DomainTable = None,
    columns: Annotated[
        list[str], typer.Option("--column", "-c", help="synthetic: another column that the table will have.")
    ] = [],  # noqa: B006
    n_bins: options.NumberOfBins = 20,
    seed: Annotated[int, typer.Option(help="synthetic: seed of the noise of the tables, which are not released.")] = 0,
    chart: Annotated[
        Path | None,
        typer.Option(metavar="FILE.svg", help="synthetic: also draw risk and loss over epsilon: .svg, .png or .json."),
    ] = None,
    mechanism: options.MechanismName = "laplace",
    delta: options.Delta = None,
    calibration: options.Calibration = None,
    adjacency: options.AdjacencyName = "add-remove",
    threshold: options.Threshold = 0.5,
    bins: options.Bins = [],  # noqa: B006  (never changed)
    where: options.Where = None,
    missing: options.Missing = [],  # noqa: B006
    person_id: options.PersonId = None,
    overwrite: options.Overwrite = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Find every epsilon that keeps risk and loss within their targets, or say why there is none."""
    if release == "synthetic":
        _check_unused({"--person-id": person_id, "--bin": bins, "--calibration": calibration}, release)
        choose_for_synthetic(
            table,
            quasi_identifiers,
            sensitive,
            chart=chart,
            overwrite=overwrite,
            as_json=as_json,
            quiet=quiet,
            about={
                "max_risk": max_risk,
                "max_loss": max_loss,
                "min_distance": min_distance,
                "measure": measure,
                "method": method,
                "epsilons": epsilons,
                "runs": runs,
                "delta": delta,
                "domain": domain,
                "public_table": domain_table,
                "columns": columns,
                "bins": n_bins,
                "where": where,
                "missing": missing,
                "seed": seed,
            },
        )
        return
    if release != "counts":
        raise UnknownChoice("release", release, ("counts", "synthetic"))
    unused = {"--min-distance": min_distance, "--epsilon": epsilons, "--domain": domain}
    _check_unused(unused | {"--domain-table": domain_table, "--column": columns, "--chart": chart}, release)
    noise = mechanism_from(
        mechanism, epsilon=[ANY_EPSILON], delta=delta, calibration=calibration, adjacency=adjacency, threshold=threshold
    )
    if max_risk is None or max_loss is None:
        raise BadQuestion("For counts give both targets, --max-risk and --max-loss.")
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


def _check_unused(given: Mapping[str, object], release: str) -> None:
    for option, value in given.items():
        if value:
            raise BadQuestion(f"{option} plays no part for a release of {release}. Leave it out.")
