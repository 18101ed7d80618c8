"""The different rows of a table of whole numbers, and how often each occurs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import IntArray

LARGEST_KEY: Final = 2**62


def distinct_rows(table: IntArray) -> tuple[IntArray, IntArray]:
    """Return the different rows in ascending order, and how often each occurs; no number is below zero.

    A row is written as one number with its numbers as digits, which is sorted far faster than rows are. Where that
    number would become too large, the rows so far are numbered anew.

    >>> distinct_rows(np.array([[3, 0], [2, 1], [3, 0]]))
    (array([[2, 1],
           [3, 0]]), array([1, 2]))
    """
    key, size = np.zeros(len(table), np.int64), 1
    for column in table.T:
        base = int(column.max(initial=0)) + 1
        if size * base > LARGEST_KEY:
            found, key = np.unique(key, return_inverse=True)
            size = len(found)
        key, size = key * base + column, size * base
    _, first, n_rows = np.unique(key, return_index=True, return_counts=True)
    return table[first], n_rows
