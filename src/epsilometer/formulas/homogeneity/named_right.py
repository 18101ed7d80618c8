"""Largest published count, or the most common value of all: the attacker that every kind of release is compared by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.homogeneity.largest_count import winning_probability
from epsilometer.formulas.homogeneity.thresholding import empty_probability
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
    from epsilometer.vocabulary.noise import Noise


@source("homogeneity-v2", "Section 5: the plurality rule; an empty published cell falls back to the overall mode")
def named_right(counts: ArrayLike, fallback: ArrayLike, noise: Noise) -> FloatArray:
    r"""Probability that the published counts of its cell name a member's value. Exact; the attacker always names one.

    .. math:: \sum_k \frac{n_k}{n} \big[ \Pr(k \text{ is published largest}) + \Pr(\text{no count is}) \, g_k \big]

    with :math:`n` = a row of ``counts`` and :math:`g` = ``fallback``, the probability with which each value is named
    for a cell that is published empty. As epsilon falls to 0 it tends to
    :math:`(1 - 2^{-K})/K + 2^{-K} \sum_k g_k n_k / n` for the threshold 1/2, as epsilon grows to the share of the
    plurality. The first may be below the share of the overall mode: noise misleads whoever trusts it.

    >>> from epsilometer.mechanisms import Laplace
    >>> float(named_right([3, 0], [1.0, 0.0], Laplace(epsilon=1.0)).round(6))
    0.944964
    """
    n = np.asarray(counts, dtype=np.float64)
    empty = empty_probability(counts, noise)[..., None]
    named = winning_probability(counts, noise) + empty * np.asarray(fallback, dtype=np.float64)
    return (named * (n / n.sum(axis=-1, keepdims=True))).sum(axis=-1)
