"""Very many numbers or short rows of them: sums, histograms, and parts that fit a cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from epsilometer.vocabulary.arrays import IntArray

    Kind = TypeVar("Kind", bound=np.generic)

FITS_A_CACHE: Final = 2**15  # numbers; memory that is new to a process costs as much as working with it


def parts(rows: NDArray[Kind], numbers_per_row: int = 1) -> list[NDArray[Kind]]:
    """Split rows into parts for which that many numbers each fit a cache; there is always one.

    >>> [len(part) for part in parts(np.zeros(3 * 2**15), numbers_per_row=2)]
    [16384, 16384, 16384, 16384, 16384, 16384]
    """
    return np.array_split(rows, -(-len(rows) * numbers_per_row // FITS_A_CACHE) or 1)


def row_sums(rows: NDArray[Any]) -> NDArray[Any]:
    """Sum each row; numpy's own sum takes five times as long for short ones.

    >>> row_sums(np.array([[1, 2], [3, 4]]))
    array([3, 7])
    """
    return np.einsum("ij->i", rows)


def histogram(numbers: IntArray, weights: IntArray) -> tuple[IntArray, IntArray]:
    """Return the different numbers, none below zero, and the sum of the weights, all positive, of each.

    >>> histogram(np.array([3, 1, 3]), np.array([1, 2, 5]))
    (array([1, 3]), array([2, 6]))
    """
    if numbers.max(initial=0) <= len(numbers):  # no sorting: a place for each number that may occur
        sums = np.bincount(numbers, weights).astype(np.int64)
        return np.flatnonzero(sums), sums[sums > 0]
    different, place = np.unique(numbers, return_inverse=True)
    return different, np.bincount(place, weights).astype(np.int64)
