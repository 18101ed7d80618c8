"""``epsilometer choose``: the epsilon, threshold or size that meets a risk target and an accuracy target."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from epsilometer.cli import options
from epsilometer.cli.exits import INFEASIBLE
from epsilometer.cli.output import show
from epsilometer.cli.planning import asked, kind_of, plan_of, save_plan
from epsilometer.cli.progress import progress
from epsilometer.cli.reporting import report_target, work_out
from epsilometer.cli.synthetic_choice import Telling, choose_for_synthetic
from epsilometer.errors import BadQuestion, UnknownChoice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from epsilometer.plans.plan import Plan
    from epsilometer.plans.reading import Source

CHOOSABLE: Final = ("counts", "sample", "synthetic")
ANY_EPSILON: Final = 0.5  # the noise needs one before it is chosen; every calibration takes this
ANY_SIZE: Final = 1
OF_NOISE: Final = {
    "mechanism": "--mechanism",
    "calibration": "--calibration",
    "adjacency": "--adjacency",
    "threshold": "--threshold",
}
OF_SYNTHETIC: Final = {
    "min_distance": "--min-distance",
    "measure": "--measure",
    "method": "--method",
    "epsilons": "--epsilon",
    "runs": "--runs",
    "domain": "--domain",
    "domain_table": "--domain-table",
    "columns": "--column",
    "n_bins": "--bins",
    "seed": "--seed",
    "chart": "--chart",
}
PLAYS_NO_PART: Final = {
    "counts": OF_SYNTHETIC,
    "sample": OF_SYNTHETIC | OF_NOISE | {"delta": "--delta"},
    "synthetic": OF_NOISE | {"parameter": "--parameter", "person_id": "--person-id", "bins": "--bin"},
}


def choose(
    table: options.PlannedTable = None,
    quasi_identifiers: options.QuasiIdentifiers = [],  # noqa: B006  (never changed)
    sensitive: options.Sensitive = [],  # noqa: B006
    *,
    release: Annotated[
        str | None, typer.Option(help="What is to be published: counts (default), sample or synthetic.")
    ] = None,
    parameter: Annotated[
        str | None, typer.Option(help="counts: what is chosen, epsilon (default), or threshold at one --epsilon.")
    ] = None,
    max_risk: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Largest share of people that may be disclosed (counts) or whose value may be named right (sample), "
            "or largest value of the measure (synthetic).",
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
    measure: Annotated[
        str | None, typer.Option(help="synthetic: inference (default), hitting-rate or nearest-distance.")
    ] = None,
    method: Annotated[
        str | None, typer.Option(help="synthetic: what makes the tables, mst if not said; see `synthesize`.")
    ] = None,
    epsilons: Annotated[
        list[float],
        typer.Option(
            "--epsilon",
            "-e",
            help="synthetic: an epsilon to make tables at; three or more. counts: the one of a threshold.",
        ),
    ] = [],  # noqa: B006  (never changed)
    runs: Annotated[
        int | None, typer.Option(help="synthetic: number of tables made at each epsilon, 3 if not said.")
    ] = None,
    domain: options.Domains = [],  # noqa: B006
    domain_table: options.DomainTable = None,
    columns: Annotated[
        list[str], typer.Option("--column", "-c", help="synthetic: another column that the table will have.")
    ] = [],  # noqa: B006
    n_bins: Annotated[
        int | None, typer.Option("--bins", help="synthetic: number of bins of a numeric column, 20 if not said.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="synthetic: seed of the noise of the tables, which are not released; 0 if not said."),
    ] = None,
    chart: Annotated[
        Path | None,
        typer.Option(metavar="FILE.svg", help="synthetic: also draw risk and loss over epsilon: .svg, .png or .json."),
    ] = None,
    mechanism: options.MechanismName = None,
    delta: options.Delta = None,
    calibration: options.Calibration = None,
    adjacency: options.AdjacencyName = None,
    threshold: options.Threshold = None,
    bins: options.Bins = [],  # noqa: B006  (never changed)
    where: options.Where = None,
    missing: options.Missing = [],  # noqa: B006
    person_id: options.PersonId = None,
    types: options.Types = [],  # noqa: B006
    unit: options.UnitName = None,
    rows_per_person: options.RowsPerPerson = None,
    plan: options.PlanFile = None,
    write_plan: Annotated[
        str | None,
        typer.Option("--write-plan", metavar="FILE.yaml", help="Also write a plan file with what is chosen."),
    ] = None,
    report: options.Report = None,
    language: options.LanguageName = "en",
    overwrite: options.Overwrite = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Find what keeps risk and loss within their targets, epsilon, threshold or size, or say why nothing does."""
    flags: dict[str, object] = {
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
        "domain": domain,
        "max_risk": max_risk,
        "max_loss": max_loss,
        "kind": release,
        "mechanism": mechanism,
        "delta": delta,
        "calibration": calibration,
        "adjacency": adjacency,
        "threshold": threshold,
        "method": method,
        "columns": columns,
        "n_bins": n_bins,
    }
    settings = asked(flags, plan=plan)
    kind = _choosable(settings)
    given = flags | {"parameter": parameter, "epsilons": epsilons, "domain_table": domain_table, "chart": chart}
    search: dict[str, object] = {"min_distance": min_distance, "measure": measure, "runs": runs, "seed": seed}
    _check_used(given | search, kind, parameter)
    if kind != "synthetic":
        settings = settings.over({"release": _stand_in(settings, kind, parameter, epsilons)})
    question = plan_of(settings, write_plan=write_plan, overwrite=overwrite)
    target = report_target(report, language=language, overwrite=overwrite)
    telling = Telling(as_json=as_json, quiet=quiet, overwrite=overwrite, report=target, language=language)
    if kind == "synthetic":
        chosen_plan = choose_for_synthetic(
            question,
            telling,
            chart=chart,
            search=search | {"epsilons": epsilons, "public_table": domain_table},
        )
    else:
        chosen_plan = _choose_by_counting(question, parameter, telling)
    if chosen_plan is None:
        raise typer.Exit(INFEASIBLE)
    save_plan(chosen_plan, write_plan, overwrite=overwrite)


