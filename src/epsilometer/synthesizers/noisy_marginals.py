"""Noisy marginals: counts of the combinations of a few columns, several of them within one part of the budget."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.synthesizers.budget import noise_scale
from epsilometer.vocabulary.source import source
from epsilometer.vocabulary.spending import Spending

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from epsilometer.synthesizers.coded import CodedTable
    from epsilometer.synthesizers.noise import Noise
    from epsilometer.vocabulary.arrays import FloatArray

USEFULNESS: Final = 4  # how many times the noise the mean count of a table should be; the paper's choice
MOST_USEFUL_CELLS: Final = 2**16  # however little the noise


@dataclass(frozen=True, slots=True, eq=False)
class Marginal:
    """Counts of the combinations of some columns.

    Attributes:
        columns: the numbers of the columns, ascending.
        table: the counts, with an axis for each of the columns.
    """

    columns: tuple[int, ...]
    table: FloatArray

    def onto(self, columns: Sequence[int]) -> FloatArray:
        """Sum the counts over all other columns; the axes are as the columns asked for.

        >>> Marginal((3, 5), np.array([[1.0, 2.0], [3.0, 4.0]])).onto([5])
        array([4., 6.])
        """
        kept = [column for column in self.columns if column in columns]
        others = tuple(axis for axis, column in enumerate(self.columns) if column not in columns)
        return np.transpose(self.table.sum(axis=others), [kept.index(column) for column in columns])


def measured(
    table: CodedTable, sets: Iterable[Iterable[int]], epsilon: float, noise: Noise
) -> tuple[tuple[Marginal, ...], Spending]:
    """Count the combinations of each set of columns with noise; also what that spends.

    A set within another is not counted again. A record is in one cell of each of the k tables, so that all of them
    together have sensitivity k.
    """
    distinct = sorted({tuple(sorted(columns)) for columns in sets})
    largest = [columns for columns in distinct if not any(set(columns) < set(other) for other in distinct)]
    scale = noise_scale(len(largest), epsilon)
    marginals = (Marginal(each, noise.whole(table.counts(each), scale).astype(np.float64)) for each in largest)
    return tuple(marginals), Spending(f"tables of counts: {len(largest)}", epsilon, noise=f"geometric, scale {scale:g}")


def noisy_size(table: CodedTable, epsilon: float, noise: Noise) -> tuple[int, Spending]:
    """Count the records with noise, at least 1; also what that spends."""
    scale = noise_scale(1, epsilon)
    n = int(noise.whole(table.counts([]), scale))
    return max(1, n), Spending("number of records", epsilon, noise=f"geometric, scale {scale:g}")


@source("zhang-2017", "theta-usefulness, for tables of counts with one record added or removed")
def useful_cells(n_records: int, n_tables: int, epsilon: float) -> int:
    r"""How many cells may a table have whose mean count is at least ``USEFULNESS`` times the mean size of its noise?

    .. math:: \frac{n \varepsilon}{\theta k}

    with :math:`n` = ``n_records``, :math:`k` = ``n_tables``, each of which gets noise of scale k / epsilon, and
    :math:`\theta` = ``USEFULNESS``. The paper's has 2 k in place of k, since it exchanges a record for another, which
    takes twice the noise. The answer is between 1 and ``MOST_USEFUL_CELLS``.

    >>> useful_cells(30_000, 15, 0.5)
    250
    """
    return max(1, math.floor(min(n_records * epsilon / (USEFULNESS * n_tables), MOST_USEFUL_CELLS)))
