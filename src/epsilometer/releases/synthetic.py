"""A synthetic table as a release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from epsilometer.assessments.synthetic.synthesize import check_records, delta_paid, synthesize
from epsilometer.errors import BadQuestion
from epsilometer.plans.release_kinds import Synthetic
from epsilometer.releases.filters import check_filter
from epsilometer.releases.passports import protected
from epsilometer.releases.prepared import Made, Prepared
from epsilometer.tables.records import Records, chosen_columns
from epsilometer.vocabulary.adjacency import Adjacency
from epsilometer.vocabulary.passport import MechanismUsed
from epsilometer.vocabulary.privacy_loss import PrivacyLoss

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.plans.plan import Plan
    from epsilometer.publication.chance import Chance
    from epsilometer.tables.table import Table
    from epsilometer.vocabulary.telling import Tell


def prepare_synthetic(plan: Plan, tell: Tell, chance: Chance) -> Prepared:
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
    }
    table = plan.open_for_release()
    check_without_rows(table, settings)

    def make() -> Made:
        made = synthesize(table, rows=asked.rows, tell=tell, chance=chance, **settings)
        return Made(tables={"": made.rows}, mechanisms=(MechanismUsed(what=what, name=made.method),), detail=made)

    return Prepared(
        looks=(PrivacyLoss(what=what, noise="any", epsilon=asked.epsilon, delta=delta),),
        delta=delta,
        protection=protected(
            "synthetic",
            adjacency=Adjacency.ADD_REMOVE.value,
            unit=plan.unit,
            rows_per_person=plan.rows_per_person,
        ),
        make=make,
    )


def check_without_rows(table: Table, settings: Mapping[str, Any]) -> None:
    """Say what is wrong with the settings of a synthetic table, as far as it shows without a row of it."""
    check_filter(table, settings["where"])
    empty = table.expression.schema().to_pyarrow().empty_table()
    chosen = {name: settings[name] for name in ("method", "epsilon", "delta", "domain", "bins")}
    check_records(Records(empty.select(chosen_columns(table, settings["columns"])), table.name), **chosen)
