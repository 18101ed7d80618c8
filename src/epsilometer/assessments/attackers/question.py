"""What is asked of a search for attackers, checked."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from epsilometer.errors import BadQuestion, OutOfRange, UnknownColumn
from epsilometer.plans.release_kinds import Counts, Raw

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from epsilometer.mechanisms import Mechanism
    from epsilometer.plans.plan import Plan
    from epsilometer.plans.release_kinds import ReleaseKind


class Question(NamedTuple):
    """Who may know how much, and what they must not reach.

    Attributes:
        costs: how hard each candidate column is to know, in the order given.
        max_known: the largest total cost.
        max_risk: the largest share of people whose value may be named right.
        mechanism: the noise; ``None`` for the raw table.
    """

    costs: Mapping[str, float]
    max_known: float
    max_risk: float
    mechanism: Mechanism | None


def asked(
    plan: Plan,
    *,
    candidates: Iterable[str] | None,
    max_known: float,
    costs: Mapping[str, float],
    max_risk: float | None,
) -> Question:
    """Put a question together, or say what is wrong with it."""
    names = plan.quasi_identifiers if candidates is None else tuple(candidates)
    for name, cost in costs.items():
        if name not in names:
            raise UnknownColumn(name, names)
        if not 0 <= cost < math.inf:
            raise OutOfRange(f"cost of {name}", cost, "[0, inf)", hint="0 is for what everybody knows.")
    all_costs = {name: float(costs.get(name, 1.0)) for name in names}
    if not 0 < max_known < math.inf:
        raise OutOfRange("max_known", max_known, "(0, inf)", hint="It is a number of columns, or a total cost.")
    if all_costs and min(all_costs.values()) > max_known:
        raise BadQuestion(f"Every candidate costs more than max_known = {max_known:g}. Raise it, or lower the costs.")
    target = plan.max_risk if max_risk is None else max_risk
    if target is None:
        raise BadQuestion("Give a target, max_risk or --max-risk: the largest share of people who may be named right.")
    if not 0 <= target <= 1:
        raise OutOfRange("max_risk", target, "[0, 1]", hint="It is a share of people.")
    return Question(all_costs, float(max_known), float(target), _mechanism(plan.release))


def _mechanism(release: ReleaseKind) -> Mechanism | None:
    if isinstance(release, Raw):
        return None
    if not isinstance(release, Counts):
        raise BadQuestion(f"Attackers are sought for a release of counts or raw, not {release.kind}.")
    if isinstance(release.mechanism.epsilon, tuple):
        raise BadQuestion("Attackers are sought at one epsilon, not along a curve. Give a single number.")
    return release.mechanism
