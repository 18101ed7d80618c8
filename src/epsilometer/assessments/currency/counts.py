"""Counts with noise over epsilon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.currency.grids import round_numbers
from epsilometer.assessments.currency.guess import LARGEST_COUNT, OVERALL, better
from epsilometer.assessments.currency.repeats import affordable
from epsilometer.assessments.homogeneity.averaging import weighted_mean, weights_for
from epsilometer.assessments.loss import ASSUMPTIONS, Reference
from epsilometer.errors import BadQuestion
from epsilometer.formulas.homogeneity.bayes import bayes_two_values
from epsilometer.formulas.homogeneity.named_right import named_right
from epsilometer.formulas.homogeneity.rounded_noise import rounded_noises
from epsilometer.vocabulary.evidence import Estimate, Exact, Interval
from epsilometer.vocabulary.frontier import FrontierCurve, FrontierPoint

if TYPE_CHECKING:
    from epsilometer.assessments.currency.subject import Simulation, Subject
    from epsilometer.mechanisms import Mechanism
    from epsilometer.plans.release_kinds import Counts
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
    from epsilometer.vocabulary.loss import Loss
    from epsilometer.vocabulary.noise import Noise

EPSILONS: Final = (0.05, 10.0)
TWO: Final = 2
MOST_WORK: Final = 2e10  # products of a Bayes attacker: some seconds
GUESS: Final = (
    "Counts: they are published as whole numbers; the attacker names the value with the largest one of the person's "
    "cell, of equal ones any; for a cell published empty, the most common value of all."
)
AS_THEY_COME: Final = "Counts: what is done to the noisy counts afterwards, or left out below a threshold, is not seen."


def counts_curve(subject: Subject, release: Counts, parameters: tuple[float, ...], chance: Simulation) -> FrontierCurve:
    """Return the curve of noisy counts: risk exact, loss simulated."""
    if release.tables or release.cells_per_person > 1:
        raise BadQuestion(
            "Kinds of release are compared on one table of counts over all columns with a role, each person counted "
            "once. Leave tables and cells_per_person out of the plan."
        )
    top = min(EPSILONS[1], release.mechanism.epsilon_limit)
    epsilons = round_numbers(EPSILONS[0], top, parameters)
    mechanism = release.mechanism.at(tuple(epsilons))
    repeats = affordable(chance.repeats, subject.counts.size * len(epsilons))
    reference = Reference(subject.freq, subject.counts, subject.marginals)
    loss = reference.loss(mechanism, repeats=repeats, seed=chance.seed)
    risks = named_by_counts(subject, mechanism)
    points = []
    for number, epsilon in enumerate(epsilons):
        risk, attacker = better(Exact(float(risks[number])), LARGEST_COUNT, subject.no_release, OVERALL)
        planned = epsilon in parameters
        points.append(
            FrontierPoint(
                parameter=epsilon,
                risk=risk,
                attacker=attacker,
                loss=_loss_at(loss, number),
                stronger=bayes_attacker(subject, release.mechanism.at(epsilon)) if planned else None,
                planned=planned,
            )
        )
    caveat = (AS_THEY_COME,) if release.post_processing or release.support == "thresholded" else ()
    return FrontierCurve(
        kind="counts",
        name=f"counts, {mechanism.name} noise",
        parameter="epsilon",
        points=tuple(points),
        assumptions=(GUESS, *(f"Counts: {line[0].lower()}{line[1:]}" for line in ASSUMPTIONS), *caveat),
    )


def named_by_counts(subject: Subject, mechanism: Mechanism) -> FloatArray:
    """How often the largest published count of the cell, or else the overall mode, is right. Exact; one per epsilon."""
    fallback, profile = subject.fallback, subject.freq.profile

    def for_a_member(counts: ArrayLike, noise: Noise) -> FloatArray:
        return named_right(counts, fallback, noise)

    named = weighted_mean(for_a_member, profile, mechanism, "records")
    return np.minimum(named, subject.raw)  # but for rounding it is never more


def bayes_attacker(subject: Subject, mechanism: Mechanism) -> Exact | None:
    """The risk from whoever also knows how the cells are made up. Exact; two values, and not too large tables only."""
    profile = subject.freq.profile
    if profile.n_values != TWO:
        return None
    levels = int(profile.counts.max()) + 2 * rounded_noises(mechanism)[0].reach
    if len(profile.counts) * levels**2 > MOST_WORK:
        return None
    weights = weights_for("records", profile)
    return Exact(float(bayes_two_values(profile.counts, weights / weights.sum(), mechanism)))


def _loss_at(loss: Loss, number: int) -> Estimate:
    interval = loss.answer.interval
    low, high = (float(np.asarray(end)[number]) for end in (interval.low, interval.high))
    return Estimate(float(loss.value[number]), Interval(low, high, interval.confidence))
