"""What becomes of one true count when it is published with noise and a threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
    from epsilometer.vocabulary.noise import Noise


@source("homogeneity-v2", "Definition 7: a count is zero when its noisy value is below 1/2")
def vanishing_probability(counts: ArrayLike, noise: Noise) -> FloatArray:
    r"""Probability that a true count is published as zero. Exact.

    .. math:: z(c) = \Pr(c + e < \tau)

    with :math:`c` = ``counts`` and :math:`e, \tau` the noise and threshold of ``noise``. The papers have
    :math:`\tau = 1/2`.
    """
    return noise.probability_below(noise.threshold - np.asarray(counts, dtype=np.float64))


@source("homogeneity-v2", "Definition 7: a count is zero when its noisy value is below 1/2")
def surviving_probability(counts: ArrayLike, noise: Noise) -> FloatArray:
    """Probability that a true count is published as positive: 1 - z(c), without cancellation. Exact."""
    return noise.probability_at_least(noise.threshold - np.asarray(counts, dtype=np.float64))
