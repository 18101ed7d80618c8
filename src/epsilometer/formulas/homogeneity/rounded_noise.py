"""The noise on a count as it is published: in whole numbers.

A count c with noise e is published as zero below the threshold tau, and as max(1, floor(c + e + 1/2)) from tau
on. c is whole, so above the lowest positive level it is c + F with F = floor(e + 1/2), whatever c is: one table
of F serves every count.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.formulas.homogeneity.publication import vanishing_probability

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.noise import Noise

NEGLIGIBLE = 1e-16  # probability of the noise that is left out
LARGEST_TABLE = 2**25  # entries of a table of noise: 256 MiB


@dataclass(frozen=True, slots=True, eq=False)
class RoundedNoise:
    """The distribution of F = floor(e + 1/2) for one privacy parameter.

    Attributes:
        reach: the widest move; more has probability at most 1e-16 in all.
        below: Pr(F < d) for d = -reach, ..., reach.
        mass: Pr(F = d) for the same d.
    """

    reach: int
    below: FloatArray
    mass: FloatArray


def rounded_noises(noise: Noise) -> list[RoundedNoise]:
    """Return the distribution of F for each privacy parameter of the noise."""
    reaches = _reaches(noise)
    widest = int(reaches.max())
    edges = np.arange(-widest, widest + 2) - 0.5
    below = np.atleast_2d(noise.probability_below(edges))
    at_least = np.atleast_2d(noise.probability_at_least(edges))
    # each half from its own tail: neither loses small probabilities to rounding
    mass = np.where(edges[:-1] < 0, np.diff(below), -np.diff(at_least))
    tables = []
    for row, reach in enumerate(reaches):
        kept = slice(widest - reach, widest + reach + 1)
        tables.append(RoundedNoise(int(reach), below[row, kept], mass[row, kept]))
    return tables


def lowest_level(noise: Noise) -> int:
    """Smallest positive count that can be published.

    >>> from epsilometer.mechanisms import Laplace
    >>> lowest_level(Laplace(epsilon=1.0)), lowest_level(Laplace(epsilon=1.0, threshold=4.5))
    (1, 5)
    """
    return max(1, math.floor(noise.threshold + 0.5))


def lowest_level_probability(counts: IntArray, noise: Noise) -> FloatArray:
    """Probability that a count is published as the lowest level, which the threshold cuts short."""
    up_to_level = noise.probability_below(lowest_level(noise) + 0.5 - np.asarray(counts, dtype=np.float64))
    return up_to_level - vanishing_probability(counts, noise)


def published_distributions(counts: IntArray, noise: Noise) -> list[FloatArray]:
    """Distribution of what each count is published as, one table (counts x levels) per privacy parameter.

    The levels are 0, the lowest positive one, and every whole number from there on to the largest count plus
    the reach of the noise.
    """
    lowest = lowest_level(noise)
    zero = np.atleast_2d(vanishing_probability(counts, noise))
    at_lowest = np.atleast_2d(lowest_level_probability(counts, noise))
    tables = []
    for rounded, z, r in zip(rounded_noises(noise), zero, at_lowest, strict=True):
        moves = np.arange(lowest + 1, counts.max() + rounded.reach + 1) - counts[:, None]
        within = np.abs(moves) <= rounded.reach
        above = np.where(within, rounded.mass[np.where(within, moves + rounded.reach, 0)], 0.0)
        tables.append(np.hstack([z[:, None], r[:, None], above]))
    return tables


def _reaches(noise: Noise) -> IntArray:
    """Smallest move, on a grid of ratio 2^(1/8), beyond which the noise is negligible."""
    grid = np.unique(np.ceil(2.0 ** np.arange(0, 25.125, 0.125)))
    outside = np.atleast_2d(noise.probability_below(-grid - 0.5) + noise.probability_at_least(grid + 0.5))
    enough = outside <= NEGLIGIBLE
    reaches = np.where(enough.any(axis=1), grid[enough.argmax(axis=1)], np.inf)
    largest = LARGEST_TABLE // 2 // len(reaches)
    if reaches.max() > largest:
        raise OutOfRange(
            "reach of the noise",
            float(reaches.max()),
            f"[0, {largest}]",
            hint="Every move of a count is summed over: use a larger epsilon, or fewer at once.",
        )
    return reaches.astype(np.int64)
