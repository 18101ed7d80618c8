"""What becomes of one true count when it is published with noise and a threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
    from epsilometer.vocabulary.noise import Noise


@source("homogeneity-v2", "Definition 7: a count is zero when its noisy value is below 1/2")
def vanishing_probability(counts: ArrayLike, noise: Noise) -> FloatArray:
    r"""Probability that a true count is published as zero. Exact.

    .. math:: z(c) = \Pr(c + e < \tau)

    with :math:`c` = ``counts`` and :math:`e, \tau` the noise and threshold of ``noise``. The papers have
    :math:`\tau = 1/2`.
    """
    return _for_distinct(counts, lambda distinct: noise.probability_below(noise.threshold - distinct))


@source("homogeneity-v2", "Definition 7: a count is zero when its noisy value is below 1/2")
def surviving_probability(counts: ArrayLike, noise: Noise) -> FloatArray:
    """Probability that a true count is published as positive: 1 - z(c), without cancellation. Exact."""
    return _for_distinct(counts, lambda distinct: noise.probability_at_least(noise.threshold - distinct))


def _for_distinct(counts: ArrayLike, probability: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Evaluate a probability once for each distinct count: a profile has far fewer of them than entries."""
    n = np.asarray(counts, dtype=np.float64)
    distinct, position = np.unique(n, return_inverse=True)
    return np.take(probability(distinct), position.reshape(n.shape), axis=-1)
