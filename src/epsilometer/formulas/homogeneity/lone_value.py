r"""Probability that exactly one value is published, somebody having it, when the counts are random.

For independent counts with probabilities :math:`w_k(c)` put :math:`A_k(x) = \sum_c z(c) w_k(c) x^c` (value k
vanishes) and :math:`B_k(x) = \sum_{c \ge 1} (1 - z(c)) w_k(c) x^c` (it survives). Given the total n the risk is
the coefficient of :math:`x^n` in :math:`\sum_k B_k \prod_{j \ne k} A_j`, divided by Pr(total = n). Two states are
enough for the sum: *none* survived so far, and exactly *one* did. Every term is positive.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft

from epsilometer.formulas.homogeneity.publication import surviving_probability, vanishing_probability
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.formulas.homogeneity.independent_counts import IndependentCounts
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.noise import Noise

_ROUNDING = 2e-15  # error of a coefficient from a transform, relative to their root mean square


@source("homogeneity-v2", "Definition 7, averaged over the counts of a cell")
def by_recursion(counts: IndependentCounts, smallest: int, largest: int, noise: Noise) -> FloatArray:
    """Risk given each total from ``smallest`` to ``largest``: shape (E, R, T). Exact, O(K n^2).

    Sums of positive terms lose no digits, however small the risk. The laws must give each of these totals a
    probability that a double can hold.
    """
    c = np.arange(largest + 1.0)
    untilted = np.zeros(1)
    weights = np.exp(counts.log_probability(c, untilted))  # (R, K, C)
    vanish, survive = (fate[:, None, :] for fate in _fates(c, noise))
    none, one = weights[:, 0] * vanish, weights[:, 0] * survive  # (E, R, C)
    for k in range(1, weights.shape[1]):
        gone, seen = weights[:, k] * vanish, weights[:, k] * survive
        one = _convolve(one, gone) + _convolve(none, seen)
        none = _convolve(none, gone)
    return one[:, :, smallest:] / np.exp(counts.log_probability_of_total(c[smallest:], untilted))


def up_to(largest: int, laws_of_mean: Callable[[float], IndependentCounts], noise: Noise) -> FloatArray:
    """Risk given each total 1 .. ``largest``: shape (E, largest). Exact, O(K n^2).

    ``laws_of_mean`` makes one row of counts with that mean total. Each block of totals has laws centred on it,
    wide enough to give its ends at least exp(-500).
    """
    risks, low = [], 0
    while low < largest:
        high = min(largest, low + max(1000, int(45 * math.sqrt(low))))
        risks.append(by_recursion(laws_of_mean((low + high) / 2), low + 1, high, noise)[:, 0])
        low = high
    return np.concatenate(risks, axis=1)


@source("homogeneity-v2", "Definition 7, averaged over the counts of a cell")
def by_transform(
    counts: IndependentCounts, totals: FloatArray, noise: Noise, *, period: int, largest_tilt: FloatArray
) -> FloatArray:
    r"""Risk given one total per row: shape (E, R). O(K n), for cells too large for :func:`by_recursion`.

    The product of the generating functions is taken at the roots of unity of order ``period``. This adds the
    coefficients of :math:`x^{n + i \cdot period}`, all positive: what the finite period costs is more risk. The
    rounding error is relative to the large coefficients, and is added; so the counts are tilted, by at most
    ``largest_tilt``, until n is where the coefficients are large. There always is such a tilt: the terms of the
    sum over k are log-concave in n for log-concave noise, and that of the most frequent value is the largest.
    """
    c = np.arange(totals.max() + 1.0)
    period = next_fast_len(period, real=True)
    position = (totals % period).astype(np.int64)
    flat = counts.log_probability(c, np.zeros(len(totals)))
    risks = []
    for vanish, survive in zip(*_fates(c, noise), strict=True):
        with np.errstate(divide="ignore"):  # log 0 = -inf is meant
            log_vanish, log_survive = np.log(vanish), np.log(survive)
        log_first_survives = flat + log_vanish
        log_first_survives[:, 0] = flat[:, 0] + log_survive
        tilt = _tilt_to(totals, log_first_survives, c, largest_tilt)
        log_weights = counts.log_probability(c, tilt)
        coefficient, log_scale = _cyclic(log_weights + log_vanish, log_weights + log_survive, position, period)
        log_total = counts.log_probability_of_total(totals[:, None], tilt)[:, 0]
        risks.append(coefficient * np.exp(log_scale - log_total))
    return np.stack(risks)


def vanishing_if_empty(noise: Noise) -> FloatArray:
    """Probability that a value nobody has vanishes, for each privacy parameter: shape (E, 1)."""
    return np.atleast_1d(vanishing_probability(0, noise))[:, None]


def _fates(c: FloatArray, noise: Noise) -> tuple[FloatArray, FloatArray]:
    """Probabilities that a count vanishes, and that it survives and is somebody's: both (E, C)."""
    vanish = np.atleast_2d(vanishing_probability(c, noise))
    survive = np.atleast_2d(surviving_probability(c, noise)).copy()
    survive[:, 0] = 0.0
    return vanish, survive


