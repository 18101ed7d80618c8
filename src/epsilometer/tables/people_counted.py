"""What a release is made of: counts to which each person adds a bounded number of ones, or the rows themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from epsilometer.errors import BadBins, BadTable
from epsilometer.tables.counting import count_combinations, counted_key, keyed
from epsilometer.tables.engine import fetch
from epsilometer.tables.engine_errors import is_conversion_error, reported_as
from epsilometer.tables.frames import open_arrow_rows
from epsilometer.tables.key_figures import checked, figures_of
from epsilometer.tables.people import people_by_combination
from epsilometer.tables.profiling import labelled
from epsilometer.tables.scanning import scan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ibis.expr.types import Table as Expression

    from epsilometer.tables.bins import Bins
    from epsilometer.tables.roles import Roles
    from epsilometer.tables.table import Table
    from epsilometer.vocabulary.arrays import IntArray


class PeopleCounted(NamedTuple):
    """How many people have each combination that occurs, in no order.

    Attributes:
        keys: a row for each combination: values of the columns, or codes of bins.
        n: the number of people.
    """

    keys: pa.Table
    n: IntArray


def count_people(
    table: Table, roles: Roles, sets: Sequence[Sequence[str]], *, most: int, where: str | None = None
) -> tuple[PeopleCounted, ...]:
    """Count people by the combinations of each set of columns, in one scan; a person adds one to ``most`` at most.

    >>> from epsilometer.tables.opening import open_table
    >>> from epsilometer.tables.roles import assign_roles
    >>> table = open_table(pa.table({"sex": ["f", "f", "m"], "job": ["cook", "cook", "cook"]}))
    >>> roles = assign_roles(table.columns, ["sex"], "job")
    >>> count_people(table, roles, [["job"]], most=1)[0].n
    array([3])
    """
    read, combinations = count_combinations(table, roles, where)
    counted = combinations.rows
    keys = _keys(roles)
    with reported_as(read.name):
        checked(figures_of(counted.drop("p")) if roles.person_id else combinations.figures(), roles, read.name, where)
        found = [fetch(people_by_combination(counted, [keys[name] for name in names], most=most)) for names in sets]
    return tuple(
        PeopleCounted(
            each.drop_columns("n").rename_columns(list(names)), np.asarray(each["n"].cast("int64").to_numpy())
        )
        for each, names in zip(found, sets, strict=True)
    )


def fetch_people(table: Table, roles: Roles, *, where: str | None = None) -> pa.Table:
    """Fetch the columns with a role, row by row, numbers with bins as the bins' labels; a person may have one row.

    >>> from epsilometer.tables.opening import open_table
    >>> from epsilometer.tables.roles import assign_roles
    >>> table = open_table(pa.table({"age": [34], "name": ["Ada"], "job": ["cook"]}))
    >>> fetch_people(table, assign_roles(table.columns, ["age"], "job", bins={"age": 5})).to_pylist()
    [{'age': '[30, 35)', 'job': 'cook'}]
    """
    read, kept = scan(table, where, lambda rows: keyed(rows, roles))
    with reported_as(read.name):
        rows = fetch(kept)
    if not rows.num_rows:
        raise BadTable(f"{read.name} has no row to draw from.")
    if roles.person_id is not None:
        _check_one_row_each(rows["p"].drop_null(), roles.person_id)
    columns = {
        name: rows[key] if (bins := roles.bins.get(name)) is None else labelled(rows[key], bins)
        for name, key in _keys(roles).items()
    }
    return pa.table(columns)


def one_row_each(table: Table, person_id: str, *, where: str | None = None) -> bool:
    """Whether nobody has a second row, by the engine; a row without a person id is taken as a person of its own.

    >>> from epsilometer.tables.opening import open_table
    >>> one_row_each(open_table(pa.table({"id": [1, 2, None, None]})), "id")
    True
    """

    def figures(rows: Expression) -> Expression:
        owned = rows.select(p=counted_key(rows, person_id, None)).drop_null("p")
        return owned.agg(n_rows=owned.count(), n_people=owned.p.nunique())

    read, counted = scan(table, where, figures)
    with reported_as(read.name):
        (found,) = fetch(counted).to_pylist()
    return bool(found["n_rows"] == found["n_people"])


def distinct_keys(
    table: Table, columns: Sequence[str], *, bins: Mapping[str, Bins], where: str | None = None
) -> dict[str, pa.ChunkedArray]:
    """Fetch what occurs in each of some columns, once each and in no order: values, or codes of bins.

    >>> from epsilometer.tables.opening import open_table
    >>> found = distinct_keys(open_table(pa.table({"sex": ["f", "f", None]})), ["sex"], bins={})
    >>> sorted(found["sex"].to_pylist(), key=str)
    [None, 'f']
    """
    found = {}
    for name in columns:

        def occurring(rows: Expression, name: str = name) -> Expression:
            return rows.select(key=counted_key(rows, name, bins.get(name))).distinct()

        read, keys = scan(table, where, occurring)
        with reported_as(read.name):
            found[name] = fetch(keys)["key"]
    return found


def bin_codes(bins: Bins, numbers: Sequence[float]) -> list[int]:
    """Codes of the bins of some numbers, by the rule that counts rows.

    >>> from epsilometer.tables.bins import as_bins
    >>> bin_codes(as_bins("age", 5), [15, 19.5, 20])
    [3, 3, 4]
    """
    rows = open_arrow_rows(pa.table({"x": pa.array(numbers, pa.float64())}), "the numbers").expression
    try:
        return [int(code) for code in fetch(rows.select(code=bins.code(rows.x)))["code"].to_pylist()]
    except Exception as error:
        if not is_conversion_error(error):
            raise
        farthest = max(numbers, key=abs)
        raise BadBins(f"{farthest:g} is too large to have a bin ({bins}). Declare what may really occur.") from None


def _keys(roles: Roles) -> dict[str, str]:
    known = {name: f"q{i}" for i, name in enumerate(roles.quasi_identifiers)}
    return known | {name: f"s{i}" for i, name in enumerate(roles.sensitive)}


def _check_one_row_each(people: pa.ChunkedArray, person_id: str) -> None:
    n_people = pc.count_distinct(people).as_py()
    if n_people < len(people):
        raise BadTable(
            f"Some people have several rows: {len(people):,} rows, {n_people:,} different values of {person_id}. "
            "A sample of rows would say more of them than of others; make a table with one row for each person."
        )
