"""The epsilon at which Laplace noise on a count mostly stays below a magnitude."""

from __future__ import annotations

import math

from epsilometer.vocabulary.source import source


@source("chen-2021", "Algorithm 5")
def published_epsilon_for_noise(noise: float, *, sensitivity: float = 1.0) -> float:
    r"""Epsilon at which two standard deviations of the noise are ``noise``, as printed.

    .. math:: \varepsilon = \frac{2 \sqrt 2 \, \Delta}{p}

    with p = ``noise`` > 0 and :math:`\Delta` = ``sensitivity`` > 0. The paper calls p a probability; it is a
    magnitude. It also takes two standard deviations for 95 %: Laplace noise stays within them with 94.1 %
    (erratum R4), for which see :func:`epsilon_for_noise`.

    >>> round(published_epsilon_for_noise(20.0), 12)
    0.141421356237
    """
    return 2 * math.sqrt(2) * sensitivity / noise


@source("chen-2021", "Algorithm 5, with the Laplace quantile")
def epsilon_for_noise(noise: float, *, confidence: float = 0.95, sensitivity: float = 1.0) -> float:
    r"""Epsilon at which the noise lies within plus or minus ``noise`` with this probability. Exact.

    .. math:: \varepsilon = \frac{\Delta}{p} \ln \frac1{1 - \gamma}

    with p = ``noise`` > 0, :math:`\gamma` = ``confidence`` in (0, 1) and :math:`\Delta` = ``sensitivity`` > 0.

    >>> round(epsilon_for_noise(20.0), 12)  # ln(20) / 20
    0.149786613678
    """
    return -math.log1p(-confidence) * sensitivity / noise


@source("chen-2021", "Algorithm 5, with the Laplace quantile of one side")
def epsilon_for_noise_above(noise: float, *, confidence: float = 0.95, sensitivity: float = 1.0) -> float:
    r"""Epsilon at which the noise stays below ``noise`` with this probability, however negative. Exact.

    .. math:: \varepsilon = \frac{\Delta}{p} \ln \frac1{2 (1 - \gamma)}

    with the symbols of :func:`epsilon_for_noise` and :math:`\gamma` above 1/2.

    >>> round(epsilon_for_noise_above(20.0), 12)  # ln(10) / 20
    0.11512925465
    """
    return -math.log(2 * (1 - confidence)) * sensitivity / noise
