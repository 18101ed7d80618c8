"""The case study of Paper 003 as figures; the poster names it and shows none."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from epsilometer.reproduction.figure import Curve, Figure, curve
from epsilometer.reproduction.guessing.case_study import (
    ADVANTAGES,
    PLAIN,
    group_aware,
    mean_error,
    mean_worst_gain,
    one_for_all,
    own_epsilon,
    printed_epsilon,
    prior_free_epsilon,
    worst_gain,
)
from epsilometer.reproduction.guessing.releases import MEAN, NOISES, STATISTICS, expected_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from epsilometer.reproduction.guessing.experiments import Experiments, Group
    from epsilometer.vocabulary.arrays import FloatArray

    Rule = Callable[[float, Sequence[Group]], list[float]]

GRID: Final = np.geomspace(0.01, 0.3, 30)
COARSE: Final = np.geomspace(0.01, 0.3, 12)  # where each point takes the inverse of a channel
DEGREES: Final = ("Doctorate", "HS-grad")
GAIN: Final = "largest gain of an attacker"
RULES: Final = (("own ε for each group", group_aware), ("one ε for all", one_for_all))
LAPLACE: Final = "Laplace"


def all_figures(experiments: Experiments) -> Iterator[Figure]:
    """Yield the four figures of the case study."""
    yield _by_group(experiments)
    yield _by_randomizer(experiments)
    yield _group_aware(experiments)
    yield _for_the_same_gain(experiments)


def _by_group(experiments: Experiments) -> Figure:
    smallest, advantage = experiments.education[0], 0.1
    return Figure(
        name="003-epsilon-by-group",
        title=(
            f"Of all degrees, the smallest group gets the least noise: {smallest.n_people} people have a total ε of "
            f"{own_epsilon(advantage, smallest):.1f} for δ = {advantage}"
        ),
        subtitle=(
            "Dashed: the printed formula, as far as it has a value; where it has none there is no noise, and a gain of "
            "1. Solid: the ε that keeps δ against any attacker. Lines join the groups: sixteen degrees, then two sexes."
        ),
        x_title="people in the group (log scale)",
        y_title="",
        curves=(
            *_by_size(experiments, "total ε", printed_epsilon, prior_free_epsilon),
            *_by_size(experiments, GAIN, _gain_by_the_rule, lambda advantage: advantage),
        ),
    )


def _by_size(
    experiments: Experiments,
    row: str,
    by_the_rule: Callable[[float, Group], float],
    for_any_attacker: Callable[[float], float],
) -> Iterator[Curve]:
    groups = (*experiments.education, *experiments.sex)
    sizes = np.array([group.n_people for group in groups])
    for advantage in ADVANTAGES:
        line, values = f"δ = {advantage}", np.array([by_the_rule(advantage, group) for group in groups])
        drawn = np.isfinite(values)
        yield curve(row, "all groups", line, known="as printed", x=sizes[drawn], value=values[drawn])
        level = np.full(len(sizes), for_any_attacker(advantage))
        yield curve(row, "all groups", line, known="exact", x=sizes, value=level)


def _gain_by_the_rule(advantage: float, group: Group) -> float:
    return worst_gain(own_epsilon(advantage, group))


def _by_randomizer(experiments: Experiments) -> Figure:
    first = experiments.group(DEGREES[0])
    laplace, plain = (expected_error(MEAN, LAPLACE, epsilon, first) for epsilon in (prior_free_epsilon(0.1), PLAIN))
    return Figure(
        name="003-error-by-randomizer",
        title=(
            f"Laplace noise is the most accurate: for δ = 0.1 the mean age of {first.n_people} people is off by "
            f"{laplace:.0f} years, at ε = 1 by {plain:.0f}"
        ),
        subtitle=(
            "Solid: ε that keeps δ against any attacker; ε = 1 is where these lines reach "
            f"{worst_gain(PLAIN):.3f}. Dashed: ε by the printed rule, as far as it has a value. A mean that is off by "
            "more than 50 years is worse than a blind guess."
        ),
        x_title="expected error (log scale)",
        y_title="advantage δ",
        curves=tuple(_trades(experiments)),
    )


def _trades(experiments: Experiments) -> Iterator[Curve]:
    for statistic, degree, noise in product(STATISTICS, DEGREES, NOISES):
        group = experiments.group(degree)
        column = f"{degree}, {group.n_people:,} people"
        rules = (
            ("exact", [prior_free_epsilon(advantage) for advantage in COARSE]),
            ("as printed", [printed_epsilon(advantage, group) for advantage in COARSE]),
        )
        for known, epsilons in rules:
            drawn = np.isfinite(epsilons)
            errors = [expected_error(statistic, noise, epsilon, group) for epsilon in np.array(epsilons)[drawn]]
            yield curve(
                f"{statistic.name}, {statistic.unit}", column, noise, known=known, x=errors, value=COARSE[drawn]
            )


def _group_aware(experiments: Experiments) -> Figure:
    advantage, groups = 0.1, experiments.education
    own, common = (mean_error(MEAN, LAPLACE, rule(advantage, groups), groups) for rule in (group_aware, one_for_all))
    return Figure(
        name="003-group-aware",
        title=(
            f"Noise by group saves {1 - own / common:.0%} of the error at δ = {advantage}, because it lets attackers "
            "gain more"
        ),
        subtitle=(
            "Means over all people, Laplace noise. Every group has the ε of the printed rule (no noise where it has no "
            "value), or all have the smallest of these. By sex the rule soon asks for no noise at all."
        ),
        x_title="promised advantage δ (log scale)",
        y_title="",
        curves=(*_savings(experiments), *_gains(experiments)),
    )


def _savings(experiments: Experiments) -> Iterator[Curve]:
    for column, groups in _groupings(experiments):
        common = _along(one_for_all, groups).errors
        noisy = common > 0
        for line, rule in RULES:
            shares = _along(rule, groups).errors[noisy] / common[noisy]
            yield curve("error, one ε for all = 1", column, line, known="exact", x=GRID[noisy], value=shares)


def _gains(experiments: Experiments) -> Iterator[Curve]:
    for (column, groups), (line, rule) in product(_groupings(experiments), RULES):
        yield curve(GAIN, column, line, known="exact", x=GRID, value=_along(rule, groups).gains)


def _for_the_same_gain(experiments: Experiments) -> Figure:
    return Figure(
        name="003-group-aware-trade",
        title="For the same gain of an attacker, up to 0.8, one ε for all is more accurate than an ε for each group",
        subtitle="Means over all people, Laplace noise. The ε of the groups are those of the printed rule.",
        x_title="error of a group's mean age, years (log scale)",
        y_title=GAIN,
        curves=tuple(_trades_of_rules(experiments)),
    )


def _trades_of_rules(experiments: Experiments) -> Iterator[Curve]:
    for column, groups in _groupings(experiments):
        own = _along(group_aware, groups)
        noisy = own.errors > 0
        gains = own.gains[noisy]
        same = [[prior_free_epsilon(gain)] * len(groups) for gain in gains]
        errors = np.array([mean_error(MEAN, LAPLACE, epsilons, groups) for epsilons in same])
        for (line, _), x in zip(RULES, (own.errors[noisy], errors), strict=True):
            yield curve("mean age", column, line, known="exact", x=x, value=gains)


class _Along(NamedTuple):
    """Means over all people along the advantages, with Laplace noise."""

    errors: FloatArray
    gains: FloatArray


def _along(rule: Rule, groups: Sequence[Group]) -> _Along:
    epsilons = [rule(advantage, groups) for advantage in GRID]
    errors = [mean_error(MEAN, LAPLACE, chosen, groups) for chosen in epsilons]
    return _Along(np.array(errors), np.array([mean_worst_gain(chosen, groups) for chosen in epsilons]))


def _groupings(experiments: Experiments) -> tuple[tuple[str, Sequence[Group]], ...]:
    return ("by education", experiments.education), ("by sex", experiments.sex)
