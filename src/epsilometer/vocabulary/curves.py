"""Risk and loss of one release against epsilon, for charts, reports and choosing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.evidence import Heuristic
    from epsilometer.vocabulary.loss import Loss
    from epsilometer.vocabulary.risk import Risk


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curves:
    """Risk and loss on one grid of epsilon, with the cell sizes behind them.

    Attributes:
        sensitive: the attribute the risk is about.
        people: share of people disclosed, at each epsilon of its mechanism.
        cells: share of cells disclosed, on the same grid.
        loss: what the same release costs in accuracy, on the same grid.
        people_by_threshold: share of people disclosed on the same grid, for several publication thresholds.
        knee: the epsilon from which the risk of people starts to climb.
        cell_sizes: distinct numbers of records in a cell, ascending.
        cells_of_size: number of cells of each size.
    """

    sensitive: str
    people: Risk
    cells: Risk
    loss: Loss
    people_by_threshold: Mapping[float, FloatArray]
    knee: Heuristic
    cell_sizes: IntArray
    cells_of_size: IntArray
