"""The different rows of a table of whole numbers, and how often each occurs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.vocabulary.long_arrays import parts, ranked

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    key = _row_numbers(table)
    order = np.argsort(key, kind="stable")
    ascending, is_first = key[order], np.ones(len(key), dtype=np.bool_)
    is_first[1:] = ascending[1:] != ascending[:-1]
    first = np.flatnonzero(is_first)
    return _rows_at(table, order[first]), np.diff(first, append=len(key))


def _rows_at(table: IntArray, places: IntArray) -> IntArray:
    """Return some rows, kept column by column if there are more of them than columns, without a copy in between."""
    tall = len(places) > table.shape[1]
    rows = np.empty((len(places), table.shape[1]), np.int64, order="F" if tall else "C")
    if table.flags.f_contiguous:
        for column, taken in zip(table.T, rows.T, strict=True):
            taken[:] = column.take(places)
    else:
        for at, taken in zip(parts(places, table.shape[1]), parts(rows, table.shape[1]), strict=True):
            taken[:] = table.take(at, axis=0)
    return rows


def _row_numbers(table: IntArray) -> IntArray:
    """Return a number for each row, different for different rows, in the order of the rows."""
    sizes = table.max(axis=0, initial=0) + 1  # how many numbers a column may hold
    key, n_keys = np.zeros(len(table), np.int64), 1
    for columns in _together(sizes.tolist(), LARGEST_KEY // max(len(table), 1)):
        digits = np.append(np.cumprod(sizes[columns][:0:-1])[::-1], 1)
        part, n_parts = np.einsum("ij,j->i", table[:, columns], digits), int(digits[0]) * int(sizes[columns][0])
        if n_keys * n_parts > LARGEST_KEY:
            key, n_keys = ranked(key)
        if n_keys * n_parts > LARGEST_KEY:
            part, n_parts = ranked(part)
        key, n_keys = part if n_keys == 1 else key * n_parts + part, n_keys * n_parts
    return key


def _together(sizes: list[int], most: int) -> Iterator[slice]:
    """Columns that follow each other and are one number of at most so many, or single ones that may have more."""
    first, n_numbers = 0, sizes[0]
    for column, size in enumerate(sizes[1:], start=1):
        n_numbers *= size
        if n_numbers > most:
            yield slice(first, column)
            first, n_numbers = column, size
    yield slice(first, len(sizes))
