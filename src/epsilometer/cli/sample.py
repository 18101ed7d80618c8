"""``epsilometer sample``: what publishing a random sample gives away, and which size meets the targets."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from epsilometer.cli import options
from epsilometer.cli.exits import INFEASIBLE
from epsilometer.cli.pictures import check_picture, write_picture
from epsilometer.cli.progress import progress
from epsilometer.cli.reporting import report_target, work_out
from epsilometer.errors import BadQuestion, BadRoles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rich.console import Console

    from epsilometer.assessments.counted import Counted
    from epsilometer.mechanisms import Mechanism
    from epsilometer.report.model import Report
    from epsilometer.vocabulary.sample_assessment import SampleAssessment
    from epsilometer.vocabulary.sample_choice import SampleChoice
    from epsilometer.vocabulary.table_sample import TableSample

Targets = dict[str, Any]


class _Part(NamedTuple):
    """One result: as a document, and on a terminal."""

    document: dict[str, Any]
    show: Callable[[Console], None]


def sample(
    table: Annotated[
        str | None, typer.Argument(help="A table to take the people, the values and their shares from.")
    ] = None,
    quasi_identifiers: options.QuasiIdentifiers = [],  # noqa: B006  (never changed)
    sensitive: options.Sensitive = [],  # noqa: B006
    *,
    population: Annotated[
        int | None, typer.Option("--population", "-n", help="Number of people, without a table.")
    ] = None,
    size: Annotated[int | None, typer.Option("--sample", "-m", help="Number of people in the sample.")] = None,
    adversary: Annotated[
        str | None,
        typer.Option(help="Whose risk --max-risk is about: in, out or unknown (is the target in the sample?)."),
    ] = None,
    prior: Annotated[
        str, typer.Option(help="Belief about the shares: frequencies, datasets, or the strength of a Dirichlet.")
    ] = "frequencies",
    values: Annotated[
        int | None, typer.Option("--values", "-k", help="Number of values, without a table; two if not said.")
    ] = None,
    max_risk: Annotated[
        float | None, typer.Option(metavar="PROBABILITY", help="Find the sizes that keep the risk at or below this.")
    ] = None,
    max_loss: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="Find the sizes that keep the analyst's error at or below this."),
    ] = None,
    max_gap: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="Find the sizes at which being drawn raises the risk by at most this."),
    ] = None,
    epsilon: Annotated[
        float | None, typer.Option("--epsilon", "-e", help="Put noise on the histogram, with this privacy parameter.")
    ] = None,
    mechanism: options.MechanismName = None,
    delta: options.Delta = None,
    calibration: options.Calibration = None,
    adjacency: options.AdjacencyName = None,
    bins: options.Bins = [],  # noqa: B006
    where: options.Where = None,
    missing: options.Missing = [],  # noqa: B006
    person_id: options.PersonId = None,
    types: options.Types = [],  # noqa: B006
    chart: Annotated[
        Path | None,
        typer.Option(metavar="FILE.svg", help="Also draw risk and loss over the size: .svg, .png or .json."),
    ] = None,
    report: options.Report = None,
    language: options.LanguageName = "en",
    overwrite: options.Overwrite = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Say how well an attacker names a person's value once a random sample is published, or choose its size."""
    targets: Targets = {"max_risk": max_risk, "max_loss": max_loss, "max_gap": max_gap}
    _check(table, population, size, targets, epsilon)
    if adversary is not None and size is not None:
        raise BadQuestion("--adversary is about --max-risk; with --sample all three are shown. Leave it out.")
    unused = (
        {"--values": values}
        if table is not None
        else {
            "-q": quasi_identifiers,
            "-s": sensitive,
            "--bin": bins,
            "--where": where,
            "--missing": missing,
            "--person-id": person_id,
            "--type": types,
        }
    )
    _check_unused(unused, table)
    _check_noise(epsilon, mechanism, delta, calibration)
    check_picture(chart, overwrite=overwrite)
    target = report_target(report, language=language, overwrite=overwrite)
    noise = None if epsilon is None else _noise(epsilon, mechanism, delta, calibration, adjacency)
    counted_table = None
    if table is not None:
        counted_table = _counted(
            table,
            quasi_identifiers=quasi_identifiers,
            sensitive=sensitive,
            bins=bins,
            where=where,
            missing=missing,
            person_id=person_id,
            types=types,
            quiet=quiet,
        )
        freq = counted_table.tables[0]
        population, values = freq.n_records, max(2, freq.n_values)
    about: dict[str, Any] = {
        "population": population,
        "prior": _belief(prior),
        "n_values": 2 if values is None else values,
    }
    choice = assessment = found = None
    if size is None:
        with progress("Searching for the sizes that meet the targets", quiet=quiet):
            from epsilometer.assessments.sampling.choose import choose_sample

            choice = choose_sample(adversary=adversary or "unknown", **targets, **about)
            size = choice.recommended
    parts = [] if choice is None else [_choice_part(choice, from_table=counted_table is not None)]
    if size is not None:
        with progress("Working out the sample", quiet=quiet):
            from epsilometer.assessments.sampling.assess import assess_sample

            assessment = assess_sample(sample=size, mechanism=noise, **about)
            if noise is not None or not (choice or counted_table):
                parts.append(_assessment_part(assessment))
            if counted_table is not None:
                found = _of_table(counted_table, size, _belief(prior))
                parts.append(_table_part(found))
            parts.append(_sizes_part(assessment))
        if chart is not None:
            write_picture(assessment.plot(), chart, overwrite=overwrite)
    if target is not None:
        build = partial(_report, choice, assessment, found, language, from_table=counted_table is not None)
        work_out(build, target, overwrite=overwrite, quiet=quiet)
    _show(parts, as_json=as_json)
    if size is None:
        raise typer.Exit(INFEASIBLE)


