"""What a formula may ask of a mechanism's noise, and nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray


class Noise(Protocol):
    r"""The noise on one published count, and the threshold below which a count is published as zero.

    With a curve of E privacy parameters both probabilities put that axis first: shape (E, \\*x.shape).
    """

    @property
    def threshold(self) -> float:
        """A noisy count below this is published as zero (1/2: rounding to the nearest whole number)."""
        ...

    def probability_below(self, x: ArrayLike) -> FloatArray:
        """Pr(noise < x), accurate in both tails."""
        ...

    def probability_at_least(self, x: ArrayLike) -> FloatArray:
        """Pr(noise >= x), accurate in both tails."""
        ...
