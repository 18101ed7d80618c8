r"""What shuffling adds to the privacy of reports that each person has randomised already.

A shuffler hands on the reports of n people without saying whose is whose. To change one person's value is then
harder to see: some of the others' reports are *clones*, drawn without regard to the value behind them, and the
person's report hides among them. Everything here is about one person who changes their value while the number
of people stays, and about an observer who knows everybody else's value.

With M reports left once the reports that are no clones have been taken out, of which a say the first of two
values, b the second and the rest something else, the two laws to tell apart are

.. math:: \frac{\gamma_k}{M} \mathrm{Mult}(a, b, c; M, 1/k, 1/k, 1-2/k) \cdot (e^{\varepsilon_0} a + b + c)

and the same with a and b exchanged, :math:`\gamma_k = k/(e^{\varepsilon_0} + k - 1)`. M - 1 is binomial: each of
the n - 1 others sends a clone with probability :math:`\gamma`.

- Any randomiser: k = 2 and :math:`\gamma = e^{-\varepsilon_0}`.
- Randomised response over k values: :math:`\gamma = \gamma_k`.

The clones of "Stronger privacy amplification by shuffling" (2023), :math:`\gamma = 2/(e^{\varepsilon_0}+1)` for any
randomiser, are not used: an erratum by the authors withdraws them for randomisers with likelihood ratios other than
:math:`e^{\pm\varepsilon_0}`. Randomised response over two values has no others, and there the two agree.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.special import betainc

from epsilometer.errors import OutOfRange
from epsilometer.formulas.count_laws import log_binomial
from epsilometer.formulas.safe_root import smallest_meeting
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import FloatArray, IntArray

MAX_GROUPS: Final = 1024  # of numbers of clones; each is rounded down to the smallest of its group
MAX_TERMS: Final = 60_000  # of the double sum for more than two values: about a tenth of a second
REACH: Final = 9.5  # standard deviations; what lies beyond has probability below 1e-20 and is added to delta
SKETCH_TERMS: Final = 60  # on each side of the mean: enough for a bell curve whose steps are all alike
MARGIN: Final = 1e-6  # by which an epsilon found on the sketch is raised before it is proved
ROUNDING: Final = 1e-10  # of the larger of two numbers whose difference is taken; added to delta


class _Clones(NamedTuple):
    """Each of the others sends a clone with probability ``rate``, uniform over ``n_values`` values."""

    rate: float
    n_values: int


@source("feldman-2021", "clones for any randomiser: the pair of distributions")
@source("balle-2019", "privacy blanket of randomised response")
def shuffled_delta(epsilon: float, *, local_epsilon: float, n_people: int, n_values: int | None = None) -> float:
    r"""With which delta are n shuffled reports (epsilon, delta)-DP? An upper bound, rounded up.

    .. math:: \delta = \mathrm{E}_M\left[\gamma_k \frac{e^{\varepsilon_0} - 1}{M}
        \mathrm{E}\left(a - e^\varepsilon b - M \frac{e^\varepsilon - 1}{e^{\varepsilon_0} - 1}\right)_+\right]

    with :math:`\varepsilon_0` = ``local_epsilon``, n = ``n_people`` and, for randomised response, k = ``n_values``;
    without it the bound holds for every randomiser that is :math:`\varepsilon_0`-DP by itself, delta zero. The sums
    over a are closed; where the numbers of clones are too many for a sum over each, they are rounded down in
    groups, which can only raise delta (and epsilon by less than one part in a thousand).
    For a local epsilon up to 100.

    >>> round(shuffled_delta(0.05, local_epsilon=1.0, n_people=10_000), 9)
    2.141e-06
    """
    return _delta(epsilon, local_epsilon, n_people, _clones(local_epsilon, n_values), stride=1)


@source("feldman-2021", "clones for any randomiser: the pair of distributions")
@source("balle-2019", "privacy blanket of randomised response")
def shuffled_epsilon(delta: float, *, local_epsilon: float, n_people: int, n_values: int | None = None) -> float:
    """Smallest epsilon such that n shuffled reports are (epsilon, delta)-DP: the inverse of ``shuffled_delta``.

    An upper bound, rounded up; never above the local epsilon.

    >>> round(shuffled_epsilon(1e-6, local_epsilon=1.0, n_people=10_000), 4)
    0.053
    >>> round(shuffled_epsilon(1e-6, local_epsilon=1.0, n_people=10_000, n_values=2), 4)
    0.0432
    """
    clones = _clones(local_epsilon, n_values)

    stride = max(1, _pairs_reach(n_people, clones) // SKETCH_TERMS)

    def sketch(epsilon: float) -> float:
        return _delta(epsilon, local_epsilon, n_people, clones, stride)

    epsilon = smallest_meeting(sketch, delta, name="delta") * (1 + MARGIN) if sketch(0.0) > delta else 0.0
    step = MARGIN * local_epsilon
    while _delta(epsilon, local_epsilon, n_people, clones, stride=1) > delta:
        epsilon, step = epsilon + step, 2 * step
    return min(local_epsilon, epsilon)


@source("feldman-2021", "main theorem, closed form")
def closed_form_epsilon(delta: float, *, local_epsilon: float, n_people: int) -> float:
    r"""The published closed form for any randomiser. An upper bound, looser than ``shuffled_epsilon``.

    .. math:: \ln\left(1 + \frac{e^{\varepsilon_0}-1}{e^{\varepsilon_0}+1}
        \left(\frac{8\sqrt{e^{\varepsilon_0}\ln(4/\delta)}}{\sqrt n} + \frac{8 e^{\varepsilon_0}}{n}\right)\right)

    Proved for :math:`\varepsilon_0 \le \ln(n / (16 \ln(4/\delta)))`, and refused elsewhere.

    >>> round(closed_form_epsilon(1e-6, local_epsilon=1.0, n_people=10_000), 4)
    0.214
    """
    largest = math.log(n_people / (16 * math.log(4 / delta)))
    if local_epsilon > largest:
        raise OutOfRange(
            "local epsilon", local_epsilon, f"(0, {largest:.3g}]", hint="The closed form is unproved beyond it."
        )
    growth = math.exp(local_epsilon)
    spread = 8 * math.sqrt(growth * math.log(4 / delta) / n_people) + 8 * growth / n_people
    return math.log1p(math.tanh(local_epsilon / 2) * spread)


def _delta(epsilon: float, local_epsilon: float, n_people: int, clones: _Clones, stride: int) -> float:
    """Delta as in ``shuffled_delta``, proved for a stride of 1; otherwise every so many terms stand for the rest."""
    if epsilon >= local_epsilon:
        return 0.0
    reach = _pairs_reach(n_people, clones)
    n_groups = min(MAX_GROUPS, max(1, MAX_TERMS // (2 * reach + 1)))
    sizes, masses, missed = _sizes(n_people - 1, clones.rate, n_groups)
    pairs, pair_masses, pairs_missed = _pairs(sizes, clones.n_values, np.arange(-reach, reach + 1, stride))
    blanket = clones.n_values / (math.exp(local_epsilon) + clones.n_values - 1)
    step = math.expm1(epsilon) / math.expm1(local_epsilon)
    lead = (math.exp(epsilon) * pairs + step * sizes[:, None]) / (1 + math.exp(epsilon))
    gain = stride * (pair_masses * _expected_excess(pairs, lead)).sum(axis=1)
    gain *= blanket * math.expm1(local_epsilon) * (1 + math.exp(epsilon)) / sizes
    unseen = blanket * math.exp(local_epsilon) * pairs_missed
    return min(1.0, float(masses @ (gain + unseen)) + missed)


def _clones(local_epsilon: float, n_values: int | None) -> _Clones:
    if n_values is None:
        return _Clones(math.exp(-local_epsilon), 2)
    return _Clones(n_values / (math.exp(local_epsilon) + n_values - 1), n_values)


def _pairs_reach(n_people: int, clones: _Clones) -> int:
    """How far from its mean the number of reports a + b that say one of the two values is followed."""
    share = 2 / clones.n_values
    return _reach(n_people * clones.rate * share, 1 - share)


def _reach(mean: float, variance_share: float) -> int:
    """How far from its mean a binomial count is followed; nothing to follow where it cannot vary."""
    return math.ceil(REACH * math.sqrt(mean * variance_share) + REACH) if variance_share > 0 else 0


def _sizes(n_others: int, rate: float, n_groups: int) -> tuple[FloatArray, FloatArray, float]:
    """Numbers of reports M to hide among, their probabilities, and the probability of fewer.

    Every M counts as the smallest of its group: a report more can be made up, so that fewer are never safer.
    """
    reach = _reach(n_others * rate, 1 - rate)
    low, high = max(0, math.floor(n_others * rate) - reach), min(n_others, math.ceil(n_others * rate) + reach)
    starts = np.unique(np.floor(np.linspace(low, high, min(n_groups, high - low + 1))))
    below = _binomial_below(starts, n_others, rate)
    return starts + 1.0, np.maximum(np.diff(below, append=1.0), 0.0), float(below[0])


def _pairs(sizes: FloatArray, n_values: int, offsets: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Numbers of reports a + b among M that say one of the two values, their probabilities, and what is left out."""
    share = 2 / n_values
    centre = np.round(sizes * share)
    pairs = centre[:, None] + offsets
    if share == 1:
        return pairs, np.ones_like(pairs), np.zeros_like(sizes)
    possible = (pairs >= 0) & (pairs <= sizes[:, None])
    pairs = np.where(possible, pairs, 0.0)
    masses = np.where(possible, np.exp(log_binomial(pairs, sizes[:, None], share)), 0.0)
    low, high = np.maximum(centre + offsets[0], 0), np.minimum(centre - offsets[0] + 1, sizes + 1)
    beyond = _binomial_below(sizes + 1 - high, sizes, 1 - share)
    return pairs, masses, _binomial_below(low, sizes, share) + beyond


