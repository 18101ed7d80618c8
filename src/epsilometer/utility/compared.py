"""Two tables column by column, as codes that mean the same in both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from epsilometer.errors import UnknownColumn
from epsilometer.tables.records import check_alike
from epsilometer.tables.shared_bins import binned_codes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from epsilometer.tables.records import Records
    from epsilometer.vocabulary.arrays import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class ComparedCodes:
    """A column of two tables.

    Attributes:
        name: its name.
        codes: the code of each record of the first table, then of each of the second.
        size: number of codes.
    """

    name: str
    codes: IntArray
    size: int


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Two tables as codes, which every comparison of shares starts from.

    Attributes:
        columns: the columns of both.
        n_original: number of records of the first table.
        original: what to call it in messages.
    """

    columns: tuple[ComparedCodes, ...]
    n_original: int
    original: str


def compared_codes(
    original: Records, released: Records, edges: Mapping[str, Sequence[float]] | None = None
) -> Compared:
    """Code each column alike in both tables: numbers by the edges given, or by bins of the original's quantiles."""
    check_alike(original, released)
    edges = edges or {}
    for name in edges:
        if name not in original.columns:
            raise UnknownColumn(name, original.columns)
    columns = []
    for name in original.columns:
        codes, size = binned_codes(name, (original, released), edges.get(name, ()))
        columns.append(ComparedCodes(name, np.concatenate(codes), size))
    return Compared(tuple(columns), len(original), original.name)
