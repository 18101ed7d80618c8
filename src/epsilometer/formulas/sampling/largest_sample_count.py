"""How many people of a sample share the value most of them have, before the sample is drawn.

The attacker believes that the shares of the K values are Dirichlet(alpha, ..., alpha) distributed. Whoever names the
value with the largest count is right about that many of the people in the sample.
"""

from __future__ import annotations

import math

import numpy as np

from epsilometer.formulas.count_laws import log_binomial, log_negative_binomial
from epsilometer.formulas.sampling.bracket import Bracket
from epsilometer.formulas.sampling.exact_fractions import largest_count_of_uniform_shares
from epsilometer.formulas.sampling.largest_share import expected_largest_share
from epsilometer.formulas.sampling.symmetric_counts import SymmetricCounts
from epsilometer.vocabulary.source import source

_MOST_VALUES_IN_INTEGERS = 64  # 0.1 s; the cost grows with the cube
_LONGEST_PERIOD = 2**16  # of the transforms of an exact sum: about a second
_PERIOD_OF_CORRECTION = 2**13
_ONE_VALUE = 1e-30  # an alpha for which all people surely share one value, as far as a double tells
_EQUAL_SHARES = 1e17  # K alpha people of prior belief per person in the sample: no double tells it from infinity


@source("gonze-2023", "equations (4.18) and (4.26), for any number of values and any Dirichlet prior")
def expected_largest_count(sample: int, n_values: int, alpha: float) -> Bracket:
    """How large is the largest count in the histogram of a sample, on average?

    Exact up to rounding, with a relative error below 1e-12, except where said. Arguments: ``sample`` m, at least 0;
    ``n_values`` K, at least 2; ``alpha`` above 0, or infinite for the uniform prior on datasets.

    - Two values: :func:`mean_distance_from_half`, at once.
    - alpha = 1 and up to 64 values: exact integers, at once for any sample.
    - Otherwise the sum of Pr(max > t), by Fourier transforms at a few hundred thresholds t. The transforms have
      about ten times the square root of m terms for infinite alpha, which takes seconds for a thousand million people,
      and up to 10 m terms for a small alpha.
    - Where these would be more than 65,536 and m exceeds K alpha, a bracket: :func:`largest_count_of_many`.

    >>> round(expected_largest_count(12, 4, float("inf")).value, 12)
    4.863066673279
    """
    if sample == 0:
        return Bracket.exactly(0.0)
    belief = math.inf if n_values * alpha >= _EQUAL_SHARES * sample else max(alpha, _ONE_VALUE)
    if n_values == 2:  # noqa: PLR2004 - the closed form for two values
        return Bracket.exactly(sample / 2 + mean_distance_from_half(sample, belief))
    if belief == 1 and n_values <= _MOST_VALUES_IN_INTEGERS:
        return Bracket.exactly(float(largest_count_of_uniform_shares(sample, n_values)))
    counts = SymmetricCounts(sample, n_values, belief)
    if sample <= n_values * belief or counts.period <= _LONGEST_PERIOD:
        return Bracket.exactly(min(counts.expected_largest(), float(sample)))
    return largest_count_of_many(sample, n_values, belief)


@source("johnson-kemp-kotz-2005", "Chapter 6: the beta-binomial law")
def mean_distance_from_half(sample: int, alpha: float) -> float:
    r"""How far is one of two counts from half of the sample, on average? Exact up to rounding.

    .. math:: E|y - m/2| = \frac m2 \cdot \frac{m + 2 \alpha}{1 + 2 \alpha}
        \Pr\big(z = \lfloor m/2 \rfloor\big), \quad z \sim \text{beta-binomial}(m - 1; \alpha + 1, \alpha + 1)

    with :math:`m` = ``sample``, at least 1, and :math:`\alpha` = ``alpha``; for infinite alpha, z is
    binomial(m - 1, 1/2) and the middle factor is 1. From the partial mean
    :math:`\sum_{x \le c} (\mu - x) \Pr(x) = (m - c)(c + \alpha) \Pr(c) / (2 \alpha)`, in which a small alpha has
    been cancelled.

    >>> round(mean_distance_from_half(2, 1.0), 12)  # the counts 0, 1, 2 are equally likely
    0.666666666667
    """
    half = sample // 2
    if math.isinf(alpha):
        return float(sample / 2 * np.exp(log_binomial(half, sample - 1, 0.5)))
    a, ratio = alpha + 1, sample / (sample + 2 * alpha + 2)  # any common ratio cancels
    log_ways = log_negative_binomial(np.array([half, sample - 1 - half]), a, ratio).sum()
    log_pmf = log_ways - log_negative_binomial(sample - 1, 2 * a, ratio)
    return float(sample / 2 * (sample + 2 * alpha) / (1 + 2 * alpha) * np.exp(log_pmf))


@source("AlvimEtAl2020", "data-processing inequality: seeing more people does no harm")
def largest_count_of_many(sample: int, n_values: int, alpha: float) -> Bracket:
    r"""How large is the largest count of a sample too large for an exact sum? Bounds that hold for every sample.

    .. math:: m L \le E[\max_k y_k] \le m L + \alpha (K L - 1)

    with :math:`m` = ``sample``, :math:`K` = ``n_values``, :math:`\alpha` = ``alpha``, finite, and :math:`L` the
    expectation of the largest share. Let :math:`V(m) = E \max / m` and :math:`W(m) = (E \max + \alpha) / (m + K
    \alpha)`, the chances of a right guess about a person in the sample and about another one. V does not increase
    with m: leaving a random person out leaves the counts proportional on average, and the maximum is convex. W does
    not decrease: one more person to look at does no harm. Both tend to L, as the histogram tends to the shares.

    The value is :math:`m L` plus the excess over it of a smaller sample, summed exactly, scaled by
    :math:`\sqrt m / (\sqrt{1 + \rho} + \sqrt{\rho})`, :math:`\rho = m / (K \alpha)`: so the excess grows if the
    counts are nearly normal, and for large m it is constant.

    >>> round(largest_count_of_many(10**6, 3, 0.5).value, 2)
    700886.21
    """
    share = min(expected_largest_share(n_values, alpha), 1.0)
    low = sample * share
    high = min(low + alpha * max(n_values * share - 1, 0.0), float(sample))
    smaller = SymmetricCounts(sample, n_values, alpha)
    while smaller.period > _PERIOD_OF_CORRECTION:
        smaller = SymmetricCounts(smaller.sample // 2, n_values, alpha)
    excess = smaller.expected_largest() - smaller.sample * share
    excess *= _growth(sample, n_values * alpha) / _growth(smaller.sample, n_values * alpha)
    return Bracket(min(max(low + excess, low), high), low, high)


def _growth(sample: int, total_alpha: float) -> float:
    spread = math.sqrt(sample / total_alpha)
    return math.sqrt(sample) / (math.hypot(1.0, spread) + spread)
