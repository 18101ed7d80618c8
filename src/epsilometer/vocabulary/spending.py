"""One use of a privacy budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Spending:
    """One look at the original records, and its part of the budget.

    Attributes:
        what: what was looked at.
        epsilon: its part of epsilon.
        delta: its part of delta.
        noise: what hid the answer, in words.
    """

    what: str
    epsilon: float
    delta: float = 0.0
    noise: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON.

        >>> Spending("counts", 0.5).to_dict()
        {'what': 'counts', 'epsilon': 0.5, 'delta': 0.0, 'noise': ''}
        """
        return {"what": self.what, "epsilon": self.epsilon, "delta": self.delta, "noise": self.noise}
