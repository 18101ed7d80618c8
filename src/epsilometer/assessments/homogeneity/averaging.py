"""Averages of a formula over the profile of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray
    from epsilometer.vocabulary.noise import Noise
    from epsilometer.vocabulary.profile import Profile

    Formula = Callable[[ArrayLike, Noise], FloatArray]

BLOCK: Final = 2**17  # numbers per intermediate array: 1 MiB stays in the cache, whatever the profile and the curve
AVERAGES: Final = ("cells", "records")


def weights_for(average: str, profile: Profile) -> IntArray:
    """Return the weight of each distinct count vector: its cells, or the records in them."""
    return profile.n_cells if average == "cells" else profile.n_cells * profile.sizes


def weighted_mean(formula: Formula, profile: Profile, noise: Noise, weights: IntArray) -> FloatArray:
    """Return the mean of a formula over the profile."""
    return weighted_sum(formula, profile, noise, weights) / weights.sum()


def weighted_sum(formula: Formula, profile: Profile, noise: Noise, weights: IntArray) -> FloatArray:
    """Sum a formula over the profile in blocks, so that memory stays bounded for any curve."""
    n_parameters = noise.probability_below(0.0).size
    n_rows = max(1, BLOCK // (n_parameters * profile.n_values))
    starts = range(0, len(weights), n_rows)
    blocks = [formula(profile.counts[i : i + n_rows], noise) @ weights[i : i + n_rows] for i in starts]
    return np.sum(blocks, axis=0)


def number(value: FloatArray) -> float | FloatArray:
    """Return a plain float for one privacy parameter, an array for several."""
    return float(value) if np.ndim(value) == 0 else value


def sizes_and_weights(profile: Profile, weights: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct cell sizes with the weight of the cells of each size."""
    sizes, position = np.unique(profile.sizes, return_inverse=True)
    return sizes, np.bincount(position, weights).astype(np.int64)
