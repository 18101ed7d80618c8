"""The exponential mechanism on one's own number: a nearby number is reported more often than a far one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from epsilometer.errors import OutOfRange
from epsilometer.randomizers.randomizer import Randomizer, checked_codes

if TYPE_CHECKING:
    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray


@dataclass(frozen=True, kw_only=True)
class ExponentialChoice(Randomizer):
    """Report y instead of x with probability proportional to exp(-epsilon |x - y| / 2R), R the range: epsilon-LDP.

    Attributes:
        values: the numbers a person may have and may report, at least two, all different.

    A report is the number of a value in ``values``, counted from 0.

    >>> ExponentialChoice(epsilon=2.0, values=(0, 1, 2)).channel().round(4)
    array([[0.5065, 0.3072, 0.1863],
           [0.2741, 0.4519, 0.2741],
           [0.1863, 0.3072, 0.5065]])
    """

    name: ClassVar[str] = "exponential-choice"

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        numbers = np.asarray(self.values, dtype=np.float64)
        if numbers.ndim != 1 or len(np.unique(numbers)) < max(2, len(numbers)) or not np.isfinite(numbers).all():
            raise OutOfRange("values", self.values, "the lists of two or more different numbers")
        object.__setattr__(self, "values", tuple(numbers.tolist()))

    @classmethod
    def per_unit(cls, epsilon: float, *, values: tuple[float, ...]) -> Self:
        """Return the randomiser of metric privacy: values d apart are told apart by at most epsilon d.

        >>> ExponentialChoice.per_unit(0.5, values=(0, 1, 2)).epsilon
        1.0
        """
        return cls(epsilon=epsilon * (max(values) - min(values)), values=values)

    @property
    def range(self) -> float:
        """Largest distance of two values."""
        return max(self.values) - min(self.values)

    @property
    def n_values(self) -> int:
        """How many values a person may have."""
        return len(self.values)

    @property
    def tight_epsilon(self) -> float:
        """The largest log-likelihood ratio that really occurs: from epsilon / 2, for two values, to epsilon."""
        log_channel = self._log_channel()
        return float(np.ptp(log_channel, axis=0).max())

    @property
    def guarantee(self) -> str:
        return (
            f"No report is more than e^(epsilon d / {self.range:g}) times as likely under one value as under another "
            f"at distance d, so e^{self.epsilon:g} at most; e^{self.tight_epsilon:.6g} is reached."
        )

    def channel(self) -> FloatArray:
        """Probabilities of each report (column) given each value (row). Exact."""
        return np.exp(self._log_channel())

    def simulate(self, values: ArrayLike, rng: np.random.Generator) -> IntArray:
        codes = checked_codes(values, self.n_values)
        ladder = (np.cumsum(self.channel(), axis=1) + np.arange(self.n_values)[:, None]).ravel()
        ladder[self.n_values - 1 :: self.n_values] = np.arange(1, self.n_values + 1)  # each row ends on its number
        return np.searchsorted(ladder, codes + rng.random(codes.shape), side="right") - self.n_values * codes

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "values": list(self.values), "tight_epsilon": self.tight_epsilon}

    def _log_channel(self) -> FloatArray:
        at = np.asarray(self.values)
        log_weights = -self.epsilon / (2 * self.range) * np.abs(at[:, None] - at)
        return log_weights - np.log(np.exp(log_weights).sum(axis=1, keepdims=True))
