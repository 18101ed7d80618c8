"""What a plan asks for, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from functools import singledispatch
from typing import TYPE_CHECKING, Final

from epsilometer.plans.release_kinds import Counts, Local, Sample, Synthetic
from epsilometer.tables.databases import without_password
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.wording import joined

if TYPE_CHECKING:
    from epsilometer.plans.plan import Plan
    from epsilometer.plans.release_kinds import ReleaseKind

ONE_PERSON: Final = {Adjacency.ADD_REMOVE: "one person added or removed", Adjacency.REPLACE: "one person replaced"}
SUPPORT: Final = {
    "declared": "every combination of the declared domain is published, empty ones too",
    "thresholded": "a combination is published if it occurs and its noisy count is high enough",
}
NOISES: Final = {
    "laplace": "Laplace noise, drawn in whole numbers as two-sided geometric noise,",
    "geometric": "two-sided geometric noise, whole numbers,",
    "gaussian": "Gaussian noise, drawn in whole numbers as discrete Gaussian noise,",
    "discrete-gaussian": "discrete Gaussian noise, whole numbers,",
}
SPLIT: Final = {"weights": "by their weights", "optimised": "so that the error of all counts is smallest"}


def plan_in_words(plan: Plan) -> tuple[str, ...]:
    """Return what a plan asks for, one sentence after the other."""
    location, mark, part = str(plan.table).partition("::")
    known, wanted = joined(plan.quasi_identifiers), joined(plan.sensitive)
    read = plan.described()
    sentences = [
        f"{_published(plan.release)} Table: {without_password(location)}{mark}{without_password(part)}.",
        f"An attacker is taken to know {known}, and to want to know {wanted}.",
        _unit(plan),
        *(f"{name.capitalize()}: {read[name]}." for name in ("bins", "filter", "missing marks") if name in read),
    ]
    if plan.domain:
        declared = (f"{column} {_declared(domain)}" for column, domain in plan.domain.items())
        sentences.append(f"Declared: {'; '.join(declared)}.")
    targets = {"risk": plan.max_risk, "loss": plan.max_loss}
    limits = [f"{name} at most {target:g}" for name, target in targets.items() if target is not None]
    return (*sentences, *([f"Targets: {joined(limits)}."] if limits else []))


def _unit(plan: Plan) -> str:
    if plan.person_id is not None:
        return f"Rows with the same {plan.person_id} are of one person."
    if plan.rows_per_person is not None:
        return f"Each row is protected by itself; a person has {plan.rows_per_person:,} rows at most."
    return "Each row is protected by itself." if plan.unit is not None else "Nobody has said whose the rows are."


@singledispatch
def _published(_release: ReleaseKind) -> str:
    """Say what is published: the rows as they are, unless the kind has words of its own below."""
    return "Publish the rows as they are, for comparison only."


@_published.register
def _counts(release: Counts) -> str:
    noise = release.mechanism
    epsilons = noise.epsilon if isinstance(noise.epsilon, tuple) else (noise.epsilon,)
    delta = f" and δ = {noise.delta:g}" if noise.delta else ""
    tables = joined(" by ".join(table.columns) for table in release.tables)
    several = f" Tables: {tables}; the budget is split {SPLIT[release.split]}." if tables else ""
    steps = f" Afterwards: {joined(release.post_processing)}." if release.post_processing else ""
    return (
        f"Publish counts with {NOISES[noise.name]} at ε = {joined(f'{epsilon:g}' for epsilon in epsilons)}{delta}, "
        f"{ONE_PERSON[noise.adjacency]}; {SUPPORT[release.support]}.{several}{steps}"
    )


@_published.register
def _sample(release: Sample) -> str:
    strata = f", the same part of each combination of {joined(release.strata)}" if release.strata else ""
    return f"Publish a random sample of {release.size:,} rows{strata}."


@_published.register
def _synthetic(release: Synthetic) -> str:
    return f"Publish a synthetic table, made by {release.method} at ε = {release.epsilon:g} and δ = {release.delta:g}."


@_published.register
def _local(release: Local) -> str:
    order = "in random order" if release.shuffled else "in the order of the table"
    return (
        f"Publish a report of each person, randomised by {release.randomizer} at ε = {release.epsilon:g} before it "
        f"is handed in, {order}."
    )


def _declared(domain: object) -> str:
    ends = domain if isinstance(domain, Mapping) else {}
    missing = " or missing" if ends.get("missing") else ""
    if "low" in ends:
        return f"{ends['low']:g} to {ends['high']:g}{missing}"
    if isinstance(domain, tuple):
        return f"{domain[0]:g} to {domain[1]:g}"
    values = ends.get("values", domain)
    number = len(values) if isinstance(values, Sized) else 0
    return f"{number} {'value' if number == 1 else 'values'}{missing}"
