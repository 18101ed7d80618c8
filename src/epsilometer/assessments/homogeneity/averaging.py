"""Averages of a formula over the profile of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.formulas.homogeneity.local import people_disclosed
from epsilometer.formulas.homogeneity.totals import total_over_cells
from epsilometer.vocabulary.profile import Profile

if TYPE_CHECKING:
    from epsilometer.formulas.homogeneity.totals import Formula
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.noise import Noise

AVERAGES: Final = ("cells", "records")


def weights_for(average: str, profile: Profile) -> IntArray:
    """Return the weight of each distinct count vector: its cells, or the records in them."""
    return profile.n_cells if average == "cells" else profile.n_cells * profile.sizes


def total_weight(average: str, profile: Profile) -> int:
    """Return the sum of the weights: the number of cells, or of records."""
    return profile.total_cells if average == "cells" else profile.total_records


def weighted_mean(formula: Formula, profile: Profile, noise: Noise, average: str) -> FloatArray:
    """Return the mean of a formula over the profile."""
    total = total_over_cells(formula, profile.counts, weights_for(average, profile), noise)
    return total / total_weight(average, profile)


def share_of_people_disclosed(profile: Profile, noise: Noise) -> FloatArray:
    """Share of all people whose own value is the only one published for their cell: the mean of ``local_records``."""
    return total_over_cells(people_disclosed, profile.counts, profile.n_cells, noise) / profile.total_records


def number(value: FloatArray) -> float | FloatArray:
    """Return a plain float for one privacy parameter, an array for several."""
    return float(value) if np.ndim(value) == 0 else value


def sizes_and_weights(average: str, profile: Profile) -> tuple[IntArray, IntArray]:
    """Return the different sizes of cells with the weight of those of each size: their number, or their records."""
    sizes, n_cells = profile.cells_of_sizes
    return sizes, n_cells if average == "cells" else n_cells * sizes


def in_order_of_size(profile: Profile) -> Profile:
    """Return the same profile with the smallest cells first: formulas that go by the size then find few in a block."""
    order = np.argsort(profile.sizes, kind="stable")
    return Profile(profile.counts[order], profile.n_cells[order], profile.values)
