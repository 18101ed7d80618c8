"""Risk of the homogeneity attack when the shares of a cell are themselves drawn from a Dirichlet distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.formulas.empirical_bayes import CommonShares, HomogeneousCells
from epsilometer.formulas.homogeneity.closed_forms import LARGEST_POWER, shrinkage_two_values
from epsilometer.formulas.homogeneity.expected import checked_sizes, expected
from epsilometer.formulas.homogeneity.independent_counts import NegativeBinomialCounts
from epsilometer.formulas.homogeneity.lone_value import CentredLaw, by_few_transforms, by_recursion, vanishing_if_empty
from epsilometer.formulas.homogeneity.publication import surviving_probability, vanishing_probability
from epsilometer.vocabulary.noise import exponential_tails
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
    from epsilometer.vocabulary.noise import Noise

_SMALLEST_SHAPE = 2.0  # see _transforms
_LARGEST_RECURSION = 500  # for larger cells transforms are faster (measured, K = 3), unless few people can vanish
_MOST_HIDDEN = 1_000  # people of a cell who may vanish, for that
_RAREST = 1e-60  # probability with which a count vanishes that is said never to


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


def _of_distinct(sizes: FloatArray, alpha: FloatArray, noise: Noise) -> FloatArray:
    drawn = -np.sort(-alpha[alpha > 0])
    tails = exponential_tails(noise)
    if len(alpha) == len(drawn) == 2 and tails is not None and sizes[-1] <= LARGEST_POWER:  # noqa: PLR2004
        return shrinkage_two_values(int(sizes[-1]), drawn, tails)[:, sizes.astype(np.int64) - 1]
    few = sizes <= (sizes[-1] if _n_hidden(sizes[-1], drawn, noise) <= _MOST_HIDDEN else _LARGEST_RECURSION)
    risks = _recursion(sizes[few], drawn, noise)
    if not few.all():
        risks = np.concatenate([risks, _transforms(sizes[~few], drawn, noise)], axis=1)
    return risks * vanishing_if_empty(noise) ** (len(alpha) - len(drawn))


def _n_hidden(largest: float, alpha: FloatArray, noise: Noise) -> int:
    """Return how many people of a cell may vanish, if not almost never, with one value left."""
    c = np.arange(1, min(largest, _MOST_HIDDEN) + 1)
    sometimes = (np.atleast_2d(vanishing_probability(c, noise)) > _RAREST).any(axis=0)
    return (len(alpha) - 1) * int(np.count_nonzero(sometimes))


def _recursion(sizes: FloatArray, alpha: FloatArray, noise: Noise) -> FloatArray:
    """Work in blocks of totals, with laws centred on each and wide enough to give its ends at least exp(-500)."""
    spread, (distinct, n_values) = max(alpha.sum(), _SMALLEST_SHAPE), np.unique(alpha, return_counts=True)
    risks, low = [np.empty((len(vanishing_if_empty(noise)), 0))], 0
    while low < sizes.max(initial=0):
        high = min(int(sizes[-1]), low + max(_LARGEST_RECURSION, int(20 * np.sqrt(low + low**2 / spread))))
        mean = (low + high) / 2
        laws = NegativeBinomialCounts(np.array([mean / (mean + spread)]), distinct, n_values)
        of_block = sizes[(low < sizes) & (sizes <= high)].astype(np.int64) - low - 1
        risks.append(by_recursion(laws, low + 1, high, noise, rarest=_RAREST)[:, 0, of_block])
        low = high
    return np.concatenate(risks, axis=1)


def _transforms(sizes: FloatArray, alpha: FloatArray, noise: Noise) -> FloatArray:
    """Use ratios at which successive probabilities fall by exp(-2/n) or faster beyond n, and not much faster below it.

    Twelve times n further on, and after fewer if they fall faster, they are below 1e-12 of the one at n. At the
    largest tilt the mean of the most frequent value alone would be n, were its shape at least 2.
    """
    spread = max(alpha.sum(), _SMALLEST_SHAPE)

    def law_from(n: float) -> tuple[CentredLaw, float]:
        ratio, steepest = n / (n + spread), n / (n + max(alpha[0], _SMALLEST_SHAPE))
        counts = NegativeBinomialCounts(np.array([ratio]), alpha, np.ones(len(alpha), dtype=np.int64))
        period = int((4 + 24 / spread) * n + 50)
        return CentredLaw(counts, period, np.log([steepest / ratio])), n + min(n, 4 * np.sqrt(n + n**2 / spread))

    return by_few_transforms(sizes, law_from, noise)


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
