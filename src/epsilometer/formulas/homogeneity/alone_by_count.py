"""Risks of very many cells at once, for attacks to which every sensitive value is like any other.

The share of people disclosed, the share of cells and the attacker's precision do not ask which value a count belongs
to: cells that hold the same counts in another order are alike, and of a cell only matters how often it holds which
count. Products over the values of a cell are then sums of logarithms, and those of all cells a sparse matrix times a
small table, for a whole curve of privacy parameters at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.sparse import csr_array

from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray
    from epsilometer.vocabulary.noise import Noise

ROWS: Final = 2**14  # kinds of cells at once: memory stays bounded for any number of cells
RAREST: Final = (
    1e-100  # a count that vanishes more rarely is taken to vanish so often: never less risk, by nothing seen
)


@dataclass(frozen=True, slots=True, eq=False)
class CellTallies:
    """How often the cells of a table hold which count; cells that agree in that are of one kind.

    Attributes:
        distinct: the counts that occur, ascending.
        n_entries: how many counts of the table are each of them.
        sizes: records in a cell of each kind.
        n_cells: how many cells are of each kind.
        blocks: a part of the kinds x distinct counts, how often the kind holds the count; and the same transposed.
    """

    distinct: IntArray
    n_entries: IntArray
    sizes: IntArray
    n_cells: IntArray
    blocks: tuple[tuple[csr_array, csr_array], ...]

    @classmethod
    def of(cls, counts: ArrayLike, n_cells: ArrayLike) -> CellTallies:
        """Tally distinct count vectors, one per row, and the number of cells that have each.

        >>> CellTallies.of([[3, 0], [0, 3], [1, 2]], [1, 1, 5]).n_cells
        array([5, 2])
        """
        kinds, of_kind = _grouped(np.sort(counts, axis=1), np.asarray(n_cells))
        distinct, place = np.unique(kinds, return_inverse=True)
        n_kinds, n_values = kinds.shape
        entries = np.ones(kinds.size), (np.repeat(np.arange(n_kinds), n_values), place.ravel())
        tally = csr_array(entries, shape=(n_kinds, len(distinct)))
        parts = (tally[first : first + ROWS] for first in range(0, n_kinds, ROWS))
        return cls(
            distinct=distinct,
            n_entries=np.bincount(place.ravel(), np.repeat(of_kind, n_values)).astype(np.int64),
            sizes=kinds.sum(axis=1),
            n_cells=of_kind,
            blocks=tuple((part, part.T.tocsr()) for part in parts),
        )


def _grouped(rows: IntArray, weights: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct rows with their total weight; fifty times as fast as ``np.unique`` of rows."""
    order = np.lexsort(rows.astype(np.min_scalar_type(rows.max())).T)  # small numbers are sorted digit by digit
    ordered = rows[order]
    first = np.flatnonzero(np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1)))
    return ordered[first], np.add.reduceat(weights[order], first)


@source("homogeneity-v2", "Definition 7, summed over the cells of a table")
def alone_by_count(cells: CellTallies, weights: ArrayLike, noise: Noise) -> FloatArray:
    r"""Expected weight of the counts of each size that are the only ones published of their cell. Exact.

    .. math:: a(c) = \frac{1 - z(c)}{z(c)} \sum_i w_i m_i(c) \prod_d z(d)^{m_i(d)}

    for the distinct counts :math:`c`, with :math:`m_i(d)` how often a cell of kind :math:`i` holds the count
    :math:`d`, :math:`w_i` = ``weights`` and :math:`z(d)` the probability that :math:`d` is published as zero. With
    the numbers of cells as weights, :math:`\sum_c c \, a(c)` people are disclosed and
    :math:`\sum_{c > 0} a(c)` cells show a value that somebody in them has. Where :math:`z(c)` is below 1e-100 it is
    put at that; logarithms cost four of the sixteen digits.

    >>> from epsilometer.mechanisms import Laplace
    >>> cells = CellTallies.of([[19, 1]], [1])
    >>> float(alone_by_count(cells, cells.n_cells, Laplace(epsilon=1.0)) @ cells.distinct / 20)  # doctest: +ELLIPSIS
    0.28810...
    """
    at = noise.threshold - cells.distinct
    vanish = np.maximum(np.atleast_2d(noise.probability_below(at)), RAREST).T  # distinct counts x parameters
    survive = np.atleast_2d(noise.probability_at_least(at)).T
    log_vanish, log_weights = np.log(vanish), np.log(np.asarray(weights, dtype=np.float64))[:, None]
    with_all_gone, first = np.zeros_like(vanish), 0
    for tally, transposed in cells.blocks:
        last = first + tally.shape[0]
        all_gone = tally @ log_vanish
        all_gone += log_weights[first:last]
        with_all_gone += transposed @ np.exp(all_gone, out=all_gone)
        first = last
    alone: FloatArray = (survive / vanish * with_all_gone).T
    return alone if np.ndim(noise.probability_below(0.0)) else alone[0]
