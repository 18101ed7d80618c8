"""Compare kinds of release of one table: one risk, one loss, one chart."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from epsilometer.assessments.counted import joint_counts
from epsilometer.assessments.currency.counts import counts_curve
from epsilometer.assessments.currency.frontier import Targets, judged
from epsilometer.assessments.currency.local import local_curve
from epsilometer.assessments.currency.raw import raw_curve
from epsilometer.assessments.currency.sample import sample_curve
from epsilometer.assessments.currency.subject import Simulation, Subject
from epsilometer.assessments.currency.synthetic import synthetic_curve
from epsilometer.assessments.currency.wording import ASSUMPTIONS, CAVEATS, HELD_ALREADY, ROWS, TOGETHER, in_words
from epsilometer.assessments.homogeneity.risk import contribution_caveats
from epsilometer.assessments.numbers import is_number, whole
from epsilometer.errors import BadQuestion, OutOfRange, UnknownChoice
from epsilometer.formulas.homogeneity.bayes import bayes_two_values
from epsilometer.formulas.homogeneity.named_right import named_right
from epsilometer.formulas.sampling.majority import named_from_sample
from epsilometer.leakage import bayes
from epsilometer.mechanisms import Geometric
from epsilometer.plans.release_kinds import KINDS, Counts, Local, Raw, ReleaseKind, Sample, Synthetic
from epsilometer.tables.bins import as_bins
from epsilometer.vocabulary.frontier import Frontier
from epsilometer.vocabulary.source import sources_of
from epsilometer.vocabulary.telling import silent, within

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from epsilometer.plans.plan import Plan
    from epsilometer.vocabulary.frontier import FrontierCurve
    from epsilometer.vocabulary.telling import Tell

REPEATS: Final = 30
RUNS: Final = 5
MOST: Final = 10_000
ANY_EPSILON: Final = 0.5  # every calibration of noise takes this
QUICK_METHOD: Final = "privbayes"  # of synthetic tables, where no plan names one: hundredths of a second for each
OTHERS: Final[Mapping[str, ReleaseKind]] = {
    "counts": Counts(mechanism=Geometric(epsilon=ANY_EPSILON)),  # what a release draws
    "sample": Sample(size=1),
    "local": Local(epsilon=ANY_EPSILON),
    "raw": Raw(),
}
FORMULAS: Final = (named_right, named_from_sample, bayes.posterior, bayes_two_values)
CURVES: Final[Mapping[type[ReleaseKind], Callable[..., FrontierCurve]]] = {
    Counts: counts_curve,
    Sample: sample_curve,
    Synthetic: synthetic_curve,
    Local: local_curve,
    Raw: raw_curve,
}


def compare(
    plans: Sequence[Plan], *, repeats: int = REPEATS, runs: int = RUNS, seed: int = 0, tell: Tell = silent
) -> Frontier:
    """Put releases of one table on one chart of risk and loss, each with what happens around it.

    Every plan becomes a curve over its epsilon or its number of rows, with the plan's own point marked; plans that
    differ only in that share a curve. The targets are the plans' ``max_risk``, here the largest probability with
    which an attacker may name a random person's value, and ``max_loss``. What one plan declares of a column holds for
    all.

    Args:
        plans: what might be published; all of one table, read in one way.
        repeats: number of releases that are simulated for each point, at most.
        runs: number of synthetic tables that are made for each point.
        seed: what chance is seeded with. Methods with noise of their own (mst, aim) do not repeat.
        tell: called with each step and the share of the work that is done.

    >>> from epsilometer import Local, Plan, example_table
    >>> plan = Plan(table=example_table(), quasi_identifiers=("sex",), sensitive=("admission",), max_loss=0.05)
    >>> found = compare([plan, Plan(**{**vars(plan), "release": Local(epsilon=2.0)})], repeats=5)
    >>> [curve.name for curve in found.curves], found.recommended is not None
    (['counts, laplace noise', 'local reports'], True)
    """
    _check_alike(plans)
    targets, families = _targets(plans), dict[ReleaseKind, list[float]]()
    for release, own in (_family(plan.release) for plan in plans):
        families.setdefault(release, []).extend(own)
    declared = {column: domain for plan in reversed(plans) for column, domain in plan.domain.items()}
    subject = _subject(replace(plans[0], domain=declared), tell)
    return _compared(families, targets, subject, Simulation(repeats, runs, seed, tell))


def compare_kinds(
    plan: Plan,
    kinds: Sequence[str] = KINDS,
    *,
    methods: Sequence[str] = (),
    repeats: int = REPEATS,
    runs: int = RUNS,
    seed: int = 0,
    tell: Tell = silent,
) -> Frontier:
    """Put several kinds of release of one plan's table on one chart: :func:`compare` for whoever has one plan.

    Args:
        plan: of its own kind it sets the details, and its own point is marked.
        kinds: those to compare: ``"counts"`` with geometric noise, ``"sample"``, ``"synthetic"``, ``"local"`` by
            randomised response, ``"raw"``.
        methods: of synthetic tables, besides the plan's own; if neither names one, a quick one.
        repeats: number of releases that are simulated for each point, at most.
        runs: number of synthetic tables that are made for each point.
        seed: what chance is seeded with.
        tell: called with each step and the share of the work that is done.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise UnknownChoice("kind", kind, KINDS)
    targets, families = _targets([plan]), dict[ReleaseKind, list[float]]()
    for kind in kinds:
        if kind == plan.release.kind:
            families.update([_family(plan.release)])
        elif kind != Synthetic.kind:
            families[OTHERS[kind]] = []
        if kind == Synthetic.kind:
            own = plan.release if isinstance(plan.release, Synthetic) else None
            for method in methods or (() if own else (QUICK_METHOD,)):
                families.setdefault(replace(own or Synthetic(), method=method, epsilon=ANY_EPSILON), [])
    return _compared(families, targets, _subject(plan, tell), Simulation(repeats, runs, seed, tell))


