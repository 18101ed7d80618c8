r"""Expected risk in closed form, for noise whose vanishing probabilities fall exponentially.

With :math:`z(c) = h q^c` for c >= 1 the mean over multinomial counts is a sum of powers. Each difference of
powers is written so that only terms of one sign are added, up to a factor of two: no digits are lost but those
that an n-th power costs, about n times 1e-16.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.vocabulary.noise import exponential_tails
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.noise import ExponentialTails, Noise

LARGEST_POWER: Final = 10_000  # beyond this an n-th power costs more than four digits of sixteen
SMALLEST_LOG: Final = -700.0
SMALLEST: Final = np.exp(SMALLEST_LOG)


def has_closed_form(n_values: int, largest: int, noise: Noise) -> bool:
    """Tell whether the expected risk of cells up to a size has one that keeps its digits.

    It has for two values, or for any number of them if z(0) follows the rule too.
    """
    tails = exponential_tails(noise)
    if tails is None or largest > LARGEST_POWER:
        return False
    return n_values == 2 or bool(np.all(tails.empty == tails.head))  # noqa: PLR2004


def closed_form(sizes: FloatArray, shares: FloatArray, noise: Noise) -> FloatArray:
    """Expected risk of cells of these sizes (any shape) with these shares (values along the last axis). Exact.

    >>> from epsilometer.mechanisms import Geometric, Laplace
    >>> float(closed_form(np.array(10.0), np.array([0.9, 0.1]), Laplace(epsilon=1.0)).round(10))
    0.3846919775
    >>> float(closed_form(np.array(3.0), np.array([0.5, 0.25, 0.25]), Geometric(epsilon=1.0)).round(10))
    0.2611727551
    """
    tails = exponential_tails(noise)
    assert tails is not None  # noqa: S101  (has_closed_form was asked first)
    formula = _two_values if shares.shape[-1] == 2 else _any_values  # noqa: PLR2004
    return formula(sizes, shares, tails)


@source("homogeneity-v2", "Definition 8, summed for two values")
def _two_values(n: FloatArray, shares: FloatArray, tails: ExponentialTails) -> FloatArray:
    r"""Evaluate the mean over binomial counts.

    .. math:: z(0) (1 - h q^n)(p^n + r^n) + h \sum_{(a,b)} \{(a + q b)^n - a^n - (q b)^n\}
        - 2 h^2 q^n (1 - p^n - r^n)
    """
    h, q, empty = (_leading(part, n) for part in (tails.head, tails.decay, tails.empty))
    p, r = shares[..., 0], shares[..., 1]
    log_p, log_r, log_q = (_log_power(base, n) for base in (p, r, q))
    with np.errstate(divide="ignore"):  # log 0 = -inf is meant
        log_h = np.log(h)  # it may be so large that only its products with the powers are numbers
    one_value = _exponential(log_p) + _exponential(log_r)
    vanish, vanish_both = _exponential(log_h + log_q), _exponential(2 * log_h + log_q)  # z(n), z(a) z(n - a)
    excess = _excess_of_power(p, q * r, log_h + log_p, log_h + log_q + log_r, n)
    excess = excess + _excess_of_power(r, q * p, log_h + log_r, log_h + log_q + log_p, n)
    mixed = excess - 2 * vanish_both * (1 - one_value)
    return empty * (1 - vanish) * one_value + np.where(n > 1, mixed, 0.0)


@source("homogeneity-v2", "Definition 8, summed for noise whose z(0) follows the rule too")
def _any_values(n: FloatArray, shares: FloatArray, tails: ExponentialTails) -> FloatArray:
    r"""Evaluate the mean over multinomial counts for z(c) = h q^c from c = 0 on, in O(K).

    .. math:: h^{K-1} \sum_k \Big[ (q + (1-q) p_k)^n - q^n + (1 - h) q^n \big(1 - (1-p_k)^n\big) \Big]

    Geometric noise has h = 1 / (1 + q); Laplace noise a smaller one, if the threshold is at most zero.
    """
    h, q = _leading(tails.head, n), _leading(tails.decay, n)
    with np.errstate(divide="ignore"):  # a share of 1 leaves log1p(-1) = -inf, which is meant
        somebody = -np.expm1(n[..., None] * np.log1p(-shares))
    total = (1 - h) * _exponential(_log_power(q, n)) * somebody.sum(axis=-1)
    for p in np.moveaxis(shares, -1, 0):
        total += _rise_of_power(q, (1 - q) * p, n)
    return total * h ** (shares.shape[-1] - 1)


def _leading(parameter: FloatArray, n: FloatArray) -> FloatArray:
    """Put the axis of the privacy parameters before the axes of the cells."""
    return parameter.reshape(parameter.shape + (1,) * n.ndim)


def _rise_of_power(base: FloatArray, step: FloatArray, n: FloatArray) -> FloatArray:
    """(base + step)^n - base^n, as a share of the larger power: no cancellation, no overflow."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # a base near zero leaves log1p(inf): meant
        growth = np.where(step > 0, np.log1p(step / base), 0.0)
    return _exponential(_log_power(base + step, n)) * -np.expm1(-n * growth)