def _check(
    table: str | None, population: int | None, size: int | None, targets: Targets, epsilon: float | None
) -> None:
    if (table is None) == (population is None):
        given = "both were" if table is not None else "neither was"
        raise BadQuestion(f"Give a table to count or --population, the number of people; {given} given.")
    aims = [name for name, target in targets.items() if target is not None]
    if (size is None) == (not aims):
        given = "both were" if aims else "nothing was"
        targets_are = "--max-risk, --max-loss, --max-gap"
        raise BadQuestion(f"Give --sample, or targets that find it ({targets_are}); {given} given.")
    if aims and epsilon is not None:
        raise BadQuestion("Sizes cannot be searched with noise. Give --sample with --epsilon, or leave --epsilon out.")


def _check_noise(epsilon: float | None, mechanism: str | None, delta: float | None, calibration: str | None) -> None:
    if epsilon is None and (delta, calibration, mechanism) != (None, None, None):
        raise BadQuestion("Noise needs --epsilon. Give it, or leave --mechanism, --delta and --calibration out.")


def _noise(
    epsilon: float, mechanism: str | None, delta: float | None, calibration: str | None, adjacency: str | None
) -> Mechanism:
    from epsilometer.mechanisms.naming import mechanism_named

    return mechanism_named(
        mechanism or "laplace",
        epsilon=epsilon,
        delta=delta,
        calibration=calibration,
        adjacency=adjacency or "add-remove",
    )


def _check_unused(given: Mapping[str, object], table: str | None) -> None:
    """Refuse options that would play no part, instead of leaving them out without a word."""
    for option, value in given.items():
        if value not in (None, []):
            reason = "without a table" if table is None else "with a table, which has its own values"
            raise BadQuestion(f"{option} plays no part {reason}. Leave it out.")


def _belief(prior: str) -> str | float:
    """Return a strength as a number, a word as it is."""
    try:
        return float(prior)
    except ValueError:
        return prior


def _counted(
    table: str,
    *,
    quasi_identifiers: list[str],
    sensitive: list[str],
    bins: list[str],
    where: str | None,
    missing: list[str],
    person_id: str | None,
    types: list[str],
    quiet: bool,
) -> Counted:
    if len(sensitive) != 1:
        raise BadRoles(f"A sample is read for one sensitive column, got {len(sensitive)}. Name one with -s.")
    from epsilometer.plans.plan import Plan
    from epsilometer.tables.bins import parse_bin
    from epsilometer.tables.types import parse_types

    plan = Plan(
        table=table,
        quasi_identifiers=tuple(quasi_identifiers),
        sensitive=tuple(sensitive),
        person_id=person_id,
        types=parse_types(types),
        bins=dict(parse_bin(text) for text in bins),
        where=where,
        missing=tuple(missing),
    )
    with progress("Counting the table", quiet=quiet):
        from epsilometer.assessments.counted import counted

        return counted(plan)


def _choice_part(choice: SampleChoice, *, from_table: bool) -> _Part:
    from epsilometer.cli.sample_tables import print_choice

    return _Part(choice.to_dict(), lambda console: print_choice(choice, console, from_table=from_table))


def _report(
    choice: SampleChoice | None,
    assessment: SampleAssessment | None,
    found: TableSample | None,
    language: str,
    *,
    from_table: bool,
) -> Report:
    """Return the report on a sample, or on why there is none."""
    from epsilometer.report.building.sample import sample_choice_report, sample_report

    if assessment is not None:
        return sample_report(assessment, choice=choice, table=found, language=language)
    assert choice is not None  # noqa: S101  (no size was given, and none was found)
    return sample_choice_report(choice, from_table=from_table, language=language)


def _of_table(counted_table: Counted, size: int, prior: str | float) -> TableSample:
    from epsilometer.assessments.sampling.table import sample_of_table

    return sample_of_table(counted_table.tables[0], sample=size, prior=prior, name=counted_table.name)


def _table_part(found: TableSample) -> _Part:
    from epsilometer.cli.sample_tables import print_table_sample
    from epsilometer.report.sentences import in_words

    document = {**found.to_dict(), "answer": in_words(found)}
    return _Part(document, lambda console: print_table_sample(found, console))


def _assessment_part(assessment: SampleAssessment) -> _Part:
    from epsilometer.cli.sample_tables import print_sample
    from epsilometer.report.sentences import in_words

    document = {**assessment.to_dict(), "answer": in_words(assessment)}
    return _Part(document, lambda console: print_sample(assessment, console))


def _sizes_part(assessment: SampleAssessment) -> _Part:
    from epsilometer.cli.sample_tables import print_sizes

    return _Part(assessment.to_dict(), lambda console: print_sizes(assessment, console))


def _show(parts: list[_Part], *, as_json: bool) -> None:
    """Print everything that was found or, as JSON, what was asked for: the first part."""
    if as_json:
        from epsilometer.report.documents import as_document

        typer.echo(as_document(parts[0].document))
        return
    from epsilometer.cli.rendering import standard_output

    console = standard_output()
    for number, part in enumerate(parts):
        if number:
            console.print()
        part.show(console)
