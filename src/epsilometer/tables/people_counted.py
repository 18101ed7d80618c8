"""What a release is made of: counts to which each person adds a bounded number of ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from epsilometer.errors import BadBins
from epsilometer.tables.counting import counted_key
from epsilometer.tables.engine import fetch
from epsilometer.tables.engine_errors import reported_as
from epsilometer.tables.frames import open_arrow_rows
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
    codes = fetch(rows.select(code=bins.code(rows.x)))["code"].to_pylist()
    if None in codes:
        farthest = max(numbers, key=abs)
        raise BadBins(f"{farthest:g} is too large to have a bin ({bins}). Declare what may really occur.")
    return [int(code) for code in codes]


def key_names(roles: Roles) -> dict[str, str]:
    """Return what each column with a role is called where it is counted by."""
    known = {name: f"q{i}" for i, name in enumerate(roles.quasi_identifiers)}
    return known | {name: f"s{i}" for i, name in enumerate(roles.sensitive)}
