"""Attackers who guess a member's value from every published count of the cell, not only from a lone one.

The papers name two rules and leave the details open. Here an empty published cell gives no guess, and hence no
success; ties for the largest count are broken uniformly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.homogeneity.largest_count import winning_probability
from epsilometer.formulas.homogeneity.publication import vanishing_probability
from epsilometer.formulas.homogeneity.share_of_counts import expected_shares
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
    from epsilometer.vocabulary.noise import Noise


@source("homogeneity-v1", "Section 5 and Appendix E")
@source("homogeneity-v2", "Section 5 and Appendix D")
def hard(counts: ArrayLike, noise: Noise) -> FloatArray:
    r"""Probability that the largest published count of its cell names a member's value. Exact.

    .. math:: \sum_k \frac{n_k}{n} \Pr(k \text{ is published largest})

    with :math:`n` = a row of ``counts``; see :func:`winning_probability`. As epsilon falls to 0 it tends to
    :math:`(1 - 2^{-K})/K` for the threshold 1/2, as epsilon grows to the share of the plurality.

    >>> from epsilometer.mechanisms import Laplace
    >>> float(hard([3, 0], Laplace(epsilon=1.0)).round(12))
    0.916368216043
    """
    return _for_a_member(counts, winning_probability(counts, noise))


@source("homogeneity-v1", "Section 5, footnote 3, and Appendix E")
@source("homogeneity-v2", "Section 5 and Appendix D")
def soft(counts: ArrayLike, noise: Noise) -> FloatArray:
    r"""Probability that a guess drawn by the published shares of the cell is a member's value. Exact.

    .. math:: \sum_k \frac{n_k}{n} \operatorname{E} \Big[ \tilde n_k \big/ \textstyle\sum_j \tilde n_j \Big]

    with :math:`n` = a row of ``counts`` and :math:`\tilde n` the published counts; see :func:`expected_shares`.
    As epsilon falls to 0 it tends to :math:`(1 - 2^{-K})/K` for the threshold 1/2, as epsilon grows to
    :math:`\sum_k (n_k/n)^2`.

    >>> from epsilometer.mechanisms import Laplace
    >>> float(soft([3, 0], Laplace(epsilon=1.0)).round(12))
    0.861320686332
    """
    return _for_a_member(counts, expected_shares(counts, noise))


def empty_probability(counts: ArrayLike, noise: Noise) -> FloatArray:
    """Probability that every count of a cell is published as zero: the product of the z(n_k). Exact.

    >>> from epsilometer.mechanisms import Laplace
    >>> float(empty_probability([3, 0], Laplace(epsilon=1.0)).round(6))
    0.028596
    """
    return vanishing_probability(counts, noise).prod(axis=-1)


def _for_a_member(counts: ArrayLike, probability_of_value: FloatArray) -> FloatArray:
    n = np.asarray(counts, dtype=np.float64)
    return (probability_of_value * (n / n.sum(axis=-1, keepdims=True))).sum(axis=-1)
