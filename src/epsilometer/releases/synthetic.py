"""A synthetic table as a release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from epsilometer.assessments.synthetic.synthesize import check_synthesis, delta_paid, synthesize
from epsilometer.errors import BadQuestion
from epsilometer.plans.release_kinds import Synthetic
from epsilometer.releases.passports import protected
from epsilometer.releases.prepared import Made, Prepared
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.passport import MechanismUsed
from epsilometer.vocabulary.privacy_loss import PrivacyLoss

if TYPE_CHECKING:
    from epsilometer.plans.plan import Plan
    from epsilometer.vocabulary.telling import Tell


def prepare_synthetic(plan: Plan, tell: Tell) -> Prepared:
    """Check a plan for a synthetic table; all of its epsilon is paid, its delta where something may spend it."""
    asked = plan.released_as(Synthetic)
    if plan.person_id is not None:
        raise BadQuestion("A synthetic table takes each row for a person. Keep one row for each, and no person id.")
    columns = asked.columns or (*plan.quasi_identifiers, *plan.sensitive)
    delta = delta_paid(asked.method, asked.delta, columns, plan.domain)
    what = f"a synthetic table by {asked.method}"
    settings: dict[str, Any] = {
        "method": asked.method,
        "epsilon": asked.epsilon,
        "delta": delta,
        "columns": columns,
        "domain": {name: declared for name, declared in plan.domain.items() if name in columns},
        "bins": asked.n_bins,
        "where": plan.where,
        "missing": plan.missing,
    }
    check_synthesis(plan.table, **settings)  # what is wrong with it must be noticed before anything is entered

    def make() -> Made:
        made = synthesize(plan.table, rows=asked.rows, tell=tell, **settings)
        return Made(tables={"": made.rows}, mechanisms=(MechanismUsed(what=what, name=made.method),), detail=made)

    return Prepared(
        looks=(PrivacyLoss(what=what, noise="any", epsilon=asked.epsilon, delta=delta),),
        delta=delta,
        protection=protected("synthetic", adjacency=Adjacency.ADD_REMOVE.value),
        make=make,
    )
