"""A plan: what is to be published, and about whom."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from epsilometer.errors import BadQuestion, OutOfRange, UnknownChoice
from epsilometer.plans.release_kinds import Counts, ReleaseKind
from epsilometer.synthesizers.domain import is_range
from epsilometer.tables.opening import open_table
from epsilometer.vocabulary.privacy_loss import PERSON, ROW

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.tables.bins import Bins
    from epsilometer.tables.table import Table

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
        person_id: column that says whose row it is.
        rows_per_person: where rows are the unit, the most rows that one person has, if that is known.
        unit: whose part a release hides: ``"row"``, or ``"person"`` where a column says whose row it is; ``None`` if
            nobody has said, which only an assessment accepts.
        types: ``"text"``, ``"integer"``, ``"number"``, ``"date"``, ``"datetime"`` or ``"boolean"`` by column.
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
    unit: str | None = None
    rows_per_person: int | None = None
    types: Mapping[str, str] = field(default_factory=dict)
    bins: Mapping[str, Bins | Mapping[str, object] | float] = field(default_factory=dict)
    where: str | None = None
    missing: tuple[str, ...] = ()
    release: ReleaseKind = field(default_factory=Counts)
    domain: Mapping[str, object] = field(default_factory=dict)
    max_risk: float | None = None
    max_loss: float | None = None

    def __post_init__(self) -> None:
        if self.person_id is not None and self.unit is None:
            object.__setattr__(self, "unit", PERSON)
        if (self.unit == PERSON) != (self.person_id is not None):
            raise BadQuestion("The unit is a person if a column says whose row it is, and only then. Name that column.")
        if self.unit not in (None, ROW, PERSON):
            raise UnknownChoice("unit", self.unit, (ROW, PERSON))
        if self.rows_per_person is not None:
            if self.unit != ROW:
                raise BadQuestion("rows_per_person goes with the unit row.")
            check_rows_per_person(self.rows_per_person)

    @property
    def types_of_text(self) -> dict[str, str]:
        """Types that the plan implies for columns of text: bins and ranges are about numbers.

        Counts list the numbers of a range one by one, so that they are whole.
        """
        of_ranges = "integer" if isinstance(self.release, Counts) else "number"
        ranges = {name: of_ranges for name, declared in self.domain.items() if is_range(declared)}
        return {**ranges, **dict.fromkeys(self.bins, "number")}

    def open(self) -> Table:
        """Open the table as the plan reads it."""
        return open_table(self.table, self.missing, self.types, of_text=self.types_of_text)

    def open_for_release(self) -> Table:
        """Open the table, with columns that no row decides: those that the plan names."""
        return open_table(
            self.table, self.missing, self.types, of_text=self.types_of_text, columns=tuple(sorted(self.columns_named))
        )

    @property
    def columns_named(self) -> set[str]:
        """Every column that the plan speaks of, but for those of its filter."""
        published = getattr(self.release, "columns", ())
        person = () if self.person_id is None else (self.person_id,)
        return {*self.quasi_identifiers, *self.sensitive, *person, *self.types, *self.domain, *self.bins, *published}

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


def check_rows_per_person(most: int) -> None:
    """Refuse a number of rows that nobody can have."""
    if most < 1:
        raise OutOfRange("rows_per_person", most, "[1, inf)", hint="It is a number of rows.")
