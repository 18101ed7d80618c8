"""Values of a cell that have the same count: what holds for one of them holds for all, and is worked out once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from epsilometer.formulas.homogeneity.alone import product_of_others

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray, IntArray


class EqualCounts(NamedTuple):
    """The different counts of each cell, one row per cell.

    Attributes:
        counts: ascending; a cell with fewer of them than others has its largest again, for no value.
        n_values: how many values of the cell have each.
        place: which of them each value has.
    """

    counts: IntArray
    n_values: IntArray
    place: IntArray

    def of_values(self, results: FloatArray) -> FloatArray:
        """Hand results for the different counts to the values; both lie along the last axis."""
        return np.take_along_axis(results, np.broadcast_to(self.place, results.shape[:-2] + self.place.shape), axis=-1)


def equal_counts(rows: IntArray) -> EqualCounts:
    """Find the values of each cell that have the same count.

    >>> equal_counts(np.array([[2, 0, 0], [1, 3, 2]])).n_values
    array([[2, 1, 0],
           [1, 1, 1]])
    """
    order = np.argsort(rows, axis=1, kind="stable")
    ordered = np.take_along_axis(rows, order, axis=1)
    group = np.cumsum(np.diff(ordered, axis=1, prepend=ordered[:, :1]) > 0, axis=1)
    n_groups = int(group[:, -1].max()) + 1
    cell = np.arange(len(rows))[:, None]
    counts = np.repeat(ordered[:, -1:], n_groups, axis=1)
    counts[cell, group] = ordered
    n_values = np.bincount((cell * n_groups + group).ravel(), minlength=counts.size).reshape(counts.shape)
    place = np.empty_like(order)
    np.put_along_axis(place, order, group, axis=1)
    return EqualCounts(counts, n_values, place)


def product_of_other_values(factors: FloatArray, n_values: IntArray, axis: int) -> FloatArray:
    """Product over all values of a cell but one of each count, from the factor of each count.

    >>> product_of_other_values(np.array([0.5, 0.1]), np.array([2, 1]), axis=-1)
    array([0.05, 0.25])
    """
    if (n_values == 1).all():
        return product_of_others(factors, axis=axis)
    others_with_the_count = factors ** np.maximum(n_values - 1, 0)
    all_with_the_count = np.where(n_values > 0, others_with_the_count * factors, 1.0)
    return product_of_others(all_with_the_count, axis=axis) * others_with_the_count
