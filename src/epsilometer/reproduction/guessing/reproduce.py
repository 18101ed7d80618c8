"""Paper 003, worked through again."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from epsilometer.formulas import guessing
from epsilometer.reproduction.guessing.case_study import (
    PLAIN,
    group_aware,
    mean_error,
    mean_worst_gain,
    one_for_all,
    own_epsilon,
    prior_free_epsilon,
    worst_gain,
)
from epsilometer.reproduction.guessing.comparisons import all_comparisons
from epsilometer.reproduction.guessing.confirmations import all_confirmations
from epsilometer.reproduction.guessing.errata import all_findings
from epsilometer.reproduction.guessing.experiments import AGES
from epsilometer.reproduction.guessing.releases import DELTA, HISTOGRAM, MEAN, NOISES, expected_error
from epsilometer.reproduction.result import Reproduction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.reproduction.guessing.experiments import Experiments

ABOUT: Final = "Paper 003 is a poster that takes the noise of differential privacy from the birthday bound."
CASE_STUDY: Final = (
    "The case study: the poster names one with Laplace, Gaussian and exponential mechanisms, and prints neither its "
    "data nor its numbers. Ours has the ages of the Adult table, declared to lie between 0 and 100, in groups by "
    "education and by sex; k is the number of different ages and N that of people, as the poster reads them. All "
    f"people randomise their own age, the Gaussian failing with δ = {DELTA:g}; ε is the total one: per year, times 100."
)
ADVANTAGE, LARGE_ADVANTAGE = 0.1, 0.2


def reproduce_guessing(experiments: Experiments) -> Reproduction:
    """Compare the printed numbers, do the case study, and show the errata."""
    return Reproduction(
        about=ABOUT,
        papers=("003",),
        data=experiments.source,
        comparisons=all_comparisons(),
        confirmations=all_confirmations(experiments),
        findings=all_findings(),
        left_out=(CASE_STUDY, *_case_study(experiments)),
    )


def _case_study(experiments: Experiments) -> Iterator[str]:
    """Say what came out, a sentence or two for each question."""
    yield _least_noise(experiments)
    yield _no_noise(experiments)
    yield _other_reading(experiments)
    yield _errors(experiments)
    yield _group_awareness(experiments)


def _least_noise(experiments: Experiments) -> str:
    smallest = experiments.education[0]
    epsilon = own_epsilon(ADVANTAGE, smallest)
    return (
        f"For an advantage of {ADVANTAGE} the rule gives the {smallest.n_people} people of {smallest.name} a total "
        f"ε = {epsilon:.1f}, at which an attacker can gain {worst_gain(epsilon):.3f}. "
        f"ε = {prior_free_epsilon(ADVANTAGE):.4f} keeps {ADVANTAGE} against any attacker, in every group."
    )


def _no_noise(experiments: Experiments) -> str:
    bare = [group for group in experiments.education if own_epsilon(LARGE_ADVANTAGE, group) == math.inf]
    names, people = ", ".join(group.name for group in bare), sum(group.n_people for group in bare)
    total = sum(group.n_people for group in experiments.education)
    sexes = sum(own_epsilon(LARGE_ADVANTAGE, group) == math.inf for group in experiments.sex)
    return (
        f"For {LARGE_ADVANTAGE} the printed formula has no value for {names}, {people:,} of {total:,} people, and for "
        f"{sexes} of {len(experiments.sex)} sexes; the rule then asks for no noise, and their ages are released as "
        "they are."
    )


def _other_reading(experiments: Experiments) -> str:
    groups = (*experiments.education, *experiments.sex)
    likeliest = max(guessing.uniqueness_probability(group.n_people, len(AGES)) for group in groups)
    return (
        f"The birthday problem itself has people for draws and the {len(AGES)} ages for days. Read so, nobody is "
        f"unique (π is {likeliest:.0e} at most), and the rule asks for next to no noise in any group."
    )


def _errors(experiments: Experiments) -> str:
    group = experiments.group("Doctorate")
    epsilons = (prior_free_epsilon(ADVANTAGE), PLAIN)
    means, bars = (
        "; ".join(
            f"{noise} {expected_error(statistic, noise, epsilons[0], group):.3g} "
            f"(at ε = 1: {expected_error(statistic, noise, epsilons[1], group):.3g})"
            for noise in NOISES
        )
        for statistic in (MEAN, HISTOGRAM)
    )
    spent = expected_error(MEAN, "exponential", 2 * epsilons[0], group)
    return (
        f"Expected error for the {group.n_people} people of {group.name} at ε = {epsilons[0]:.4f}: of their mean age, "
        f"in years, {means}; of a ten-year bar of their histogram, in percentage points, {bars}. The exponential "
        f"mechanism uses up half of its ε only; with all of it the mean would still be off by {spent:.3g} years."
    )


def _group_awareness(experiments: Experiments) -> str:
    groups = experiments.education
    own, common = group_aware(ADVANTAGE, groups), one_for_all(ADVANTAGE, groups)
    errors = [mean_error(MEAN, "Laplace", epsilons, groups) for epsilons in (common, own)]
    gains = [mean_worst_gain(epsilons, groups) for epsilons in (common, own)]
    same = mean_error(MEAN, "Laplace", [prior_free_epsilon(gains[1])] * len(groups), groups)
    return (
        f"An ε for each degree instead of the smallest for all takes the error of the mean age, with Laplace noise and "
        f"averaged over all people, from {errors[0]:.2f} to {errors[1]:.2f} years for an advantage of {ADVANTAGE}; "
        f"what an attacker can gain rises from {gains[0]:.3f} to {gains[1]:.3f}. One ε for all that allows this gain "
        f"has an error of {same:.2f} years: less."
    )
