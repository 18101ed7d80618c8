"""Count a table in one scan of its engine; everything else is derived from the joint counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import ibis

from epsilometer.errors import BadBins, BadRoles, BadTable, UnknownColumn
from epsilometer.tables.dense_counts import count_by_place, worth_counting_densely
from epsilometer.tables.engine_errors import reported_as
from epsilometer.tables.frequency_table import FrequencyTable
from epsilometer.tables.kept_counts import KeptCounts
from epsilometer.tables.key_figures import checked
from epsilometer.tables.opening import open_table
from epsilometer.tables.people import one_row_per_person
from epsilometer.tables.profiling import cells_of, check_comparable
from epsilometer.tables.roles import Roles, assign_roles
from epsilometer.tables.scanning import scan, scan_for
from epsilometer.tables.unfit import unfit_notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pyarrow as pa
    from ibis.expr.types import Column, Value
    from ibis.expr.types import Table as Expression

    from epsilometer.tables.bins import Bins
    from epsilometer.tables.dense_counts import DenseCounts
    from epsilometer.tables.homogeneous import HomogeneousAttributes
    from epsilometer.tables.table import Table
    from epsilometer.vocabulary.arrays import IntArray

    Combinations: TypeAlias = KeptCounts | DenseCounts


@dataclass(frozen=True, slots=True, eq=False)
class JointCounts:
    """Counts of every combination of quasi-identifiers and sensitive values.

    Attributes:
        combinations: the counts, by the keys ``q0, q1, ...`` and ``s0, s1, ...``.
        roles: which column each key stands for.
        name: what to call the table in messages.
        n_records: number of records counted.
        notes: plain sentences on what the counts include.
        max_cells_per_person: the most cells one person adds to.
    """

    combinations: Combinations
    roles: Roles
    name: str
    n_records: int
    notes: tuple[str, ...]
    max_cells_per_person: int

    @property
    def rows(self) -> Expression:
        """One row per combination that occurs: its keys, and the count ``n``."""
        return self.combinations.rows

    def frequency_table(self, sensitive: str | Iterable[str]) -> FrequencyTable:
        """Counts of one sensitive column, or of the combinations of several."""
        names = (sensitive,) if isinstance(sensitive, str) else tuple(sensitive)
        for name in names:
            if name not in self.roles.sensitive:
                raise UnknownColumn(name, self.roles.sensitive)
        known = [f"q{i}" for i in range(len(self.roles.quasi_identifiers))]
        wanted = {f"s{self.roles.sensitive.index(name)}": self.roles.bins.get(name) for name in names}
        with reported_as(self.name):
            domain, profile = self.combinations.profile(known, wanted)
        if lost := self.n_records - profile.total_records:  # a value that the engine does not recognise again
            raise BadTable(
                f"Counting {' | '.join(names)} lost {lost} records of {self.name}. "
                "Turn the column into text or plain numbers."
            )

        combinations, table_name = self.combinations, self.name
        bins = {name: self.roles.bins.get(name) for name in self.roles.quasi_identifiers}

        def fetch_cells(limit: int | None, having: IntArray | None) -> pa.Table:
            if having is not None:
                check_comparable(domain, names)
            with reported_as(table_name):
                return cells_of(combinations.rows, bins, domain, limit=limit, having=having)

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
            return self.combinations.homogeneous(known, wanted)


def frequency_table(
    table: object,
    *,
    quasi_identifiers: str | Iterable[str],
    sensitive: str | Iterable[str],
    bins: Mapping[str, object] | None = None,
    where: str | None = None,
    missing: Iterable[str] = (),
    person_id: str | None = None,
    types: Mapping[str, str] | None = None,
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
        types: what columns hold, as in :func:`epsilometer.open_table`; bins are of numbers.
    """
    opened = open_table(table, missing, types, of_text=dict.fromkeys(bins or (), "number"))
    roles = assign_roles(opened.columns, quasi_identifiers, sensitive, person_id=person_id, bins=bins)
    return count_table(opened, roles, where=where).frequency_table(roles.sensitive)


def count_table(table: Table, roles: Roles, *, where: str | None = None) -> JointCounts:
    """Count every combination of the columns with a role, in one scan."""
    read, counted = count_combinations(table, roles, where)
    most_cells, about_people = 1, tuple[str, ...]()
    with reported_as(table.name):
        if roles.person_id is not None:
            people = one_row_per_person(counted.rows, roles)
            counted, most_cells, about_people = KeptCounts(people.rows), people.max_cells_per_person, people.notes
        figures = counted.figures()
        with_missing = [name for name, found in zip(roles.columns, figures.values(), strict=True) if found.n_missing]
        unfit = tuple(unfit_notes(table, with_missing))  # which says why a column may have no value at all
        n_records, notes = checked(figures, roles, table.name, where)
    said = (*read.notes, *notes, *unfit, *about_people)
    return JointCounts(counted, roles, table.name, n_records, said, most_cells)


def count_combinations(table: Table, roles: Roles, where: str | None) -> tuple[Table, Combinations]:
    """Count the combinations of the columns with a role, and of persons if a column says who, in one scan."""
    if not table.parsed and roles.person_id is None:  # of persons there are as many as rows, or nearly so
        _, ranges = scan_for(
            table,
            None,
            lambda rows: worth_counting_densely(keyed(rows, roles), has_dictionaries=table.has_dictionaries),
        )
        if ranges is not None:
            read, dense = scan_for(table, where, lambda rows: count_by_place(keyed(rows, roles), ranges))
            if dense is not None:
                return read, dense
    read, kept = scan(table, where, lambda rows: _grouped(keyed(rows, roles)))
    return read, KeptCounts(kept)


def _grouped(keys: Expression) -> Expression:
    return keys.group_by(keys.columns).agg(n=keys.count())


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
        raise BadBins(f"Bins need numbers; column {name!r} holds {kind}. Leave out its bins, or declare its type.")
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
