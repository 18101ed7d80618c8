"""How strongly a column depends on others, as a number of records, so that one record moves it little."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

SENSITIVITY: Final = 2


@source("zhang-2017", "score function R, times the number of records")
def displaced_records(counts: IntArray | FloatArray) -> float:
    r"""How many records would have to move for the rows and columns of a table of counts to be independent? Exact.

    .. math:: n R = \frac{1}{2} \sum_{x, y} \left| n_{xy} - \frac{n_x n_y}{n} \right|

    with :math:`n_{xy}` = ``counts``. An added record moves it by less than ``SENSITIVITY``, and by as near to that as
    one likes: where :math:`r` and :math:`c` are the sums of its row and column before, the differences in the formula
    change by the outer product of :math:`e_x - n_\cdot / n` and :math:`e_y - n_\cdot / n`, times :math:`n / (n + 1)`,
    so that half of the sum of their sizes is

    .. math:: \frac{2 n}{n + 1} \left(1 - \frac{r}{n}\right) \left(1 - \frac{c}{n}\right) \le 2 - \frac{2}{n + 1}

    Whole counts are summed without rounding; that of the one division stays within the gap of 2 / (n + 1) up to
    sixty million records.

    >>> displaced_records(np.array([[3, 0], [0, 1]])), displaced_records(np.array([[3, 0], [0, 0]]))
    (1.5, 0.0)
    """
    n = counts.sum()
    if n <= 0:
        return 0.0
    return float(np.abs(n * counts - np.outer(counts.sum(axis=1), counts.sum(axis=0))).sum() / (2 * n))
