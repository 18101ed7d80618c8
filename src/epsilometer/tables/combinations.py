"""Columns at hand as numbers: their values, and the combinations of several."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.vocabulary.long_arrays import ranked

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa

    from epsilometer.vocabulary.arrays import IntArray


def value_numbers(column: pa.ChunkedArray) -> IntArray:
    """Number the values of a column that occur, missing among them, from 0.

    >>> import pyarrow as pa
    >>> value_numbers(pa.chunked_array([["x", None, "x"]]))
    array([0, 1, 0])
    """
    encoded = column.combine_chunks().dictionary_encode(null_encoding="encode")
    return np.asarray(encoded.indices.to_numpy(), dtype=np.int64)


def combination_numbers(columns: Iterable[IntArray], n_rows: int) -> IntArray:
    """Number the combinations of numbered columns that occur, from 0; of no column there is one.

    >>> combination_numbers([np.array([0, 1, 0]), np.array([7, 7, 8])], 3)
    array([0, 2, 1])
    """
    combined = np.zeros(n_rows, dtype=np.int64)
    for numbers in columns:
        # numbered anew after each column, so that the numbers never exceed the rows squared
        combined, _ = ranked(combined * (numbers.max(initial=0) + 1) + numbers)
    return combined