def _convolve(a: FloatArray, b: FloatArray) -> FloatArray:
    """First coefficients of the product of two polynomials, along the last axis."""
    padded = np.concatenate([np.zeros_like(a)[..., 1:], a], axis=-1)
    shifted = np.lib.stride_tricks.sliding_window_view(padded, a.shape[-1], axis=-1)
    product: FloatArray = np.einsum("...mc,...c->...m", shifted, b[..., ::-1])
    return product


def _cyclic(
    log_gone: FloatArray, log_seen: FloatArray, position: IntArray, period: int
) -> tuple[FloatArray, FloatArray]:
    """Coefficient at ``position`` of the two-state product modulo x^period - 1, rounded up; and its log scale."""
    peak_gone, peak_seen = log_gone.max(axis=2), log_seen.max(axis=2)
    best = (peak_seen - peak_gone).max(axis=1)
    gone = _spectrum(np.exp(log_gone - peak_gone[:, :, None]), period)
    seen = _spectrum(np.exp(log_seen - (peak_gone + best[:, None])[:, :, None]), period)
    none, one, log_size = gone[:, 0], seen[:, 0], np.zeros(len(position))
    for k in range(1, gone.shape[1]):
        one = one * gone[:, k] + none * seen[:, k]
        none = none * gone[:, k]
        # of positive coefficients the value at one is the largest; ten thousand of them overflow if not taken out
        size = np.maximum(one[:, :1].real, none[:, :1].real)
        one, none, log_size = one / size, none / size, log_size + np.log(size[:, 0])
    coefficients = irfft(one, period, axis=1)
    at_position = coefficients[np.arange(len(position)), position]
    rounding = _ROUNDING * np.sqrt((coefficients**2).mean(axis=1))
    return at_position + rounding, peak_gone.sum(axis=1) + best + log_size


def _spectrum(weights: FloatArray, period: int) -> FloatArray:
    """Values of the polynomials with these coefficients at the roots of unity of order ``period``."""
    folds = math.ceil(weights.shape[2] / period)
    padded = np.zeros((*weights.shape[:2], folds * period))
    padded[:, :, : weights.shape[2]] = weights
    return rfft(padded.reshape(*weights.shape[:2], folds, period).sum(axis=2), axis=2)


def _tilt_to(totals: FloatArray, log_fate: FloatArray, c: FloatArray, largest_tilt: FloatArray) -> FloatArray:
    """Tilt, for each row, at which counts with these log weights have a mean total near ``totals``.

    Bisection until the tilt is known to within the reciprocal of the standard deviation: nearer gains nothing.
    """
    low, high = np.zeros_like(largest_tilt), largest_tilt
    for _ in range(math.ceil(math.log2(1 + float((largest_tilt * np.sqrt(totals)).max())))):
        middle = (low + high) / 2
        log_tilted = log_fate + middle[:, None, None] * c
        weights = np.exp(log_tilted - log_tilted.max(axis=2, keepdims=True))
        mean = ((weights @ c) / weights.sum(axis=2)).sum(axis=1)
        low, high = np.where(mean < totals, middle, low), np.where(mean < totals, high, middle)
    return (low + high) / 2
