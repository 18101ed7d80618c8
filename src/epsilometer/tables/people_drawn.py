"""Rows of a table to be drawn from: they are kept and numbered in its engine, and only those drawn are fetched."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import ibis
import numpy as np
import pyarrow as pa

from epsilometer.errors import BadTable
from epsilometer.tables.combinations import combination_numbers, value_numbers
from epsilometer.tables.counting import keyed
from epsilometer.tables.engine import fetch, fresh_name, named, one_at_a_time
from epsilometer.tables.engine_errors import reported_as
from epsilometer.tables.people import one_row_of_each
from epsilometer.tables.people_counted import key_names
from epsilometer.tables.profiling import labelled
from epsilometer.tables.scanning import scan

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ibis.expr.types import Table as Expression

    from epsilometer.tables.engine import Engine
    from epsilometer.tables.roles import Roles
    from epsilometer.tables.table import Table
    from epsilometer.vocabulary.arrays import IntArray


@ibis.udf.scalar.builtin  # type: ignore[untyped-decorator]  # Ibis ships no types
def spark_partition_id() -> int:  # type: ignore[empty-body]  # Ibis takes the signature; nobody calls it
    """Which part of a table Spark holds a row in: a function of Spark's own."""


@dataclass(frozen=True, slots=True, eq=False)
class PeopleToDraw:
    """Rows in groups: all rows of a group are in one stratum, and on a cluster in one part of the table.

    Attributes:
        rows: the columns with a role, kept in the engine.
        roles: which column each of them is.
        name: what to call the table in messages.
        groups: the columns that tell groups apart, with a value for each group.
        strata: the number of the stratum of each group, from 0, in ascending order.
        n_rows: number of rows of each group.
    """

    rows: Expression
    roles: Roles
    name: str
    groups: Mapping[str, pa.ChunkedArray]
    strata: IntArray
    n_rows: IntArray

    @property
    def sizes(self) -> IntArray:
        """Number of rows of each stratum."""
        return np.bincount(self.strata, self.n_rows).astype(np.int64)

    def fetch(self, places: IntArray) -> pa.Table:
        """Fetch rows by their places, in this order, numbers with bins as labels.

        The rows of the first stratum have the first places, and so on; which row of a stratum has which of its places
        is up to the engine, and may be different each time.
        """
        ends = np.cumsum(self.n_rows)
        group = np.searchsorted(ends, places, side="right")
        asked = {name: values.take(pa.array(group)) for name, values in self.groups.items()}
        asked |= {"place": pa.array(places - (ends - self.n_rows)[group]), "turn": pa.array(np.arange(len(places)))}
        numbered = self.rows.mutate(place=ibis.row_number().over(group_by=list(self.groups)))
        with reported_as(self.name), _put(self.rows.get_backend(), pa.table(asked)) as wanted:
            same = [numbered.place == wanted.place, *(numbered[key].identical_to(wanted[key]) for key in self.groups)]
            keys = key_names(self.roles)
            found = fetch(numbered.join(wanted, same).select("turn", *keys.values())).sort_by("turn")
        if found.num_rows != len(places):
            raise BadTable(f"{self.name} changed while it was read. Try again.")
        bins = {name: self.roles.bins.get(name) for name in keys}
        return pa.table(
            {name: found[key] if bins[name] is None else labelled(found[key], bins[name]) for name, key in keys.items()}
        )


def people_to_draw(table: Table, roles: Roles, strata: Sequence[str], *, where: str | None = None) -> PeopleToDraw:
    """Keep the rows that pass the filter, one of each person, and count them by the combinations of some columns.

    >>> from epsilometer.tables.opening import open_table
    >>> from epsilometer.tables.roles import assign_roles
    >>> table = open_table(pa.table({"age": [34, 71], "name": ["Ada", "Bea"], "job": ["cook", "cook"]}))
    >>> people = people_to_draw(table, assign_roles(table.columns, ["age"], "job", bins={"age": 5}), ["job"])
    >>> people.sizes, sorted(people.fetch(np.array([1, 0]))["age"].to_pylist())
    (array([2]), ['[30, 35)', '[70, 75)'])
    """

    def to_keep(rows: Expression) -> Expression:
        keys = one_row_of_each(keyed(rows, roles)) if roles.person_id is not None else keyed(rows, roles)
        return keys.mutate(part=spark_partition_id()) if rows.get_backend().name == "pyspark" else keys

    read, kept = scan(table, where, to_keep)
    keys = [key_names(roles)[name] for name in strata]
    by = [*keys, *(["part"] if "part" in kept.columns else [])]
    with reported_as(read.name):
        groups = fetch(kept.group_by(by).agg(n=kept.count()) if by else kept.agg(n=kept.count()))
    if by:
        groups = groups.sort_by([(name, "ascending") for name in by])  # strata have the same numbers on every engine
    n_rows = np.asarray(groups["n"].cast("int64").to_numpy())
    if not n_rows.sum():
        raise BadTable(f"{read.name} has no row to draw from.")
    strata_of = combination_numbers((value_numbers(groups[key]) for key in keys), len(n_rows))
    order = np.argsort(strata_of, kind="stable")
    in_order = {name: groups[name].take(pa.array(order)) for name in by}
    return PeopleToDraw(kept, roles, read.name, in_order, strata_of[order], n_rows[order])


@contextmanager
def _put(engine: Engine, rows: pa.Table) -> Iterator[Expression]:
    """Make a few rows known to an engine for a while."""
    name = fresh_name("asked")
    with one_at_a_time(engine):
        known, kind = _known(engine, name, rows)
        try:
            yield known
        finally:
            engine.raw_sql(f"DROP {kind} {name}")


def _known(engine: Engine, name: str, rows: pa.Table) -> tuple[Expression, str]:
    if engine.name == "duckdb":
        engine.con.register(name, rows)
    elif engine.name == "pyspark":
        engine.raw_sql("SELECT 1").sparkSession.createDataFrame(rows).createOrReplaceTempView(name)
    else:
        return engine.create_table(name, ibis.memtable(rows), temp=True), "TABLE"
    return named(engine, name), "VIEW"
