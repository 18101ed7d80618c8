"""A plan: what is to be published, and about whom."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from epsilometer.mechanisms import Laplace, Mechanism

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.tables.bins import Bins


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A table with roles, bins and filter, and the noise that its counts would be published with.

    Attributes:
        table: anything :func:`epsilometer.open_table` takes.
        quasi_identifiers: columns the attacker knows of the target.
        sensitive: columns the attacker wants to know; each is assessed by itself.
        person_id: column that says whose row it is; without it each row is a person.
        bins: bins by column.
        where: row filter, an SQL predicate run by the engine.
        missing: texts that stand for a missing value.
        mechanism: the noise; with several epsilons the assessment speaks of each.
        max_risk: for choosing, the largest share of people that may be disclosed.
        max_loss: for choosing, the largest mean total variation distance of the marginals.
    """

    table: object
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    person_id: str | None = None
    bins: Mapping[str, Bins | Mapping[str, object] | float] = field(default_factory=dict)
    where: str | None = None
    missing: tuple[str, ...] = ()
    mechanism: Mechanism = field(default_factory=lambda: Laplace(epsilon=1.0))
    max_risk: float | None = None
    max_loss: float | None = None

    def described(self) -> dict[str, str]:
        """Say how the table is read, for a record: only what was given, in words.

        The table's own name is left to those who opened it: a database address may hold a password.
        """
        given = {
            "quasi-identifiers": ", ".join(self.quasi_identifiers),
            "sensitive": ", ".join(self.sensitive),
            "person id": self.person_id or "",
            "bins": "; ".join(f"{column}: {bins}" for column, bins in self.bins.items()),
            "filter": self.where or "",
            "missing marks": ", ".join(self.missing),
        }
        return {label: text for label, text in given.items() if text}
