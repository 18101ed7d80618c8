"""What one look at the data can cost one person."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from epsilometer.errors import OutOfRange
from epsilometer.vocabulary.adjacency import Adjacency

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST_EXPONENT: Final = 700.0  # exp of more overflows


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyLoss:
    """One look at the data, with all that an accountant needs to know of it.

    Attributes:
        what: what was looked at, in words.
        noise: ``"geometric"`` or ``"discrete-gaussian"``, whose law is known; ``"any"`` where only the guarantee is.
        epsilon: what the look guarantees by itself.
        delta: chance that it fails.
        scale: scale of the noise on one count; ``None`` for ``"any"``.
        moved_counts: how many counts one person moves, each by one; ``None`` for ``"any"``.
        adjacency: what one person may change: ``"add-remove"`` or ``"replace"``.
    """

    what: str
    noise: str
    epsilon: float
    delta: float
    scale: float | None = None
    moved_counts: int | None = None
    adjacency: str = Adjacency.ADD_REMOVE.value

    def __post_init__(self) -> None:
        if not self.epsilon >= 0:
            raise OutOfRange("epsilon", self.epsilon, "[0, inf]", hint="A look never gives anything back.")
        if not 0 <= self.delta <= 1:
            raise OutOfRange("delta", self.delta, "[0, 1]", hint="It is the chance that epsilon fails.")

    def as_replacement(self) -> PrivacyLoss:
        """Return what the look costs when one person is replaced by another: removed, and somebody else added.

        >>> look = PrivacyLoss(what="counts", noise="any", epsilon=1.0, delta=0.0).as_replacement()
        >>> look.epsilon, look.adjacency
        (2.0, 'replace')
        """
        if self.adjacency == Adjacency.REPLACE.value:
            return self
        grown = math.exp(min(self.epsilon, LARGEST_EXPONENT))
        return replace(
            self,
            epsilon=2 * self.epsilon,
            delta=min(1.0, math.nextafter(self.delta * (1 + grown), 1.0)) if self.delta else 0.0,
            moved_counts=None if self.moved_counts is None else 2 * self.moved_counts,
            adjacency=Adjacency.REPLACE.value,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> PrivacyLoss:
        """Read what :meth:`to_dict` wrote.

        >>> look = PrivacyLoss(what="counts", noise="any", epsilon=1.0, delta=0.0)
        >>> PrivacyLoss.from_dict(look.to_dict()) == look
        True
        """
        return cls(**given)
