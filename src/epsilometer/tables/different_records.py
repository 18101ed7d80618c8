"""The different records of a table, kept in its engine, and a few that show what a column holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from ibis.expr.operations import IsNan

from epsilometer.errors import BadTable
from epsilometer.tables.engine import fetch, fresh_name
from epsilometer.tables.engine_errors import reported_as
from epsilometer.tables.records import Records, check_alike, check_finite, chosen_columns
from epsilometer.tables.scanning import scan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ibis.expr.types import Table as Expression
    from ibis.expr.types import Value

    from epsilometer.tables.table import Table
    from epsilometer.vocabulary.arrays import IntArray

MOST_VALUES: Final = 10_000  # of a column without a range; each is a coordinate of every record


@dataclass(frozen=True, slots=True, eq=False)
class DifferentRecords:
    """The different records of a table, and how often each occurs.

    Attributes:
        rows: a row for each, kept in the engine: its values, and how often it occurs.
        columns: names of the columns of the table.
        times: name of the column that says how often a record occurs.
        name: what to call the table in messages.
        n_records: number of all records.
        n_different: number of different ones.
    """

    rows: Expression
    columns: tuple[str, ...]
    times: str
    name: str
    n_records: int
    n_different: int

    def fetch(self) -> tuple[pa.Table, IntArray]:
        """Bring the different records to Python, and how often each occurs."""
        with reported_as(self.name):
            found = fetch(self.rows)
        return found.select(self.columns), np.asarray(found[self.times].cast("int64").to_numpy())

    def kinds(self) -> Records:
        """No records, but what kind of values each column holds."""
        return Records(self.rows.schema().to_pyarrow().empty_table().select(self.columns), self.name)


def different_records(table: Table, columns: Sequence[str] = ()) -> DifferentRecords:
    """Find the different records of a table in all columns or in those named, inside its engine.

    >>> from epsilometer.tables.opening import open_table
    >>> found = different_records(open_table(pa.table({"sex": ["f", "m", "f"]})))
    >>> found.n_records, found.n_different
    (3, 2)
    """
    chosen, times = chosen_columns(table, columns), fresh_name("times")

    def compute(rows: Expression) -> Expression:
        values = rows.select(**{name: _value(rows, name) for name in chosen})
        return values.group_by(chosen).agg(**{times: values.count()})

    read, kept = scan(table, None, compute)
    with reported_as(read.name):
        (found,) = fetch(kept.agg(all=kept[times].sum(), different=kept.count())).to_pylist()
    if not found["different"]:
        raise BadTable(f"{read.name} has no row to read.")
    return DifferentRecords(kept, tuple(chosen), times, read.name, int(found["all"]), int(found["different"]))


def landmarks(one: DifferentRecords, other: DifferentRecords) -> tuple[Records, Records]:
    """Return a few records for each of two tables that show what a column holds, as all its records would.

    A column of numbers shows the smallest and the largest, or every value if the first table has one number only; a
    column of words every value. Missing is shown if a value is. Each column by itself: no record need be a real one.

    >>> from epsilometer.tables.opening import open_table
    >>> ages, others = (different_records(open_table(pa.table({"age": age}))) for age in ([20, 50, 30], [44, None]))
    >>> [shown.rows["age"].to_pylist() for shown in landmarks(ages, others)]
    [[20, 50], [44, 44, None]]
    """
    check_alike(one.kinds(), other.kinds())
    ends = _ends(one), _ends(other)
    ranged = {name for name, shown in ends[0].items() if len(shown.drop_null()) and pc.less(shown[0], shown[1]).as_py()}
    found = []
    for table, shown in zip((one, other), ends, strict=True):
        values = {name: shown[name] if name in ranged else _values(table, name) for name in one.columns}
        length = max(map(len, values.values()))
        rows = pa.table({name: column.take(np.arange(length) % len(column)) for name, column in values.items()})
        found.append(Records(rows, table.name))
        check_finite(found[-1])
    return found[0], found[1]


def _value(rows: Expression, name: str) -> Value:
    """Not-a-number as missing: to some engines it is the largest number."""
    column = rows[name]
    if not (column.type().is_floating() and rows.get_backend().has_operation(IsNan)):
        return column
    return ibis.ifelse(column.isnan(), ibis.null(column.type()), column)


def _ends(table: DifferentRecords) -> dict[str, pa.Array]:
    """Smallest and largest number of each column that has numbers, and a missing one if there is one."""
    kinds, rows = table.kinds(), table.rows
    numeric = [name for name in table.columns if kinds.is_numeric(name)]
    asked = {f"low{i}": rows[name].min() for i, name in enumerate(numeric)}
    asked |= {f"high{i}": rows[name].max() for i, name in enumerate(numeric)}
    asked |= {f"missing{i}": rows[name].isnull().any() for i, name in enumerate(numeric)}
    if not numeric:
        return {}
    with reported_as(table.name):
        found = fetch(rows.agg(**asked))
    ends = {}
    for i, name in enumerate(numeric):
        low, high, missing = (found[f"{what}{i}"].combine_chunks() for what in ("low", "high", "missing"))
        ends[name] = pa.concat_arrays([low, high, *[pa.nulls(1, low.type)] * bool(missing[0].as_py())])
    return ends


def _values(table: DifferentRecords, name: str) -> pa.Array:
    """Every value of a column, missing among them."""
    with reported_as(table.name):
        found = fetch(table.rows.select(value=table.rows[name]).distinct().limit(MOST_VALUES + 1))["value"]
    if len(found) > MOST_VALUES:
        raise BadTable(
            f"Column {name!r} of {table.name} has more than {MOST_VALUES:,} different values, too many to compare"
            " records by. Group its values, or leave it out if it names people."
        )
    values = found.combine_chunks()
    return values.cast(values.type.value_type) if pa.types.is_dictionary(values.type) else values
