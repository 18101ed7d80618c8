"""A frequency table whose cells are fetched once, for those who need them many times."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

    from epsilometer.tables.frequency_table import FrequencyTable
    from epsilometer.vocabulary.arrays import IntArray


def with_cells_at_hand(freq: FrequencyTable) -> FrequencyTable:
    """Return the same table with its cells in memory; a part of them is still asked of the engine.

    >>> from epsilometer import FrequencyTable
    >>> freq = with_cells_at_hand(FrequencyTable.from_counts([[3, 0], [2, 1]]))
    >>> freq.cells() is freq.cells()
    True
    """
    every = freq.cells()

    def fetched(limit: int | None, having: IntArray | None) -> pa.Table:
        return every if limit is None and having is None else freq.cells(limit, having=having)

    return replace(freq, _fetch_cells=fetched)
