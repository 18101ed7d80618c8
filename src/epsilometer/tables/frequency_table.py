"""The frequency table: what a table comes to once it is counted, known by its profile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.vocabulary.profile import Profile, whole_counts

if TYPE_CHECKING:
    from collections.abc import Callable

    import altair as alt
    import pyarrow as pa

    from epsilometer.vocabulary.arrays import ArrayLike, IntArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FrequencyTable:
    """Counts of sensitive values in the cells of the quasi-identifiers.

    The cells stay in the engine; ``profile`` holds all that a counting attack depends on.

    Attributes:
        profile: distinct count vectors with the number of cells that have each.
        quasi_identifiers: names of the columns that make a cell; empty for counts given as an array.
        sensitive: names of the counted columns; several are counted as combinations.
        notes: plain sentences on what the counts include.
        max_cells_per_person: the most cells one person adds to; a guarantee for one count holds for a person
            with epsilon times this.
    """

    profile: Profile
    quasi_identifiers: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    max_cells_per_person: int = 1
    _fetch_cells: Callable[[int | None, IntArray | None], pa.Table] = field(repr=False)

    @classmethod
    def from_counts(cls, counts: ArrayLike, values: tuple[str, ...] | None = None) -> FrequencyTable:
        """Take a cells x values array of counts as it is; cells without records are left out.

        >>> FrequencyTable.from_counts([[3, 0], [2, 1]]).n_records
        6
        """
        array = whole_counts(counts).copy()  # cells are listed later, whatever becomes of what was given
        profile = Profile.from_counts(array, None if values is None else tuple(values))

        def numbered_cells(limit: int | None, having: IntArray | None) -> pa.Table:
            import pyarrow as pa

            wanted = array.any(axis=1)
            if having is not None:
                wanted &= (array[:, None, :] == having[None, :, :]).all(axis=2).any(axis=1)
            occupied = np.flatnonzero(wanted)[:limit]
            columns = [occupied + 1, *array[occupied].T]
            return pa.Table.from_arrays([pa.array(column) for column in columns], ["cell", *profile.values])

        return cls(profile=profile, _fetch_cells=numbered_cells)

    @property
    def n_records(self) -> int:
        """Number of records n."""
        return self.profile.total_records

    @property
    def n_cells(self) -> int:
        """Number of non-empty cells M."""
        return self.profile.total_cells

    @property
    def n_values(self) -> int:
        """Number of sensitive values K."""
        return self.profile.n_values

    def first_cells(self, order: IntArray, limit: int) -> list[dict[str, object]]:
        """Fetch the cells of the count vectors that come first in an order, as records, and no others.

        A table may have millions of cells that are alike: every vector but the last is wanted whole; of the last, so
        many cells as are still missing.
        """
        n_vectors = int(np.searchsorted(np.cumsum(self.profile.n_cells[order]), limit)) + 1
        vectors = self.profile.counts[order[:n_vectors]]
        whole, rest = vectors[:-1], vectors[-1:]
        found = self.cells(having=whole).to_pylist() if len(whole) else []
        return [*found, *self.cells(limit - len(found), having=rest).to_pylist()]

    def plot(self) -> alt.VConcatChart:
        """Draw the sizes of the cells, how many values they mix, and how common each value is."""
        return self.profile.plot()

    def cells(self, limit: int | None = None, *, having: ArrayLike | None = None) -> pa.Table:
        """Fetch the cells with their labels and counts: one row per cell, one column per sensitive value.

        Labels are text, whatever the column holds: a bin and a missing value are categories beside the others, and a
        column has one kind however many cells are fetched. Cells of counts given as an array are numbered.

        Args:
            limit: fetch at most so many.
            having: fetch only the cells with one of these count vectors.
        """
        return self._fetch_cells(limit, None if having is None else whole_counts(having))
