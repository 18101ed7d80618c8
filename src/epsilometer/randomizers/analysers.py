"""Statistics of n people from their reports: unbiased, with their variance and a normal interval.

The people are who they are: all chance is in their reports, and the statistics are about these n people. Someone
who takes them for a sample of a larger population has to add its sampling variance. The order of the reports plays
no part, so that shuffled ones serve as well.

Every statistic here is a mean of *scores*, one for each report, whose expected value is the number wanted of the
person behind it. Its variance is linear in the shares of the values, so that putting in the estimated shares gives
an unbiased estimate of it: that is ``variance``. The ``…_variance`` functions give the exact one for known shares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy.special import ndtri

from epsilometer.errors import BadCounts, OutOfRange
from epsilometer.randomizers.randomizer import checked_numbers
from epsilometer.vocabulary.evidence import Interval
from epsilometer.vocabulary.plain import plain
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.randomizers.added_noise import AddedNoise
    from epsilometer.randomizers.randomizer import MarkingRandomizer
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray

CONFIDENCE: Final = 0.95
WORST_CONDITION: Final = 1e10  # of a channel: beyond it the inverse has no digits left that mean anything


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LocalEstimate:
    """A statistic read off the reports of n people.

    Attributes:
        value: the estimate, a number or one for each value; unbiased, so that shares may come out below 0 or above 1.
        variance: what its variance is estimated to be.
        n_people: how many reported.
        confidence: probability with which an interval holds the truth, each for itself, for many people.
        condition: how much the channel magnifies errors on the way back (its condition number); 1 at best, and from
            about 1000 on the estimates are mostly noise.
    """

    value: float | FloatArray
    variance: float | FloatArray
    n_people: int
    confidence: float = CONFIDENCE
    condition: float = 1.0

    @property
    def interval(self) -> Interval:
        """The normal interval."""
        half = float(ndtri(0.5 + self.confidence / 2)) * np.sqrt(np.maximum(self.variance, 0.0))
        return Interval(self.value - half, self.value + half, self.confidence)

    def times(self, factor: float) -> LocalEstimate:
        """Return the estimate of a multiple: ``shares.times(shares.n_people)`` are counts.

        >>> LocalEstimate(value=0.5, variance=0.01, n_people=10).times(10).variance
        1.0
        """
        return LocalEstimate(
            value=self.value * factor,
            variance=self.variance * factor**2,
            n_people=self.n_people,
            confidence=self.confidence,
            condition=self.condition,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers, ready for JSON."""
        return {
            "value": plain(self.value),
            "variance": plain(self.variance),
            "low": plain(self.interval.low),
            "high": plain(self.interval.high),
            "confidence": self.confidence,
            "n_people": self.n_people,
            "condition": self.condition,
        }


@source("wang-2017", "pure protocols: unbiased count")
def histogram(randomizer: MarkingRandomizer, reports: ArrayLike, *, confidence: float = CONFIDENCE) -> LocalEstimate:
    r"""What share of the people has each value? From randomised response or unary encoding. Unbiased.

    .. math:: \hat\theta_k = \frac{c_k / n - q}{p - q}

    with :math:`c_k` the reports that mark k, p = ``true_rate`` and q = ``false_rate``.

    >>> from epsilometer.randomizers import RandomizedResponse
    >>> histogram(RandomizedResponse(epsilon=1.0, n_values=2), [0, 1, 1, 1]).value.round(6)
    array([-0.040988,  1.040988])
    """
    n_people = _checked_n(len(np.asarray(reports)))
    p, q = randomizer.true_rate, randomizer.false_rate
    shares = (randomizer.marks(reports) / n_people - q) / (p - q)
    variance = histogram_variance(randomizer, shares, n_people)
    condition = 1 / (p - q)  # of the channel from "has the value" to "is marked", up to a factor of two
    return LocalEstimate(
        value=shares, variance=variance, n_people=n_people, confidence=_checked(confidence), condition=condition
    )


@source("wang-2017", "pure protocols: variance of a count")
def histogram_variance(randomizer: MarkingRandomizer, shares: ArrayLike, n_people: int) -> FloatArray:
    r"""Variance of the ``histogram`` when the shares are these. Exact.

    .. math:: \frac{\theta_k p(1-p) + (1-\theta_k) q(1-q)}{n (p-q)^2}

    >>> from epsilometer.randomizers import RandomizedResponse
    >>> histogram_variance(RandomizedResponse(epsilon=1.0, n_values=2), [0.3, 0.7], 100).round(6)
    array([0.009207, 0.009207])
    """
    theta, p, q = np.asarray(shares, dtype=np.float64), randomizer.true_rate, randomizer.false_rate
    return (theta * p * (1 - p) + (1 - theta) * q * (1 - q)) / (n_people * (p - q) ** 2)