def _choosable(settings: Source) -> str:
    """Return the kind of release, if something can be chosen for it."""
    kind = kind_of(settings)
    if kind not in CHOOSABLE:
        raise UnknownChoice("release", kind, CHOOSABLE)
    return str(kind)


def _check_used(given: Mapping[str, object], kind: str, parameter: str | None) -> None:
    """Refuse what was given and plays no part for this kind of release."""
    for name, option in PLAYS_NO_PART[kind].items():
        for_a_threshold = name == "epsilons" and parameter == "threshold"
        if given[name] not in (None, []) and not for_a_threshold:
            raise BadQuestion(f"{option} plays no part for a release of {kind}. Leave it out.")


def _stand_in(settings: Source, kind: str, parameter: str | None, epsilons: Sequence[float]) -> dict[str, object]:
    """Return what the release needs before its parameter is chosen: anything will do, but a threshold's epsilon."""
    if kind == "sample":
        return {"size": ANY_SIZE}
    if parameter != "threshold":
        return {"epsilon": ANY_EPSILON}
    if epsilons:
        return {"epsilon": epsilons[0] if len(epsilons) == 1 else list(epsilons)}
    planned = settings.data.get("release")
    if not isinstance(planned, dict) or "epsilon" not in planned:
        raise BadQuestion("A threshold is chosen at one epsilon. Give it with --epsilon.")
    return {}


def _choose_by_counting(plan: Plan, parameter: str | None, telling: Telling) -> Plan | None:
    """Choose for counts or a sample, show what was chosen, and return the plan with it."""
    if plan.max_risk is None or plan.max_loss is None:
        raise BadQuestion(f"For {plan.release.kind} give both targets, --max-risk and --max-loss.")
    with progress("Counting the table and simulating releases", quiet=telling.quiet):
        from epsilometer.assessments.choose import choose as chosen
        from epsilometer.cli.choice_tables import print_choice

        choice = chosen(plan, parameter=parameter)
    if telling.report is not None:
        from epsilometer.report.building.choice import choice_report

        build = partial(choice_report, choice, language=telling.language)
        work_out(build, telling.report, overwrite=telling.overwrite, quiet=telling.quiet)
    show(choice.to_dict, partial(print_choice, choice), as_json=telling.as_json)
    return None if choice.recommended is None else _with_choice(plan, choice.parameter, choice.recommended)


def _with_choice(plan: Plan, parameter: str, point: float) -> Plan:
    """Return the plan with what was chosen."""
    from epsilometer.assessments.choosing.axis import axis_named
    from epsilometer.plans.release_kinds import Counts, Sample

    if parameter == "size":
        return replace(plan, release=replace(plan.released_as(Sample), size=int(point)))
    counts = plan.released_as(Counts)
    return replace(plan, release=replace(counts, mechanism=axis_named(parameter, counts.mechanism).at(point)))
