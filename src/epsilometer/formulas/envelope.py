"""Noise that stands for a whole range of privacy parameters, on the cautious side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray
    from epsilometer.vocabulary.noise import Noise


@dataclass(frozen=True, slots=True)
class Envelope:
    """The larger, or the smaller, of the probabilities of two noises, threshold included.

    Whether a count vanishes or survives moves in one direction as epsilon, delta or the threshold grows, so the
    probabilities of the noises at both ends bound those of every noise between. A risk is a sum of products of
    such probabilities with positive weights: computed with the upper envelope it bounds the risk of all of them
    from above, with the lower envelope from below. The bounds are as sharp as the range is narrow, whatever the
    size of the risk.
    """

    first: Noise
    second: Noise
    extreme: Callable[[FloatArray, FloatArray], FloatArray]

    @property
    def threshold(self) -> float:
        """Zero: each noise brings its own threshold along."""
        return 0.0

    def probability_below(self, x: ArrayLike) -> FloatArray:
        """Pr(noise < x + its threshold) at the extreme end."""
        at = np.asarray(x, dtype=np.float64)
        first, second = self.first, self.second
        return self.extreme(
            first.probability_below(at + first.threshold), second.probability_below(at + second.threshold)
        )

    def probability_at_least(self, x: ArrayLike) -> FloatArray:
        """Pr(noise >= x + its threshold) at the extreme end."""
        at = np.asarray(x, dtype=np.float64)
        first, second = self.first, self.second
        return self.extreme(
            first.probability_at_least(at + first.threshold), second.probability_at_least(at + second.threshold)
        )


def upper_envelope(first: Noise, second: Noise) -> Envelope:
    """Return a noise whose risk is at least that of every noise between two.

    >>> from epsilometer.formulas.homogeneity import local
    >>> from epsilometer.mechanisms import Laplace
    >>> bound = local([9, 1], upper_envelope(Laplace(epsilon=0.5), Laplace(epsilon=0.6)))
    >>> bool(bound >= local([9, 1], Laplace(epsilon=0.55)))
    True
    """
    return Envelope(first, second, np.maximum)


def lower_envelope(first: Noise, second: Noise) -> Envelope:
    """Return a noise whose risk is at most that of every noise between two."""
    return Envelope(first, second, np.minimum)
