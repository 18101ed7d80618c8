"""How many records share a cell?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.tally import Bar, room_for_names, tally
from epsilometer.charts.theme import BLUE, WIDE, dressed

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.arrays import IntArray
    from epsilometer.vocabulary.curves import Curves

TITLE: Final = "Cells, by records in the cell"


def draw_cell_sizes(curves: Curves, *, width: int = WIDE) -> alt.LayerChart:
    """Draw how many cells have each number of records, in classes that widen with the number."""
    bars = size_bars(curves.cell_sizes, curves.cells_of_size)
    chart = tally(bars, title=TITLE, names=room_for_names(bars, width=width), width=width)
    subtitle = "A cell is one combination of the quasi-identifiers. The fewer share it, the less they hide each other."
    return dressed(chart, title=_finding(curves), subtitle=subtitle, width=width)


def size_bars(sizes: IntArray, cells: IntArray) -> list[Bar]:
    """Return a bar for each class of cell sizes; a size may occur repeatedly."""
    return [Bar(name, number, f"{number:,}", BLUE) for name, number in size_classes(sizes, cells)]


def size_classes(sizes: IntArray, cells: IntArray) -> list[tuple[str, int]]:
    """Gather cell sizes into the classes 1, 2, 3–4, 5–9, 10–19, 20–49, 50–99 and so on, up to the largest.

    >>> size_classes(np.array([1, 3, 4, 12]), np.array([7, 2, 1, 5]))[2]
    ('3–4', 3)
    """
    decades = 10 ** np.arange(1, 19, dtype=np.int64)
    starts = np.concatenate([[1, 2, 3, 5], np.outer(decades, [1, 2, 5]).ravel()[:-2]])
    starts = starts[: np.searchsorted(starts, np.max(sizes), side="right")]
    gathered = np.bincount(np.searchsorted(starts, sizes, side="right") - 1, weights=cells, minlength=len(starts))
    ends = [*(starts[1:] - 1), max(int(np.max(sizes)), int(starts[-1]))]
    return [
        (f"{start:,}" if start == end else f"{start:,}–{end:,}", int(number))
        for start, end, number in zip(starts, ends, gathered, strict=True)
    ]


def _finding(curves: Curves) -> str:
    smallest, cells, total = (
        int(curves.cell_sizes[0]),
        int(curves.cells_of_size[0]),
        int(curves.cells_of_size.sum()),
    )
    if smallest == 1:
        return f"{cells:,} of {total:,} cells hold a single record"
    return f"The smallest of {total:,} cells holds {smallest:,} records"