def histogram_by_inversion(counts: ArrayLike, channel: ArrayLike, *, confidence: float = CONFIDENCE) -> LocalEstimate:
    """What share of the people has each value? From how many reports there are of each kind, by any channel.

    ``counts`` are one for each column of ``channel`` (values x reports), which may have more columns than rows. For
    numbers with noise: declare the numbers there are, cut the reports at some edges, and take
    ``randomizer.channel(values, edges)``; unbiased only if nobody has another number.

    >>> from epsilometer.randomizers import ExponentialChoice
    >>> channel = ExponentialChoice(epsilon=8.0, values=(0, 1)).channel()
    >>> histogram_by_inversion([40, 60], channel).value.round(6)
    array([0.396269, 0.603731])
    """
    return _estimated(counts, channel, np.eye(len(np.asarray(channel))), confidence)


def mean_by_inversion(
    counts: ArrayLike, channel: ArrayLike, values: ArrayLike, *, confidence: float = CONFIDENCE
) -> LocalEstimate:
    """What is the mean of the people's numbers? From how many reports there are of each kind, by any channel.

    ``values`` are the numbers behind the rows of ``channel``. For randomised response over numbers and for the
    exponential choice.

    >>> from epsilometer.randomizers import ExponentialChoice
    >>> choice = ExponentialChoice(epsilon=8.0, values=(0, 1))
    >>> float(mean_by_inversion([40, 60], choice.channel(), choice.values).value.round(6))
    0.603731
    """
    return _estimated(counts, channel, checked_numbers(values), confidence)


def inversion_variance(shares: ArrayLike, channel: ArrayLike, targets: ArrayLike, n_people: int) -> FloatArray:
    r"""Variance of ``histogram_by_inversion`` and ``mean_by_inversion`` when the shares are these. Exact.

    .. math:: \frac1n \sum_x \theta_x \left(\sum_y C_{xy} s_y^2 - v_x^2\right), \qquad C s = v

    with v = ``targets``: the numbers behind the values for a mean, the identity matrix for a histogram.

    >>> inversion_variance([0.3, 0.7], [[0.8, 0.2], [0.2, 0.8]], [0.0, 1.0], 100).round(6)
    np.float64(0.004444)
    """
    rows, wanted = np.asarray(channel, dtype=np.float64), np.asarray(targets, dtype=np.float64)
    spread = rows @ _scores(rows, wanted) ** 2 - wanted**2
    return np.asarray(shares) @ spread / n_people


def mean_of_reports(randomizer: AddedNoise, reports: ArrayLike, *, confidence: float = CONFIDENCE) -> LocalEstimate:
    """What is the mean of the people's numbers, each clamped to the range? From numbers with noise. Unbiased.

    The mean of the reports; its variance is that of the noise divided by the number of people: exactly for simulated
    reports. Real ones (on a grid) vary a little less with Laplace noise, and up to 0.03 % more with Gaussian noise.

    >>> from epsilometer.randomizers import LocalLaplace
    >>> estimate = mean_of_reports(LocalLaplace(epsilon=1.0, low=0.0, high=10.0), [3.0, -4.0, 16.0])
    >>> estimate.value, round(estimate.variance, 6)
    (5.0, 66.666667)
    """
    numbers = checked_numbers(reports)
    n_people = _checked_n(len(numbers))
    return LocalEstimate(
        value=float(numbers.mean()),
        variance=randomizer.noise_variance / n_people,
        n_people=n_people,
        confidence=_checked(confidence),
    )


def _estimated(counts: ArrayLike, channel: ArrayLike, targets: FloatArray, confidence: float) -> LocalEstimate:
    """Mean score of the reports, with the unbiased estimate of its variance."""
    rows, given = np.asarray(channel, dtype=np.float64), np.asarray(counts)
    if given.shape != rows.shape[1:] or (given < 0).any():
        raise BadCounts(f"The counts must be {rows.shape[1]} numbers, one for each kind of report, none negative.")
    n_people = _checked_n(int(given.sum()))
    frequencies, scores = given / n_people, _scores(rows, targets)
    variance = frequencies @ (scores**2 - _scores(rows, targets**2)) / n_people
    return LocalEstimate(
        value=frequencies @ scores,
        variance=variance,
        n_people=n_people,
        confidence=_checked(confidence),
        condition=float(np.linalg.cond(rows)),
    )


def _scores(channel: FloatArray, targets: FloatArray) -> FloatArray:
    """What each report counts, such that its expected value is the target of the value behind it."""
    condition = float(np.linalg.cond(channel))
    if not condition < WORST_CONDITION:
        hint = "The reports hardly tell the values apart: declare fewer values, or use a larger epsilon."
        raise OutOfRange("condition number of the channel", condition, f"[1, {WORST_CONDITION:g})", hint=hint)
    return np.asarray(np.linalg.lstsq(channel, targets, rcond=None)[0], dtype=np.float64)


def _checked_n(n_people: int) -> int:
    if n_people < 1:
        raise BadCounts("There are no reports; an estimate needs at least one.")
    return n_people


def _checked(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise OutOfRange("confidence", confidence, "(0, 1)", hint="It is the probability that an interval holds.")
    return confidence
