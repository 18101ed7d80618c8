"""How many records share a cell?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.charts.tally import Bar, room_for_names, tally
from epsilometer.charts.theme import BLUE, WIDE, dressed
from epsilometer.vocabulary.language import ENGLISH

if TYPE_CHECKING:
    import altair as alt

    from epsilometer.vocabulary.arrays import IntArray
    from epsilometer.vocabulary.curves import Curves
    from epsilometer.vocabulary.language import Language

TITLE: Final = ENGLISH.text("chart.cell_sizes.title")


def draw_cell_sizes(curves: Curves, *, width: int = WIDE, language: Language = ENGLISH) -> alt.LayerChart:
    """Draw how many cells have each number of records, in classes that widen with the number."""
    bars, title = size_bars(curves.cell_sizes, curves.cells_of_size, language), language.text("chart.cell_sizes.title")
    chart = tally(bars, title=title, names=room_for_names(bars, width=width), width=width)
    subtitle = language.text("chart.cell_sizes.reading")
    return dressed(chart, title=_finding(curves, language), subtitle=subtitle, width=width, language=language)


def size_bars(sizes: IntArray, cells: IntArray, language: Language = ENGLISH) -> list[Bar]:
    """Return a bar for each class of cell sizes; a size may occur repeatedly."""
    classes = size_classes(sizes, cells)
    return [Bar(language.number(name), number, language.number(number), BLUE) for name, number in classes]


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


def _finding(curves: Curves, language: Language) -> str:
    smallest, total = int(curves.cell_sizes[0]), int(curves.cells_of_size.sum())
    if smallest == 1:
        return language.text("chart.cell_sizes.single", n=int(curves.cells_of_size[0]), total=total)
    return language.text("chart.cell_sizes.smallest", total=total, records=smallest)
