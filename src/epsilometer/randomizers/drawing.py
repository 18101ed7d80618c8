"""Real reports, one for each person, and their shuffling. See :mod:`epsilometer.randomizers.randomness`.

OpenDP's own samplers need 7 to 70 microseconds for a number, seconds to minutes for a million people, and its coins
half a microsecond. So randomised response, which is one coin for each person, is made of those; what needs a coin
for each value or a number is picked from a table of whole-number weights, which also makes its law exact.
"""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from epsilometer.errors import OutOfRange
from epsilometer.randomizers.added_noise import AddedNoise, LocalGaussian, LocalLaplace
from epsilometer.randomizers.exponential_choice import ExponentialChoice
from epsilometer.randomizers.grid_noise import GridNoise, gaussian_grid, laplace_grid
from epsilometer.randomizers.randomized_response import RandomizedResponse
from epsilometer.randomizers.randomizer import Randomizer, checked_codes
from epsilometer.randomizers.randomness import (
    Bits,
    coin_flips,
    random_bits,
    random_numbers,
    random_order,
    random_picks,
    whole_weights,
)
from epsilometer.randomizers.unary_encoding import UnaryEncoding
from epsilometer.vocabulary.long_arrays import parts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray

Reports = NDArray[Any]

SMALLEST_EPSILON, LARGEST_EPSILON = 1e-6, 25.0  # beyond them the rounding of the weights of a table would count
SAFE: Final = 1 + 1e-15  # makes up for the rounding of a computed probability, on the side of more noise


def draw(randomizer: Randomizer, values: ArrayLike) -> Reports:
    """Real reports of these values, in their order: each person's randomness is the operating system's.

    Numbers of values (from 0) for a finite domain, numbers for added noise, as ``simulate`` takes and gives them.

    >>> reports = draw(RandomizedResponse(epsilon=1.0, n_values=3), [0, 1, 2, 2])
    >>> bool((0 <= reports).all() and (reports <= 2).all())
    True
    """
    check_can_be_drawn(randomizer)
    return _DRAWN[type(randomizer)](randomizer, values)


def check_can_be_drawn(randomizer: Randomizer) -> None:
    """Refuse randomisers whose reports cannot be drawn as exactly as they should be."""
    if not SMALLEST_EPSILON <= randomizer.epsilon <= LARGEST_EPSILON:
        allowed = f"[{SMALLEST_EPSILON:g}, {LARGEST_EPSILON:g}]"
        hint = "Reports with less would say nothing, with more hide nothing."
        raise OutOfRange("epsilon of real reports", randomizer.epsilon, allowed, hint=hint)


def shuffle(reports: Reports) -> Reports:
    """The same reports in a uniformly random order, by the operating system's randomness.

    >>> sorted(shuffle(np.array([3, 1, 2])).tolist())
    [1, 2, 3]
    """
    return np.take(reports, random_order(len(reports)), axis=0)


def describe_drawing(randomizer: Randomizer) -> dict[str, Any]:
    """What is really drawn, and what it guarantees: the randomiser's own law up to the rounding stated here.

    >>> describe_drawing(LocalLaplace(epsilon=1.0, low=0.0, high=1.0))["delta"]
    0.0
    """
    described = {
        "randomness": "operating system",
        "epsilon": randomizer.epsilon,
        "delta": randomizer.delta,
        "law": _LAWS[type(randomizer)],
    }
    if isinstance(randomizer, AddedNoise):
        grid = grid_noise(randomizer)
        described |= {"delta": grid.delta, "steps": grid.n_steps}
    return described


def grid_noise(randomizer: AddedNoise) -> GridNoise:
    """Return the law of real reports of a number with noise; its channel serves analysers and attackers."""
    return _GRIDS[type(randomizer)](randomizer)


def _randomized_response(randomizer: RandomizedResponse, values: ArrayLike) -> IntArray:
    """Replace the value by a uniform one, with the probability that makes the truth as likely as it should be."""
    codes = checked_codes(values, randomizer.n_values)
    replaced = randomizer.n_values * randomizer.false_rate * SAFE
    kept = -math.expm1(-randomizer.epsilon) * randomizer.true_rate / SAFE
    coins = coin_flips(min(replaced, kept), len(codes))
    uniform = random_numbers(randomizer.n_values, len(codes))
    return np.where(coins == (1 if replaced <= kept else 0), uniform, codes)


def _unary_encoding(randomizer: UnaryEncoding, values: ArrayLike) -> Bits:
    codes = checked_codes(values, randomizer.n_values)
    weights = whole_weights(np.array([1 - randomizer.false_rate, randomizer.false_rate * SAFE]))
    bits = np.empty((len(codes), randomizer.n_values), dtype=np.uint8)
    for some, true in zip(*(parts(rows, randomizer.n_values) for rows in (bits, codes)), strict=True):
        some[:] = random_picks(weights, some.size).reshape(some.shape)
        some[np.arange(len(true)), true] = random_bits(len(true))
    return bits


def _exponential_choice(randomizer: ExponentialChoice, values: ArrayLike) -> IntArray:
    codes = checked_codes(values, randomizer.n_values)
    weights = whole_weights(randomizer.channel())
    by_value = np.argsort(codes, kind="stable")
    n_each = np.bincount(codes, minlength=randomizer.n_values)
    reports = np.empty_like(codes)
    reports[by_value] = np.concatenate([random_picks(*row) for row in zip(weights, n_each.tolist(), strict=True)])
    return reports


def _added_noise(randomizer: AddedNoise, values: ArrayLike) -> FloatArray:
    grid, numbers = grid_noise(randomizer), np.asarray(values)
    return np.concatenate([grid.draw(some) for some in parts(numbers)])


_DRAWN: Final[Mapping[type[Randomizer], Callable[[Any, ArrayLike], Reports]]] = MappingProxyType(
    {
        RandomizedResponse: _randomized_response,
        UnaryEncoding: _unary_encoding,
        ExponentialChoice: _exponential_choice,
        LocalLaplace: _added_noise,
        LocalGaussian: _added_noise,
    }
)
_GRIDS: Final[Mapping[type[Randomizer], Callable[[Any], GridNoise]]] = MappingProxyType(
    {LocalLaplace: laplace_grid, LocalGaussian: gaussian_grid}
)
_LAWS: Final = MappingProxyType(
    {
        RandomizedResponse: "as stated; coins of OpenDP, biased by 1e-15 of their probability to more noise",
        UnaryEncoding: "as stated; probabilities are multiples of 2^-63, rounded to more noise",
        ExponentialChoice: "as stated; probabilities are multiples of 2^-63, rounded within epsilon",
        LocalLaplace: "two-sided geometric on a grid, with what leaves the range reported as its mean; values "
        "rounded to a neighbouring step at random, unbiased",
        LocalGaussian: "discrete Gaussian on a grid; values rounded to a neighbouring step at random, unbiased",
    }
)
