"""The birthday problem: how likely is it that nobody shares a value with anybody else?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.formulas.count_laws import stirling_error
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

_SUM_UP_TO: Final = 32.0  # values; for so few the error of Stirling's formula has lost digits, and a sum is short
_SERIES_UP_TO: Final = 0.5  # share of the values drawn
_SERIES_TERMS: Final = 17  # of a series in y <= 1/9: the first dropped one is below 1e-17


@source("birthday-bound", "uniqueness probability pi(k, N)")
def uniqueness_probability(k: ArrayLike, n: ArrayLike) -> FloatArray:
    r"""Probability that ``k`` people with one of ``n`` equally likely values each all have different values. Exact.

    .. math:: \pi(k, N) = \frac{N!}{(N - k)! \, N^k}

    with :math:`k` = ``k`` and :math:`N` = ``n``, whole numbers. One person is always unique; more people than
    values never are. Values that are not equally likely make uniqueness less likely.

    >>> float(uniqueness_probability(23, 365).round(12))
    0.492702765676
    """
    return np.exp(log_uniqueness_probability(k, n))


@source("birthday-bound", "uniqueness probability pi(k, N)")
def log_uniqueness_probability(k: ArrayLike, n: ArrayLike) -> FloatArray:
    r"""Natural logarithm of :func:`uniqueness_probability`, to the last digits at any size, in constant time.

    .. math:: \log \pi = -(N - k + \tfrac12) (\log(1 - u) + u) - u (k - \tfrac12) + \delta(N) - \delta(N - k)

    with :math:`u = k/N` and :math:`\delta` the error of Stirling's formula; no term is larger than the result
    by more than a small factor, where log-gamma has lost all but three digits at a million of a trillion.

    >>> float(log_uniqueness_probability(1_000_000, 10**12).round(12))
    -0.499999666666
    """
    draws, values = np.broadcast_arrays(np.asarray(k, dtype=np.float64), np.asarray(n, dtype=np.float64))
    if not ((draws >= 0) & (values >= 1)).all():
        raise OutOfRange("(k, n)", (k, n), "k >= 0 and n >= 1", hint="k people, with one of n values each.")
    within = np.clip(draws, 1.0, values)
    log_possible, few = np.array(_by_stirling(within, values)), values <= _SUM_UP_TO
    log_possible[few] = _by_sum(within[few], values[few])
    return np.where(draws > values, -np.inf, np.where(draws > 1, log_possible, 0.0))


def _by_sum(k: FloatArray, n: FloatArray) -> FloatArray:
    """Sum of log(1 - i/n) over i < k, for n up to 32."""
    i = np.arange(_SUM_UP_TO)
    taken = np.where(i < k[..., None], i / n[..., None], 0.0)
    return np.log1p(-taken).sum(axis=-1)


def _by_stirling(k: FloatArray, n: FloatArray) -> FloatArray:
    """Form with Stirling's error; when the last value is drawn, its factor 1/n is taken out first."""
    last = np.where(k == n, 1.0, 0.0)
    drawn = np.maximum(k - last, 0.0)
    left, share = n - drawn, drawn / n
    tail = stirling_error(n) - stirling_error(left) - last * np.log(n)
    return -(left + 0.5) * _log_plus_share(share) - share * (drawn - 0.5) + tail


def _log_plus_share(share: FloatArray) -> FloatArray:
    """log(1 - u) + u without cancellation: with r = u / (2 - u), -r (u + 2 r^2 (1/3 + r^2/5 + r^4/7 + ...))."""
    small = np.minimum(share, _SERIES_UP_TO)
    r = small / (2 - small)
    coefficients = 1 / np.arange(3.0, 3 + 2 * _SERIES_TERMS, 2)
    series = -r * (small + 2 * r**2 * np.polynomial.polynomial.polyval(r**2, coefficients))
    return np.where(share <= _SERIES_UP_TO, series, np.log1p(-share) + share)
