"""What a release of counts gives away of this very table: confidential, for the ledger and never for a passport."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.assessments.counted import counted
from epsilometer.assessments.homogeneity.risk import homogeneity_risk
from epsilometer.plans.release_kinds import Counts
from epsilometer.publication.counts import drawn_mechanism
from epsilometer.tables.people_counted import one_row_each

if TYPE_CHECKING:
    from epsilometer.plans.plan import Plan
    from epsilometer.vocabulary.risk import Risk


def this_table_risks(plan: Plan) -> dict[str, float]:
    """Return the share of people disclosed by the noise that is drawn; several sensitive columns count as one.

    For releases whose risk has no name there is nothing to return.
    """
    name = risk_name(plan)
    return {} if name is None else {name: float(np.asarray(_risk(plan).value))}


def this_table_risk(plan: Plan) -> Risk | None:
    """Return the same share with its baseline and how it is known; ``None`` for releases whose risk has no name."""
    return None if risk_name(plan) is None else _risk(plan)


def risk_name(plan: Plan) -> str | None:
    """Return what the risk of the release by itself is called.

    It is known for one table of counts of all columns with a role in which a row is a person, and for nothing else.
    """
    if not isinstance(plan.release, Counts):
        return None
    roles, tables = {*plan.quasi_identifiers, *plan.sensitive}, plan.release.tables
    if len(tables) > 1 or any(set(table.columns) != roles for table in tables):
        return None
    return f"people disclosed of their {' and '.join(plan.sensitive)}" if rows_are_people(plan) else None


def rows_are_people(plan: Plan) -> bool:
    """Whether each row is a person: nobody has said whose the rows are, or they are all of different people."""
    if plan.person_id is None:
        return True
    return one_row_each(plan.open(), plan.person_id, where=plan.where)


def _risk(plan: Plan) -> Risk:
    return homogeneity_risk(counted(plan).tables[-1], drawn_mechanism(plan), average="records")