def _excess_of_power(a: FloatArray, b: FloatArray, log_a: FloatArray, log_b: FloatArray, n: FloatArray) -> FloatArray:
    """(a + b)^n - a^n - b^n for n >= 2, times what the logarithms of both powers have been raised by.

    The smaller power is at most half of what it is taken from.
    """
    growth = n * np.log1p(np.minimum(a, b) / np.maximum(np.maximum(a, b), SMALLEST))  # both may be zero
    rise = _exponential(np.maximum(log_a, log_b) + growth) * -np.expm1(-growth)
    return rise - _exponential(np.minimum(log_a, log_b))


def _log_power(base: FloatArray, exponent: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):  # log 0 = -inf is meant
        return exponent * np.log(base)


def _exponential(exponent: FloatArray) -> FloatArray:
    """Never zero: numbers too small for a double would take numpy thirty times as long."""
    return np.exp(np.maximum(exponent, SMALLEST_LOG))


@source("homogeneity-v2", "Definition 9, summed for two values")
def shrinkage_two_values(largest: int, alpha: FloatArray, tails: ExponentialTails) -> FloatArray:
    r"""Shrinkage risk of cells of 1 .. ``largest`` records with two values: shape (E, largest). Exact, O(n).

    It is the form of :func:`closed_form` with each power replaced by its mean over the shares:
    :math:`\operatorname{E} p_k^n = (\alpha_k)_n / (\alpha_\cdot)_n`, and :math:`D_n = \operatorname{E}[(p_1 + q
    p_2)^n - p_1^n]` by a recurrence in n that its generating function
    :math:`(1-x)^{-\alpha_1} ((1-qx)^{-\alpha_2} - 1)` satisfies.
    """
    h, q, empty = (np.atleast_1d(part)[:, None] for part in (tails.head, tails.decay, tails.empty))
    n = np.arange(1, largest + 1.0)
    total = alpha.sum()
    same = np.cumprod((alpha[:, None] + n - 1) / (total + n - 1), axis=1)  # E p_k^n, one row per value
    excess = _mean_rises(largest, alpha, q[:, 0]) - q[None] ** n * same[::-1, None]  # both orientations
    vanish = h * q**n  # z(n)
    one_value = same.sum(axis=0)
    mixed = h * excess.sum(axis=0) - 2 * h * vanish * (1 - one_value)
    return empty * (1 - vanish) * one_value + np.where(n > 1, mixed, 0.0)


def _mean_rises(largest: int, alpha: FloatArray, q: FloatArray) -> FloatArray:
    """D_n for n = 1 .. ``largest``, for each value as the first and each decay: shape (2, E, largest).

    The coefficients of the generating function are scaled by n! / (alpha.)_n, so that nothing overflows, and the
    recurrence runs on their differences, so that errors do not grow for decays near one. It is a triangular system of
    equations, for the differences and the values in turn, which is solved from its first line down.
    """
    from scipy.linalg.blas import dtbsv  # loaded for this alone

    total, n = alpha.sum(), np.arange(largest, dtype=np.float64)
    bands, right = (
        np.empty((3, 2 * largest), order="F"),
        np.zeros(2 * largest),
    )  # below the diagonal, and the right side
    bands[0, 0::2], bands[0, 1::2] = total + n, 1.0
    bands[1, 0::2], bands[2, 1::2] = -1.0, -1.0  # a value is the one before and the difference
    rises = np.empty((2, len(q), largest))
    for of_value, first, second in zip(rises, alpha, alpha[::-1], strict=True):
        steps = np.cumprod(np.append(1.0, (first - 1 + n[:-1]) / (total + n[:-1])))  # of (1 - x)^(1 - alpha_1)
        for values, decay in zip(of_value, q, strict=True):
            bands[1, 1::2] = second * (1 - decay)
            bands[2, 0::2] = -decay * (n + 1)
            right[0::2] = second * decay * steps
            values[:] = dtbsv(2, bands, right, lower=True)[1::2]
    return rises
