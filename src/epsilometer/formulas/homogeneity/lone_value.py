r"""Probability that exactly one value is published, somebody having it, when the counts are random.

For independent counts with probabilities :math:`w_k(c)` put :math:`A_k(x) = \sum_c z(c) w_k(c) x^c` (value k
vanishes) and :math:`B_k(x) = \sum_{c \ge 1} (1 - z(c)) w_k(c) x^c` (it survives). Given the total n the risk is
the coefficient of :math:`x^n` in :math:`\sum_k B_k \prod_{j \ne k} A_j`, divided by Pr(total = n). Two states are
enough for the sum: *none* survived so far, and exactly *one* did. Every term is positive.
"""

from __future__ import annotations

import math
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft

from epsilometer.formulas.homogeneity.publication import surviving_probability, vanishing_probability
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from epsilometer.formulas.homogeneity.independent_counts import IndependentCounts
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.noise import Noise

_ROUNDING = 2e-15  # error of a coefficient from a transform, relative to their root mean square
_NOTHING, _WORSE = 1e-12, 8  # a coefficient serves if rounding is no more of it, or not much more than of the first


@source("homogeneity-v2", "Definition 7, averaged over the counts of a cell")
def by_recursion(
    counts: IndependentCounts, smallest: int, largest: int, noise: Noise, *, rarest: float = 0.0
) -> FloatArray:
    """Risk given each total from ``smallest`` to ``largest``: shape (E, R, T). Exact, O(n^2) for each law of a count.

    Sums of positive terms lose no digits, however small the risk. The laws must give each of these totals a
    probability that a double can hold. Counts that vanish with at most the probability ``rarest`` are taken to survive;
    what that may take from the risk is added, and the cost is O(n) if only small counts vanish more often.
    """
    c = np.arange(largest + 1.0)
    untilted = np.zeros(1)
    weights = np.exp(counts.log_probability(c, untilted))  # (R, K, C)
    vanish, survive = (fate[:, None, :] for fate in _fates(c, noise))
    reach = max(1, int(np.count_nonzero((vanish > rarest).any(axis=(0, 1)))))  # it falls with c
    laws = (_Fate(of_law[:, :reach] * vanish[:, :, :reach], of_law * survive) for of_law in np.moveaxis(weights, 1, 0))
    powers = (_power(fate, n) for fate, n in zip(laws, counts.n_values.tolist(), strict=True))  # (E, R, C)
    given_total = np.exp(counts.log_probability_of_total(c[smallest:], untilted))
    return reduce(_both, powers).one[:, :, smallest:] / given_total + (counts.n_values.sum() - 1) * rarest


class _Fate(NamedTuple):
    """Probabilities of the totals of some values: where none of them survives, which ends early, and where one does."""

    none: FloatArray
    one: FloatArray


def _both(first: _Fate, second: _Fate) -> _Fate:
    """The totals of two sets of values together."""
    shorter, longer = sorted((first.none, second.none), key=lambda none: none.shape[-1])
    length = min(shorter.shape[-1] + longer.shape[-1] - 1, first.one.shape[-1])
    extended = np.concatenate([longer, np.zeros((*longer.shape[:-1], length - longer.shape[-1]))], axis=-1)
    one = _convolve(first.one, second.none) + _convolve(second.one, first.none)
    return _Fate(_convolve(extended, shorter), one)


