"""Whether a release keeps the risk target of its plan, with the noise that would be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.errors import BadQuestion
from epsilometer.releases.joint import joint_risk_of, noisy_tables
from epsilometer.vocabulary.wording import percent

if TYPE_CHECKING:
    from epsilometer.plans.plan import Plan
    from epsilometer.publication.settling import SettledCounts


def check_risk_target(plan: Plan, settled: SettledCounts) -> None:
    """Refuse counts that disclose more people than the plan's ``max_risk``, where rows are people. Exact.

    A plan may hold an epsilon that was chosen for noise of real numbers; what counts is the noise that was settled.
    """
    if plan.max_risk is None:
        return
    found = joint_risk_of(plan, noisy_tables(settled), ())
    if found is not None and found.value > plan.max_risk:
        drawn = settled.tables[0].mechanism.name
        raise BadQuestion(
            f"This release would disclose {percent(found.value)} of the people with the {drawn} noise that is drawn, "
            f"and the plan allows max_risk = {plan.max_risk:g}, which is {100 * plan.max_risk:g} %. Nothing was "
            f"entered or published. Take a smaller epsilon, or one that choose --mechanism {drawn} finds."
        )
