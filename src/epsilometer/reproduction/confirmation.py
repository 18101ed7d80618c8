"""An exact number next to a simulation of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """What a formula gives, and what many simulated releases show.

    Attributes:
        table: which table was released.
        mechanism: name of the noise.
        delta: its delta; 0 for Laplace.
        epsilon: its privacy parameter.
        exact: by the formula.
        simulated: mean over the releases.
        low: lower end of its interval.
        high: upper end of its interval.
    """

    table: str
    mechanism: str
    delta: float
    epsilon: float
    exact: float
    simulated: float
    low: float
    high: float

    @property
    def agrees(self) -> bool:
        """Whether the exact number is in the interval."""
        return self.low <= self.exact <= self.high

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return {**asdict(self), "agrees": self.agrees}
