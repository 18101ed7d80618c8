"""A plan's table, counted once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from epsilometer.tables.counting import count_table
from epsilometer.tables.homogeneous import homogeneous_in
from epsilometer.tables.roles import assign_roles

if TYPE_CHECKING:
    from epsilometer.plans.plan import Plan
    from epsilometer.tables.counting import JointCounts
    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.tables.homogeneous import HomogeneousAttributes


class Counted(NamedTuple):
    """What one scan of a plan's table gives.

    Attributes:
        name: what to call the table, free of passwords.
        tables: a frequency table for each sensitive attribute, and one for all together if there are several.
        homogeneous: in how many cells how many of the attributes have a single value.
    """

    name: str
    tables: tuple[FrequencyTable, ...]
    homogeneous: tuple[HomogeneousAttributes, ...]


def counted(plan: Plan) -> Counted:
    """Count the plan's table in one scan."""
    counts = joint_counts(plan)
    tables = frequency_tables(counts)
    homogeneous = homogeneous_in(tables[0].profile) if len(tables) == 1 else counts.homogeneous_attributes()
    return Counted(counts.name, tables, homogeneous)


def joint_counts(plan: Plan) -> JointCounts:
    """Count the plan's table in one scan, and leave the counts in the engine."""
    table = plan.open()
    roles = assign_roles(
        table.columns, plan.quasi_identifiers, plan.sensitive, person_id=plan.person_id, bins=plan.bins
    )
    return count_table(table, roles, where=plan.where)


def frequency_tables(counts: JointCounts) -> tuple[FrequencyTable, ...]:
    """Return a frequency table for each sensitive attribute, and one for all together if there are several."""
    sensitive = counts.roles.sensitive
    together = (sensitive,) if len(sensitive) > 1 else ()
    return tuple(counts.frequency_table(names) for names in (*sensitive, *together))
