"""What a description of a table, kept for another tool, says that a plan can use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from epsilometer.plans.files import as_yaml
from epsilometer.plans.reading import ABSENT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.plans.reading import Place, Source

EXPECTED: Final = "Metadata of SmartNoise (YAML) or of the SDV (JSON) are expected."
TO_SAY: Final = {
    "table": "…              where the table is, such as people.csv",
    "quasi_identifiers": "[…]  columns that an attacker may know of a person",
    "sensitive": "[…]          columns that an attacker wants to know",
}


@dataclass(frozen=True, kw_only=True)
class Imported:
    """The beginning of a plan.

    Attributes:
        settings: what the description says, as a plan says it.
        columns: the columns that may play a part.
        described: every column that the description has.
        notes: what it says that a plan cannot, or leaves open.
    """

    settings: dict[str, Any] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    described: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def to_say(self) -> tuple[str, ...]:
        """Return the keys that make it a whole plan and are not there yet."""
        return tuple(key for key in TO_SAY if key not in self.settings)

    def text(self, name: str) -> str:
        """Return it as a plan file, with comments on what is still to be said."""
        to_say = [f"  {key}: {TO_SAY[key]}" for key in self.to_say()]
        open_ends = ["Not a whole plan yet; it does not say:", *to_say] if to_say else []
        columns = f"Columns that may play a part: {', '.join(self.columns)}."
        return as_yaml(self.settings, [f"Begun from {name}.", *open_ends, columns, *self.notes])


def is_true(column: Mapping[str, Any], key: str, *, otherwise: bool) -> bool:
    """Return whether a key is true; ``otherwise`` stands for what the format says if the key is not there."""
    return str(column.get(key, otherwise)).lower() == "true"


def one_table(source: Source, tables: Mapping[str, Place], wanted: str | None) -> Place:
    """Return where the wanted table is described; it need not be named if there is only one."""
    names = ", ".join(tables)
    if wanted is None and len(tables) == 1:
        return next(iter(tables.values()))
    if wanted is None:
        raise source.complaint((), f"this describes several tables. Name one with --only: {names}.")
    if wanted not in tables:
        raise source.complaint((), f"this does not describe a table {wanted!r}. It has {names}.")
    return tables[wanted]


def mapping_at(source: Source, place: Place) -> dict[str, Any]:
    """Return the keys and values at a place, or say that there must be some."""
    found = source.at(place)
    if isinstance(found, dict):
        return found
    here = "nothing" if found is ABSENT else "something else"
    raise source.complaint(place, f"{'.'.join(map(str, place))} must be a mapping, got {here}.")
