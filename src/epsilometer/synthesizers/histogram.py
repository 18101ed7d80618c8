"""What synthesizers that count every cell share: counts that cannot be negative, and a model that samples cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.errors import BadTable
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.synthesizers.coded import CodedTable
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.spending import Spending

MOST_CELLS = 2**22
"""Cells that are counted at most: each one, empty or not, is drawn noise of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class HistogramModel:
    """A share for every cell of the declared domain.

    Attributes:
        shares: one axis per column; they add up to 1.
        n_records: number of records, as far as the noise lets it be known.
        spent: each look at the records.
    """

    shares: FloatArray
    n_records: int
    spent: tuple[Spending, ...]

    def sample(self, n: int, rng: np.random.Generator) -> IntArray:
        cells = rng.choice(self.shares.size, size=n, p=self.shares.ravel())
        return np.stack(np.unravel_index(cells, self.shares.shape), axis=1)


def model_from_noisy(noisy: FloatArray | IntArray, spent: tuple[Spending, ...]) -> HistogramModel:
    """Model of unbiased noisy counts of all cells; it looks at nothing else, so it costs nothing more.

    >>> model = model_from_noisy(np.array([[3, -1], [2, 0]]), ())
    >>> model.n_records, model.shares.tolist()
    (4, [[0.625, 0.0], [0.375, 0.0]])
    """
    counts = nonnegative(noisy)
    total = counts.sum()
    return HistogramModel(counts / total, round(total), spent)


@source("duchi-2008", "Figure 1")
def nonnegative(noisy: FloatArray | IntArray) -> FloatArray:
    r"""Counts without negative ones that are nearest to noisy counts and keep their total. Exact.

    Negative counts set to zero alone would leave a total that is too large, by about half of the noise of every
    empty cell. The nearest point, in least squares, with the same total takes that back from all counts alike:

    .. math:: x_i = \max(y_i - \tau, 0), \qquad \textstyle\sum_i x_i = \max(\sum_i y_i, 1)

    with :math:`y` = ``noisy``. Noisy counts that add up to less than one record are taken for one record.

    >>> nonnegative(np.array([5, -1, 2]))
    array([4.5, 0. , 1.5])
    """
    total = max(noisy.sum(), 1)
    falling = np.sort(noisy, axis=None)[::-1]
    shifts = (np.cumsum(falling) - total) / np.arange(1, noisy.size + 1)
    last = np.flatnonzero(falling > shifts)[-1]
    return np.maximum(noisy - shifts[last], 0.0)


def check_size(table: CodedTable) -> None:
    """Refuse tables with more cells than can be counted one by one."""
    if table.n_cells > MOST_CELLS:
        raise BadTable(
            f"The columns have {table.n_cells:,} combinations of values; this method counts each of at most"
            f" {MOST_CELLS:,}. Leave columns out, use wider bins, or choose a method that looks at few columns at once."
        )