def _expected_excess(pairs: FloatArray, lead: FloatArray) -> FloatArray:
    r"""E(a - t)_+ for a ~ Bin(s, 1/2), s = ``pairs`` and t = ``lead`` >= s/2, rounded up.

    From :math:`\sum_{a \ge m} (a - s/2) \Pr(a) = \tfrac m2 \Pr(m)`, with m the first whole number above t.
    """
    first = np.floor(lead) + 1
    reachable = first <= pairs
    m, s = np.where(reachable, first, 1.0), np.where(reachable, pairs, 1.0)
    above_mean = 0.5 * m * np.exp(log_binomial(m, s, 0.5))
    excess = above_mean - (lead - 0.5 * pairs) * betainc(m, s - m + 1, 0.5)
    return np.where(reachable, np.maximum(excess, 0.0) + ROUNDING * above_mean, 0.0)


def _binomial_below(count: FloatArray | IntArray, trials: FloatArray | float, rate: float) -> FloatArray:
    """Pr(X < count) for X ~ Bin(trials, rate) and whole counts from 0 to trials + 1."""
    c, n = np.broadcast_arrays(np.asarray(count, dtype=np.float64), np.asarray(trials, dtype=np.float64))
    inside = (c > 0) & (c <= n)
    below = betainc(np.where(inside, n - c + 1, 1.0), np.where(inside, c, 1.0), 1 - rate)
    return np.where(inside, below, np.where(c > 0, 1.0, 0.0))
