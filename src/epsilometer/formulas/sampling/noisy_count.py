"""A yes/no value: the sample's number of yes is published with noise on it. How well is a person's value guessed?

The size of the sample is public, so one count says all. The noise is symmetric and log-concave, and the count is
published as it comes out: rounding and thresholds play no part, and clamping to 0, ..., m would lose nothing.
The best guess of anyone's value is then yes exactly where the published count exceeds half the sample.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.count_laws import log_binomial
from epsilometer.formulas.sampling.beta_binomial import log_beta_binomial
from epsilometer.formulas.sampling.largest_sample_count import mean_distance_from_half
from epsilometer.formulas.sampling.noise_panels import NEGLIGIBLE
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.noise import Noise

_FIRST_CHUNK, _LARGEST_CHUNK = 2**10, 2**16


@source("gonze-2023", "Theorems 4.1.3 and 4.1.4: the participant in the sample, here seeing a noisy count")
def noisy_inside(sample: int, alpha: float, noise: Noise) -> FloatArray:
    r"""Probability that the value of a person in the sample is guessed right from the noisy count. Exact.

    .. math:: V = \frac12 + \frac1{2m} \sum_y \Pr(y) |2y-m| \big( 1 - \Pr(e < -d) - \Pr(e \le -d) \big),
        \qquad d = |y - m/2|

    with :math:`m` = ``sample`` and :math:`\Pr(y)` the beta-binomial law of Beta(alpha, alpha), for an infinite
    ``alpha`` the binomial one of a fair coin. The sum of :math:`\Pr(y)|2y-m|` has a closed form; what the noise
    takes away is summed from d = 0 on until the noise no longer reaches, so the cost grows with the noise and
    not with the sample. One answer per privacy parameter of the noise.

    >>> from epsilometer.mechanisms import Laplace
    >>> noisy_inside(100, 1.0, Laplace(epsilon=(0.1, 1.0))).round(6)
    array([0.733457, 0.752293])
    """
    lost = np.zeros(())
    for distance in _distances_from_half(sample):
        # a count at this distance is misread with half that probability, and there are two such counts
        misread = noise.probability_below(-distance) + noise.probability_at_least(distance)
        lost = lost + misread @ (2 * distance * np.exp(log_count(sample / 2 - distance, sample, alpha)))
        if misread[..., -1].max() < NEGLIGIBLE:
            break
    return np.asarray(0.5 + (mean_distance_from_half(sample, alpha) - lost) / sample)


@source("gonze-2023", "Theorems 4.1.3 and 4.1.4: the participant outside the sample, here seeing a noisy count")
def noisy_outside(sample: int, alpha: float, noise: Noise) -> FloatArray:
    r"""Probability that the value of a person outside the sample is guessed right from the noisy count. Exact.

    .. math:: V_{out} - \tfrac12 = \frac{m}{m + 2\alpha} \big( V_{in} - \tfrac12 \big)

    because the expected share of yes outside is the sample's share, shrunk to one half. For an infinite ``alpha``
    the sample says nothing about anybody else.

    >>> from epsilometer.mechanisms import Laplace
    >>> noisy_outside(100, 1.0, Laplace(epsilon=(0.1, 1.0))).round(6)
    array([0.72888 , 0.747346])
    """
    return 0.5 + sample / (sample + 2 * alpha) * (noisy_inside(sample, alpha, noise) - 0.5)


def log_count(count: FloatArray, people: int, alpha: float) -> FloatArray:
    """Log of the probability that so many of the people have the first of two values, before anything is seen."""
    if math.isinf(alpha):
        return log_binomial(count, people, 0.5)
    return log_beta_binomial(count, people, alpha, alpha)


def _distances_from_half(sample: int) -> Iterator[FloatArray]:
    """Half the sample minus y for every y below half, nearest first, in growing chunks."""
    y, size = (sample + 1) // 2 - 1, _FIRST_CHUNK
    while y >= 0:
        yield sample / 2 - np.arange(y, max(y - size, -1), -1, dtype=np.float64)
        y, size = y - size, min(2 * size, _LARGEST_CHUNK)
