"""How the shares of the sensitive values vary from cell to cell, estimated from the table itself.

The counts of a cell are multinomial, its shares drawn from a Dirichlet distribution. Three tables have no such
estimate, and each is an answer of its own type: all cells homogeneous (the parameters tend to zero), cells no
more different than chance makes them (they tend to infinity), and cells of one record (nothing to be seen).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from epsilometer.errors import BadCounts, EpsilometerError
from epsilometer.formulas.dirichlet_ridge import ridge_tops
from epsilometer.vocabulary.long_arrays import histogram, of_cells, of_parts, parts, row_sums, tally, totals_of_values
from epsilometer.vocabulary.profile import whole_counts
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray

_PRECISION = 1e-10  # last step of the logarithm of a parameter; Newton's next step would be its square
_FLAT = 1e-6  # a step that rounding errors keep alive, where the likelihood hardly depends on the parameters
_ROUNDING = 1e-13  # of the log-likelihood
_MOST_STEPS = 200


@dataclass(frozen=True, slots=True, eq=False)
class Dirichlet:
    """Estimated parameters; an array of them wherever one is asked for. A value nobody has gets zero."""

    alpha: FloatArray

    def __array__(self, *arguments: Any, **options: Any) -> FloatArray:  # noqa: ANN401
        return np.array(self.alpha, *arguments, **options)

    def __len__(self) -> int:
        return len(self.alpha)

    def __getitem__(self, value: int) -> float:
        return float(self.alpha[value])


@dataclass(frozen=True, slots=True, eq=False)
class HomogeneousCells:
    """Every cell has one value only: the limit in which the parameters tend to zero."""

    shares: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class CommonShares:
    """All cells have the same shares: the limit in which the parameters tend to infinity."""

    shares: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Unidentified:
    """Every cell has one record, which tells nothing of how alike the records of a cell are."""

    shares: FloatArray


SharesFit = Dirichlet | HomogeneousCells | CommonShares | Unidentified


@source("homogeneity-v2", "Appendix B, with the estimator that erratum E13 calls for")
def dirichlet_multinomial_mle(counts: ArrayLike, n_cells: ArrayLike | None = None) -> SharesFit:
    r"""Maximum likelihood of the Dirichlet parameters from the counts of all cells. Exact up to rounding.

    .. math:: \ell(\alpha) = \sum_k \sum_c U_k[c] \log(c + \alpha_k) - \sum_c V[c] \log(c + \alpha_\cdot)

    with :math:`U_k[c]` the number of cells with more than c records of value k and :math:`V[c]` of those with
    more than c records. ``n_cells`` says how many cells have each row of ``counts``; one if left out. Where cells of
    different sizes differ in their shares there can be several maxima; the highest is returned.

    >>> dirichlet_multinomial_mle([[3, 0], [2, 1], [0, 4], [1, 1]]).alpha.round(6)
    array([0.793786, 0.741475])
    """
    n, weights = _checked(counts, n_cells)
    largest_size = max(of_cells(lambda some: int(row_sums(some).max()), n))
    return fit_of_whole_counts(n, weights, histogram(row_sums, largest_size, n, weights))


def fit_of_whole_counts(n: IntArray, weights: NDArray[Any], cells_of_sizes: tuple[IntArray, NDArray[Any]]) -> SharesFit:
    """Maximum likelihood as above, of counts that are known to be such, with the different sizes and their numbers."""
    sizes, n_cells = cells_of_sizes
    if sizes[-1] == 1:
        return Unidentified(_shares(n, weights))
    if _homogeneous(n):
        return HomogeneousCells(_shares(n, weights))
    largest = max(of_cells(lambda some: int(some.max()), n))
    of_counts = np.array([tally(lambda records: records, largest, of_value, weights) for of_value in n.T])
    totals = of_counts @ np.arange(largest + 1)
    shares, occurs = totals / totals.sum(), totals > 0
    u, v = _exceeding(of_counts[occurs]), _exceeding(tally(lambda size: size, int(sizes[-1]), sizes, n_cells))
    top = max((_ascend(u, v, start) for start in ridge_tops(u, v)), key=lambda climb: climb.reached, default=None)
    if top is None or top.reached <= totals[occurs] @ np.log(shares[occurs]):  # that is what they tend to at infinity
        return CommonShares(shares)
    if not top.settled:
        raise EpsilometerError(
            "The law of the shares could not be fitted: the likelihood hardly depends on its parameters. "
            "The local and the expected risk need no such law."
        )
    alpha = np.zeros(len(shares))
    alpha[occurs] = top.alpha
    return Dirichlet(alpha)


@source("ridout-1999", "analysis-of-variance estimator of the intraclass correlation")
def dirichlet_moments(counts: ArrayLike, n_cells: ArrayLike | None = None) -> SharesFit:
    r"""Moment estimate of the Dirichlet parameters, by analysis of variance. Consistent, and fast.

    .. math:: \hat\rho = \frac{MSB - MSW}{MSB + (n_0 - 1) MSW}, \qquad
        \hat\alpha_k = \frac{1 - \hat\rho}{\hat\rho} \bar p_k

    with the mean squares between and within cells and :math:`n_0 = (n - \sum_i n_i^2 / n) / (M - 1)`.

    >>> dirichlet_moments([[3, 0], [2, 1], [0, 4], [1, 1]]).alpha.round(6)
    array([0.461443, 0.461443])
    """
    n, weights = _checked(counts, n_cells)
    shares, has_records = _shares(n, weights), row_sums(n) > 0
    n, weights = n[has_records], weights[has_records].astype(np.float64)
    sizes, n_cells_in_all = row_sums(n), weights.sum()
    records = weights @ sizes
    if records == n_cells_in_all:
        return Unidentified(shares)
    if n_cells_in_all == 1:
        return CommonShares(shares)
    cell_shares = n / sizes[:, None]
    between = weights @ (sizes * ((cell_shares - shares) ** 2).sum(axis=1)) / (n_cells_in_all - 1)
    within = weights @ (sizes * (1 - (cell_shares**2).sum(axis=1))) / (records - n_cells_in_all)
    typical_size = (records - weights @ sizes**2 / records) / (n_cells_in_all - 1)
    if _homogeneous(n):
        return HomogeneousCells(shares)
    if between <= within:
        return CommonShares(shares)
    correlation = (between - within) / (between + (typical_size - 1) * within)
    return Dirichlet((1 - correlation) / correlation * shares)


def _checked(counts: ArrayLike, n_cells: ArrayLike | None) -> tuple[IntArray, NDArray[Any]]:
    """Return the count vectors, and the number of cells of each."""
    n = whole_counts(counts)
    if not any(of_cells(lambda some: bool(some.any()), n)):
        raise BadCounts("counts has no record in any cell. Give at least one positive count.")
    weights = np.ones(len(n)) if n_cells is None else np.asarray(n_cells)
    if weights.shape != (len(n),) or not all(of_parts(lambda w: bool(((w >= 1) & (w < np.inf)).all()), weights)):
        raise BadCounts(f"n_cells must be {len(n)} numbers from 1 on, one for each row of counts.")
    return n, weights


def _homogeneous(n: IntArray) -> bool:
    """Tell whether every cell has one value only; where not, the first cells show it."""
    return all(bool((some.max(axis=1) == row_sums(some)).all()) for some in parts(n, n.shape[1]))


def _shares(n: IntArray, weights: NDArray[Any]) -> FloatArray:
    """Shares of the values in all records."""
    totals = totals_of_values(n, weights.astype(np.float64))
    return totals / totals.sum()


def _exceeding(tally: FloatArray) -> FloatArray:
    """Number of cells with more than c = 0, 1, .. records, from those with 0, 1, .. along the last axis."""
    return np.cumsum(tally[..., :0:-1], axis=-1)[..., ::-1]


class _Climb(NamedTuple):
    """Where a climb ended: the parameters, the log-likelihood there, and whether it can go no higher."""

    alpha: FloatArray
    reached: float
    settled: bool


def _ascend(u: FloatArray, v: FloatArray, start: FloatArray) -> _Climb:
    """Newton steps on the logarithms of the parameters, halved until the likelihood does not fall."""
    c = np.arange(len(v), dtype=np.float64)
    u_c = c[: u.shape[1]]

    def likelihood(alpha: FloatArray) -> float:
        return float((u * np.log(u_c + alpha[:, None])).sum() - v @ np.log(c + alpha.sum()))

    alpha, best = start, likelihood(start)
    for _ in range(_MOST_STEPS):
        step = _newton_step(alpha, u, v)
        while likelihood(alpha * np.exp(step)) < best - _ROUNDING * abs(best):
            step = step / 2
        alpha = alpha * np.exp(step)
        best = likelihood(alpha)
        if np.abs(step).max() <= _PRECISION:
            break
    return _Climb(alpha, best, bool(np.abs(step).max() <= _FLAT))


@source("minka-2000", "gradient, Hessian and fixed point of the Polya distribution; here for log alpha")
def _newton_step(alpha: FloatArray, u: FloatArray, v: FloatArray) -> FloatArray:
    """Step of log alpha. The Hessian is a diagonal plus a rank-one matrix, so it is inverted in O(K).

    Where the Hessian is not negative definite, the fixed-point step is taken: it always climbs.
    """
    u_shifted = np.arange(u.shape[1]) + alpha[:, None]
    v_shifted = np.arange(len(v)) + alpha.sum()
    of_value, of_size = (u / u_shifted).sum(axis=1), (v / v_shifted).sum()
    gradient = alpha * (of_value - of_size)
    diagonal = gradient - alpha**2 * (u / u_shifted**2).sum(axis=1)
    coupling = (v / v_shifted**2).sum()
    denominator = 1 / coupling + (alpha**2 / diagonal).sum()
    if (diagonal < 0).all() and denominator > 0:
        pulled = (alpha * gradient / diagonal).sum() / denominator
        return -(gradient - alpha * pulled) / diagonal
    return np.log(of_value / of_size)
