"""How much Gaussian noise a guarantee needs, and the guarantee that some noise gives.

All functions speak of sensitivity one; the standard deviation scales with the L2 sensitivity. They import
scipy where they use it: Laplace noise never needs it, and it takes longer to load than most assessments.
"""

from __future__ import annotations

import math

from epsilometer.errors import OutOfRange
from epsilometer.formulas.safe_root import smallest_meeting
from epsilometer.vocabulary.source import source


@source("BalleWang2018", "Theorem 8, Eq. (6)")
def delta_from_sigma(sigma: float, *, epsilon: float) -> float:
    r"""Smallest delta such that Gaussian noise of this sigma is (epsilon, delta)-DP. Exact.

    .. math:: \delta = \Phi(1/2\sigma - \varepsilon\sigma) - e^\varepsilon \Phi(-1/2\sigma - \varepsilon\sigma)

    >>> round(delta_from_sigma(1.0, epsilon=1.0), 12)
    0.126936737507
    """
    from scipy.special import log_ndtr

    log_gain = float(log_ndtr(0.5 / sigma - epsilon * sigma))
    log_loss = epsilon + float(log_ndtr(-0.5 / sigma - epsilon * sigma))
    return -math.exp(log_gain) * math.expm1(log_loss - log_gain)  # e^a - e^b without cancellation


@source("BalleWang2018", "Algorithm 1")
def analytic_sigma(epsilon: float, delta: float) -> float:
    """Smallest sigma that is (epsilon, delta)-DP: tight, rounded up.

    >>> round(analytic_sigma(1.0, 1e-5), 9)
    3.730631635
    """
    return smallest_meeting(lambda sigma: delta_from_sigma(sigma, epsilon=epsilon), delta, name="delta")


@source("homogeneity-v2", "Eq. (20)")
@source("DworkRoth2014", "Theorem A.1")
def classic_sigma(epsilon: float, delta: float) -> float:
    r"""The textbook calibration :math:`\sigma = \sqrt{2 \ln(1.25/\delta)}/\varepsilon`. An upper bound.

    Proved for epsilon below one only, and refused from there on: it first fails between 5.75 and 8.8,
    depending on delta.

    >>> round(classic_sigma(0.5, 1e-5), 9)
    9.689610525
    """
    if epsilon >= 1:
        raise OutOfRange(
            "epsilon", epsilon, "(0, 1)", hint="The classic calibration is unproved there; use 'analytic'."
        )
    return math.sqrt(2 * math.log(1.25 / delta)) / epsilon


@source("homogeneity-v2", "Eq. (21)")
def probabilistic_sigma(epsilon: float, delta: float) -> float:
    r"""Sigma for (epsilon, delta)-probabilistic DP as published. Valid, not tight.

    .. math:: \sigma = \frac{\sqrt{\Phi^{-1}(\delta/2)^2 + 2\varepsilon} - \Phi^{-1}(\delta/2)}{2\varepsilon}

    The upper tail of the privacy loss has probability exactly delta/2, the lower one less.

    >>> round(probabilistic_sigma(1.0, 1e-5), 9)
    4.527607026
    """
    from scipy.special import ndtri

    quantile = float(ndtri(delta / 2))
    return (math.sqrt(quantile**2 + 2 * epsilon) - quantile) / (2 * epsilon)


@source("homogeneity-v2", "Definition 3")
def tight_probabilistic_sigma(epsilon: float, delta: float) -> float:
    r"""Smallest sigma with :math:`\Pr(|L| > \varepsilon) \le \delta` for the privacy loss L. Tight, rounded up.

    >>> round(tight_probabilistic_sigma(1.0, 1e-5), 9)
    4.444123306
    """
    from scipy.special import ndtr

    def both_tails(sigma: float) -> float:
        return float(ndtr(0.5 / sigma - epsilon * sigma) + ndtr(-0.5 / sigma - epsilon * sigma))

    return smallest_meeting(both_tails, delta, name="delta")


def epsilon_from_sigma(sigma: float, *, delta: float) -> float:
    """Smallest epsilon such that Gaussian noise of this sigma is (epsilon, delta)-DP: tight, rounded up.

    >>> round(epsilon_from_sigma(analytic_sigma(1.0, 1e-5), delta=1e-5), 9)
    1.0
    """
    if delta_from_sigma(sigma, epsilon=0.0) <= delta:
        raise OutOfRange("sigma", sigma, "the range where epsilon > 0", hint=f"The noise is (0, {delta})-DP already.")
    return smallest_meeting(lambda epsilon: delta_from_sigma(sigma, epsilon=epsilon), delta, name="delta")
