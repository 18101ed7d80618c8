"""DPCopula: noisy margins, and how columns rise and fall together, learned under differential privacy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
from scipy.special import ndtri

from epsilometer.synthesizers.budget import noise_scale
from epsilometer.synthesizers.consistency import consistent
from epsilometer.synthesizers.noisy_marginals import measured
from epsilometer.vocabulary.source import source
from epsilometer.vocabulary.spending import Spending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.synthesizers.budget import Budget
    from epsilometer.synthesizers.coded import CodedTable
    from epsilometer.synthesizers.noise import Noise
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

GRID: Final = 1024  # scores are whole multiples of 1 / GRID, so that their sums are exact
HERMITE_TERMS: Final = 100
CORRELATIONS: Final = np.linspace(-1.0, 1.0, 401)
POWERS: Final = CORRELATIONS[:, None] ** np.arange(1, HERMITE_TERMS + 1)


class CopulaSynthesizer:
    """Columns are steps of normal variables with the noisy margins and correlations of the table (li-2014).

    Half of epsilon goes to the counts of each column alone, half to the products of scores of each pair of columns.
    The score of a code is its place in the order of its column, the mean share of records below it and up to it, from
    the noisy margins and stretched so that the furthest is at -1 or 1. A record thus adds at most 1 to the sum of
    products of a pair, whatever the other records. The paper's statistic, Kendall's tau, compares each record with
    every other, so that its sensitivity depends on the number of records, which is not known when one may be added or
    removed. The correlation is the one at which normal variables cut at the noisy margins have these products; the
    sine formulas for rank correlations hold for columns without ties, which codes are not.

    Only dependence that rises or falls along the order of the codes is kept. The codes of an unordered column are
    ordered by how frequent they are in the noisy margin, which costs nothing, keeps apart what is common and what is
    rare, and loses whatever else columns of three and more unordered codes have to do with others. Missing values
    stand at the end of their column. Without a pair of columns with several codes, half of epsilon stays unspent.
    """

    name: ClassVar[str] = "dpcopula"
    summary: ClassVar[str] = "Gaussian copula: each column's counts, and how pairs rise and fall together"
    needs_delta: ClassVar[bool] = False

    @source("li-2014", "Gaussian copula from noisy margins and noisy rank correlations")
    def fit(self, table: CodedTable, budget: Budget, noise: Noise) -> CopulaModel:
        for_margins, for_pairs = budget.parts(1, 1)
        noisy, counted = measured(table, [[column] for column in range(len(table.columns))], for_margins.epsilon, noise)
        margins = [each.table for each in consistent(noisy)]
        orders = tuple(
            np.arange(column.size) if column.ordered else np.argsort(-margin, kind="stable")
            for column, margin in zip(table.columns, margins, strict=True)
        )
        shares = [margin[order] / margin.sum() for margin, order in zip(margins, orders, strict=True)]
        scores = [_scores(each) for each in shares]
        n_records = max(1, round(margins[0].sum()))
        products, scale, paired = _noisy_products(table, orders, scores, for_pairs.epsilon, noise)
        correlations = _latent_correlations(shares, scores, products / n_records, scale / n_records)
        cuts = tuple(ndtri(_upto(each)[:-1]) for each in shares)
        return CopulaModel(orders, cuts, _mixing(correlations), n_records, (counted, *paired))


@dataclass(frozen=True, slots=True, eq=False)
class CopulaModel:
    """Normal variables with correlations, cut into codes.

    Attributes:
        orders: the codes of each column in the order that the normal variable runs through.
        cuts: where it passes from one code to the next.
        mixing: columns x columns; makes independent normal variables correlated ones.
        n_records: how many records the table has, as far as is known.
        spent: each look at the records.
    """

    orders: tuple[IntArray, ...]
    cuts: tuple[FloatArray, ...]
    mixing: FloatArray
    n_records: int
    spent: tuple[Spending, ...]

    def sample(self, n: int, rng: np.random.Generator) -> IntArray:
        normal = rng.standard_normal((n, len(self.orders))) @ self.mixing.T
        drawn = zip(self.orders, self.cuts, normal.T, strict=True)
        return np.stack([order[np.searchsorted(cuts, values, side="right")] for order, cuts, values in drawn], axis=1)


def _upto(shares: FloatArray) -> FloatArray:
    """Shares of the codes up to each, the last of which is 1 in spite of rounding."""
    upto = np.cumsum(shares)
    return upto / upto[-1]


def _scores(shares: FloatArray) -> IntArray:
    """Place of each code in its column, from -GRID to GRID in whole steps; 0 for the only code of a column."""
    places = 2 * _upto(shares) - shares - 1
    return np.rint(GRID * places / (np.abs(places).max() or 1.0)).astype(np.int64)


def _noisy_products(
    table: CodedTable, orders: Sequence[IntArray], scores: Sequence[IntArray], epsilon: float, noise: Noise
) -> tuple[FloatArray, float, tuple[Spending, ...]]:
    """Sum the products of the scores of each pair of columns with noise; also its scale, and what that spends."""
    n_columns = len(table.columns)
    pairs = [pair for pair in combinations(range(n_columns), 2) if min(table.sizes[column] for column in pair) > 1]
    if not pairs:
        return np.zeros((n_columns, n_columns)), 0.0, ()
    of_records = np.empty(table.codes.shape, dtype=np.int64)
    for column, (order, score) in enumerate(zip(orders, scores, strict=True)):
        of_records[:, column] = score[np.argsort(order)][table.codes[:, column]]
    scale = noise_scale(len(pairs), epsilon)
    one, other = np.array(pairs).T
    products = np.zeros((n_columns, n_columns))
    products[one, other] = noise.whole((of_records.T @ of_records)[one, other], GRID**2 * scale) / GRID**2
    spent = Spending(
        f"products of scores: {len(pairs)}", epsilon, noise=f"geometric in steps of 2^-20, scale {scale:g}"
    )
    return products + products.T, scale, (spent,)


def _latent_correlations(
    shares: Sequence[FloatArray], scores: Sequence[IntArray], products: FloatArray, noise_level: float
) -> FloatArray:
    """Find the correlation of normal variables at which each pair of columns has its mean product.

    A pair whose mean product would drown in the noise at any correlation is left uncorrelated.
    """
    terms = [_hermite_terms(share, score / GRID) for share, score in zip(shares, scores, strict=True)]
    correlations = np.eye(len(shares))
    for one, other in combinations(range(len(shares)), 2):
        curve = np.maximum.accumulate(POWERS @ (terms[one] * terms[other]))  # truncation may bend its ends
        if max(curve[-1], -curve[0]) > noise_level:
            found = np.interp(products[one, other], curve, CORRELATIONS)
            correlations[one, other] = correlations[other, one] = found
    return correlations


def _hermite_terms(shares: FloatArray, scores: FloatArray) -> FloatArray:
    r"""Coefficients 1, 2, ... of the scores, as a step function of a normal variable, in Hermite polynomials.

    With them, the mean product of two such functions is, by Mehler's formula, :math:`\sum_k a_k b_k \rho^k`. With
    :math:`h_k` of unit variance, :math:`a_k = \sum_t (s_{t+} - s_{t-}) h_{k-1}(t) \varphi(t) / \sqrt{k}` over the cuts.
    """
    cuts = np.clip(ndtri(_upto(shares)[:-1]), -40.0, 40.0)  # the density is 0 there already
    rises = np.diff(scores) * np.exp(-(cuts**2) / 2) / math.sqrt(2 * math.pi)
    terms = np.empty(HERMITE_TERMS)
    before, now = np.zeros_like(cuts), np.ones_like(cuts)
    for k in range(1, HERMITE_TERMS + 1):
        terms[k - 1] = rises @ now / math.sqrt(k)
        before, now = now, (cuts * now - math.sqrt(k - 1) * before) / math.sqrt(k)
    return terms


def _mixing(correlations: FloatArray) -> FloatArray:
    """Root of the correlations without their negative eigenvalues, scaled back to unit variances."""
    values, vectors = np.linalg.eigh(correlations)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    return root / np.linalg.norm(root, axis=1, keepdims=True)
