"""What differential privacy guarantees for a noisy histogram of a sample: the noise, made stronger by the sampling.

Neighbouring populations differ by one person who is replaced by another; the size of the sample is public. A
replacement moves one published count by one if there are two values, and two counts by one each if there are more.
"""

from __future__ import annotations

import math

from epsilometer.formulas import discrete_gaussian, gaussian
from epsilometer.formulas.safe_root import smallest_meeting
from epsilometer.vocabulary.source import source

_LARGEST_EXPONENT = 600.0  # exp of a little more, divided by a sampling rate, overflows


@source("balle-2018", "sampling without replacement, neighbours by substitution")
def epsilon_after_sampling(epsilon: float, sampling_rate: float) -> float:
    r"""What an epsilon that holds for the people of the sample becomes for the people of the population.

    .. math:: \varepsilon' = \log\big( 1 + q (e^\varepsilon - 1) \big)

    with :math:`q` = ``sampling_rate`` = m/n in (0, 1], for a sample of m of n people drawn without replacement; a
    delta becomes q times itself. Tight among all mechanisms with this epsilon, an upper bound for a given one.

    >>> round(epsilon_after_sampling(1.0, 0.1), 9), epsilon_after_sampling(1000.0, 1.0)
    (0.158565079, 1000.0)
    """
    if epsilon <= _LARGEST_EXPONENT:
        return math.log1p(sampling_rate * math.expm1(epsilon))
    return epsilon + math.log(sampling_rate)  # what is left out is below exp(-600) / q


@source("balle-2018", "sampling without replacement, neighbours by substitution: solved for epsilon")
def epsilon_before_sampling(epsilon: float, sampling_rate: float) -> float:
    r"""What epsilon the noise has to give the people of the sample for one that is to hold in the population.

    .. math:: \varepsilon = \log\Big( 1 + \frac{e^{\varepsilon'} - 1}{q} \Big)

    with :math:`\varepsilon'` = ``epsilon`` and :math:`q` = ``sampling_rate`` in (0, 1].

    >>> round(epsilon_before_sampling(0.158565079, 0.1), 6)
    1.0
    """
    if epsilon <= _LARGEST_EXPONENT:
        return math.log1p(math.expm1(epsilon) / sampling_rate)
    return epsilon - math.log(sampling_rate)


def moved_counts(n_values: int) -> int:
    """How many published counts a replacement moves by one.

    >>> moved_counts(2), moved_counts(5)
    (1, 2)
    """
    return 1 if n_values == 2 else 2  # noqa: PLR2004


@source("DworkRoth2014", "Theorem 3.6: epsilon is the L1 sensitivity over the scale")
def laplace_guarantee(scale: float, n_values: int) -> float:
    """Epsilon of Laplace or geometric noise of this scale on the sample's counts, for one replacement. Tight.

    >>> laplace_guarantee(2.0, n_values=2), laplace_guarantee(2.0, n_values=3)
    (0.5, 1.0)
    """
    return moved_counts(n_values) / scale


@source("BalleWang2018", "Theorem 8, Eq. (6)")
def gaussian_guarantee(sigma: float, n_values: int, *, delta: float) -> float:
    """Epsilon of Gaussian noise of this sigma on the sample's counts, for one replacement: tight at ``delta``.

    Zero where the noise is (0, delta)-DP already.

    >>> round(gaussian_guarantee(4.0, n_values=2, delta=1e-5), 6)
    0.926342
    """
    relative = sigma / math.sqrt(moved_counts(n_values))
    if gaussian.delta_from_sigma(relative, epsilon=0.0) <= delta:
        return 0.0
    return gaussian.epsilon_from_sigma(relative, delta=delta)


@source("CanonneKamathSteinke2020", "Theorem 7, carried over to two counts that move by one")
def discrete_gaussian_guarantee(sigma: float, n_values: int, *, delta: float) -> float:
    """Epsilon of discrete Gaussian noise of this sigma on the sample's counts, for one replacement: tight.

    Zero where the noise is (0, delta)-DP already.

    >>> round(discrete_gaussian_guarantee(4.0, n_values=2, delta=1e-5), 6)
    0.927354
    """

    def delta_of(epsilon: float) -> float:
        return discrete_gaussian.delta_from_sigma(sigma, epsilon=epsilon, moved_counts=moved_counts(n_values))

    return 0.0 if delta_of(0.0) <= delta else smallest_meeting(delta_of, delta, name="delta")
