"""How many published counts are how far off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
    from epsilometer.vocabulary.noise import Noise


@source("homogeneity-v2", "Definition 7: the counts as they are published")
def probability_within(counts: ArrayLike, distance: int, noise: Noise) -> FloatArray:
    r"""Probability that a count is published at most so far from the truth. Exact, for any noise.

    .. math:: \Pr(|R - c| \le t) = 1 - \Pr(R \ge c + t + 1) - \Pr(R < c - t)

    with :math:`c` = ``counts``, :math:`t` = ``distance`` and :math:`R` what is published: 0 where :math:`c + e` is
    below the threshold :math:`\tau`, else :math:`c + e` rounded, but at least 1. Hence for :math:`m \ge 2` the event
    :math:`R \ge m` is :math:`c + e \ge \max(m - 1/2, \tau)`, and for :math:`m = 1` it is :math:`c + e \ge \tau`.

    >>> from epsilometer.mechanisms import Laplace
    >>> probability_within([0, 100], 3, Laplace(epsilon=1.0)).round(6)
    array([0.984901, 0.969803])
    """
    c = np.asarray(counts, dtype=np.float64)
    too_low = np.where(c > distance, noise.probability_below(_least(c - distance, noise) - c), 0.0)
    return 1.0 - too_low - noise.probability_at_least(_least(c + distance + 1, noise) - c)


def _least(published: FloatArray, noise: Noise) -> FloatArray:
    """Return the smallest noisy count that is published as this, or as more."""
    return np.where(published > 1, np.maximum(published - 0.5, noise.threshold), noise.threshold)
