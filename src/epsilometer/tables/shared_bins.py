"""Codes of a column that mean the same in several tables: categories by value, numbers by bins of the first table."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.errors import BadBins
from epsilometer.tables.records import shared_codes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.tables.records import Records
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

MOST_BINS: Final = 10


def binned_codes(
    column: str, tables: Sequence[Records], edges: Sequence[float] = ()
) -> tuple[tuple[IntArray, ...], int]:
    """Number the values of a column alike in several tables, and say how many numbers there are.

    Numbers fall into bins closed on the left, between the edges given or else those of :func:`quantile_edges` of the
    first table; what lies beyond the ends counts to the bin at the end. Missing is a value.

    >>> from epsilometer.tables.records import read_records
    >>> import pyarrow as pa
    >>> one, other = (read_records(pa.table({"age": ages})) for ages in ([20, 30, None], [25, 99]))
    >>> binned_codes("age", [one, other])
    ((array([0, 1, 2]), array([0, 1])), 3)
    """
    if not tables[0].is_numeric(column):
        if edges:
            raise BadBins(f"Column {column!r} of {tables[0].name} does not hold numbers; it needs no edges.")
        codes, values = shared_codes(column, tables)
        return codes, len(values)
    if any(not low < high for low, high in pairwise(edges)) or not np.isfinite(edges).all():
        raise BadBins(f"bins of {column!r}: edges must be growing finite numbers, got {list(edges)}.")
    numbers = [records.numbers(column) for records in tables]
    inner = np.asarray(edges, dtype=np.float64) if edges else quantile_edges(numbers[0])
    missing = len(inner) + 1
    return tuple(np.where(np.isnan(x), missing, np.searchsorted(inner, x, side="right")) for x in numbers), missing + 1


def quantile_edges(values: FloatArray) -> FloatArray:
    """Edges of at most ten bins of about as many values each; missing values are left out.

    Few different values have a bin each. So does a value that is frequent enough for two quantiles to fall on it:
    it would pull its neighbours into its bin. Between the edges there is always a value, and at each edge.

    >>> quantile_edges(np.array([0.0] * 90 + [*range(1, 11)]))
    array([1.])
    >>> quantile_edges(np.arange(20.0))
    array([ 2.,  4.,  6.,  8., 10., 12., 14., 16., 18.])
    """
    different, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    if len(different) <= MOST_BINS:
        return different[1:]
    up_to = np.cumsum(counts)
    quantile = np.searchsorted(MOST_BINS * up_to, np.arange(1, MOST_BINS) * up_to[-1])
    frequent = quantile[1:][np.diff(quantile) == 0]
    last_of_bin = np.union1d(quantile, frequent - 1)
    return different[1:][last_of_bin[(last_of_bin >= 0) & (last_of_bin < len(different) - 1)]]
