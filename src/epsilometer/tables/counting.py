"""Count a table in one scan of its engine; everything else is derived from the joint counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import ibis

from epsilometer.errors import BadRoles, BadTable, UnknownColumn
from epsilometer.tables.engine import fetch
from epsilometer.tables.engine_errors import reported_as
from epsilometer.tables.frequency_table import FrequencyTable
from epsilometer.tables.homogeneous import HomogeneousAttributes, homogeneous_attributes
from epsilometer.tables.no_numbers import no_numbers
from epsilometer.tables.opening import open_table
from epsilometer.tables.people import Contributions, one_row_per_person
from epsilometer.tables.profiling import cells_of, check_comparable, domain_of, profile_of
from epsilometer.tables.roles import Roles, assign_roles
from epsilometer.tables.scanning import scan

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pyarrow as pa
    from ibis.expr.types import Column, Value
    from ibis.expr.types import Table as Expression

    from epsilometer.tables.bins import Bins
    from epsilometer.tables.table import Table
    from epsilometer.vocabulary.arrays import IntArray

_FEWEST_RECORDS_FOR_IDENTIFIER_NOTE = 20
_SHARE_OF_IDENTIFIER = 0.9


@dataclass(frozen=True, slots=True, eq=False)
class JointCounts:
    """Counts of every combination of quasi-identifiers and sensitive values, kept in the engine.

    Attributes:
        rows: one row per combination: key columns ``q0, q1, ...`` and ``s0, s1, ...``, and the count ``n``.
        roles: which column each key stands for.
        name: what to call the table in messages.
        n_records: number of records counted.
        notes: plain sentences on what the counts include.
        max_cells_per_person: the most cells one person adds to.
    """

    rows: Expression
    roles: Roles
    name: str
    n_records: int
    notes: tuple[str, ...]
    max_cells_per_person: int

    def frequency_table(self, sensitive: str | Iterable[str]) -> FrequencyTable:
        """Counts of one sensitive column, or of the combinations of several."""
        names = (sensitive,) if isinstance(sensitive, str) else tuple(sensitive)
        for name in names:
            if name not in self.roles.sensitive:
                raise UnknownColumn(name, self.roles.sensitive)
        known = [f"q{i}" for i in range(len(self.roles.quasi_identifiers))]
        wanted = [f"s{self.roles.sensitive.index(name)}" for name in names]
        with reported_as(self.name):
            domain = domain_of(self.rows, wanted, [self.roles.bins.get(name) for name in names])
            profile = profile_of(self.rows, known, domain)
        if lost := self.n_records - profile.total_records:  # a value that the engine does not recognise again
            raise BadTable(
                f"Counting {' | '.join(names)} lost {lost} records of {self.name}. "
                "Turn the column into text or plain numbers."
            )

        def fetch_cells(limit: int | None, having: IntArray | None) -> pa.Table:
            if having is not None:
                check_comparable(domain, names)
            bins = {name: self.roles.bins.get(name) for name in self.roles.quasi_identifiers}
            with reported_as(self.name):
                return cells_of(self.rows, bins, domain, limit=limit, having=having)

        return FrequencyTable(
            profile=profile,
            quasi_identifiers=self.roles.quasi_identifiers,
            sensitive=names,
            notes=self.notes,
            max_cells_per_person=self.max_cells_per_person,
            _fetch_cells=fetch_cells,
        )

    def homogeneous_attributes(self) -> tuple[HomogeneousAttributes, ...]:
        """Count the cells by how many of the sensitive columns have a single value in them."""
        known = [f"q{i}" for i in range(len(self.roles.quasi_identifiers))]
        wanted = [f"s{i}" for i in range(len(self.roles.sensitive))]
        with reported_as(self.name):
            return homogeneous_attributes(self.rows, known, wanted)


def frequency_table(
    table: object,
    *,
    quasi_identifiers: str | Iterable[str],
    sensitive: str | Iterable[str],
    bins: Mapping[str, object] | None = None,
    where: str | None = None,
    missing: Iterable[str] = (),
    person_id: str | None = None,
) -> FrequencyTable:
    """Count the sensitive values in each cell of the quasi-identifiers, inside the table's engine.

    Args:
        table: an opened table, or anything ``open_table`` takes.
        quasi_identifiers: columns the attacker knows of the target.
        sensitive: what the attacker wants; several columns are counted as combinations.
        bins: bins of numeric columns: a width, or a mapping of width, origin, closed, edges, top, bottom.
        where: SQL condition on the rows that count.
        missing: words that mark a missing value in text.
        person_id: column that says whose row it is; a person counts once per cell.
    """
    opened = open_table(table, missing)
    roles = assign_roles(opened.columns, quasi_identifiers, sensitive, person_id=person_id, bins=bins)
    return count_table(opened, roles, where=where).frequency_table(roles.sensitive)


def count_table(table: Table, roles: Roles, *, where: str | None = None) -> JointCounts:
    """Count every combination of the columns with a role, in one scan."""
    read, counted = scan(table, where, lambda rows: combinations(rows, roles))
    with reported_as(table.name):
        contributions = Contributions(counted) if roles.person_id is None else one_row_per_person(counted, roles)
        n_records, notes = checked(contributions.rows, roles, table.name, where)
    return JointCounts(
        contributions.rows,
        roles,
        table.name,
        n_records,
        (*read.notes, *notes, *contributions.notes),
        contributions.max_cells_per_person,
    )


def combinations(rows: Expression, roles: Roles) -> Expression:
    """One row per combination of the columns with a role, and per person if a column says who, with its rows ``n``."""
    selected = keyed(rows, roles)
    return selected.group_by(selected.columns).agg(n=selected.count())


def keyed(rows: Expression, roles: Roles) -> Expression:
    """Rows as what they are counted by: ``q0, q1, ...``, ``s0, s1, ...`` and ``p`` for the columns with a role."""
    keys = {f"q{i}": counted_key(rows, name, roles.bins.get(name)) for i, name in enumerate(roles.quasi_identifiers)}
    keys |= {f"s{i}": counted_key(rows, name, roles.bins.get(name)) for i, name in enumerate(roles.sensitive)}
    if roles.person_id is not None:
        keys["p"] = counted_key(rows, roles.person_id, None)
    return rows.select(**keys)


def counted_key(rows: Expression, name: str, bins: Bins | None) -> Value:
    """Return what a column is counted by: its values, or the codes of their bins."""
    column: Column = rows[name]
    kind = column.type()
    if bins is not None and not kind.is_numeric():
        raise no_numbers(column, name)
    if kind.is_nested() or kind.is_binary() or kind.is_json():
        raise BadRoles(f"Column {name!r} holds {kind}, which has no values to count. Choose a plain column.")
    in_sqlite = rows.get_backend().name == "sqlite"  # stores NaN as NULL, and dates and truth values as it likes
    if kind.is_floating() and not in_sqlite:
        column = ibis.ifelse(column.isnan(), ibis.null(kind), column)
    if bins is not None:
        return bins.code(column)
    if kind.is_boolean() or kind.is_date():
        return column.cast("string") if in_sqlite else column
    # Times are counted as text: finer than a microsecond they would not survive the way to Python.
    return column if kind.is_numeric() or kind.is_string() else column.cast("string")


def checked(counts: Expression, roles: Roles, name: str, where: str | None) -> tuple[int, list[str]]:
    """Count records, and say what is odd about a column; refuse empty tables, empty columns and infinities."""
    keys = dict(zip([c for c in counts.columns if c != "n"], roles.columns, strict=True))
    figures = {"records": counts.n.sum()}
    for key in keys:
        figures[f"missing_{key}"] = counts.n.sum(where=counts[key].isnull())
        figures[f"values_{key}"] = counts[key].nunique()
        if counts[key].type().is_floating():
            figures[f"infinite_{key}"] = counts.n.sum(where=counts[key].abs() == float("inf"))
    found = {figure: int(number or 0) for figure, number in fetch(counts.agg(**figures)).to_pylist()[0].items()}
    if not found["records"]:
        raise BadTable(f"{name} has no rows." if where is None else f"The filter {where!r} leaves no row of {name}.")
    notes = []
    for key, column in keys.items():
        missing = found[f"missing_{key}"]
        if missing == found["records"]:
            raise BadRoles(f"Column {column!r} has no value in any record. Leave it out.")
        if infinite := found.get(f"infinite_{key}"):
            raise BadTable(f"Column {column!r} is infinite in {_records(infinite)}. Filter them out, or correct them.")
        if missing:
            verb = "has" if missing == 1 else "have"
            notes.append(f"{_records(missing)} {verb} no value for {column}; missing is counted as a value of its own.")
        if _looks_like_an_identifier(n_values := found[f"values_{key}"], found["records"]):
            found_in = _records(found["records"])
            notes.append(f"{column} has {n_values:,} different values in {found_in}: is it an identifier?")
    return found["records"], notes


def _looks_like_an_identifier(n_values: int, n_records: int) -> bool:
    return n_records >= _FEWEST_RECORDS_FOR_IDENTIFIER_NOTE and n_values >= _SHARE_OF_IDENTIFIER * n_records


def _records(number: int) -> str:
    return f"{number:,} record{'' if number == 1 else 's'}"
