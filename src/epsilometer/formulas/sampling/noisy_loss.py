"""How far the analyst's estimate of the population's shares is off when the sample's counts carry noise.

The analyst sees z = y + e, a count y of the sample with symmetric, log-concave noise of one privacy parameter;
rounding and thresholds play no part. Let s be what one more person in the sample adds to the expected count of
the population: s = (n + K alpha) / (m + K alpha), and 1 for an infinite alpha. Reading z as if it were y then
misses the population's count by that without noise, minus s e.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import erf

from epsilometer.formulas.sampling.beta_binomial import variance
from epsilometer.formulas.sampling.bracket import Bracket
from epsilometer.formulas.sampling.median_loss import median_loss, prior_loss
from epsilometer.formulas.sampling.noise_panels import noise_panels
from epsilometer.formulas.sampling.noisy_count import log_count
from epsilometer.formulas.sampling.shares_loss import prior_shares_loss, shares_loss
from epsilometer.formulas.sampling.threshold_tests import can_be_tested, loss_by_tests
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.formulas.sampling.noise_panels import NoisePanels
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.noise import Noise

_COUNT_NODES, _NOISE_PANELS = 65, 2**12  # of an estimate
_WIDEST = 8.0  # standard deviations of the sample's count that it looks at
_SMALLEST_VARIANCE = 1e-6  # keeps the normal law a law where nobody is outside


@source("gonze-2023", "Definition 3.4.4: the loss of the best guess, here from a noisy count")
def noisy_loss(population: int, sample: int, alpha: float, noise: Noise) -> Bracket:
    """Expected distance between the share of the first of two values and the best guess of it from a noisy count.

    Exact where :func:`~epsilometer.formulas.sampling.threshold_tests.loss_by_tests` is affordable (about
    n m <= 2 * 10^6). Beyond that a :func:`bounded_noisy_loss`.

    >>> from epsilometer.mechanisms import Laplace
    >>> round(noisy_loss(8, 5, 1.0, Laplace(epsilon=1.0)).value, 9)
    0.160121922
    """
    if can_be_tested(population, sample, noise):
        return Bracket.exactly(loss_by_tests(population, sample, alpha, noise))
    return bounded_noisy_loss(population, sample, alpha, noise)


@source("gonze-2023", "Definition 3.4.4: the loss of the best guess, here from a noisy count")
def bounded_noisy_loss(population: int, sample: int, alpha: float, noise: Noise) -> Bracket:
    r"""Two numbers that certainly hold :func:`noisy_loss` between them, and an estimate.

    *low* is the loss without noise or, where that is affordable (about m <= 1400) and more, s/n times the mean
    distance of y from the best guess of it: what z does not tell about y it does not tell about S, whose mean moves
    by s with y. *high* is the least of what three simple guesses cost at most: 1/2 whatever
    comes; the posterior mean with z read as y, :math:`U_{mean} + \frac{s}{n} E|e|`; and the best linear guess,

    .. math:: \frac1n \sqrt{E \, \mathrm{Var}(S \mid y)
        + s^2 \frac{\mathrm{Var}\, y \; \mathrm{Var}\, e}{\mathrm{Var}\, y + \mathrm{Var}\, e}}

    with S the people of the population who have the first value. The value is the mean distance of that linear
    guess, as if the people outside the sample had a normal law.

    >>> from epsilometer.mechanisms import Laplace
    >>> [round(number, 6) for number in bounded_noisy_loss(10**9, 10**4, 1.0, Laplace(epsilon=0.1))]
    [0.003345, 0.003133, 0.004133]
    """
    n, m = population, sample
    panels = noise_panels(noise)
    slope, known = _slope(n, m, 2, alpha), _variance(m, 2, alpha)
    as_if = shares_loss(n, m, 2, alpha).high + slope / n * panels.mean_size
    unknown = slope**2 * known * panels.variance / (known + panels.variance)
    linear = math.sqrt(_mean_variance_outside(n, m, 2, alpha) + unknown) / n
    high = min(prior_loss(n, alpha), as_if, linear)
    noise_alone = m * loss_by_tests(m, m, alpha, noise) if can_be_tested(m, m, noise) else 0.0
    low = min(max(median_loss(n, m, alpha).low, slope / n * noise_alone), high)
    return Bracket(min(max(_linear_distance(n, m, alpha, panels) / n, low), high), low, high)


@source("gonze-2023", "Definition 3.4.4, for K values with the mean as the guess, here from noisy counts")
def noisy_shares_loss(population: int, sample: int, n_values: int, alpha: float, noise: Noise) -> Bracket:
    r"""Expected total variation distance between a population's shares and what K noisy counts suggest.

    The analyst answers with the posterior mean of the shares, reading the noisy counts as if they were the
    sample's, or with 1/K each where the noise makes that the better answer. With U the loss of the former without
    noise (:func:`~epsilometer.formulas.sampling.shares_loss.shares_loss`) and
    :math:`N = \frac{K}{2n} s \, E|e|` that of the noise alone, it is

    - at least U and at least N, because neither error knows of the other and both have mean zero (Jensen), unless
      1/K each is better still;
    - at most U + N, and at most :math:`\frac{K}{2n} \sqrt{E \mathrm{Var}(S_1 \mid y_1) + s^2 \mathrm{Var}\, e}`.

    The value is the upper end. It bounds the loss of the best analyst too.

    >>> from epsilometer.mechanisms import Laplace
    >>> [round(number, 6) for number in noisy_shares_loss(10**6, 10**4, 3, 1.0, Laplace(epsilon=0.1))]
    [0.006175, 0.004676, 0.006175]
    """
    n, m, k = population, sample, n_values
    panels = noise_panels(noise)
    slope, within = _slope(n, m, k, alpha), _mean_variance_outside(n, m, k, alpha)
    prior, without = prior_shares_loss(n, k, alpha), shares_loss(n, m, k, alpha)
    noise_alone = k / 2 / n * slope * panels.mean_size
    as_if = min(without.high + noise_alone, k / 2 / n * math.sqrt(within + slope**2 * panels.variance))
    high = min(prior, as_if)
    return Bracket(high, min(max(without.low, noise_alone), high), high)


def _slope(population: int, sample: int, n_values: int, alpha: float) -> float:
    """What one more person with a value in the sample adds to the expected number in the population."""
    return 1.0 if math.isinf(alpha) else (population + n_values * alpha) / (sample + n_values * alpha)


def _variance(people: int, n_values: int, alpha: float) -> float:
    """Variance of the number of people with one of the values."""
    share = 1 / n_values
    return people * share * (1 - share) if math.isinf(alpha) else float(variance(people, alpha, (n_values - 1) * alpha))


def _mean_variance_outside(population: int, sample: int, n_values: int, alpha: float) -> float:
    """What is left of the variance of the population's count, on average, when the sample is known."""
    known = _slope(population, sample, n_values, alpha) ** 2 * _variance(sample, n_values, alpha)
    return max(_variance(population, n_values, alpha) - known, 0.0)


