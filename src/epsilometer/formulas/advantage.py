"""What a guarantee promises against every attacker on every table, about one person's own record.

An advantage is true-positive rate minus false-positive rate: how much better than a coin the attacker tells
two worlds apart. Which worlds decides the exponent: *membership* (in or out) moves one count by one, *value*
(this value or that) moves two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray


@source("KairouzOhViswanath2015", "Theorem 2.1, at the point where both errors are equal")
def advantage_from_epsilon(epsilon: ArrayLike, delta: ArrayLike = 0.0) -> FloatArray:
    r"""Largest advantage that (epsilon, delta)-DP allows. Attained by some mechanism: tight for the guarantee.

    .. math:: \frac{e^\varepsilon - 1 + 2\delta}{e^\varepsilon + 1}

    >>> float(advantage_from_epsilon(1.0).round(6))
    0.462117
    """
    half = np.asarray(epsilon, dtype=np.float64) / 2
    return np.tanh(half) + np.asarray(delta) * (1 - np.tanh(half))


@source("LaudPankova2020", "posterior of a yes/no secret under pure DP")
def posterior_from_epsilon(prior: float, epsilon: ArrayLike) -> FloatArray:
    r"""Largest belief an attacker can come to hold in a yes/no secret believed with ``prior`` before.

    .. math:: \frac{p e^\varepsilon}{1 - p + p e^\varepsilon}

    >>> float(posterior_from_epsilon(0.5, 1.0).round(6))
    0.731059
    """
    return prior / (prior + (1 - prior) * np.exp(-np.asarray(epsilon, dtype=np.float64)))


def laplace_membership_advantage(scale: ArrayLike) -> FloatArray:
    r"""Total variation distance of Laplace noise from itself moved by one: :math:`1 - e^{-1/2b}`. Exact.

    >>> float(laplace_membership_advantage(1.0).round(6))
    0.393469
    """
    return -np.expm1(-0.5 / np.asarray(scale, dtype=np.float64))


def laplace_value_advantage(scale: ArrayLike) -> FloatArray:
    r"""Total variation distance when one Laplace count moves up by one and another down by one. Exact.

    .. math:: 1 - e^{-1/b}\left(1 + \tfrac{1}{2b}\right)

    The log-likelihood ratio is the sum of two independent copies of :math:`(|x-1| - |x|)/b`, which is 1/b with
    probability 1/2 and -1/b with probability :math:`e^{-1/b}/2`; integrating its sign gives the formula.

    >>> float(laplace_value_advantage(1.0).round(6))
    0.448181
    """
    rate = 1 / np.asarray(scale, dtype=np.float64)
    return -np.expm1(-rate) - 0.5 * rate * np.exp(-rate)


def gaussian_advantage(sigma: ArrayLike, distance: float) -> FloatArray:
    r"""Total variation distance of Gaussian noise from itself moved by ``distance``: :math:`2\Phi(d/2\sigma)-1`.

    >>> float(gaussian_advantage(1.0, 1.0).round(6))
    0.382925
    """
    from scipy.special import erf

    return np.asarray(erf(distance / (2 * np.sqrt(2) * np.asarray(sigma, dtype=np.float64))))


def geometric_advantage(decay: ArrayLike) -> FloatArray:
    r"""Total variation distance of two-sided geometric noise when one count moves, or two move oppositely.

    .. math:: \frac{1 - q}{1 + q}

    Both are the same: the log-likelihood ratio of a count is +1 or -1 times 1/b, two of them cancel or agree.

    >>> float(geometric_advantage(0.36787944117144233).round(6))
    0.462117
    """
    q = np.asarray(decay, dtype=np.float64)
    return (1 - q) / (1 + q)
