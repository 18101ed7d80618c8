"""Three values or more: each count of the sample is published with its own noise. How well is a value guessed?

The K counts get independent, equally distributed, symmetric and log-concave noise and are published as they come
out; rounding and thresholds play no part. Beforehand all values are alike, so the best guess of anyone's value is
the one with the largest published count, ties broken uniformly. With y_win the true count behind it, a person in
the sample is guessed right with probability E[y_win] / m.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.formulas.sampling.noise_panels import NEGLIGIBLE, noise_panels
from epsilometer.formulas.sampling.vulnerability import inside_of, outside_of
from epsilometer.formulas.sampling.winner_count import expected_winner_count
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.formulas.sampling.bracket import Bracket
    from epsilometer.vocabulary.noise import Noise

ONE_COUNT = 2  # with so many values one count says all


@source("gonze-2023", "Section 3.3: the target in the sample, here with K values and noisy counts")
def noisy_counts_inside(sample: int, n_values: int, alpha: float, noise: Noise) -> Bracket:
    """Probability that the value of a person in the sample is guessed right from K noisy counts: E[y_win] / m.

    Exact where :func:`~epsilometer.formulas.sampling.winner_count.expected_winner_count` is. ``n_values`` is at
    least 3; the noise has one privacy parameter.

    >>> from epsilometer.mechanisms import Geometric
    >>> round(noisy_counts_inside(3, 3, 1.0, Geometric(epsilon=1.0)).value, 12)
    0.623769381087
    """
    return inside_of(expected_winner_count(sample, n_values, alpha, noise), sample)


@source("gonze-2023", "Section 3.3: the target outside the sample, here with K values and noisy counts")
def noisy_counts_outside(sample: int, n_values: int, alpha: float, noise: Noise) -> Bracket:
    r"""Probability that the value of a person outside the sample is guessed right from K noisy counts.

    .. math:: \frac{E[y_{win}] + \alpha}{m + K \alpha}

    and 1/K for an infinite ``alpha``, where the sample says nothing about anybody else. Exact where
    :func:`noisy_counts_inside` is.

    >>> from epsilometer.mechanisms import Geometric
    >>> round(noisy_counts_outside(3, 3, 1.0, Geometric(epsilon=1.0)).value, 12)
    0.47855135721
    """
    return outside_of(expected_winner_count(sample, n_values, alpha, noise), sample, n_values, alpha)


@source("gonze-2023", "Section 3.3: the gain of the guess in one population, here with a noisy histogram")
def noisy_any_population(sample: int, n_values: int, noise: Noise) -> float:
    r"""Probability of a right guess where everyone has the same value: no population makes it higher. Exact.

    For two values one count is published and compared with m/2. For more, the count m has to come out above K - 1
    counts of zero, ties broken uniformly:

    .. math:: \int f(x) F(x + m)^{K-1} \, dx

    Any smaller count comes out ahead less often, and only some people have that value then. The noise has one
    privacy parameter.

    >>> from epsilometer.mechanisms import Laplace
    >>> [round(noisy_any_population(4, k, Laplace(epsilon=1.0)), 9) for k in (2, 3)]
    [0.932332358, 0.952656644]
    """
    if n_values == ONE_COUNT:
        half = sample / 2
        return float(1 - (noise.probability_below(-half) + noise.probability_at_least(half)) / 2)
    if noise.probability_at_least(0.5) <= NEGLIGIBLE:
        return 1.0
    tables = noise_panels(noise, n_values=n_values, widest=1.0).by_whole_numbers()
    ahead = tables.column(np.arange(-tables.reach - 1, tables.reach + 1) + sample)
    return float((tables.weights @ (tables.density * tables.below[:, ahead] ** (n_values - 1))).sum())
