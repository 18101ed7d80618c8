"""What share of a cell's published counts each value has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from epsilometer.formulas.homogeneity.equal_counts import equal_counts, product_of_other_values
from epsilometer.formulas.homogeneity.publication import vanishing_probability
from epsilometer.formulas.homogeneity.rounded_noise import (
    RoundedNoise,
    lowest_level,
    lowest_level_probability,
    rounded_noises,
)
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray
    from epsilometer.vocabulary.noise import Noise

WORKING_SET = 2**17  # numbers per intermediate array: fits a cache
STEP = 0.24  # of log t: relative error 2 |Gamma(1 + 2 pi i / STEP)| = 4e-17
SMALLEST_EXPONENT = 1e-8  # t times the largest count; the rest of the sum is geometric up to its square
LARGEST_EXPONENT = 42.0  # t times the smallest positive count; x exp(-x) is 2e-17 there


@source("homogeneity-v1", "Section 5, footnote 3: soft thresholding")
def expected_shares(counts: ArrayLike, noise: Noise) -> FloatArray:
    r"""Expected share of each value among the published counts of its cell, zero if all are zero. Exact.

    .. math:: \operatorname{E} \Big[ \frac{\tilde n_k}{\sum_j \tilde n_j} \Big]
        = \int_0^\infty \operatorname{E} [\tilde n_k e^{-t \tilde n_k}]
          \prod_{j \ne k} \operatorname{E} [e^{-t \tilde n_j}] \, dt

    by the trapezoidal rule in log t: an exponential :math:`e^{-ts}` becomes the same function of log t for
    every s, shifted, so one step size has the same relative error, 4e-17, for every possible outcome.
    Moves of a count with probability below 1e-16 in all are left out. The values lie along the last axis;
    with :func:`empty_probability` they sum to one.
    Cost: number of distinct counts times the reach of the noise (37/epsilon for Laplace) times 150.

    >>> from epsilometer.mechanisms import Laplace
    >>> expected_shares([3, 0], Laplace(epsilon=1.0)).round(6)
    array([0.861321, 0.110084])
    """
    given = np.asarray(counts, dtype=np.int64)
    rows = given.reshape(-1, given.shape[-1])
    equal = equal_counts(rows)
    distinct, position = np.unique(equal.counts, return_inverse=True)
    zero, at_lowest = vanishing_probability(distinct, noise), lowest_level_probability(distinct, noise)
    lead, lowest = zero.shape[:-1], lowest_level(noise)
    shares = []
    for rounded, z, r in zip(rounded_noises(noise), np.atleast_2d(zero), np.atleast_2d(at_lowest), strict=True):
        t, weights = _exponents(rows.shape[1] * (int(distinct[-1]) + rounded.reach))
        above, weighted_above = _transforms_above(distinct, t, rounded, lowest)
        step = r[:, None] * np.exp(-t * lowest)
        transform, derivative = z[:, None] + step + above, lowest * step + weighted_above
        place = position.reshape(equal.counts.shape)
        shares.append(equal.of_values(_integrals(place, equal.n_values, transform, derivative * (t * weights))))
    return np.reshape(shares, lead + given.shape)


def _exponents(largest_total: int) -> tuple[FloatArray, FloatArray]:
    """Nodes t, geometric, and weights of the integral over log t.

    The first weight stands for all smaller nodes as well, where the integrand is proportional to t.
    """
    first, last = SMALLEST_EXPONENT / largest_total, LARGEST_EXPONENT
    t = last * np.exp(-STEP * np.arange(np.ceil(np.log(last / first) / STEP), -1, -1))
    weights = np.full(t.shape, STEP)
    weights[0] = STEP / -np.expm1(-STEP)
    return t, weights


def _transforms_above(
    counts: IntArray, t: FloatArray, rounded: RoundedNoise, lowest: int
) -> tuple[FloatArray, FloatArray]:
    """E[e^(-tñ)] and E[ñ e^(-tñ)] over the levels ñ above the lowest one, counts x nodes."""
    first_level = np.maximum(lowest + 1, counts - rounded.reach)
    starts, position = np.unique(
        np.minimum(first_level - counts + rounded.reach, len(rounded.mass)), return_inverse=True
    )
    n_levels = len(rounded.mass) - int(starts[0])
    block = min(WORKING_SET // max(len(starts), len(t)) + 1, max(n_levels, 1))
    blocks = sliding_window_view(np.concatenate([rounded.mass, np.zeros(block)]), block)
    within = np.arange(block)[:, None]
    decay = np.exp(-within * t)
    decay_and_slope = np.hstack([decay, within * decay])
    plain, weighted = np.zeros((2, len(starts), len(t)))
    for first in range(0, n_levels, block):
        mass = blocks[np.minimum(starts + first, len(rounded.mass))]  # starts x levels
        sums, sloped = np.hsplit(mass @ decay_and_slope, 2)
        scale = np.exp(-first * t)
        plain += scale * sums
        weighted += scale * (first * sums + sloped)
    offset = first_level[:, None]
    shift = np.exp(-offset * t)
    plain, weighted = plain[position], weighted[position]
    return shift * plain, shift * (offset * plain + weighted)


def _integrals(
    position: IntArray, n_values: IntArray, transform: FloatArray, weighted_derivative: FloatArray
) -> FloatArray:
    """Sum over the nodes for each cell and count, in chunks of cells."""
    n_chunks = min(-(-position.size * transform.shape[1] // WORKING_SET), len(position))
    sums = []
    for chunk, n in zip(np.array_split(position, n_chunks), np.array_split(n_values, n_chunks), strict=True):
        others = product_of_other_values(transform[chunk], n[:, :, None], axis=1)
        sums.append((weighted_derivative[chunk] * others).sum(axis=-1))
    return np.concatenate(sums)
