"""``epsilometer choose-without-looking``: epsilon from public numbers alone; no table is opened."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from epsilometer.cli import options
from epsilometer.cli.exits import INFEASIBLE
from epsilometer.cli.output import show
from epsilometer.cli.progress import progress
from epsilometer.cli.reporting import report_target, work_out
from epsilometer.errors import BadQuestion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.formulas.homogeneity import NegativeBinomial, Poisson
    from epsilometer.mechanisms import Mechanism

ANY_EPSILON: Final = 0.5  # the noise needs one before it is chosen; every calibration takes this
SIZES: Final = "a number of people, poisson:RATE or negative-binomial:R,P"


def choose_without_looking(
    *,
    n_values: Annotated[int, typer.Option("--values", metavar="K", help="Number of sensitive values.")],
    cell_size: Annotated[
        str,
        typer.Option(
            metavar="N | LAW",
            help="People in a cell: a number, or its law: poisson:20, or negative-binomial:2,0.1 for r and p.",
        ),
    ],
    max_risk: Annotated[float, typer.Option(metavar="SHARE", help="Largest acceptable risk, 0 to 1.")],
    max_loss: Annotated[
        float,
        typer.Option(metavar="DISTANCE", help="Largest mean total variation distance of a cell's shares, 0 to 1."),
    ],
    alpha: Annotated[
        str | None,
        typer.Option(metavar="A | A,B,…", help="Weights of the Dirichlet law of the shares of the values; 1 each."),
    ] = None,
    shares: Annotated[
        str | None, typer.Option(metavar="A,B,…", help="Or the shares of the values themselves: 0.7,0.3.")
    ] = None,
    risk: Annotated[
        str,
        typer.Option(help="What --max-risk is about: declared, such cells; any-table, the worst one; or own-record."),
    ] = "declared",
    mechanism: options.MechanismName = None,
    delta: options.Delta = None,
    calibration: options.Calibration = None,
    adjacency: options.AdjacencyName = None,
    threshold: options.Threshold = None,
    report: options.Report = None,
    language: options.LanguageName = "en",
    overwrite: options.Overwrite = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Find every epsilon that keeps risk and loss within their targets for a declared cell, looking at no table."""
    target = report_target(report, language=language, overwrite=overwrite)
    with progress("Simulating declared cells", quiet=quiet):
        from epsilometer.assessments.choose_without_looking import choose_without_looking as chosen
        from epsilometer.cli.choice_tables import print_choice

        noise = {"delta": delta, "calibration": calibration, "adjacency": adjacency, "threshold": threshold}
        weights = None if alpha is None else _numbers("--alpha", alpha)
        choice = chosen(
            n_values=n_values,
            cell_size=_cell_size(cell_size),
            max_risk=max_risk,
            max_loss=max_loss,
            mechanism=_mechanism(mechanism, noise),
            alpha=weights[0] if weights is not None and len(weights) == 1 else weights,
            shares=None if shares is None else _numbers("--shares", shares),
            risk=risk,
        )
    if target is not None:
        from epsilometer.report.building.choice import choice_report

        build = partial(choice_report, choice, language=language)
        work_out(build, target, overwrite=overwrite, quiet=quiet)
    show(choice.to_dict, partial(print_choice, choice), as_json=as_json)
    if choice.recommended is None:
        raise typer.Exit(INFEASIBLE)


def _cell_size(text: str) -> int | Poisson | NegativeBinomial:
    """Read ``20``, ``poisson:20`` or ``negative-binomial:2,0.1``."""
    from epsilometer.formulas.homogeneity import NegativeBinomial, Poisson

    law, colon, given = text.partition(":")
    if not colon and text.isdecimal():
        return int(text)
    numbers = _numbers("--cell-size", given) if colon else []
    match law, numbers:
        case "poisson", [rate]:
            return Poisson(rate)
        case "negative-binomial", [r, p]:
            return NegativeBinomial(r, p)
        case _:
            raise BadQuestion(f"--cell-size {text!r} is not {SIZES}.")


def _numbers(option: str, text: str) -> list[float]:
    """Read numbers with commas between them."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise BadQuestion(f"{option} takes numbers with commas between them, got {text!r}.") from None


def _mechanism(name: str | None, given: Mapping[str, Any]) -> Mechanism:
    from epsilometer.mechanisms.naming import mechanism_named

    settings = {setting: value for setting, value in given.items() if value is not None}
    return mechanism_named(name or "laplace", epsilon=ANY_EPSILON, **settings)
