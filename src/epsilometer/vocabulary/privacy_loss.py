"""What one look at the data can cost one person."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


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
    """

    what: str
    noise: str
    epsilon: float
    delta: float
    scale: float | None = None
    moved_counts: int | None = None

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
