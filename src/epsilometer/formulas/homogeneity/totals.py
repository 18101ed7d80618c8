"""Sums of a formula over all cells of a table, however many they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from epsilometer.formulas.homogeneity.fates import Tabulated
from epsilometer.vocabulary.long_arrays import of_parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray
    from epsilometer.vocabulary.noise import Noise

    Formula = Callable[[IntArray, Noise], FloatArray]


def total_over_cells(formula: Formula, counts: IntArray, weights: ArrayLike, noise: Noise) -> FloatArray:
    """Sum a formula over count vectors, each with its weight, in parts: memory stays bounded for any curve.

    The formula has the cells along the last axis of its answer.

    >>> from epsilometer.formulas.homogeneity.local import local
    >>> from epsilometer.mechanisms import Laplace
    >>> float(total_over_cells(local, np.array([[3, 0], [2, 1]]), [1, 2], Laplace(epsilon=1.0)).round(6))
    1.362464
    """

    def total(some: IntArray, weight: FloatArray, known: Noise) -> FloatArray:
        return weighted_sum(formula(some, known), weight)

    return sum_of_parts(total, counts, weights, noise)


def sum_of_parts(
    total: Callable[[IntArray, FloatArray, Noise], FloatArray], counts: IntArray, weights: ArrayLike, noise: Noise
) -> FloatArray:
    """Add up what parts of the count vectors, with their weights, come to; noise remembers what it was asked."""
    known, n_parameters = Tabulated(noise), noise.probability_below(0.0).size

    def of_part(some: IntArray, weight: NDArray[Any]) -> FloatArray:
        return total(some, weight.astype(np.float64, copy=False), known)

    return np.sum(of_parts(of_part, counts, np.asarray(weights), numbers_per_row=n_parameters), axis=0)


def weighted_sum(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Sum along the last axis. A product of matrices would be given to threads that get in the way of ours."""
    return np.einsum("...i,i->...", values, weights)
