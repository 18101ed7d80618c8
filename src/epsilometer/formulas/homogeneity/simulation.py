"""The papers' experiment: publish a table many times, and look at what an attacker gets.

It draws noise and reads the published counts, and shares nothing with the formulas but the meaning of the
attack: an independent check of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from epsilometer.formulas.homogeneity.size_laws import SizeLaw, size_exceeded_with
from epsilometer.vocabulary.arrays import FloatArray, IntArray
from epsilometer.vocabulary.evidence import Estimate
from epsilometer.vocabulary.noise import Noise
from epsilometer.vocabulary.share_intervals import score_interval
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike

WORKING_SET: Final = 2**15  # numbers per intermediate array: fits a cache, and memory that is used again

CellDraw = Callable[[np.random.Generator, int, slice], IntArray]
"""Draws the count vectors of a slice of cells, a number of times: repeats x cells x values."""

Attack = Callable[[IntArray, IntArray], FloatArray]
"""Success in [0, 1] of each cell, from its true and its published counts; values along the last axis."""


class SampledNoise(Noise, Protocol):
    """Noise that can be drawn."""

    def sample(self, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        """Return noise of this shape, after the axis of the privacy parameters if there are several."""
        ...


@source("homogeneity-v1", "Section 4: the average over 500 sanitised tables")
@source("wilson-1927", "score interval")
def simulate(
    draw: CellDraw,
    attack: Attack,
    noise: SampledNoise,
    weights: ArrayLike,
    *,
    rng: np.random.Generator,
    repeats: int = 500,
    confidence: float = 0.95,
) -> Estimate:
    r"""Average success of an attack over repeated releases of a table, with a confidence interval.

    ``weights``, one per cell, sum to one: 1/M for the papers' average over cells, the cell's share of the
    records for an average over people. Cells are published independently of each other. Memory is bounded.

    The interval is Wilson's for ``repeats`` / max(``weights``) trials. It is on the safe side: with means
    :math:`\mu_i` the variance is at most :math:`\sum w_i^2 \mu_i (1 - \mu_i) \le \max(w) \bar\mu (1 - \bar\mu)`.

    >>> from epsilometer.mechanisms import Laplace
    >>> table = as_they_are([[3, 0], [2, 1]], [60, 40])
    >>> risk = simulate(table, shows_a_present_value, Laplace(epsilon=1.0), np.full(100, 0.01),
    ...                 rng=np.random.default_rng(1))
    >>> bool(risk.interval.low < 0.6 * 0.668140 + 0.4 * 0.347163 < risk.interval.high)
    True
    """
    w = np.asarray(weights, dtype=np.float64)
    n_parameters = np.shape(noise.probability_below(0.0))
    total = np.zeros(n_parameters)
    numbers_per_cell = draw(rng, 1, slice(0, 1)).size * max(1, total.size)
    cells_at_once = max(1, min(len(w), WORKING_SET // numbers_per_cell))
    repeats_at_once = max(1, WORKING_SET // (numbers_per_cell * cells_at_once))
    for first in range(0, len(w), cells_at_once):
        cells = slice(first, first + cells_at_once)
        for done in range(0, repeats, repeats_at_once):
            counts = draw(rng, min(repeats_at_once, repeats - done), cells)
            shown = publish(counts, noise, rng)
            total += (attack(counts, shown) @ w[cells]).sum(axis=-1)
    mean = total / repeats
    return Estimate(mean, score_interval(mean, repeats / float(w.max()), confidence))


def publish(counts: IntArray, noise: SampledNoise, rng: np.random.Generator) -> IntArray:
    """Counts as published once: with noise, zero below the threshold, whole and positive from there on."""
    noisy = noise.sample(rng, counts.shape)
    noisy += counts
    hidden = noisy < noise.threshold
    noisy += 0.5  # in place from here on: new arrays would cost as much as the arithmetic
    np.maximum(1, np.floor(noisy, out=noisy), out=noisy)
    noisy[hidden] = 0
    return noisy.astype(np.int64)


def as_they_are(counts: ArrayLike, n_cells: ArrayLike) -> CellDraw:
    """Cells with these count vectors, each ``n_cells`` times: local risk and thresholding."""
    cells = np.repeat(np.asarray(counts, dtype=np.int64), np.asarray(n_cells), axis=0)
    return lambda _rng, repeats, chosen: np.broadcast_to(cells[chosen], (repeats, *cells[chosen].shape))


def drawn_with_shares(sizes: ArrayLike, shares: ArrayLike) -> CellDraw:
    """Cells of these sizes whose members draw their values with given shares: expected risk."""
    n, p = np.asarray(sizes), np.asarray(shares, dtype=np.float64)
    return lambda rng, repeats, chosen: rng.multinomial(n[chosen], p[chosen], (repeats, len(n[chosen])))


def drawn_with_dirichlet_shares(sizes: ArrayLike, alpha: ArrayLike) -> CellDraw:
    """Cells of these sizes whose shares are drawn first, by a Dirichlet law: shrinkage risk."""
    n, weights = np.asarray(sizes), np.asarray(alpha, dtype=np.float64)

    def draw(rng: np.random.Generator, repeats: int, chosen: slice) -> IntArray:
        shares = rng.dirichlet(weights, (repeats, len(n[chosen])))
        return rng.multinomial(n[chosen], shares)

    return draw


def drawn_with_random_sizes(law: SizeLaw, given_sizes: Callable[[IntArray], CellDraw]) -> CellDraw:
    """Cells whose sizes are drawn first, by a law of the sizes, and their counts then: global risk."""
    n = np.arange(1, size_exceeded_with(1e-12, law) + 1)
    probability = law.probability(n)

    def draw(rng: np.random.Generator, repeats: int, chosen: slice) -> IntArray:
        n_cells = chosen.stop - chosen.start
        sizes = rng.choice(n, repeats * n_cells, p=probability / probability.sum())
        counts = given_sizes(sizes)(rng, 1, slice(0, len(sizes)))
        return counts.reshape(repeats, n_cells, -1)

    return draw


def shows_a_present_value(counts: IntArray, shown: IntArray) -> FloatArray:
    """Tell whether the cell shows one value alone, and somebody has it: local risk, over cells."""
    present = (shown > 0) & (counts > 0)
    return np.asarray(((shown > 0).sum(axis=-1) == 1) & present.any(axis=-1), dtype=np.float64)


def shows_the_members_value(counts: IntArray, shown: IntArray) -> FloatArray:
    """Return the share of members whose value the cell shows alone: local risk, over records."""
    only = (shown > 0) & ((shown > 0).sum(axis=-1, keepdims=True) == 1)
    return _share_of_members(counts, np.asarray(only, dtype=np.float64))


def largest_count_is_the_members(counts: IntArray, shown: IntArray) -> FloatArray:
    """Return the share of members whose value has the largest published count: hard thresholding."""
    largest = (shown > 0) & (shown == shown.max(axis=-1, keepdims=True))
    return _share_of_members(counts, largest / np.maximum(1, largest.sum(axis=-1, keepdims=True)))


def share_of_counts_is_the_members(counts: IntArray, shown: IntArray) -> FloatArray:
    """Return the probability that a guess by the published shares is a member's value: soft thresholding."""
    return _share_of_members(counts, shown / np.maximum(1, shown.sum(axis=-1, keepdims=True)))


def _share_of_members(counts: IntArray, guess: FloatArray) -> FloatArray:
    return (guess * counts).sum(axis=-1) / counts.sum(axis=-1)
