"""How many records share a cell?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import altair as alt
import numpy as np

from epsilometer.charts.theme import BLUE, INK, LEFT, WIDE, dressed, plot_width

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import IntArray
    from epsilometer.vocabulary.curves import Curves

ROW: Final = 24  # pixels
NAMES: Final = 118 - LEFT  # room for a class such as 100,000–199,999


def draw_cell_sizes(curves: Curves, *, width: int = WIDE) -> alt.LayerChart:
    """Draw how many cells have each number of records, in classes that widen with the number."""
    rows = size_classes(curves.cell_sizes, curves.cells_of_size)
    names = alt.Axis(
        title="records in the cell",
        titleAngle=0,
        titleAlign="left",
        titleAnchor="end",
        titleX=-LEFT - NAMES + 12,
        titleY=-10,
        domain=False,
        ticks=False,
        labelPadding=6,
        labelColor=INK.light,
    )
    bars = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("cells:Q", title="number of cells", axis=alt.Axis(tickCount=4, format=",~f", tickMinStep=1)),
        y=alt.Y("records:N", sort=None, axis=names),
    )
    marks = bars.mark_bar(color=BLUE.light, height=ROW * 0.7)
    texts = bars.mark_text(align="left", dx=5).encode(text=alt.Text("cells:Q", format=","))
    chart = alt.LayerChart(layer=[marks, texts], width=plot_width(width) - NAMES, height=ROW * len(rows))
    subtitle = "A cell is one combination of the quasi-identifiers. The fewer share it, the less they hide each other."
    return dressed(chart, title=_finding(curves), subtitle=subtitle, width=width)


def size_classes(sizes: IntArray, cells: IntArray) -> list[dict[str, object]]:
    """Gather cell sizes into the classes 1, 2, 3–4, 5–9, 10–19, 20–49, 50–99 and so on, up to the largest.

    >>> size_classes(np.array([1, 3, 4, 12]), np.array([7, 2, 1, 5]))[2]
    {'records': '3–4', 'cells': 3}
    """
    decades = 10 ** np.arange(1, 19, dtype=np.int64)
    starts = np.concatenate([[1, 2, 3, 5], np.outer(decades, [1, 2, 5]).ravel()[:-2]])
    starts = starts[: np.searchsorted(starts, np.max(sizes), side="right")]
    gathered = np.bincount(np.searchsorted(starts, sizes, side="right") - 1, weights=cells, minlength=len(starts))
    ends = [*(starts[1:] - 1), max(int(np.max(sizes)), int(starts[-1]))]
    return [
        {"records": f"{start:,}" if start == end else f"{start:,}–{end:,}", "cells": int(number)}
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
