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


def compared_codes(
    original: Records, released: Records, edges: Mapping[str, Sequence[float]] | None = None
) -> tuple[ComparedCodes, ...]:
    """Code each column alike in both tables: numbers by the edges given, or by bins of the original's quantiles."""
    check_alike(original, released)
    edges = edges or {}
    for name in edges:
        if name not in original.columns:
            raise UnknownColumn(name, original.columns)
    compared = []
    for name in original.columns:
        codes, size = binned_codes(name, (original, released), edges.get(name, ()))
        compared.append(ComparedCodes(name, np.concatenate(codes), size))
    return tuple(compared)
