"""What every result offers to whoever looks at it: a picture, and a card in a notebook."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from epsilometer.charts.theme import AnyChart


class Shown(ABC):
    """A result that draws itself, and shows itself in a notebook."""

    __slots__ = ()

    @property
    def confidential(self) -> bool:
        """Whether something in it was computed from the table itself."""
        return False

    @abstractmethod
    def plot(self) -> AnyChart:
        """Draw it."""

    def _repr_html_(self) -> str:
        from epsilometer.report.fragments import card

        return card(self)


class Confidential(Shown):
    """A result that was computed from the table itself."""

    __slots__ = ()

    @property
    def confidential(self) -> bool:
        """Whether something in it was computed from the table itself: it was."""
        return True
