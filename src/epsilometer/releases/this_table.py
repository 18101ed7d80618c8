"""What a release of counts gives away of this very table: confidential, for the ledger and never for a passport."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.assessments.counted import counted
from epsilometer.assessments.homogeneity.risk import homogeneity_risk
from epsilometer.plans.release_kinds import Counts
from epsilometer.publication.counts import drawn_mechanism

if TYPE_CHECKING:
    from epsilometer.plans.plan import Plan


def this_table_risks(plan: Plan) -> dict[str, float]:
    """Return the share of people disclosed by the noise that is drawn; several sensitive columns count as one.

    For releases whose risk has no name there is nothing to return.
    """
    name = risk_name(plan)
    if name is None:
        return {}
    risk = homogeneity_risk(counted(plan).tables[-1], drawn_mechanism(plan), average="records")
    return {name: float(np.asarray(risk.value))}


def risk_name(plan: Plan) -> str | None:
    """Return what the risk of the release by itself is called.

    It is known for one table of counts of all columns with a role in which a row is a person, and for nothing else.
    """
    if not isinstance(plan.release, Counts) or plan.person_id is not None:
        return None
    roles, tables = {*plan.quasi_identifiers, *plan.sensitive}, plan.release.tables
    if len(tables) > 1 or any(set(table.columns) != roles for table in tables):
        return None
    return f"people disclosed of their {' and '.join(plan.sensitive)}"
