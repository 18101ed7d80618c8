"""The law of the noise on a count, panel by panel, for sums and integrals over everything it can come to.

Whole-number noise e is taken as e + u with u uniform in [0, 1): the largest of several such counts is the
largest count with ties broken uniformly, and averages of functions of e read the whole number below. So both
kinds of noise have a density, and it is smooth between whole numbers.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.polynomial import chebyshev, legendre

from epsilometer.errors import OutOfRange

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.noise import Noise

NEGLIGIBLE = 1e-17  # probability of the noise that is left out on either side
LARGEST_TABLE = 2**23  # nodes in all panels: 64 MiB an array
_SCALE_TAIL = 0.2  # probability with which Laplace or Gaussian noise exceeds about its scale
_GRID = 2.0 ** np.arange(-60, 400, 0.125)  # where scale and reach are looked for


class NoisePanels(NamedTuple):
    """A noise at the nodes of a quadrature: panels along the first axis, nodes of a panel along the second.

    Attributes:
        width: of a panel, a power of two; an edge between two panels is at zero, in the middle.
        weights: of the nodes of a panel; they sum to its width.
        at: what the noise comes to at the nodes; for whole-number noise the whole number.
        below: Pr(e < x) at the nodes.
        density: of the noise at the nodes.
    """

    width: float
    weights: FloatArray
    at: FloatArray
    below: FloatArray
    density: FloatArray

    def mean(self, values: FloatArray) -> float:
        """Average of a function of the noise, given at the nodes."""
        return float(((self.density * values) @ self.weights).sum())

    @property
    def mean_size(self) -> float:
        """E|e|."""
        return self.mean(np.abs(self.at))

    @property
    def variance(self) -> float:
        """E[e^2]: the noise is symmetric."""
        return self.mean(self.at**2)

    @property
    def collision_density(self) -> float:
        """Density at zero of the difference of two such noises; nowhere is it larger."""
        return self.mean(self.density)

    def mean_spread(self, n_values: int) -> float:
        """Expected distance between the largest and the smallest of so many noises."""
        return 2 * self.mean(self.at * n_values * self.below ** (n_values - 1))

    def by_whole_numbers(self) -> NoiseByWholeNumbers:
        """Return the same tables with a column for each whole number; panels have to be at most one wide."""
        n_parts = round(1 / self.width)
        reach = -(-len(self.at) // (2 * n_parts))
        missing = reach * n_parts - len(self.at) // 2

        def columns(table: FloatArray, beyond: float) -> FloatArray:
            full = np.pad(table, ((missing, missing), (0, 0)), constant_values=((0.0, beyond), (0.0, 0.0)))
            by_node = full.reshape(2 * reach, -1).T
            return np.pad(by_node, ((0, 0), (1, 1)), constant_values=((0.0, 0.0), (0.0, beyond)))

        return NoiseByWholeNumbers(
            reach, np.tile(self.weights, n_parts), columns(self.below, 1.0), columns(self.density, 0.0)
        )


class NoiseByWholeNumbers(NamedTuple):
    """A noise at nodes that lie at the same places between any two whole numbers.

    Attributes:
        reach: beyond it, on either side, there is no noise to speak of.
        weights: of the nodes between two whole numbers; they sum to one.
        below: Pr(e < x), nodes along the first axis, whole numbers from -reach - 1 to reach along the second.
        density: of the noise, likewise.
    """

    reach: int
    weights: FloatArray
    below: FloatArray
    density: FloatArray

    def column(self, whole_number: IntArray) -> IntArray:
        """Where the nodes just above whole numbers are; those out of reach share one place at each end."""
        return np.clip(whole_number + self.reach + 1, 0, 2 * self.reach + 1)


def noise_reach(noise: Noise) -> float:
    """Return what a symmetric noise of one privacy parameter hardly ever exceeds."""
    return _where_tail_is(noise, NEGLIGIBLE)


def noise_panels(noise: Noise, *, n_values: int = 2, widest: float = math.inf) -> NoisePanels:
    """Tabulate a symmetric noise of one privacy parameter, for integrals of products of ``n_values`` factors.

    A panel is about as wide as the scale of the noise, where few nodes suffice for fourteen digits, and at most
    ``widest``, a power of two; for whole-number noise it is one wide and the nodes are exact.

    >>> from epsilometer.mechanisms import Geometric, Laplace
    >>> [round(noise_panels(noise(epsilon=0.5)).variance, 9) for noise in (Laplace, Geometric)]
    [8.0, 7.835396178]
    """
    reach, scale = noise_reach(noise), _where_tail_is(noise, _SCALE_TAIL)
    whole = comes_in_whole_numbers(noise)
    width = 1.0 if whole else min(2.0 ** math.floor(math.log2(scale)), widest)
    nodes, weights = legendre.leggauss((n_values + 1) // 2 if whole else 4 + math.ceil(8 * width / scale))
    n_panels = math.ceil(reach / width)
    if 2 * n_panels * len(nodes) > LARGEST_TABLE:
        allowed = f"[0, {LARGEST_TABLE // 2 // len(nodes) * width:g}]"
        hint = "Every move of a count is summed over: use a larger epsilon."
        raise OutOfRange("reach of the noise", reach, allowed, hint=hint)
    left = width * np.arange(-n_panels, n_panels, dtype=np.float64)[:, None]
    x = left + width * (nodes + 1) / 2
    if whole:
        density = np.diff(_rise(noise, np.hstack([left, left + 1]))) + np.zeros_like(x)
        at, below = left + np.zeros_like(x), noise.probability_below(left) + density * (x - left)
    else:
        density = _density(noise, left, width, nodes)
        at, below = x, noise.probability_below(x)
    return NoisePanels(width, weights * width / 2, at, below, density)


def comes_in_whole_numbers(noise: Noise) -> bool:
    """Tell noise that takes whole numbers only, and hence zero with some probability, from other noise.

    >>> from epsilometer.mechanisms import Geometric, Laplace
    >>> [comes_in_whole_numbers(noise(epsilon=1.0)) for noise in (Geometric, Laplace)]
    [True, False]
    """
    return bool(noise.probability_at_least(0.0) > noise.probability_at_least(math.ulp(0.0)))


def _where_tail_is(noise: Noise, probability: float) -> float:
    """Smallest number, on a grid of ratio 2^(1/8), that the noise exceeds with at most this probability."""
    return float(_GRID[np.argmax(noise.probability_at_least(_GRID) <= probability)])


def _rise(noise: Noise, x: FloatArray) -> FloatArray:
    """Pr(e < x) up to a constant, which differs between the panels left and right of zero.

    Each half comes from its own tail: neither loses small differences to rounding.
    """
    return np.where(x[:, :1] < 0, noise.probability_below(x), -noise.probability_at_least(x))


def _density(noise: Noise, left: FloatArray, width: float, nodes: FloatArray) -> FloatArray:
    """Differentiate the distribution function in each panel, through its interpolation at Chebyshev's points."""
    points = chebyshev.chebpts2(len(nodes) + 4)
    to_coefficients = np.linalg.inv(chebyshev.chebvander(points, len(points) - 1))
    to_slopes = chebyshev.chebval(nodes, chebyshev.chebder(to_coefficients))
    return _rise(noise, left + width * (points + 1) / 2) @ to_slopes * (2 / width)
