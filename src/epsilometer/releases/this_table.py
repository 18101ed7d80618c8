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

    It is known for one table of counts of all columns with a role in which a row is a person; for other releases
    there is nothing to return.
    """
    if not isinstance(plan.release, Counts) or plan.person_id is not None or not _counts_all_roles(plan, plan.release):
        return {}
    freq = counted(plan).tables[-1]
    risk = homogeneity_risk(freq, drawn_mechanism(plan), average="records")
    return {f"people disclosed of their {' and '.join(freq.sensitive)}": float(np.asarray(risk.value))}


def _counts_all_roles(plan: Plan, release: Counts) -> bool:
    roles = {*plan.quasi_identifiers, *plan.sensitive}
    return not release.tables or (len(release.tables) == 1 and set(release.tables[0].columns) == roles)
