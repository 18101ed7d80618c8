"""What is odd about the roles that the columns were given: said before any number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epsilometer.assessments.exploring.exposure import lone_cells
from epsilometer.assessments.exploring.suggestions import nearly_all_differ, number_of_values
from epsilometer.vocabulary.wording import joined
from epsilometer.web.rendering import short

if TYPE_CHECKING:
    from epsilometer.web.desk import Opened


def warnings_about(table: Opened) -> tuple[str, ...]:
    """Say which columns tell everybody apart, and whether most cells are a single person's."""
    roles, cells = table.chosen(), lone_cells(table.counted().tables[0])
    telling_apart = [
        f"{short(each.column, 40)} has {number_of_values(each.summary)} values in {each.summary.n_rows:,} rows: it "
        "nearly tells everybody apart. Is it a number or name of people? Leave it out, or make it coarser."
        for each in table.suggestions
        if each.column in roles.quasi_identifiers and each.column not in roles.bins and nearly_all_differ(each.summary)
    ]
    if not cells.most:
        return tuple(telling_apart)
    known = joined(short(column, 40) for column in roles.quasi_identifiers)
    most = (
        f"Most cells hold one person: {cells.alone:,} of {cells.n_cells:,} cells, and so {cells.alone:,} of "
        f"{cells.n_people:,} people. Whoever knows {known} knows which cell is whose: only the noise stands before "
        "these people, and their counts say nothing about groups. Leave a column out, or make one coarser."
    )
    return (*telling_apart, most)
