"""The largest share of a symmetric Dirichlet distribution."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import gammaincc, xlog1py

from epsilometer.formulas.count_laws import log_poisson
from epsilometer.vocabulary.source import source

_NODES = 4000


@source("mosimann-1962", "shares as gamma variables divided by their sum")
def expected_largest_share(n_values: int, alpha: float) -> float:
    r"""Expectation of the largest of K shares that are Dirichlet(alpha, ..., alpha) distributed. Exact to 1e-13.

    .. math:: \frac{1}{K \alpha} E[\max_k G_k]
        = \int_0^\infty \frac{x^{\alpha} e^{-x}}{\Gamma(\alpha + 1)} F(x)^{K-1} \, dx

    with :math:`K` = ``n_values``, :math:`\alpha` = ``alpha``, finite and above zero, and :math:`G_k` independent
    gamma variables of shape :math:`\alpha` and distribution function :math:`F`, whose sum is independent of their
    shares. In the logarithm of x the integrand is smooth and vanishes at both ends, so the trapezoid rule converges
    faster than any power of the step.

    >>> round(expected_largest_share(3, 1.0), 12)  # (1 + 1/2 + 1/3) / 3
    0.611111111111
    """
    scale = max(alpha, 1.0)
    lowest = -42 / (1 + math.sqrt(alpha))
    highest = math.log1p((alpha - scale + 10 * math.sqrt(alpha) + 45) / scale)
    log_x, step = np.linspace(lowest, highest, _NODES, retstep=True)  # of x / scale
    x = scale * np.exp(log_x)
    log_others_below = xlog1py(n_values - 1, -gammaincc(alpha, x))
    return float(step * (x @ np.exp(log_poisson(alpha, x) + log_others_below)))
