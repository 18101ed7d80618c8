"""How something was found, where there are several ways that lead to the same."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class How:
    """The way that was chosen.

    Attributes:
        method: its name.
        why: the numbers that decided.
    """

    method: str
    why: str

    @property
    def in_words(self) -> str:
        """Both in one line."""
        return f"{self.method}: {self.why}"
