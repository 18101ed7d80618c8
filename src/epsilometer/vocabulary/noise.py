"""What a formula may ask of a mechanism's noise, and nothing more."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, eq=False)
class ExponentialTails:
    """Vanishing probabilities that fall by a constant factor with each record: z(c) = head * decay**c, c >= 1.

    With them sums over random counts have closed forms.

    Attributes:
        head: the factor in front, one per privacy parameter.
        decay: what each record multiplies by.
        empty: z(0), which need not follow the rule.
    """

    head: FloatArray
    decay: FloatArray
    empty: FloatArray


def exponential_tails(noise: Noise) -> ExponentialTails | None:
    """Return the exponential tails of a noise that says it has them; others need not know of the idea."""
    return getattr(noise, "exponential_tails", None)
