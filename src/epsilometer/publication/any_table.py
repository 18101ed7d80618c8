"""Numbers that hold for any table: what a passport may state, since they need the mechanism alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.formulas import discrete_gaussian
from epsilometer.formulas.advantage import advantage_from_epsilon, geometric_advantage, posterior_from_epsilon
from epsilometer.solvers.whole_numbers import first_meeting
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.passport import StatedNumber
from epsilometer.vocabulary.privacy_loss import PrivacyLoss

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from epsilometer.vocabulary.passport import Guarantee, MechanismUsed, Support

MEMBERSHIP: Final = "membership advantage"
VALUE: Final = "value advantage"
BELIEF: Final = "belief in a yes/no fact"
FURTHEST: Final = 2**62
OUTSIDE: Final = 0.05  # chance that a count is further off than stated


@dataclass(frozen=True, slots=True)
class Law:
    """What is known of a noise on whole numbers, from its scale alone.

    Attributes:
        membership: total variation distance when one count moves by one.
        value: the same when one count moves up and another one down.
        beyond: chance that the noise is as large as a whole number, or larger.
        mean_error: expected absolute value.
    """

    membership: Callable[[float], float]
    value: Callable[[float], float]
    beyond: Callable[[float, int], float]
    mean_error: Callable[[float], float]


def any_table_risks(
    kind: str,
    guarantee: Guarantee,
    looks: Sequence[PrivacyLoss],
    *,
    adjacency: str,
    support: Support | None,
) -> tuple[StatedNumber, ...]:
    """Return what anyone can learn about one person at most, however much they know of everybody else.

    One table of counts with known noise has the distances of that noise, which some table attains; everything else
    has what its guarantee allows.
    """
    one_person, changed = Adjacency(adjacency), _changed(kind, guarantee, Adjacency(adjacency))
    membership: float | None = float(advantage_from_epsilon(guarantee.epsilon, guarantee.delta))
    if kind != "sample" and one_person is Adjacency.REPLACE:
        membership = None
    value = float(advantage_from_epsilon(*changed))
    look = looks[0]
    if len(looks) == 1 and look.scale and _says_all(look, one_person, support):
        membership, value = (distance(look.scale) for distance in (LAWS[look.noise].membership, LAWS[look.noise].value))
    belief = None if guarantee.delta else float(posterior_from_epsilon(0.5, changed[0]))
    return (
        _bound(
            MEMBERSHIP,
            membership,
            "how much better than a coin anyone can tell whether one person is in the table",
            unbounded="no bound: the guarantee does not hide who is in the table",
        ),
        _bound(
            VALUE,
            value,
            "how much better than a coin anyone can tell which of two values one person has",
        ),
        _bound(
            BELIEF,
            belief,
            "the most that a belief of one half in a yes/no fact about one person can grow to",
            unbounded="no bound: the guarantee fails with probability δ",
        ),
    )


def expected_errors(kind: str, mechanisms: Sequence[MechanismUsed], rows: Sequence[int]) -> tuple[StatedNumber, ...]:
    """Return how far off published numbers are by the noise alone, or a sample's shares by the drawing.

    Of synthetic tables and local reports nothing is known without looking at the table. Post-processing moves counts
    further, and is not in the numbers.
    """
    if kind == "sample":
        return tuple(_share_error(size) for size in rows)
    return tuple(
        number
        for each in mechanisms
        if each.name in LAWS and each.scale
        for number in _count_errors(LAWS[each.name], each.scale, each.what)
    )


def listed_by_one(noise: str, scale: float, *, threshold: float, moved_counts: int) -> float:
    """Return the chance that a combination which only one person has is listed; they may have several such."""
    passes = LAWS[noise].beyond(scale, math.ceil(threshold - 1))
    return -math.expm1(moved_counts * math.log1p(-passes)) if passes < 1 else 1.0


def _changed(kind: str, guarantee: Guarantee, adjacency: Adjacency) -> tuple[float, float]:
    """Return epsilon and delta for a change of value: under add-remove, for a removal and an addition."""
    meant = Adjacency.REPLACE if kind == "sample" else adjacency
    whole = PrivacyLoss(
        what="", noise="any", epsilon=guarantee.epsilon, delta=guarantee.delta, adjacency=meant.value
    ).as_replacement()
    return whole.epsilon, whole.delta


def _says_all(look: PrivacyLoss, adjacency: Adjacency, support: Support | None) -> bool:
    """Whether the noise is all there is to know: every count has it, and a person moves as few as can be."""
    return support is not None and not support.delta and look.moved_counts == adjacency.moved_counts


def _bound(name: str, value: float | None, meaning: str, *, unbounded: str = "") -> StatedNumber:
    return StatedNumber(name=name, value=value, evidence="upper bound", meaning=unbounded if value is None else meaning)


def _count_errors(law: Law, scale: float, what: str) -> tuple[StatedNumber, StatedNumber]:
    return (
        StatedNumber(
            name=f"mean error of a count: {what}",
            value=law.mean_error(scale),
            evidence="exact",
            meaning="how far a noisy count is from the true one on average",
        ),
        StatedNumber(
            name=f"error of 95 % of counts: {what}",
            value=_quantile(law, scale),
            evidence="exact",
            meaning="95 % of the noisy counts are off by this or less",
        ),
    )


def _quantile(law: Law, scale: float) -> int | None:
    """Return the smallest whole number that the noise exceeds, up or down, with probability 0.05 at most."""
    return first_meeting(lambda size: 2 * law.beyond(scale, size + 1) <= OUTSIDE, 0, FURTHEST, guess=round(3 * scale))


def _share_error(size: int) -> StatedNumber:
    return StatedNumber(
        name=f"standard error of a share: {size:,} rows",
        value=0.5 / math.sqrt(size) if size else None,
        evidence="upper bound",
        meaning="how far a share of the sample is from the true one, typically and at most",
    )


def _geometric_beyond(scale: float, least: int) -> float:
    if least <= 0:
        return 1 - _geometric_beyond(scale, 1 - least)
    return math.exp(-least / scale) / (1 + math.exp(-1 / scale))


def _geometric_error(scale: float) -> float:
    return -2 * math.exp(-1 / scale) / math.expm1(-2 / scale)


def _gaussian_beyond(scale: float, least: int) -> float:
    if least <= 0:
        return 1 - _gaussian_beyond(scale, 1 - least)
    tail = discrete_gaussian.upper_tail(scale)
    return float(tail[least]) if least < len(tail) else 0.0


def _gaussian_membership(scale: float) -> float:
    tail = discrete_gaussian.upper_tail(scale)
    return float(tail[0] - tail[1])


def _geometric_membership(scale: float) -> float:
    return float(geometric_advantage(np.exp(-1 / scale)))


LAWS: Final[Mapping[str, Law]] = {
    "geometric": Law(_geometric_membership, _geometric_membership, _geometric_beyond, _geometric_error),
    "discrete-gaussian": Law(
        _gaussian_membership,
        discrete_gaussian.value_advantage,
        _gaussian_beyond,
        lambda scale: float(2 * discrete_gaussian.upper_tail(scale)[1:].sum()),
    ),
}
