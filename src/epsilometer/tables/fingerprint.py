"""A fingerprint of a table's rows: a small sample of row hashes that most rows in common make alike.

Of all different rows those with the 256 smallest hashes are kept, each with the number of times that it occurs. The
same rows have the same fingerprint, in any order, file format or database; one row more or less changes at most two
of its elements.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

import ibis

from epsilometer.tables.canonical_rows import hash_without_values, hashed, in_hashing_engine
from epsilometer.tables.engine import fetch
from epsilometer.tables.scanning import scan_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa
    from ibis.expr.types import Table as Expression

    from epsilometer.tables.table import Table

SIZE: Final = 256
FIRST_ROWS: Final = 100_000  # looked at before the others, to know which hashes are too large

Sketch: TypeAlias = tuple[tuple[str, int], ...]


def sketch(table: Table) -> Sketch:
    """Return the smallest row hashes of a table, at most 256 of them, each with its number of rows; smallest first.

    Rows without any value are left out. Declared types change nothing; words that mark missing values do.

    Anybody can hash guessed rows and look for them here: an unkeyed sketch is as confidential as the table. Key the
    hashes before they are stored, and keep them in this order.

    >>> import pandas as pd
    >>> from epsilometer.tables.opening import open_table
    >>> one, two = ({"age": ["34", "34", "7"], "sex": ["f", "F", None]}, {"Sex": ["", "f", "f "], "age": [7, 34, 34]})
    >>> sketch(open_table(pd.DataFrame(one))) == sketch(open_table(pd.DataFrame(two)))
    True
    """
    as_held = table if table.unconverted is None else replace(table, expression=table.unconverted)
    _, found = scan_for(as_held, None, _sketched)
    return found


def similarity(one: Sketch, other: Sketch) -> float:
    """Estimate the Jaccard similarity of two tables from their sketches: the share of (row, count) pairs in both.

    It is exact if both tables have less than 256 different rows. Fresh draws from the same population come to at most
    0.16 on average, however few different rows there are, because counts have to agree too. Only the order of the
    hashes in each sketch is used and which of them are the same, so that keyed hashes do as well.

    The sketch of the larger table ends at a smaller hash, and only what lies below it can be compared. With keyed
    hashes that end is not known; how many rows each sketch has up to the last one in common tells how many it has up
    to there.
    """
    ours, theirs = dict(one), dict(other)
    n_common = len(ours.items() & theirs.items())
    n_ours, n_theirs = float(len(one)), float(len(other))
    if n_ours == n_theirs == 0:
        return 1.0
    if max(n_ours, n_theirs) >= SIZE:
        ratio = _place_of_last(ours, theirs) / max(1, _place_of_last(theirs, ours))
        if not ratio:
            return 0.0
        n_ours, n_theirs = min(n_ours, n_theirs * ratio), min(n_theirs, n_ours / ratio)
    return n_common / (n_ours + n_theirs - n_common)


def _place_of_last(one: Mapping[str, int], other: Mapping[str, int]) -> int:
    """Return how many rows of a sketch there are up to the last one that the other has too."""
    return max((place for place, row in enumerate(one, start=1) if row in other), default=0)


def _sketched(rows: Expression) -> Sketch:
    """Look at some rows first: a hash that is too large to be among the smallest of these is so among all rows."""
    some = in_hashing_engine(rows.limit(FIRST_ROWS))
    counted = _counted(hashed(some))
    found = fetch(_smallest(counted.mutate(n_rows=counted.n.sum().over(ibis.window()))))
    if found.num_rows and int(found["n_rows"][0].as_py()) == FIRST_ROWS:
        bound = found["h"][-1].as_py() if found.num_rows > SIZE else None
        found = _among_all(rows, bound)
        if bound is not None and found.num_rows <= SIZE:  # rows were deleted meanwhile
            found = _among_all(rows, None)
    counts = zip(found["h"].to_pylist(), found["n"].to_pylist(), strict=True)
    without_values = hash_without_values(rows.columns)
    return tuple((row, n) for row, n in counts if row != without_values)[:SIZE]


def _among_all(rows: Expression, bound: str | None) -> pa.Table:
    every = in_hashing_engine(rows)
    hashes = hashed(every)
    return fetch(_smallest(_counted(hashes if bound is None else hashes.filter(hashes.h <= bound))))


def _counted(hashes: Expression) -> Expression:
    return hashes.group_by("h").agg(n=hashes.count())


def _smallest(counted: Expression) -> Expression:
    """Return one more than are kept, because rows without values are left out."""
    return counted.order_by("h").limit(SIZE + 1)
