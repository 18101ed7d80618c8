"""What every randomiser offers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from epsilometer.errors import OutOfRange

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from epsilometer.vocabulary.arrays import ArrayLike, FloatArray, IntArray


@dataclass(frozen=True, kw_only=True)
class Randomizer(ABC):
    """A random way from one person's value to their report, and what it guarantees to that person.

    Attributes:
        epsilon: whatever two values the person might have, no report is more than e^epsilon times as likely under
            one as under the other.
        delta: probability with which that may fail; zero for pure local differential privacy.
    """

    name: ClassVar[str]

    epsilon: float
    delta: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        if not 0 < self.epsilon < math.inf:
            raise OutOfRange("epsilon", self.epsilon, "(0, inf)", hint="A smaller epsilon means more noise.")

    @property
    @abstractmethod
    def guarantee(self) -> str:
        """What holds for each person, in one sentence."""

    @abstractmethod
    def simulate(self, values: ArrayLike, rng: np.random.Generator) -> NDArray[Any]:
        """Reports for simulations: seeded, fast, and not fit for a real release."""

    def describe(self) -> dict[str, Any]:
        """Return everything needed to build the randomiser again, and its guarantee, ready for JSON."""
        return {"name": self.name, "epsilon": self.epsilon, "delta": self.delta, "guarantee": self.guarantee}


@dataclass(frozen=True, kw_only=True)
class MarkingRandomizer(Randomizer):
    """A randomiser whose report marks some of K values, the true one with another probability than the rest.

    Attributes:
        n_values: K, the number of values a person may have.
    """

    n_values: int

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_n_values(self.n_values)

    @property
    @abstractmethod
    def true_rate(self) -> float:
        """Probability that a report marks the person's own value."""

    @property
    @abstractmethod
    def false_rate(self) -> float:
        """Probability that a report marks any one other value."""

    @abstractmethod
    def marks(self, reports: ArrayLike) -> IntArray:
        """How many of the reports mark each value."""

    def describe(self) -> dict[str, Any]:
        return {
            **super().describe(),
            "n_values": self.n_values,
            "true_rate": self.true_rate,
            "false_rate": self.false_rate,
        }


def checked_n_values(n_values: int) -> int:
    """Return a number of values, or say why it is none."""
    if not isinstance(n_values, int | np.integer) or n_values < 2:  # noqa: PLR2004
        raise OutOfRange("n_values", n_values, "2, 3, …", hint="It is how many different values a person may have.")
    return int(n_values)


def checked_codes(values: ArrayLike, n_values: int) -> IntArray:
    """Return values numbered from 0, or say which one is not."""
    given = np.asarray(values)
    codes = given.astype(np.int64, copy=False) if given.dtype.kind in "iu" else np.full(given.shape, -1)
    wrong = (codes < 0) | (codes >= n_values)
    if wrong.any():
        hint = "Number the values from 0 in the order of the declared domain."
        raise OutOfRange("every value", given[wrong][0].item(), f"0, …, {n_values - 1}", hint=hint)
    return codes


def checked_numbers(values: ArrayLike) -> FloatArray:
    """Return numbers, or say which one is none."""
    numbers = np.asarray(values, dtype=np.float64)
    wrong = ~np.isfinite(numbers)
    if wrong.any():
        raise OutOfRange("every value", float(numbers[wrong][0]), "(-inf, inf)", hint="Missing values cannot report.")
    return numbers
