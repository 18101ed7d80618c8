"""Which value, if any, is the only one published for a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.homogeneity.publication import surviving_probability, vanishing_probability
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
    from epsilometer.vocabulary.noise import Noise


@source("homogeneity-v2", "Definition 5, for the published counts")
def alone_probability(counts: ArrayLike, noise: Noise) -> FloatArray:
    r"""Probability, for each value, that it is the only one published for the cell. Exact.

    .. math:: (1 - z(n_k)) \prod_{j \ne k} z(n_j)

    for the values :math:`k` along the last axis of ``counts``, present in the cell or not.

    >>> from epsilometer.mechanisms import Laplace
    >>> alone_probability([3, 0], Laplace(epsilon=1.0)).round(6)
    array([0.668139, 0.012447])
    """
    vanish = vanishing_probability(counts, noise)
    return surviving_probability(counts, noise) * product_of_others(vanish)


def product_of_others(factors: FloatArray, axis: int = -1) -> FloatArray:
    """Product of all factors along an axis but one, for each of them.

    Products of prefixes and suffixes: dividing the full product by a factor would fail where it is zero.

    >>> product_of_others(np.array([2.0, 0.0, 5.0]))
    array([ 0., 10.,  0.])
    """
    along = np.moveaxis(factors, axis, 0)
    products = np.ones_like(along)
    for order in (range(len(along)), range(len(along) - 1, -1, -1)):
        running = np.ones_like(along[0])
        for k in order:
            products[k] *= running
            running = running * along[k]
    return np.moveaxis(products, 0, axis)
