"""How large and how mixed the cells of an unprotected table are.

``counts`` has one row per distinct count vector and one column per sensitive value; ``n_cells`` is the number
of cells with each vector. Both are as in :class:`~epsilometer.vocabulary.profile.Profile`: no row is empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.vocabulary.long_arrays import of_cells, row_sums
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from epsilometer.vocabulary.arrays import ArrayLike, IntArray


@source("Sweeney2002", "definition of k-anonymity")
def k_anonymity(counts: ArrayLike) -> int:
    r"""How many records look alike at least, to an attacker who knows the quasi-identifiers? Exact.

    .. math:: k = \min_i n_i

    with :math:`n_i` the records in cell i (a row sum of ``counts``). At least 1; larger is safer.

    >>> k_anonymity([[3, 0], [1, 1]])
    2
    """
    return min(of_cells(lambda n: int(row_sums(n).min()), counts))


@source("WongEtAl2006", "definition of alpha-deassociation and of (alpha, k)-anonymity")
def largest_value_share(counts: ArrayLike) -> float:
    r"""How sure is the attacker of a sensitive value in the worst cell? Exact.

    .. math:: \alpha = \max_i \max_k n_{ik} / n_i

    with :math:`n_{ik}` an entry of ``counts``. From 1/K to 1; larger is riskier. The original definition
    protects one chosen value; this is the reading that protects them all alike.

    >>> largest_value_share([[2, 2], [1, 3]])
    0.75
    """
    return max(of_cells(lambda n: float((n.max(axis=1) / row_sums(n)).max()), counts))


@source("Sweeney2000", "people whose combination of demographics nobody shares")
def unique_records(counts: ArrayLike, n_cells: ArrayLike) -> int:
    """How many records are alone in their cell? Exact. From 0 to n; larger is riskier.

    >>> unique_records([[1, 0], [2, 1]], [5, 2])
    5
    """
    return sum(of_cells(lambda n, cells: int(cells[row_sums(n) == 1].sum()), counts, n_cells))


@source("MachanavajjhalaEtAl2007", "homogeneity attack")
def homogeneous_cells(counts: ArrayLike, n_cells: ArrayLike) -> int:
    """How many cells give their one sensitive value away? Exact. From 0 to M; larger is riskier.

    >>> homogeneous_cells([[3, 0], [0, 1], [2, 1]], [1, 4, 7])
    5
    """
    return sum(of_cells(lambda n, cells: int(cells[_homogeneous(n)].sum()), counts, n_cells))


@source("MachanavajjhalaEtAl2007", "homogeneity attack")
def homogeneous_records(counts: ArrayLike, n_cells: ArrayLike) -> int:
    """How many records are in a cell with one sensitive value? Exact. From 0 to n; larger is riskier.

    >>> homogeneous_records([[3, 0], [0, 1], [2, 1]], [1, 4, 7])
    7
    """
    return sum(of_cells(lambda n, cells: int((cells * row_sums(n))[_homogeneous(n)].sum()), counts, n_cells))


def _homogeneous(n: IntArray) -> NDArray[np.bool_]:
    one_value: NDArray[np.bool_] = np.count_nonzero(n, axis=1) == 1
    return one_value
