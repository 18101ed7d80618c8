"""An opened table: an expression in some engine, and what was noticed while opening it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ibis.expr.types import Table as Expression


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The curator's rows, wherever they live; nothing has been read yet but names and types.

    Attributes:
        expression: the rows, as an expression of the engine that holds them.
        name: what to call the table in messages.
        notes: what a reader should know about how the rows were read.
        reread: given an engine's complaint about a value, the same table with that column read as text;
            raises the complaint again when reading differently does not help.
        parsed: whether every scan has to make sense of text again.
        has_dictionaries: whether text is stored as numbers of the different texts, which are few to look at.
    """

    expression: Expression
    name: str
    notes: tuple[str, ...] = ()
    reread: Callable[[Exception], Table] | None = None
    parsed: bool = False
    has_dictionaries: bool = False

    def read_differently(self, complaint: Exception) -> Table:
        """Return the table read so that the engine no longer complains, or raise its complaint."""
        if self.reread is None:
            raise complaint
        return self.reread(complaint)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self.expression.columns)

    def __repr__(self) -> str:
        return f"Table({self.name!r}, columns={', '.join(self.columns)})"
