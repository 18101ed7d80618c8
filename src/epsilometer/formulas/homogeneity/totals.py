"""Sums of a formula over all cells of a table, however many they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.formulas.homogeneity.fates import tabulated

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray
    from epsilometer.vocabulary.noise import Noise

    Formula = Callable[[IntArray, Noise], FloatArray]

BLOCK: Final = 2**16  # numbers per intermediate array: a few of them stay in the cache, whatever the curve
MOST_ROWS: Final = 2**13  # cells at once; sums of more are given to threads, which costs more than it gains


def total_over_cells(formula: Formula, counts: IntArray, weights: ArrayLike, noise: Noise) -> FloatArray:
    """Sum a formula over count vectors, each with its weight, in blocks: memory stays bounded for any curve.

    The formula has the cells along the last axis of its answer.

    >>> from epsilometer.formulas.homogeneity.local import local
    >>> from epsilometer.mechanisms import Laplace
    >>> float(total_over_cells(local, np.array([[3, 0], [2, 1]]), [1, 2], Laplace(epsilon=1.0)).round(6))
    1.362464
    """
    known, of_each = tabulated(counts, noise), np.asarray(weights)
    n_rows = int(np.clip(BLOCK // noise.probability_below(0.0).size, 1, MOST_ROWS))
    blocks = (slice(first, first + n_rows) for first in range(0, len(counts), n_rows))
    return np.sum([formula(counts[block], known) @ of_each[block].astype(np.float64) for block in blocks], axis=0)
