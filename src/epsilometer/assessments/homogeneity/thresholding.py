"""Attackers who read every published count of a cell, not only a lone one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.assessments.homogeneity.averaging import AVERAGES, number, weighted_mean, weights_for
from epsilometer.assessments.homogeneity.risk import ASSUMPTIONS, contribution_caveats
from epsilometer.errors import UnknownChoice
from epsilometer.formulas import homogeneity
from epsilometer.vocabulary.evidence import Exact
from epsilometer.vocabulary.risk import Risk
from epsilometer.vocabulary.source import sources_of

if TYPE_CHECKING:
    from epsilometer.mechanisms import Mechanism
    from epsilometer.tables.frequency_table import FrequencyTable

RULES: Final = {
    "hard": "the value with the largest published count of the cell; ties are broken at random",
    "soft": "a value drawn by the published shares of the cell",
    "bayes": "the most probable value, given the published cell and how the cells of this table are made up",
}
BAYES_VALUES: Final = 2


def thresholding_risk(freq: FrequencyTable, mechanism: Mechanism, rule: str = "hard", average: str = "cells") -> Risk:
    """Probability that an attacker who reads all published counts of a cell names a member's value. Exact.

    Args:
        freq: the counted table.
        mechanism: the noise; with several epsilons the answer is a curve.
        rule: ``"hard"`` names the plurality, ``"soft"`` guesses by the published shares; both name nothing for a
            cell published empty. ``"bayes"`` also knows how many people are in cells of each make-up and always
            names the most probable value: the best that can be done cell by cell (two sensitive values only).
        average: ``"cells"``, or ``"records"`` for the share of people named right; ``"bayes"`` is about people.

    >>> from epsilometer import FrequencyTable, Laplace
    >>> round(thresholding_risk(FrequencyTable.from_counts([[3, 0]]), Laplace(epsilon=1.0)).value, 6)
    0.916368
    """
    _check(rule, average, freq.n_values)
    profile = freq.profile
    if rule == "bayes":
        weights = weights_for(average, profile)
        value = homogeneity.bayes_two_values(profile.counts, weights / weights.sum(), mechanism)
        source = sources_of(homogeneity.bayes_two_values)
    else:
        formula = homogeneity.hard if rule == "hard" else homogeneity.soft
        value, source = weighted_mean(formula, profile, mechanism, average), sources_of(formula)
    return Risk(
        question="How often does an attacker who reads all published counts of a cell name a member's value?",
        measure=f"thresholding {rule}",
        average=average,
        answer=Exact(number(value)),
        no_release=float(profile.shares.max()),
        any_table=number(np.ones(np.shape(value))),
        mechanism=mechanism.describe(),
        assumptions=(*ASSUMPTIONS, f"The attacker names {RULES[rule]}."),
        caveats=(
            "A right guess is not certainty: compare it with the guess without a release.",
            "Any table: a large homogeneous cell is named right almost surely, whatever the noise.",
            *contribution_caveats(freq),
        ),
        source=source,
    )


def _check(rule: str, average: str, n_values: int) -> None:
    if rule not in RULES:
        raise UnknownChoice("rule", rule, RULES)
    if average not in AVERAGES:
        raise UnknownChoice("average", average, AVERAGES)
    if rule == "bayes" and average != "records":
        raise UnknownChoice("average", average, ["records"], hint="The Bayes attacker draws a person.")
    if rule == "bayes" and n_values != BAYES_VALUES:
        hint = f"The Bayes attacker is exact for {BAYES_VALUES} sensitive values; this table has {n_values}."
        raise UnknownChoice("rule", rule, ["hard", "soft"], hint=hint)
