"""Hold some people out before a synthetic table is made, so that it can be audited afterwards."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.assessments.numbers import is_number
from epsilometer.errors import BadTable, OutOfRange
from epsilometer.tables.records import read_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pyarrow as pa


def check_share(share: float) -> None:
    """Refuse what cannot be a share of the rows that is held out."""
    if not is_number(share) or not 0 < share < 1:
        raise OutOfRange("hold-out", share, "(0, 1)", hint="It is a share of the rows; a fifth is usual.")


def split_off(
    table: object, share: float, *, columns: Sequence[str] = (), where: str | None = None, missing: Iterable[str] = ()
) -> tuple[pa.Table, pa.Table]:
    """Return the rows to make a synthetic table from, and a random share of the rows that is held out.

    >>> import pyarrow as pa
    >>> training, held_out = split_off(pa.table({"age": list(range(10))}), 0.25)
    >>> training.num_rows, held_out.num_rows
    (7, 3)
    """
    check_share(share)
    records = read_records(table, columns, where=where, missing=missing)
    n_held_out = math.ceil(share * len(records))
    if n_held_out == len(records):
        raise BadTable(f"{records.name} has too few rows, {len(records)}, to hold some out and keep others.")
    held_out, training = np.split(np.random.default_rng().permutation(len(records)), [n_held_out])
    return records.part(np.sort(training)).rows, records.part(np.sort(held_out)).rows
