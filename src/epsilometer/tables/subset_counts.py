"""Counts of every subset of the quasi-identifiers, from one scan: added up in memory, or inside the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from epsilometer.tables.engine import fetch
from epsilometer.tables.engine_errors import reported_as
from epsilometer.tables.subset_arrays import subset_arrays
from epsilometer.tables.subset_cube import fits_a_cube, subset_cube
from epsilometer.tables.subset_queries import SubsetQueries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from epsilometer.tables.counting import JointCounts
    from epsilometer.vocabulary.profile import Profile

MOST_NUMBERS: Final = 10**8  # combinations times columns: adding them up in memory takes about five gigabytes
IN_MEMORY: Final = "The counts of each set of columns were added up in memory."
ON_SPARK: Final = "The counts of each set of columns were added up on Spark; only the results came to this machine."
IN_THE_ENGINE: Final = (
    "There are more combinations of the candidate columns than fit in memory: the table's engine added up the counts "
    "of each set of columns."
)


class SubsetCounts(Protocol):
    """Counts of the combinations that occur, ready to be added up for any subset of the columns."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers; a set has one bit for each."""
        ...

    @property
    def n_records(self) -> int:
        """Number of records."""
        ...

    @property
    def note(self) -> str:
        """A sentence on where the counts are added up."""
        ...

    def named_right(self, sets: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield each set, and the number of records whose value is the most frequent one of their cell."""
        ...

    def profile(self, columns: Iterable[int]) -> Profile:
        """Return the profile of the cells of some columns, by number; the sensitive values are in no special order."""
        ...


def subset_counts(joint: JointCounts) -> SubsetCounts:
    """Choose where to add up: in memory, unless the counts are on a cluster or too many.

    Several sensitive columns are taken as combinations.
    """
    if joint.rows.get_backend().name == "pyspark":
        return SubsetQueries(joint, ON_SPARK)
    with reported_as(joint.name):
        n_rows = fetch(joint.rows.agg(n_rows=joint.rows.count()))["n_rows"][0].as_py()
    if n_rows * len(joint.roles.quasi_identifiers) > MOST_NUMBERS:
        return SubsetQueries(joint, IN_THE_ENGINE)
    arrays = subset_arrays(joint, IN_MEMORY)
    return subset_cube(arrays) if fits_a_cube(arrays) else arrays
