"""Randomised reports as a release."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from epsilometer.assessments.local.release import check_reported, local_release, randomizer_named
from epsilometer.errors import BadQuestion, UnknownColumn
from epsilometer.plans.release_kinds import Local
from epsilometer.randomizers.drawing import check_can_be_drawn
from epsilometer.releases.filters import check_filter
from epsilometer.releases.passports import protected
from epsilometer.releases.prepared import Made, Prepared
from epsilometer.report.local_reports import reports_table
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.passport import MechanismUsed
from epsilometer.vocabulary.privacy_loss import PrivacyLoss

if TYPE_CHECKING:
    from epsilometer.plans.plan import Plan
    from epsilometer.publication.chance import Chance


def prepare_local(plan: Plan, chance: Chance) -> Prepared:
    """Check a plan for local reports on its sensitive column, whose domain or range is declared."""
    asked = plan.released_as(Local)
    if len(plan.sensitive) != 1:
        raise BadQuestion(f"People report on one column, the sensitive one; the plan has {len(plan.sensitive)}.")
    (column,) = plan.sensitive
    values, bounds, other = _declared(plan.domain.get(column))
    randomizer = randomizer_named(
        asked.randomizer, epsilon=asked.epsilon, delta=asked.delta, domain=values, bounds=bounds
    )
    what = f"reports on {column}"
    read: dict[str, Any] = {"domain": values, "where": plan.where, "other": other}
    check_can_be_drawn(randomizer)
    table = plan.open_for_release()
    if column not in table.columns:
        raise UnknownColumn(column, table.columns)
    check_reported(column, table.expression[column].type(), randomizer)
    check_filter(table, plan.where)

    def make() -> Made:
        made = local_release(table, column, randomizer, shuffled=asked.shuffled, chance=chance, **read)
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


def _declared(given: object) -> tuple[tuple[str, ...], tuple[float, float] | None, str | None]:
    """Return the values that people choose from, or the range of their numbers, and what further values count as."""
    match given:
        case None:
            return (), None, None
        case {"low": low, "high": high} | (int() | float() as low, int() | float() as high):
            return (), (float(low), float(high)), None
        case {"values": values, "other": str() as other}:
            return (*map(str, values), other), None, other
        case {"values": values}:
            return tuple(map(str, values)), None, None
    return tuple(map(str, given)) if isinstance(given, Iterable) else (str(given),), None, None