def _linear_distance(population: int, sample: int, alpha: float, noise: NoisePanels) -> float:
    """Mean distance of the best linear guess from the population's count, people outside taken as normal.

    It shrinks z towards m/2 by a factor, so it misses by the people outside, the rest of y - m/2 and the noise that
    is left; averaged over some values of y, which has the same law on both sides of m/2, and of the noise.
    """
    n, m = population, sample
    slope, known = _slope(n, m, 2, alpha), _variance(m, 2, alpha)
    trust = known / (known + noise.variance)
    y = np.linspace(max(0.0, m / 2 - _WIDEST * math.sqrt(known)), m / 2, _COUNT_NODES)[:, None]
    weight = np.exp(log_count(y, m, alpha)) * np.where((y == y[0]) | (y == y[-1]), 0.5, 1.0)
    thinning = max(1, len(noise.at) // _NOISE_PANELS)
    e, probability = noise.at[::thinning].ravel(), (noise.density * noise.weights)[::thinning].ravel()
    missed = slope * ((1 - trust) * (m / 2 - y) + trust * e)
    spread = np.sqrt(2 * np.maximum(_variance_outside(n, m, alpha, y), _SMALLEST_VARIANCE))
    distance = spread / math.sqrt(math.pi) * np.exp(-((missed / spread) ** 2)) + missed * erf(missed / spread)
    return float(np.average(distance @ probability, weights=weight[:, 0]) / probability.sum())


def _variance_outside(population: int, sample: int, alpha: float, y: FloatArray) -> FloatArray:
    """Variance of the number of people outside the sample with the first value, when y in it have it."""
    outside = population - sample
    return y * 0 + outside / 4 if math.isinf(alpha) else variance(outside, y + alpha, sample - y + alpha)