def _power(fate: _Fate, n: int) -> _Fate:
    """The totals of so many values of one law, by squaring."""
    if n == 1:
        return fate
    half = _power(fate, n // 2)
    return _both(_both(half, half), fate) if n % 2 else _both(half, half)


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
    c, law, risks = np.arange(totals.max() + 1.0), CentredLaw(counts, period, largest_tilt), []
    for fates in zip(*_fates(c, noise), strict=True):
        product = _product(law, totals, c, fates)
        found = product.at(totals[:, None]) + product.rounding
        log_total = counts.log_probability_of_total(totals[:, None], product.tilt)
        risks.append((found * np.exp(product.log_scale - log_total))[:, 0])
    return np.stack(risks)


class CentredLaw(NamedTuple):
    """Counts that make some totals likely, and what :func:`by_transform` has to know to work one out."""

    counts: IndependentCounts
    period: int
    largest_tilt: FloatArray


@source("homogeneity-v2", "Definition 7, averaged over the counts of a cell")
def by_few_transforms(
    totals: FloatArray, law_from: Callable[[float], tuple[CentredLaw, float]], noise: Noise
) -> FloatArray:
    """Risk given each of many ascending totals: shape (E, T). As :func:`by_transform`, of which one serves many.

    ``law_from`` makes one row of counts for a total, and says up to which larger ones they may serve. A transform has
    the coefficients of all totals; it serves those that are large enough for rounding to be nothing to them.
    """
    risks = np.empty((len(vanishing_if_empty(noise)), len(totals)))
    for risk, *fates in zip(risks, *_fates(np.arange(totals[-1] + 1.0), noise), strict=True):
        first = 0
        while first < len(totals):
            law, last = law_from(totals[first])
            served = totals[first:][totals[first:] <= last]
            found = _risks_from_one(served, law, [fate[: int(served[-1]) + 1] for fate in fates])
            risk[first : first + len(found)] = found
            first += len(found)
    return risks


def _risks_from_one(totals: FloatArray, law: CentredLaw, fates: Sequence[FloatArray]) -> FloatArray:
    """Risk given the first total and as many of those after it as one transform serves."""
    product = _product(law, totals[:1], np.arange(totals[-1] + 1.0), fates)
    found = product.at(totals[None, :])
    too_small = product.rounding / found[0] > max(_NOTHING, _WORSE * float(product.rounding[0, 0] / found[0, 0]))
    n_served = int(too_small[0].argmax()) or len(totals)
    log_total = law.counts.log_probability_of_total(totals[None, :n_served], product.tilt)
    risks: FloatArray = (found[:, :n_served] + product.rounding) * np.exp(product.log_scale - log_total)
    return risks[0]


class _Product(NamedTuple):
    """The sum over the values of the product of their generating functions, one row of coefficients per law.

    Attributes:
        coefficients: modulo the period, and up to ``log_scale``.
        rounding: by which each of a row may be too small, one column.
        log_scale: logarithm of what they have to be multiplied by, one column.
        tilt: what made those wanted large.
    """

    coefficients: FloatArray
    rounding: FloatArray
    log_scale: FloatArray
    tilt: FloatArray

    def at(self, totals: FloatArray) -> FloatArray:
        """Coefficients of the totals, one row per law."""
        place = (totals % self.coefficients.shape[1]).astype(np.int64)
        return np.take_along_axis(self.coefficients, place, axis=1)


def _product(law: CentredLaw, totals: FloatArray, c: FloatArray, fates: Sequence[FloatArray]) -> _Product:
    """Work out the product with the coefficient of one total per row among the large ones."""
    with np.errstate(divide="ignore"):  # log 0 = -inf is meant
        log_vanish, log_survive = map(np.log, fates)
    flat = law.counts.log_probability(c, np.zeros(len(totals)))
    log_first_survives = flat + log_vanish
    log_first_survives[:, 0] = flat[:, 0] + log_survive
    tilt = _tilt_to(totals, log_first_survives, c, law.largest_tilt)
    log_weights = law.counts.log_probability(c, tilt)
    period = next_fast_len(law.period, real=True)
    coefficients, log_scale = _cyclic(log_weights + log_vanish, log_weights + log_survive, period)
    rounding = _ROUNDING * np.sqrt((coefficients**2).mean(axis=1, keepdims=True))
    return _Product(coefficients, rounding, log_scale[:, None], tilt)


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
    """First coefficients of the product of two polynomials, as many as the longer one ``a`` has, on the last axis."""
    padded = np.concatenate([np.zeros((*a.shape[:-1], b.shape[-1] - 1)), a], axis=-1)
    shifted = np.lib.stride_tricks.sliding_window_view(padded, b.shape[-1], axis=-1)
    product: FloatArray = np.einsum("...mc,...c->...m", shifted, b[..., ::-1])
    return product


def _cyclic(log_gone: FloatArray, log_seen: FloatArray, period: int) -> tuple[FloatArray, FloatArray]:
    """Coefficients of the two-state product modulo x^period - 1, and their log scale."""
    peak_gone, peak_seen = log_gone.max(axis=2), log_seen.max(axis=2)
    best = (peak_seen - peak_gone).max(axis=1)

    def spectra(k: int) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
        gone = _spectrum(np.exp(log_gone[:, k] - peak_gone[:, k, None]), period)
        return gone, _spectrum(np.exp(log_seen[:, k] - (peak_gone[:, k] + best)[:, None]), period)

    (none, one), log_size = spectra(0), np.zeros(len(best))
    for k in range(1, log_gone.shape[1]):  # one value after the other: a large cell fills the cache
        gone, seen = spectra(k)
        one = one * gone + none * seen
        none = none * gone
        # of positive coefficients the value at one is the largest; ten thousand of them overflow if not taken out
        size = np.maximum(one[:, :1].real, none[:, :1].real)
        one, none, log_size = one / size, none / size, log_size + np.log(size[:, 0])
    return irfft(one, period, axis=1), peak_gone.sum(axis=1) + best + log_size


def _spectrum(weights: FloatArray, period: int) -> NDArray[np.complex128]:
    """Values of the polynomials with these coefficients at the roots of unity of order ``period``."""
    folds = math.ceil(weights.shape[1] / period)
    if folds == 1:
        return rfft(weights, period, axis=1)
    padded = np.zeros((len(weights), folds * period))
    padded[:, : weights.shape[1]] = weights
    return rfft(padded.reshape(len(weights), folds, period).sum(axis=1), axis=1)


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
