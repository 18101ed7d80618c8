"""A plan: what is to be published, and about whom."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from epsilometer.errors import BadQuestion
from epsilometer.plans.release_kinds import Counts, ReleaseKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.tables.bins import Bins

Kind = TypeVar("Kind", bound=ReleaseKind)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A table with roles, bins and filter, what is to be published of it, and what must be met.

    Attributes:
        table: anything :func:`epsilometer.open_table` takes.
        dataset: what the ledger calls the data that the table is a part or a version of; ``None`` for the table's
            own name.
        quasi_identifiers: columns the attacker knows of the target.
        sensitive: columns the attacker wants to know; each is assessed by itself.
        person_id: column that says whose row it is; without it each row is a person.
        bins: bins by column.
        where: row filter, an SQL predicate run by the engine.
        missing: texts that stand for a missing value.
        release: what is published.
        domain: what each column may hold, for releases that need to know: a list of values, ``(low, high)``, or a
            mapping as :func:`epsilometer.synthesize` takes it.
        max_risk: for choosing, the largest risk; for counts the largest share of people that may be disclosed.
        max_loss: for choosing, the largest mean total variation distance of the marginals.
    """

    table: object
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    dataset: str | None = None
    person_id: str | None = None
    bins: Mapping[str, Bins | Mapping[str, object] | float] = field(default_factory=dict)
    where: str | None = None
    missing: tuple[str, ...] = ()
    release: ReleaseKind = field(default_factory=Counts)
    domain: Mapping[str, object] = field(default_factory=dict)
    max_risk: float | None = None
    max_loss: float | None = None

    def released_as(self, kind: type[Kind]) -> Kind:
        """Return the settings of the release, which must be of this kind."""
        if isinstance(self.release, kind):
            return self.release
        raise BadQuestion(f"This needs a plan for a release of {kind.kind}; this one is for {self.release.kind}.")

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
