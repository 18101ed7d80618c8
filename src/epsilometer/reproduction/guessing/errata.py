"""All errata of Paper 003, B1 to B6, each shown by numbers computed now where it has any."""

from __future__ import annotations

import math
from typing import Final

from epsilometer.formulas import guessing
from epsilometer.formulas.guessing import published
from epsilometer.reproduction.finding import Finding, Pair, Severity
from epsilometer.reproduction.guessing.comparisons import DAYS, HALVES, PROMISED, TENTHS

LOW: Final = 0.05  # the advantage asked for in B4
SMALL_GROUPS: Final = ((5, 30), (4, 20), (6, 50))


def all_findings() -> tuple[Finding, ...]:
    """Return the errata in their order."""
    return (
        two_letters(),
        one_group_too_many(),
        unstated_domain(),
        noise_against_uniqueness(),
        fields_one_by_one_for_any(),
        releases_one_by_one_for_all(),
    )


def two_letters() -> Finding:
    """B1."""
    return Finding(
        id="B1",
        severity=Severity.SLIP,
        place="003, K-anonymity, the uniqueness probability",
        printed="The factorial below has K, the power k.",
        right="Both are k, the number of draws from N equally likely values.",
    )


def one_group_too_many() -> Finding:
    """B2."""
    return Finding(
        id="B2",
        severity=Severity.SLIP,
        place="003, multivariate case, OR-events",
        printed="The minimum runs over the groups 0, 1, …, n_group.",
        right="There are n_group of them: it runs from 1.",
    )


def unstated_domain() -> Finding:
    """B3."""
    p, advantage = 0.95, 0.1
    real_part = -math.log(p / (1 - p) * -(1 / (advantage + p) - 1))
    return Finding(
        id="B3",
        severity=Severity.IMPRECISE,
        place="003, univariate and multivariate case",
        printed="ε is given for every p and δ.",
        right=(
            "The formula needs 0 < p and 0 < δ < 1 - p. At δ + p = 1 it is infinite, beyond that the logarithm of a "
            f"negative number (p = {p}, δ = {advantage}: {real_part:.4f} - πi), at p = 1 zero over zero, and for "
            "δ ≤ 0 it is no epsilon. The belief cannot rise by δ where δ + p ≥ 1: there every ε keeps the promise; "
            "and none but zero keeps that of no advantage at all."
        ),
        pairs=tuple(
            Pair(
                f"ε, p = 0.5, δ = {none:g}",
                float(published.epsilon_single(none, 0.5, 1.0)),
                float(guessing.epsilon_single(none, 0.5, 1.0)),
            )
            for none in (-0.1, -0.01)
        ),
    )


def noise_against_uniqueness() -> Finding:
    """B4."""
    unique = float(guessing.uniqueness_probability(5, DAYS))
    ten_groups = float(published.epsilon_all(PROMISED, [0.95] * 10, 1.0))
    priors = [float(guessing.uniqueness_probability(k, n)) for k, n in SMALL_GROUPS]
    every, some = (float(formula(LOW, priors, 1.0)) for formula in (published.epsilon_all, published.epsilon_any))
    return Finding(
        id="B4",
        severity=Severity.CRITICAL,
        place="003, noise level with p = π(k, N)",
        printed="ε from the probability that records are unique protects the unique ones.",
        right=(
            f"It does the opposite. One to five people with {DAYS} values are unique with a probability of "
            f"{unique:.4f} or more, and at δ = {LOW} ε is infinite: no noise at all. A high p stands for an attacker "
            "who knows already, not for a record in need. As a function of p, ε is U-shaped, and only its least "
            "value, 2 ln((1 + δ)/(1 - δ))/R, holds for every p; that is the right one here. Nor does OR always take "
            f"more noise than AND: for ten groups with p = 0.95 and δ = {PROMISED} AND has ε = {ten_groups:.6f} and OR "
            f"an infinite one, for the groups (k, N) = {', '.join(map(str, SMALL_GROUPS))} and δ = {LOW} AND has "
            f"{every:.6f} and OR {some:.6f}."
        ),
        pairs=tuple(
            Pair(
                f"ε, {k} people, {DAYS} values, δ = {LOW}",
                float(published.epsilon_single(LOW, guessing.uniqueness_probability(k, DAYS), 1.0)),
                float(guessing.worst_case_epsilon(LOW, 1.0)),
            )
            for k in (10, 23, 40, 80)
        ),
    )


def fields_one_by_one_for_any() -> Finding:
    """B5."""
    epsilon = float(published.epsilon_any(PROMISED, TENTHS, 1.0))
    return Finding(
        id="B5",
        severity=Severity.CRITICAL,
        place="003, multivariate case, OR-events",
        printed="With the smallest ε of the fields, guessing at least one of them gains at most δ.",
        right=(
            "That limits the gain for each field by itself; that for at least one of them can be larger. The most that "
            "holds solves 1 - Π(1 - posterior_i) = 1 - Π(1 - p_i) + δ for ε."
        ),
        pairs=(
            Pair(f"gain, p = {TENTHS}, ε as printed", PROMISED, float(guessing.advantage_any(epsilon, TENTHS, 1.0))),
            Pair(f"ε, p = {TENTHS}, δ = {PROMISED}", epsilon, guessing.epsilon_any(PROMISED, TENTHS, 1.0)),
        ),
    )


def releases_one_by_one_for_all() -> Finding:
    """B6."""
    epsilon = float(published.epsilon_all(PROMISED, HALVES, 1.0))
    gain = float(guessing.advantage_all_independent(epsilon, HALVES, 1.0))
    return Finding(
        id="B6",
        severity=Severity.IMPRECISE,
        place="003, multivariate case, AND-events",
        printed="R is the largest of the R_i.",
        right=(
            "That holds for one release of all fields that is ε-DP for the largest of their distances. If each field "
            "is released by itself at that ε, the gain exceeds δ. The sum of the R_i then suffices, whatever each "
            "release reads; if each reads its own field alone, the most that holds lies between the two."
        ),
        pairs=(
            Pair(f"gain, p = {HALVES}, released one by one, ε as printed", PROMISED, gain),
            Pair(
                f"ε, p = {HALVES}, δ = {PROMISED}, each reading its field alone",
                epsilon,
                guessing.epsilon_all_independent(PROMISED, HALVES, 1.0),
            ),
            Pair(
                f"ε, p = {HALVES}, δ = {PROMISED}, with the sum of the R_i",
                epsilon,
                float(guessing.epsilon_all_separate(PROMISED, HALVES, 1.0)),
            ),
        ),
    )
