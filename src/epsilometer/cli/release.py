"""``epsilometer release``: a real release, with real randomness, entered in the ledger before it appears."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from epsilometer.cli import options
from epsilometer.cli.ledger import LedgerFile
from epsilometer.cli.output import show
from epsilometer.cli.planning import asked, kind_of, plan_of, save_plan
from epsilometer.cli.progress import progress
from epsilometer.cli.reporting import check_apart, report_target, work_out
from epsilometer.errors import UnknownChoice
from epsilometer.releases.ledger import DEFAULT_LEDGER

KINDS: Final = ("counts", "sample", "synthetic", "local")


def release(
    table: options.PlannedTable = None,
    *,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Where to publish it: .csv or .parquet.")],
    kind: Annotated[str | None, typer.Option(help="counts (default), sample, synthetic or local.")] = None,
    quasi_identifiers: options.QuasiIdentifiers = [],  # noqa: B006  (never changed)
    sensitive: options.Sensitive = [],  # noqa: B006
    domain: Annotated[
        list[str],
        typer.Option(
            "--domain",
            metavar="COLUMN=LOW..HIGH | COLUMN=A,B,… | COLUMN=@FILE",
            help="What a column may hold, +other for further values, +missing if some lack one. For counts and local.",
        ),
    ] = [],  # noqa: B006
    epsilon: Annotated[
        list[float], typer.Option("--epsilon", "-e", help="Privacy parameter, 1 if not said. Smaller is safer.")
    ] = [],  # noqa: B006
    delta: options.Delta = None,
    mechanism: options.MechanismName = None,
    adjacency: options.AdjacencyName = None,
    threshold: options.Threshold = None,
    support: Annotated[
        str | None, typer.Option(help="counts: declared (default), or thresholded for those that occur and are many.")
    ] = None,
    support_delta: Annotated[
        float | None, typer.Option(metavar="CHANCE", help="thresholded: chance that one person makes a count listed.")
    ] = None,
    cells_per_person: Annotated[
        int | None, typer.Option(metavar="N", help="counts: the most counts that one person adds to; 1 if not said.")
    ] = None,
    post_processing: Annotated[
        list[str], typer.Option("--post-process", help="counts: non-negative, whole or totals; repeat for more.")
    ] = [],  # noqa: B006
    size: Annotated[int | None, typer.Option(metavar="ROWS", help="sample: number of rows.")] = None,
    strata: Annotated[
        list[str], typer.Option("--stratum", metavar="COLUMN", help="sample: draw the same part of each value.")
    ] = [],  # noqa: B006
    method: Annotated[str | None, typer.Option(help="synthetic: mst (default) or another method.")] = None,
    randomizer: Annotated[
        str | None, typer.Option(help="local: response (default), unary, exponential, laplace or gaussian.")
    ] = None,
    shuffled: Annotated[
        bool | None, typer.Option("--shuffle/--no-shuffle", help="local: put the reports into a random order.")
    ] = None,
    bins: options.Bins = [],  # noqa: B006
    where: options.Where = None,
    missing: options.Missing = [],  # noqa: B006
    person_id: options.PersonId = None,
    types: options.Types = [],  # noqa: B006
    unit: options.UnitName = None,
    rows_per_person: options.RowsPerPerson = None,
    dataset: options.DataSet = None,
    ledger: LedgerFile = DEFAULT_LEDGER,
    unsafe_seed: Annotated[
        int | None, typer.Option(help="counts, for tests only: noise that anybody can take away again.")
    ] = None,
    plan: options.PlanFile = None,
    write_plan: options.WritePlan = None,
    report: options.Report = None,
    language: options.LanguageName = "en",
    overwrite: options.Overwrite = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Publish counts with noise, a sample, a synthetic table or randomised reports, with a passport beside it."""
    if kind is not None and kind not in KINDS:
        raise UnknownChoice("kind", kind, KINDS)
    of_the_table = {
        "table": table,
        "dataset": dataset,
        "quasi_identifiers": quasi_identifiers,
        "sensitive": sensitive,
        "person_id": person_id,
        "types": types,
        "unit": unit,
        "rows_per_person": rows_per_person,
        "bins": bins,
        "where": where,
        "missing": missing,
        "domain": domain,
    }
    of_the_release = {
        "kind": kind,
        "epsilon": epsilon,
        "delta": delta,
        "mechanism": mechanism,
        "adjacency": adjacency,
        "threshold": threshold,
        "support": support,
        "support_delta": support_delta,
        "cells_per_person": cells_per_person,
        "post_processing": post_processing,
        "size": size,
        "strata": strata,
        "method": method,
        "randomizer": randomizer,
        "shuffled": shuffled,
    }
    settings = asked({**of_the_table, **of_the_release}, plan=plan)
    if kind_of(settings) == "local":
        settings = settings.over({"quasi_identifiers": settings.data.get("quasi_identifiers", ())})
    wanted = plan_of(settings, write_plan=write_plan, overwrite=overwrite)
    target = report_target(report, language=language, overwrite=overwrite)
    if target is not None:
        from epsilometer.releases.release import PAGE, PASSPORT, beside

        check_apart(target, beside(out, PASSPORT), beside(out, PAGE))
    with progress("Making the release", quiet=quiet) as tell:
        from epsilometer.releases.release import carry_out

        released = carry_out(wanted, out=out, ledger=ledger, overwrite=overwrite, seed=unsafe_seed, tell=tell)
    save_plan(wanted, write_plan, overwrite=overwrite)
    if target is not None:
        from epsilometer.report.building.release import release_report

        build = partial(release_report, released, language=language)
        work_out(build, target, overwrite=overwrite, quiet=quiet)
    from epsilometer.cli.release_tables import print_release

    show(released.to_dict, partial(print_release, released, out), as_json=as_json)
