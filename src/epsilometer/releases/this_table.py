"""What a release of counts gives away of this very table: confidential, for the ledger and never for a passport."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.assessments.assess import assess
from epsilometer.plans.release_kinds import Counts
from epsilometer.publication.counts import drawn_mechanism

if TYPE_CHECKING:
    from epsilometer.plans.plan import Plan


def this_table_risks(plan: Plan) -> dict[str, float]:
    """Return the share of people disclosed by the noise that is drawn, by sensitive attribute.

    It is known for one table of counts of all columns with a role; for other releases there is nothing to return.
    """
    release = plan.release
    if not isinstance(release, Counts) or not _counts_all_roles(plan, release):
        return {}
    drawn = replace(plan, release=replace(release, mechanism=drawn_mechanism(plan)))
    return {
        f"people disclosed of their {attribute.sensitive}": float(np.asarray(attribute.people.value))
        for attribute in assess(drawn).attributes
    }


def _counts_all_roles(plan: Plan, release: Counts) -> bool:
    roles = {*plan.quasi_identifiers, *plan.sensitive}
    return not release.tables or (len(release.tables) == 1 and set(release.tables[0].columns) == roles)
