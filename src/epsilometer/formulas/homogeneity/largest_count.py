"""Which value of a cell is published with the largest count."""

from __future__ import annotations

import math
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

TiePoints = list[tuple[float, float]]  # nodes and weights of the integral over u

MOST_NODES = 400
WORKING_SET = 2**18  # numbers per intermediate array: fits a cache


@source("homogeneity-v2", "Section 5: the plurality rule; ties uniform, no winner in an empty published cell")
def winning_probability(counts: ArrayLike, noise: Noise) -> FloatArray:
    r"""Probability, for each value, that it is published with the largest count of its cell. Exact.

    .. math:: \sum_{m \ge 1} r_k(m) \int_0^1 \prod_{j \ne k} \big( C_j(m) + u\, r_j(m) \big) \, du

    with :math:`r_j(m), C_j(m)` the probabilities that value j is published as m and as less than m. The
    integral is the expected share of a tie; Gauss-Legendre with K/2 nodes, rounded up, has it exactly, and three
    times the square root of K have it to the last digits. Equal counts are worked out once. Levels m
    that are reached with probability below 1e-16 in all are left out: the error is below K times that.
    The values lie along the last axis; with :func:`empty_probability` they sum to one.
    Cost: different counts in a cell, summed over cells, times the square root of K times the reach of the noise
    (37/epsilon for Laplace).

    >>> from epsilometer.mechanisms import Laplace
    >>> winning_probability([3, 0], Laplace(epsilon=1.0)).round(6)
    array([0.916368, 0.055036])
    """
    given = np.asarray(counts, dtype=np.int64)
    rows = given.reshape(-1, given.shape[-1])
    n_nodes = min((rows.shape[1] + 1) // 2, 3 * math.isqrt(rows.shape[1]) + 3, MOST_NODES)
    nodes, weights = np.polynomial.legendre.leggauss(n_nodes)
    tie_points = list(zip((nodes + 1) / 2, weights / 2, strict=True))
    equal = equal_counts(rows)
    wins = _wins(equal.counts, equal.n_values, noise, tie_points)
    return equal.of_values(wins).reshape(wins.shape[:-2] + given.shape)


def _wins(rows: IntArray, n_values: IntArray, noise: Noise, tie_points: TiePoints) -> FloatArray:
    """Win probability of one value of each count; ``n_values`` values of the cell have that count."""
    at_lowest = _wins_at_lowest_level(rows, n_values, noise, tie_points)
    above = [_wins_above(rows, n_values, rounded, lowest_level(noise), tie_points) for rounded in rounded_noises(noise)]
    return at_lowest + np.reshape(above, at_lowest.shape)


def _wins_at_lowest_level(rows: IntArray, n_values: IntArray, noise: Noise, tie_points: TiePoints) -> FloatArray:
    below, here = vanishing_probability(rows, noise), lowest_level_probability(rows, noise)
    share_of_tie = sum(weight * product_of_other_values(below + u * here, n_values, -1) for u, weight in tie_points)
    return np.asarray(here * share_of_tie)


def _wins_above(
    rows: IntArray, n_values: IntArray, rounded: RoundedNoise, lowest: int, tie_points: TiePoints
) -> FloatArray:
    """Sum over the levels above the lowest one, in chunks of cells.

    Levels are moves of the cell's largest count: below that count minus the reach nothing wins, because the
    value that has it is published with more. A value with a smaller count reads the same tables of noise
    further on; beyond their end it is surely published with less.
    """
    top = rows.max(axis=1, keepdims=True)
    first_move = max(-rounded.reach, lowest + 1 - int(top.max()))
    moves = np.arange(first_move, max(rounded.reach, first_move) + 1)
    start = np.minimum(first_move + rounded.reach + top - rows, len(rounded.mass))
    equal = _continued(rounded.mass, 0.0, len(moves))
    up_to = [(w, _continued(rounded.below + u * rounded.mass, 1.0, len(moves))) for u, w in tie_points]
    wins = np.zeros(rows.shape)
    for chunk in _chunks(len(rows), rows.shape[1] * len(moves)):
        here = equal[start[chunk]]  # cells x values x levels
        here *= (top[chunk] + moves > lowest)[:, None, :]
        for weight, less_or_tied in up_to:
            others_lose = product_of_other_values(less_or_tied[start[chunk]], n_values[chunk][:, :, None], 1)
            wins[chunk] += weight * (here * others_lose).sum(axis=-1)
    return wins


def _continued(table: FloatArray, beyond: float, length: int) -> FloatArray:
    """Views of a table, of one length and from every start on; its end is continued with a constant."""
    return sliding_window_view(np.concatenate([table, np.full(length, beyond)]), length)


def _chunks(n_cells: int, numbers_per_cell: int) -> list[slice]:
    step = max(1, WORKING_SET // numbers_per_cell)
    return [slice(first, first + step) for first in range(0, n_cells, step)]
