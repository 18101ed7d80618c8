"""An opened table: an expression in some engine, and how its columns are read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ibis.expr.types import Table as Expression


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The curator's rows, wherever they live; nothing has been read yet but names and types.

    Attributes:
        expression: the rows, as an expression of the engine that holds them.
        name: what to call the table in messages.
        notes: what a reader should know about how the rows were read.
        parsed: whether every scan has to make sense of text again.
        has_dictionaries: whether text is stored as numbers of the different texts, which are few to look at.
        check: looks through the rows before they are used, where the engine would not notice that a file is broken.
        types: the types that columns are read as, where those are not what the source holds.
        unconverted: the rows as the source holds them; ``None`` if they are read as they are.
    """

    expression: Expression
    name: str
    notes: tuple[str, ...] = ()
    parsed: bool = False
    has_dictionaries: bool = False
    check: Callable[[], None] | None = None
    types: Mapping[str, str] = field(default_factory=dict)
    unconverted: Expression | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self.expression.columns)

    def __repr__(self) -> str:
        return f"Table({self.name!r}, columns={', '.join(self.columns)})"
