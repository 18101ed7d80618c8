"""Privelet: noise on the wavelet coefficients of the contingency table, so that it cancels in counts of ranges."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from epsilometer.synthesizers.budget import noise_scale
from epsilometer.synthesizers.histogram import HistogramModel, check_size, model_from_noisy
from epsilometer.vocabulary.source import source
from epsilometer.vocabulary.spending import Spending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.synthesizers.budget import Budget
    from epsilometer.synthesizers.coded import CodedColumn, CodedTable
    from epsilometer.synthesizers.noise import Noise
    from epsilometer.vocabulary.arrays import FloatArray, IntArray


class WaveletSynthesizer:
    """Add noise to the Haar coefficients of all cell counts, transform back, and sample cells in proportion.

    Guarantee: epsilon, without delta. The whole budget goes into one look: the coefficients, whole numbers, get
    two-sided geometric noise of scale sensitivity / epsilon, see ``sensitivity``.

    Long ordered columns are transformed; all others are left as they are, as Privelet+ does with short ones: where
    ``pays`` says no, and along unordered columns, whose values have no hierarchy here that ranges could follow.
    Missing values have no place in an order. A record lies either among them or among the others, so both parts of a
    transformed column are tables of their own, each with the noise that its own coefficients need.
    """

    name: ClassVar[str] = "wavelet"
    summary: ClassVar[str] = "counts every combination of values, with noise that cancels in ranges of long columns"
    needs_delta: ClassVar[bool] = False

    def fit(self, table: CodedTable, budget: Budget, noise: Noise) -> HistogramModel:
        check_size(table)
        counts = table.counts(range(len(table.columns)))
        noisy = np.empty(counts.shape)
        scales = []
        for part in product(*map(_parts, table.columns)):
            axes = transformed_axes(table.columns, counts[part].shape)
            scales.append(noise_scale(sensitivity(counts[part].shape, axes), budget.epsilon))
            noisy[part] = untransformed(noise.whole(transformed(counts[part], axes), scales[-1]), axes)
        said = " or ".join(f"{scale:g}" for scale in sorted(set(scales)))
        return model_from_noisy(
            noisy, (Spending("wavelet coefficients", budget.epsilon, noise=f"geometric, scale {said}"),)
        )


def _parts(column: CodedColumn) -> tuple[slice, ...]:
    """Codes of a column that are transformed together."""
    if column.ordered and column.missing and pays(column.size - 1):
        return slice(column.size - 1), slice(column.size - 1, column.size)
    return (slice(None),)


def transformed_axes(columns: Sequence[CodedColumn], shape: tuple[int, ...]) -> tuple[int, ...]:
    """Columns that are transformed, when they have these many codes."""
    return tuple(axis for axis, column in enumerate(columns) if column.ordered and pays(shape[axis]))


def pays(size: int) -> bool:
    """Whether the transform makes the noise of any range smaller: the square of its sensitivity is below the size.

    With 2^k codes, noise of one scale on all coefficients gives each range, and each other sum of counts, at least
    1 / 2^k of the variance which it gives when put on all counts, and exactly that to the whole; the sensitivity
    makes it (1 + k)^2 times larger.

    >>> [size for size in (2, 16, 32, 64, 256) if pays(size)]
    [64, 256]
    """
    return sensitivity((size,), (0,)) ** 2 < size


@source("xiao-2011", "Lemma 2")
@source("xiao-2011", "Theorem 2")
def sensitivity(shape: tuple[int, ...], axes: Sequence[int]) -> int:
    r"""Return the most by which one record changes the coefficients, all together. Exact.

    .. math:: \prod_A P(A), \qquad P(A) = 1 + \lceil \log_2 m_A \rceil

    over the transformed columns A with :math:`m_A` codes. The paper divides a coefficient by its number of leaves
    and the noise by the same weight; coefficients as plain sums need no weights, and stay whole numbers. The paper
    then doubles this, because it replaces a record; here one is added or removed.

    >>> sensitivity((256, 2, 100), axes=(0, 2))
    72
    """
    return math.prod(1 + (shape[axis] - 1).bit_length() for axis in axes)


def transformed(counts: IntArray, axes: Sequence[int]) -> IntArray:
    """Wavelet coefficients along some axes."""
    for axis in axes:
        counts = np.moveaxis(haar(np.moveaxis(counts, axis, -1)), -1, axis)
    return counts


def untransformed(coefficients: FloatArray | IntArray, axes: Sequence[int]) -> FloatArray | IntArray:
    """Counts with these wavelet coefficients."""
    for axis in axes:
        coefficients = np.moveaxis(counts_from_haar(np.moveaxis(coefficients, axis, -1)), -1, axis)
    return coefficients


@source("xiao-2011", "Section 4")
def haar(counts: IntArray) -> IntArray:
    """Total, and left minus right of each pair, of each pair of pairs, and so on, along the last axis; coarsest first.

    The last of an odd number has no partner and moves up as it is, so that no size needs padding.

    >>> haar(np.array([5, 3, 1, 0, 7]))
    array([16,  2,  7,  2,  1])
    """
    size = counts.shape[-1]
    if size == 1:
        return counts
    left, right, single = counts[..., 0 : size - 1 : 2], counts[..., 1::2], counts[..., size - size % 2 :]
    return np.concatenate([haar(np.concatenate([left + right, single], axis=-1)), left - right], axis=-1)


@source("xiao-2011", "Section 4")
def counts_from_haar(coefficients: FloatArray | IntArray) -> FloatArray:
    """Counts along the last axis from their ``haar`` coefficients: half of sum plus and minus difference. Exact.

    >>> counts_from_haar(np.array([16, 2, 7, 2, 1]))
    array([5., 3., 1., 0., 7.])
    """
    size = coefficients.shape[-1]
    if size == 1:
        return coefficients.astype(np.float64)
    n_pairs = size // 2
    coarse, difference = counts_from_haar(coefficients[..., : size - n_pairs]), coefficients[..., size - n_pairs :]
    counts = np.empty(coefficients.shape)
    counts[..., 0 : size - 1 : 2] = (coarse[..., :n_pairs] + difference) / 2
    counts[..., 1::2] = (coarse[..., :n_pairs] - difference) / 2
    counts[..., size - size % 2 :] = coarse[..., n_pairs:]
    return counts