def _subject(plan: Plan, tell: Tell) -> Subject:
    tell("counting the table", 0.0)
    counts = joint_counts(plan)
    return Subject.of(plan, counts.frequency_table(counts.roles.sensitive))


def _compared(
    families: Mapping[ReleaseKind, Sequence[float]], targets: Targets, subject: Subject, chance: Simulation
) -> Frontier:
    """Work out a curve for each family of releases, and judge them."""
    whole("repeats", chance.repeats, 2, MOST, hint="An interval needs two releases or more.")
    whole("runs", chance.runs, 2, MOST, hint="An interval needs two tables or more.")
    curves = []
    for number, (release, parameters) in enumerate(families.items()):
        part = within(chance.tell, (number + 0.2) / (len(families) + 0.2), (number + 1.2) / (len(families) + 0.2))
        part(release.kind, 0.0)
        curves.append(CURVES[type(release)](subject, release, tuple(parameters), replace(chance, tell=part)))
    found = judged(curves, targets)
    together = (TOGETHER,) if len(subject.plan.sensitive) > 1 else ()
    rows = (ROWS,) if subject.plan.person_id else ()
    taken = None if found.recommended is None else curves[found.recommended.curve].kind
    held = (HELD_ALREADY,) if taken == "local" else ()
    return Frontier(
        sensitive=" and ".join(subject.freq.sensitive),
        quasi_identifiers=subject.freq.quasi_identifiers,
        n_people=subject.n_people,
        no_release=subject.no_release,
        raw=subject.raw,
        max_risk=targets.max_risk,
        max_loss=targets.max_loss,
        curves=tuple(curves),
        pareto=found.pareto,
        meeting=found.meeting,
        recommended=found.recommended,
        in_words=in_words(subject, curves, found, targets),
        repeats=chance.repeats,
        runs=chance.runs,
        seed=chance.seed,
        assumptions=(*ASSUMPTIONS, *together),
        caveats=(*held, *CAVEATS, *rows, *contribution_caveats(subject.freq), *subject.freq.notes),
        source=tuple(dict.fromkeys(place for formula in FORMULAS for place in sources_of(formula))),
    )


def _family(release: ReleaseKind) -> tuple[ReleaseKind, list[float]]:
    """Return a release without what varies along its curve, and its own values of that."""
    match release:
        case Counts():
            epsilon = release.mechanism.epsilon
            own = list(epsilon) if isinstance(epsilon, tuple) else [epsilon]
            return replace(release, mechanism=release.mechanism.at(ANY_EPSILON)), own
        case Sample():
            return replace(release, size=1), [release.size]
        case Synthetic() | Local():
            return replace(release, epsilon=ANY_EPSILON), [release.epsilon]
        case Raw():
            return release, []


def _check_alike(plans: Sequence[Plan]) -> None:
    """Raise if there is no plan, or if plans read the table in different ways."""
    if not plans:
        raise BadQuestion("There is no plan to compare. Give at least one.")
    for one, other in pairwise(map(_reading, plans)):
        for what, given in one.items():
            if not _same(given, other[what]):
                raise BadQuestion(
                    f"Releases are compared on one table, read in one way; the {what} of these plans differ. "
                    "Make them alike."
                )


def _reading(plan: Plan) -> dict[str, Any]:
    """Say how a plan reads its table, so that equal readings are equal."""
    return {
        "tables": str(plan.table) if isinstance(plan.table, Path) else plan.table,
        "quasi-identifiers": sorted(plan.quasi_identifiers),
        "sensitive columns": sorted(plan.sensitive),
        "bins": {column: as_bins(column, bins) for column, bins in plan.bins.items()},
        "filters": plan.where,
        "marks of missing values": sorted(plan.missing),
        "person ids": plan.person_id,
    }


def _same(one: Any, other: Any) -> bool:  # noqa: ANN401  (frames of any library, which compare cell by cell)
    if one is other:
        return True
    return all(isinstance(given, str | list | dict) for given in (one, other)) and bool(one == other)


def _targets(plans: Sequence[Plan]) -> Targets:
    """Return the targets of the plans, which must not differ where they are given."""
    found = []
    for name in ("max_risk", "max_loss"):
        given = {target for plan in plans if (target := getattr(plan, name)) is not None}
        for target in given:
            if not is_number(target) or not 0 <= target <= 1:
                raise OutOfRange(name, target, "[0, 1]", hint="It is a probability or a distance.")
        if len(given) > 1:
            listed = " and ".join(f"{target:g}" for target in sorted(given))
            raise BadQuestion(f"The plans give different targets for {name}: {listed}. Give one.")
        found.append(given.pop() if given else None)
    return Targets(*found)
