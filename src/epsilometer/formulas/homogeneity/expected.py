"""Risk of the homogeneity attack when the records of a cell draw their values at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.errors import BadCounts, OutOfRange
from epsilometer.formulas.homogeneity.closed_forms import closed_form, has_closed_form
from epsilometer.formulas.homogeneity.independent_counts import PoissonCounts
from epsilometer.formulas.homogeneity.local import local
from epsilometer.formulas.homogeneity.lone_value import by_recursion, by_transform, vanishing_if_empty
from epsilometer.formulas.homogeneity.publication import surviving_probability, vanishing_probability
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
    from epsilometer.vocabulary.noise import Noise

_LARGEST_RECURSION = 64  # for larger cells the transform is faster (measured, K = 3 .. 10)
_ROUNDING_OF_SHARES = 1e-9
_ELEMENTS_AT_ONCE = 2_000_000  # bounds the memory of a batch of cells


@source("homogeneity-v2", "Definition 8; Theorem 1, Eq. (12), states its first terms as a bound")
def expected(n: ArrayLike, shares: ArrayLike, noise: Noise) -> FloatArray:
    r"""Mean of the local risk over cells of ``n`` records with values drawn with probabilities ``shares``. Exact.

    .. math:: \rho^e(n) = \sum_{n_1 + \dots + n_K = n}
        \frac{n!}{\prod_k n_k!} \prod_k p_k^{n_k} \, \rho(n_1, \dots, n_K)

    with :math:`p` = a row of ``shares`` (the last axis runs over the sensitive values), one row for each
    entry of ``n``. Equation (12) of Paper 001 keeps two of these terms, one without its multinomial
    coefficient: it is a strict lower bound for n >= 2 (erratum E1).

    >>> from epsilometer.mechanisms import Laplace
    >>> float(expected(10, [0.9, 0.1], Laplace(epsilon=1.0)).round(10))
    0.3846919775
    """
    return _of_checked(checked_sizes(n), checked_shares(shares), noise)


def _of_checked(sizes: FloatArray, rows: FloatArray, noise: Noise) -> FloatArray:
    shape = np.broadcast_shapes(sizes.shape, rows.shape[:-1])
    sizes, rows = np.broadcast_to(sizes, shape), np.broadcast_to(rows, (*shape, rows.shape[-1]))
    if has_closed_form(rows.shape[-1], int(sizes.max()), noise):
        return closed_form(sizes, rows, noise)
    flat = np.column_stack([sizes.ravel(), -np.sort(-rows.reshape(-1, rows.shape[-1]))])
    distinct, inverse = np.unique(flat, axis=0, return_inverse=True)  # the order of the values does not matter
    risks = _expected_of_rows(distinct[:, 0], distinct[:, 1:], noise)
    return risks[:, inverse.ravel()].reshape(vanishing_probability(0, noise).shape + shape)


@source("homogeneity-v2", "Section 4: Eq. (12) with the shares of each cell plugged in")
def expected_of_counts(counts: ArrayLike, noise: Noise) -> FloatArray:
    r"""Risk of each cell had its records drawn their values anew, from the cell's own shares. Exact.

    This is :func:`expected` at the estimates :math:`\hat p_k = n_k / n`: a resampling risk. A heterogeneous cell
    counts as one that might have been homogeneous, so it is not the risk of the table as it is (:func:`local`).

    >>> from epsilometer.mechanisms import Laplace
    >>> expected_of_counts([[2, 1], [3, 0]], Laplace(epsilon=1.0)).round(6)
    array([0.454155, 0.668139])
    """
    n = np.asarray(counts)
    sizes = np.einsum("...k->...", n).astype(np.float64)
    if not sizes.min() >= 1:
        raise BadCounts("counts has a cell without records. Leave empty cells out: they carry no risk.")
    whole = n.dtype.kind in "iu" and n.min() >= 0  # then so are the sizes, and the shares are what they should be
    return (_of_checked if whole else expected)(sizes, n / sizes[..., None], noise)


def _expected_of_rows(sizes: FloatArray, shares: FloatArray, noise: Noise) -> FloatArray:
    """Risk of each row, shape (E, R); the shares of a row descend."""
    risks = np.empty((len(vanishing_if_empty(noise)), len(sizes)))
    n_drawn = np.minimum((shares > 0).sum(axis=1), 3)  # values that can be drawn: one, two, or more
    one = n_drawn == 1
    risks[:, one] = np.atleast_2d(surviving_probability(sizes[one], noise))
    risks[:, one] *= vanishing_if_empty(noise) ** (shares.shape[1] - 1)
    for n, drawn in np.unique(np.column_stack([sizes, n_drawn])[~one], axis=0):
        rows = np.flatnonzero((sizes == n) & (n_drawn == drawn))
        used = int((shares[rows] > 0).sum(axis=1).max())
        formula = _two_values if drawn == 2 else _recursion if n <= _LARGEST_RECURSION else _transform  # noqa: PLR2004
        at_once = max(1, int(_ELEMENTS_AT_ONCE / (used * (n + 1))))
        for batch in np.split(rows, range(at_once, len(rows), at_once)):
            risks[:, batch] = formula(n, shares[batch, :used], noise)
        risks[:, rows] *= vanishing_if_empty(noise) ** (shares.shape[1] - used)
    return risks


def _two_values(n: float, shares: FloatArray, noise: Noise) -> FloatArray:
    """Sum of the local risk over the count of the first value."""
    c = np.arange(n + 1)
    laws, untilted = PoissonCounts(np.array([n]), shares), np.zeros(1)
    log_first, log_second = np.moveaxis(laws.log_probability(c, untilted), 1, 0)
    log_total = laws.log_probability_of_total(np.array([n]), untilted)
    binomial = np.exp(log_first + log_second[:, ::-1] - log_total)  # (R, C)
    return np.atleast_2d(local(np.column_stack([c, n - c]), noise)) @ binomial.T


def _recursion(n: float, shares: FloatArray, noise: Noise) -> FloatArray:
    return by_recursion(PoissonCounts(np.full(len(shares), n), shares), int(n), int(n), noise)[:, :, 0]


def _transform(n: float, shares: FloatArray, noise: Noise) -> FloatArray:
    """Use a period beyond which a Poisson law of mean n has less than 1e-16 of its largest probability.

    At a tilt of -log(largest share) the rate of the most frequent value alone is n.
    """
    totals = np.full(len(shares), n)
    return by_transform(
        PoissonCounts(totals, shares),
        totals,
        noise,
        period=int(10 * np.sqrt(n) + 50),
        largest_tilt=-np.log(shares[:, 0]),
    )


def checked_sizes(n: ArrayLike) -> FloatArray:
    """Return cell sizes as an array, or say why they are not."""
    sizes = np.asarray(n, dtype=np.float64)
    if not ((sizes >= 1) & (sizes == np.floor(sizes)) & (sizes < np.inf)).all():
        raise OutOfRange("n", n, "the whole numbers from 1", hint="An empty cell carries no risk: leave it out.")
    return sizes


def checked_shares(shares: ArrayLike) -> FloatArray:
    """Return shares as an array whose last axis sums to one, or say why they are not."""
    array = np.asarray(shares, dtype=np.float64)
    if not (array >= 0).all():
        raise OutOfRange("shares", shares, "[0, 1]")
    sums = array.sum(axis=-1)
    off = np.abs(sums - 1)
    if not (off <= _ROUNDING_OF_SHARES).all():
        hint = f"They sum to {np.ravel(sums)[np.argmax(off)]:.10g}."
        raise OutOfRange("shares", shares, "[0, 1], with sum 1 over the values", hint=hint)
    return array
