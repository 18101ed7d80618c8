"""What becomes of one true count when it is published with noise and a threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.homogeneity.fates import fates_of
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray
    from epsilometer.vocabulary.noise import Noise


@source("homogeneity-v2", "Definition 7: a count is zero when its noisy value is below 1/2")
def vanishing_probability(counts: ArrayLike, noise: Noise) -> FloatArray:
    r"""Probability that a true count is published as zero. Exact.

    .. math:: z(c) = \Pr(c + e < \tau)

    with :math:`c` = ``counts`` and :math:`e, \tau` the noise and threshold of ``noise``. The papers have
    :math:`\tau = 1/2`.
    """
    fates, place = fates_of(counts, noise)
    return _parameters_first(fates.vanish, place)


@source("homogeneity-v2", "Definition 7: a count is zero when its noisy value is below 1/2")
def surviving_probability(counts: ArrayLike, noise: Noise) -> FloatArray:
    """Probability that a true count is published as positive: 1 - z(c), without cancellation. Exact."""
    fates, place = fates_of(counts, noise)
    return _parameters_first(fates.survive, place)


def _parameters_first(table: FloatArray, place: IntArray) -> FloatArray:
    return np.moveaxis(table[place], -1, 0) if table.ndim > 1 else table[place]
