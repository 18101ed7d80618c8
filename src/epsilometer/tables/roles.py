"""Roles: which columns the attacker knows, which the attacker wants, and which says whose row it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from epsilometer.errors import BadRoles, UnknownColumn
from epsilometer.tables.bins import Bins, as_bins

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True)
class Roles:
    """Columns by role, with the bins of those that are counted in bins."""

    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    person_id: str | None = None
    bins: Mapping[str, Bins] = field(default_factory=dict)

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that are counted, quasi-identifiers first."""
        return (*self.quasi_identifiers, *self.sensitive)


def assign_roles(
    available: Iterable[str],
    quasi_identifiers: str | Iterable[str],
    sensitive: str | Iterable[str],
    *,
    person_id: str | None = None,
    bins: Mapping[str, object] | None = None,
) -> Roles:
    """Give columns their roles, or say why they cannot play them.

    >>> assign_roles(["age", "sex", "job"], ["age", "sex"], "job").columns
    ('age', 'sex', 'job')
    """
    available = tuple(available)
    known, wanted = _names(quasi_identifiers), _names(sensitive)
    for role, names in (("quasi-identifier", known), ("sensitive column", wanted)):
        if not names:
            raise BadRoles(f"There is no {role}. Name at least one of {', '.join(available)}.")
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise BadRoles(f"Column {twice[0]!r} is given twice as {role}. Name it once.")
    person = () if person_id is None else (person_id,)
    for name in (*known, *wanted, *person, *(bins or ())):
        if name not in available:
            raise UnknownColumn(name, available)
    for name in (*known, *wanted):
        roles = [
            role
            for role, names in (("quasi-identifier", known), ("sensitive", wanted), ("person id", person))
            if name in names
        ]
        if len(roles) > 1:
            raise BadRoles(f"Column {name!r} is both {' and '.join(roles)}. Give it one role.")
    for name in bins or ():
        if name not in (*known, *wanted):
            raise BadRoles(f"Column {name!r} has bins but no role. Drop the bins, or give it a role.")
    return Roles(known, wanted, person_id, {name: as_bins(name, given) for name, given in (bins or {}).items()})


def _names(given: str | Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)
