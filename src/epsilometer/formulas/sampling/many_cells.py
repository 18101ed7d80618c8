"""Samples of very many cells, for an attacker who knows the counts of each: :mod:`.known_shares`, cell by cell.

Of most cells few people are drawn, or few are left. Their counts are then summed over directly, for all cells with the
same number of them at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.formulas.count_laws import log_binomial
from epsilometer.formulas.sampling import known_shares
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

FEW: Final = 24  # people; the cost grows with their cube, and for more a transform for each cell is faster
WORKING_SET: Final = 2**18  # numbers per intermediate array: fits a cache


@source("AlvimEtAl2020", "posterior Bayes vulnerability")
def inside_and_outside(counts: IntArray, drawn: IntArray) -> tuple[FloatArray, FloatArray]:
    """How often is the guess right about people in the sample of their cell, and about the others? Exact.

    ``counts`` has one cell per row, none without people; ``drawn`` says how many of each are in the sample. NaN where
    nobody is.

    >>> [answer.round(6).tolist() for answer in inside_and_outside(np.array([[2, 1], [1, 1]]), np.array([2, 0]))]
    [[0.666667, nan], [1.0, 0.5]]
    """
    people = counts.sum(axis=1)
    fewer = np.minimum(drawn, people - drawn)
    largest = np.empty((2, len(counts)))  # counts among the fewer people, and among the others
    for n in np.unique(fewer[fewer <= FEW]).tolist():
        cells = np.flatnonzero(fewer == n)
        step = max(1, WORKING_SET // (n + 1) ** 2)
        for some in np.split(cells, range(step, len(cells), step)):
            largest[:, some] = _largest_of_few(counts[some], n)
    for i in np.flatnonzero(fewer > FEW).tolist():
        both = int(fewer[i]), int(people[i] - fewer[i])
        largest[:, i] = [n * known_shares.inside(counts[i], n) for n in both]
    of_drawn, of_others = np.where(drawn == fewer, largest, largest[::-1])
    with np.errstate(invalid="ignore"):  # 0 / 0 is NaN, which is meant
        return of_drawn / drawn, of_others / (people - drawn)


def _largest_of_few(counts: IntArray, drawn: int) -> FloatArray:
    """Expected largest count among so few people drawn from each cell, and among those left: two rows.

    A count is hypergeometric: binomial counts with the same rate, given their total. Each threshold leaves out what
    would exceed it; for those left, thresholds are counted down from the largest count of the cell.
    """
    ordered = -np.sort(-counts, axis=1)
    columns = ordered[:, ordered.any(axis=0)].T
    y, thresholds = np.arange(drawn + 1), np.arange(drawn + 1)[:, None]
    rate = np.clip(drawn / counts.sum(axis=1), 1e-300, 0.5)[:, None]  # any rate cancels
    at_most = np.zeros((2, len(counts), drawn + 1, drawn + 1))  # both ways, cells, thresholds, people so far
    at_most[..., 0] = 1.0
    for size in columns:
        possible = y <= size[:, None]
        weights = np.where(possible, np.exp(log_binomial(np.where(possible, y, 0), size[:, None], rate)), 0.0)
        left = (size - columns[0])[:, None, None] + drawn - y  # of this value, above the lowest threshold
        kept = np.stack(np.broadcast_arrays(y <= thresholds, left <= thresholds))
        at_most = _convolved(at_most, kept * weights[:, None, :])
    all_drawn = at_most[..., -1]
    share = all_drawn[:, :, :-1] / all_drawn[:, :, -1:]
    return np.stack([np.full(len(counts), drawn), columns[0]]) - share.sum(axis=-1)


def _convolved(so_far: FloatArray, weights: FloatArray) -> FloatArray:
    """Weights of the sums of two independent numbers, as far as the arrays go."""
    total = so_far * weights[..., :1]
    for y in range(1, weights.shape[-1]):
        total[..., y:] += so_far[..., :-y] * weights[..., y : y + 1]
    return total
