"""Randomised reports as a release."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from epsilometer.assessments.local.release import check_local_release, local_release, randomizer_named
from epsilometer.errors import BadQuestion
from epsilometer.plans.release_kinds import Local
from epsilometer.releases.passports import protected
from epsilometer.releases.prepared import Made, Prepared
from epsilometer.report.local_reports import reports_table
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.passport import MechanismUsed
from epsilometer.vocabulary.privacy_loss import PrivacyLoss

if TYPE_CHECKING:
    from epsilometer.plans.plan import Plan


def prepare_local(plan: Plan) -> Prepared:
    """Check a plan for local reports on its sensitive column, whose domain or range is declared."""
    asked = plan.released_as(Local)
    if len(plan.sensitive) != 1:
        raise BadQuestion(f"People report on one column, the sensitive one; the plan has {len(plan.sensitive)}.")
    (column,) = plan.sensitive
    values, bounds = _declared(plan.domain.get(column))
    randomizer = randomizer_named(
        asked.randomizer, epsilon=asked.epsilon, delta=asked.delta, domain=values, bounds=bounds
    )
    what = f"reports on {column}"
    read: dict[str, Any] = {"domain": values, "where": plan.where, "missing": plan.missing}
    check_local_release(plan.table, column, randomizer, **read)

    def make() -> Made:
        made = local_release(plan.table, column, randomizer, shuffled=asked.shuffled, **read)
        name = str(made.drawing["name"])
        return Made(tables={"": reports_table(made)}, mechanisms=(MechanismUsed(what=what, name=name),), detail=made)

    return Prepared(
        looks=(
            PrivacyLoss(
                what=what,
                noise="any",
                epsilon=asked.epsilon,
                delta=asked.delta or 0.0,
                adjacency=Adjacency.REPLACE.value,
            ),
        ),
        delta=asked.delta or 0.0,
        protection=protected("local", adjacency=Adjacency.REPLACE.value),
        make=make,
    )


def _declared(given: object) -> tuple[tuple[str, ...], tuple[float, float] | None]:
    """Return the values that people choose from, as text, or the range that their numbers lie in."""
    match given:
        case None:
            return (), None
        case {"low": low, "high": high} | (int() | float() as low, int() | float() as high):
            return (), (float(low), float(high))
        case {"values": values}:
            return tuple(map(str, values)), None
    return tuple(map(str, given)) if isinstance(given, Iterable) else (str(given),), None
