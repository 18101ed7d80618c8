"""Laws for the sizes of the non-empty cells, fitted to a table, and how badly they fit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import chdtrc

from epsilometer.errors import BadCounts, OutOfRange
from epsilometer.formulas.homogeneity.size_laws import NegativeBinomial, Poisson, SizeLaw, size_exceeded_with
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

_LOG_R_RANGE = (math.log(1e-6), math.log(1e6))
_CELLS_PER_BIN = 5.0  # expected cells below which the chi-square approximation is not trusted


@source("david-johnson-1952", "truncated Poisson, maximum likelihood")
def zero_truncated_poisson_mle(mean: float) -> float:
    r"""Rate of the Poisson law that, without its zeros, has this mean: the maximum likelihood. Exact.

    .. math:: \frac{\lambda}{1 - e^{-\lambda}} = \bar n

    with :math:`\bar n` = ``mean``, the mean size of the non-empty cells; zero if every cell has one record.
    The plain mean, which Papers 000 and 001 use, is too large (erratum E11).

    >>> round(zero_truncated_poisson_mle(250 / 103), 10)
    2.1422587668
    """
    if not 1 <= mean < math.inf:
        raise OutOfRange("mean", mean, "[1, inf)", hint="It is the mean size of the non-empty cells.")
    excess = mean - 1
    if excess == 0:
        return 0.0
    # the excess of the truncated mean over one lies between half the rate and the rate
    return _root(lambda rate: rate / -math.expm1(-rate) - mean, excess, 2 * excess)


@source("sampford-1955", "truncated negative binomial, maximum likelihood")
def zero_truncated_negative_binomial_mle(
    sizes: ArrayLike, n_cells: ArrayLike | None = None
) -> NegativeBinomial | Poisson:
    """Maximum likelihood of the negative binomial law, without its zeros, for the sizes of non-empty cells.

    ``n_cells`` says how many cells have each size; one if left out. For every r the best p makes the means
    agree, which leaves one parameter to search. Sizes that vary no more than Poisson's have their maximum in
    the limit of large r: the answer is then the Poisson law. At the other end r stops at 1e-6, where the law is
    the logarithmic series to six digits.

    >>> fit = zero_truncated_negative_binomial_mle([1, 2, 3, 4, 6], [35, 30, 18, 10, 7])
    >>> round(fit.r, 3), round(fit.p, 3)
    (5.786, 0.758)
    """
    n, weights = _checked(sizes, n_cells)
    mean = float(weights @ n / weights.sum())
    poisson = Poisson(zero_truncated_poisson_mle(mean))
    if mean == 1:
        return poisson
    found = minimize_scalar(
        lambda log_r: -_log_likelihood(_with_mean(math.exp(log_r), mean), n, weights),
        bounds=_LOG_R_RANGE,
        method="bounded",
        options={"xatol": 1e-9},
    )
    fitted = _with_mean(math.exp(found.x), mean)
    return fitted if _log_likelihood(fitted, n, weights) > _log_likelihood(poisson, n, weights) else poisson


@dataclass(frozen=True, slots=True)
class SizeFit:
    """How well a law describes the sizes of the cells.

    Attributes:
        log_likelihood: natural logarithm of the probability of the sizes.
        chi_square: Pearson's statistic over bins of at least five expected cells.
        degrees_of_freedom: bins less one less the fitted parameters; below one the law cannot be tested.
        p_value: probability of a statistic this large if the law were true; NaN if it cannot be tested.
    """

    log_likelihood: float
    chi_square: float
    degrees_of_freedom: int
    p_value: float


@source("cochran-1954", "pooling of bins with small expectations")
def size_fit(law: SizeLaw, sizes: ArrayLike, n_cells: ArrayLike | None = None, *, n_fitted: int) -> SizeFit:
    """Goodness of fit of a law with ``n_fitted`` parameters estimated from these very sizes.

    >>> fit = size_fit(Poisson(1.0), [1, 2, 3, 10], [50, 25, 12, 6], n_fitted=1)
    >>> fit.degrees_of_freedom, round(fit.chi_square, 2)
    (1, 3.71)
    """
    n, weights = _checked(sizes, n_cells)
    largest = min(int(n.max()), size_exceeded_with(_CELLS_PER_BIN / weights.sum(), law))  # no bin begins beyond
    beyond = weights.sum() * law.probability_above(np.arange(largest + 1))
    edges = _bin_edges(beyond.tolist())
    expected = -np.diff(beyond[edges], append=0.0)
    observed = np.bincount(np.searchsorted(edges, n) - 1, weights, minlength=len(edges))
    chi_square = float(((observed - expected) ** 2 / expected).sum())
    freedom = len(edges) - 1 - n_fitted
    p_value = float(chdtrc(freedom, chi_square)) if freedom > 0 else math.nan
    return SizeFit(_log_likelihood(law, n, weights), chi_square, freedom, p_value)


def _bin_edges(beyond: list[float]) -> list[int]:
    """Lower ends, themselves left out, of bins with enough expected cells; the last bin has no upper end.

    ``beyond`` says how many cells are expected to have more than 0, 1, .. records.
    """
    edges, start = [0], beyond[0]
    for end, rest in enumerate(beyond[1:], start=1):
        if rest < _CELLS_PER_BIN:
            break
        if start - rest >= _CELLS_PER_BIN:
            edges.append(end)
            start = rest
    return edges


def _with_mean(r: float, mean: float) -> NegativeBinomial:
    """Return the law with this r whose mean, given that the cell is not empty, is ``mean`` > 1."""

    def excess(plain_mean: float) -> float:
        return plain_mean / -math.expm1(-r * math.log1p(plain_mean / r)) - mean

    plain_mean = _root(excess, 1e-12 * (mean - 1), mean)
    return NegativeBinomial(r, r / (r + plain_mean))


def _root(increasing: Callable[[float], float], low: float, high: float) -> float:
    return float(brentq(increasing, low, high, xtol=1e-300, rtol=1e-15))


def _log_likelihood(law: SizeLaw, n: FloatArray, weights: FloatArray) -> float:
    with np.errstate(divide="ignore"):  # a size that the law rules out makes it -inf
        return float(weights @ np.log(law.probability(n)))


def _checked(sizes: ArrayLike, n_cells: ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    n = np.asarray(sizes, dtype=np.float64)
    weights = np.ones_like(n) if n_cells is None else np.asarray(n_cells, dtype=np.float64)
    if n.ndim != 1 or not n.size or not ((n >= 1) & (n == np.floor(n)) & (n < np.inf)).all():
        raise BadCounts("sizes must be whole numbers from 1 on, one for each non-empty cell.")
    if weights.shape != n.shape or not ((weights >= 1) & (weights < np.inf)).all():
        raise BadCounts(f"n_cells must be {len(n)} numbers from 1 on, one for each size.")
    return n, weights
