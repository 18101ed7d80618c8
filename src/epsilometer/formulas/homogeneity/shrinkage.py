"""Risk of the homogeneity attack when the shares of a cell are themselves drawn from a Dirichlet distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.formulas.empirical_bayes import CommonShares, HomogeneousCells
from epsilometer.formulas.homogeneity.closed_forms import LARGEST_POWER, shrinkage_two_values
from epsilometer.formulas.homogeneity.expected import checked_sizes, expected, expected_up_to
from epsilometer.formulas.homogeneity.independent_counts import NegativeBinomialCounts
from epsilometer.formulas.homogeneity.lone_value import by_transform, up_to, vanishing_if_empty
from epsilometer.formulas.homogeneity.publication import surviving_probability, vanishing_probability
from epsilometer.vocabulary.noise import exponential_tails
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
    from epsilometer.vocabulary.noise import Noise

_SMALLEST_SHAPE = 8.0  # see _transform
_TOTALS_WORTH_ONE = 200  # one transform costs as much as the recursion up to this total (measured, K = 3)


@source("homogeneity-v2", "Definition 9; Theorem 1, Eq. (13), states its first terms as a bound")
def shrinkage(n: ArrayLike, alpha: ArrayLike | HomogeneousCells | CommonShares, noise: Noise) -> FloatArray:
    r"""Mean of the expected risk over shares drawn from Dirichlet(``alpha``), for cells of ``n`` records. Exact.

    .. math:: \rho^s(n) = \sum_{n_1 + \dots + n_K = n} \frac{n!}{(\alpha_\cdot)_n}
        \prod_k \frac{(\alpha_k)_{n_k}}{n_k!} \, \rho(n_1, \dots, n_K)

    with :math:`(a)_n = a (a+1) \cdots (a+n-1)`. A value of :math:`\alpha_k = 0` is never drawn. The two limits of
    the distribution are types of their own: :class:`HomogeneousCells` (:math:`\alpha_\cdot \to 0`) and
    :class:`CommonShares` (:math:`\alpha_\cdot \to \infty`).

    >>> from epsilometer.mechanisms import Laplace
    >>> float(shrinkage(5, [1.0, 1.0], Laplace(epsilon=0.5)).round(10))
    0.4329363336
    """
    sizes = checked_sizes(n)
    match alpha:
        case CommonShares():
            return expected(sizes, alpha.shares, noise)
        case HomogeneousCells():
            risk = np.atleast_2d(surviving_probability(sizes.ravel(), noise))
            risk = risk * vanishing_if_empty(noise) ** (len(alpha.shares) - 1)
        case _:
            distinct, inverse = np.unique(sizes, return_inverse=True)
            risk = _of_distinct(distinct, _checked_alpha(alpha), noise)[:, inverse.ravel()]
    return risk.reshape(vanishing_probability(0, noise).shape + sizes.shape)


def shrinkage_up_to(largest: int, alpha: ArrayLike | HomogeneousCells | CommonShares, noise: Noise) -> FloatArray:
    """:func:`shrinkage` for every size 1 .. ``largest`` at once: shape (E, largest)."""
    if isinstance(alpha, CommonShares):
        return expected_up_to(largest, alpha.shares, noise)
    return np.atleast_2d(shrinkage(np.arange(1, largest + 1), alpha, noise))


def _of_distinct(sizes: FloatArray, alpha: FloatArray, noise: Noise) -> FloatArray:
    drawn = -np.sort(-alpha[alpha > 0])
    tails = exponential_tails(noise)
    if len(alpha) == len(drawn) == 2 and tails is not None and sizes[-1] <= LARGEST_POWER:  # noqa: PLR2004
        return shrinkage_two_values(int(sizes[-1]), drawn, tails)[:, sizes.astype(np.int64) - 1]
    spread = max(drawn.sum(), _SMALLEST_SHAPE)
    if sizes[-1] <= _TOTALS_WORTH_ONE * len(sizes):

        def laws_of_mean(mean: float) -> NegativeBinomialCounts:
            return NegativeBinomialCounts(np.array([mean / (mean + spread)]), drawn)

        risks = up_to(int(sizes[-1]), laws_of_mean, noise)[:, sizes.astype(np.int64) - 1]
    else:
        risks = np.concatenate([_transform(n, drawn, spread, noise) for n in sizes], axis=1)
    return risks * vanishing_if_empty(noise) ** (len(alpha) - len(drawn))


def _transform(n: float, alpha: FloatArray, spread: float, noise: Noise) -> FloatArray:
    """Use ratios at which successive probabilities fall by exp(-8/n) or faster beyond n.

    Six times n further on they have fallen below 1e-15 of the one at n. At the largest tilt the mean of the
    most frequent value alone would be n, were its shape at least 8.
    """
    ratio, steepest = n / (n + spread), n / (n + max(alpha[0], _SMALLEST_SHAPE))
    return by_transform(
        NegativeBinomialCounts(np.array([ratio]), alpha),
        np.array([n]),
        noise,
        period=int(6 * n + 50),
        largest_tilt=np.log([steepest / ratio]),
    )


def _checked_alpha(alpha: ArrayLike) -> FloatArray:
    array = np.asarray(alpha, dtype=np.float64)
    if not (array.ndim == 1 and ((array >= 0) & (array < np.inf)).all() and array.sum() > 0):
        raise OutOfRange(
            "alpha",
            alpha,
            "[0, inf) with a positive sum",
            hint="Use HomogeneousCells or CommonShares for the limits.",
        )
    return array
