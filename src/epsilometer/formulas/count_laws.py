"""Logarithms of count probabilities that stay accurate where the log-gamma form has cancelled its digits away.

All follow Loader's saddle-point form: the deviance from the mean and the error of Stirling's formula are
computed apart, so that the error of the logarithm is about 1e-13 at a million counts (log-gamma: 1e-9).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

_HALF_LOG_2PI = 0.5 * np.log(2 * np.pi)
_SMALLEST_RATE = 1e-280  # below it a positive rate is rounded up, so that count / rate stays finite
_SERIES_FROM = 10.0  # here the first dropped term of Stirling's series is below 1e-16
_SERIES = (1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)


@source("loader-2000", "saddle-point form of the Poisson probabilities")
def log_poisson(count: ArrayLike, rate: ArrayLike) -> FloatArray:
    r"""Natural logarithm of the Poisson probability of ``count``; a rate of zero leaves only the count zero.

    .. math:: \log \Pr(c) = -\lambda D(c / \lambda) - \delta(c) - \tfrac12 \log(2 \pi c)

    with :math:`\lambda` = ``rate``, :math:`D(x) = x \log x + 1 - x` and :math:`\delta` the error of Stirling's
    formula.

    >>> float(np.exp(log_poisson(2, 3.0)).round(12))
    0.224041807655
    """
    c, mean = np.asarray(count, dtype=np.float64), np.asarray(rate, dtype=np.float64)
    some = np.where(c > 0, c, 1.0)
    peak = -stirling_error(some) - 0.5 * np.log(some) - _HALF_LOG_2PI
    log_positive = np.where(mean > 0, peak - _deviance(some, np.maximum(mean, _SMALLEST_RATE)), -np.inf)
    return np.where(c > 0, log_positive, -mean)


@source("loader-2000", "saddle-point form of the binomial probabilities")
def log_binomial(count: ArrayLike, trials: ArrayLike, probability: ArrayLike) -> FloatArray:
    r"""Natural logarithm of the binomial probability of ``count``, for a probability strictly between 0 and 1.

    .. math:: \Pr(c) = \binom{n}{c} p^c (1-p)^{n-c}

    with :math:`c` = ``count``, :math:`n` = ``trials`` and :math:`p` = ``probability``; a count outside 0 .. n is
    not handled.

    >>> float(np.exp(log_binomial(2, 5, 0.3)).round(12))
    0.3087
    """
    c, n, p = (np.asarray(argument, dtype=np.float64) for argument in (count, trials, probability))
    inside = (c > 0) & (c < n)
    log_inside = _log_ways(np.where(inside, c, 1.0), np.where(inside, n - c, 1.0), p)
    return np.where(inside, log_inside, xlogy(c, p) + xlog1py(n - c, -p))  # outside, one of the two is zero


@source("loader-2000", "saddle-point form of the binomial probabilities")
def log_negative_binomial(count: ArrayLike, shape: ArrayLike, ratio: ArrayLike) -> FloatArray:
    r"""Natural logarithm of the negative binomial probability of ``count``; a shape of zero leaves only zero.

    .. math:: \Pr(c) = \frac{(\alpha)_c}{c!} y^c (1-y)^\alpha

    with :math:`c` = ``count``, :math:`\alpha` = ``shape`` and :math:`y` = ``ratio``, the limit of the ratio of
    successive probabilities. In the letters of Paper 001, :math:`r = \alpha` and :math:`\lambda = 1 - y`.

    >>> float(np.exp(log_negative_binomial(2, 1.5, 0.6)).round(12))
    0.170762993649
    """
    c, alpha, y = (np.asarray(argument, dtype=np.float64) for argument in (count, shape, ratio))
    some, spread = np.where(c > 0, c, 1.0), np.where(alpha > 0, alpha, 1.0)
    log_positive = _log_ways(some, spread, y) + np.log(spread / (some + spread))
    return np.where(c > 0, np.where(alpha > 0, log_positive, -np.inf), xlog1py(alpha, -y))


def _log_ways(successes: FloatArray, failures: FloatArray, p: FloatArray) -> FloatArray:
    """Log of Gamma(x + z + 1) / (Gamma(x + 1) Gamma(z + 1)) p^x (1 - p)^z, for positive x successes, z failures."""
    x, z, trials = successes, failures, successes + failures
    log_peak: FloatArray = 0.5 * np.log(trials / (x * z)) - _HALF_LOG_2PI
    log_peak = log_peak + stirling_error(trials) - stirling_error(x) - stirling_error(z)
    return log_peak - _deviance(x, trials * p) - _deviance(z, trials * (1 - p))


def _deviance(x: FloatArray, mean: FloatArray) -> FloatArray:
    """X log(x / mean) + mean - x, with an error of |x - mean| roundings where the plain form has x of them."""
    u = (x - mean) / mean
    return mean * (xlog1py(1 + u, u) - u)


def stirling_error(x: FloatArray) -> FloatArray:
    r"""log(x!) minus Stirling's formula for it, x > 0: :math:`\log x! - \log(\sqrt{2 \pi x} \, x^x e^{-x})`.

    Correct to 1e-14, and to the last digits from 10 on.

    >>> float(stirling_error(np.array(20.0)).round(12))
    0.004166319692
    """
    far = np.maximum(x, _SERIES_FROM)
    error = np.array(np.polyval(_SERIES, 1 / (far * far)) / far)
    few = x < _SERIES_FROM  # of many; the logarithm of the gamma function takes twenty times as long
    near = x[few]
    error[few] = gammaln(near + 1) - (near + 0.5) * np.log(near) + near - _HALF_LOG_2PI
    return error
