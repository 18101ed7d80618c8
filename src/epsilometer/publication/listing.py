"""From which noisy count on a combination may be listed, where only combinations that occur are counted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from epsilometer.publication.noise_levels import scale_of
from epsilometer.solvers.whole_numbers import first_meeting
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from epsilometer.mechanisms import Mechanism

HIGHEST: Final = 2**62
ROUNDING: Final = 1e-12  # relative error allowed for in a computed probability, on the side of more risk


@source("rogers-2023", "unknown domains: a count is released from a threshold on")
def listing_threshold(mechanism: Mechanism, moved_counts: int, support_delta: float) -> int:
    r"""Smallest noisy count from which on a combination may be listed. Exact, rounded up.

    A combination that nobody has is never listed; one that a single person has is listed with probability
    :math:`p = \Pr(e \ge T - 1)`. With the m combinations that a person may add to, the threshold T is the smallest
    whole number from 1, and from the mechanism's own threshold, with

    .. math:: 1 - (1 - p)^m \le \delta'

    where :math:`e` = the noise of ``mechanism``, :math:`m` = ``moved_counts``, :math:`\delta'` = ``support_delta``.

    The release is then :math:`(\varepsilon, \delta + \delta')`-differentially private if the noise on all counts, the
    empty ones too, is :math:`(\varepsilon, \delta)`. Let D' have one person more than D, and let B be that no
    combination is listed that only they have. On D' it fails with probability at most :math:`\delta'`. On D,
    where such a count would be 0, noise would make B fail with less than that, and given B the two ways of publishing
    are the same. So in either direction a set of outputs is judged as with noise on all counts, but for
    :math:`\delta'`. Replacing a person does both at once, for the at most m combinations of the two.

    >>> from epsilometer.mechanisms import Geometric
    >>> listing_threshold(Geometric(epsilon=1.0), 1, 1e-6)
    15
    """

    def safe(threshold: int) -> bool:
        one_listed = min(float(mechanism.probability_at_least(threshold - 1)) * (1 + ROUNDING), 1.0)
        if one_listed == 1:
            return False
        return -math.expm1(moved_counts * math.log1p(-one_listed)) * (1 + ROUNDING) <= support_delta

    lowest = max(1, math.ceil(mechanism.threshold))
    found = first_meeting(safe, lowest, HIGHEST, guess=lowest + math.ceil(5 * scale_of(mechanism)))
    assert found is not None  # noqa: S101  the tail falls below any number
    return found
