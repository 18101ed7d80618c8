"""An error in a paper, with the numbers that show it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """What an error does to whoever relies on it."""

    CRITICAL = "critical"
    """A conclusion is wrong, on the unsafe side or for the wrong table."""
    WRONG = "wrong"
    """A formula or a number is wrong."""
    IMPRECISE = "imprecise"
    """True under conditions that are not stated."""
    SLIP = "slip"
    """Of the pen: what is meant can be told."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One quantity: what the paper prints or its equation gives, and what is right."""

    quantity: str
    printed: float
    right: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """An erratum.

    Attributes:
        id: ``"E1"`` and so on.
        severity: how bad it is.
        place: paper and place in it.
        printed: what the paper says, in our words.
        right: what is right instead.
        pairs: the numbers, computed now.
    """

    id: str
    severity: Severity
    place: str
    printed: str
    right: str
    pairs: tuple[Pair, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        return asdict(self)
