"""A table as codes: what every synthesizer is fitted to, and what it samples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.vocabulary.arrays import IntArray


@dataclass(frozen=True, slots=True)
class CodedColumn:
    """A column with a finite domain that was declared, or found privately.

    Attributes:
        name: its name.
        size: number of codes, from 0; a code for missing values, if there is one, is the last.
        ordered: whether neighbouring codes are neighbouring values: bins of numbers.
        missing: whether the last code stands for missing values, which have no place in an order.
    """

    name: str
    size: int
    ordered: bool
    missing: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class CodedTable:
    """Records as codes.

    Attributes:
        columns: the columns.
        codes: records x columns.
    """

    columns: tuple[CodedColumn, ...]
    codes: IntArray

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of codes of each column."""
        return tuple(column.size for column in self.columns)

    @property
    def n_cells(self) -> int:
        """Number of combinations of all codes."""
        return math.prod(self.sizes)

    def counts(self, chosen: Sequence[int]) -> IntArray:
        """How many records have each combination of codes in the columns of these numbers, in this order.

        >>> people = CodedTable(
        ...     (CodedColumn("sex", 2, ordered=False), CodedColumn("age", 3, ordered=True)),
        ...     np.array([[0, 2], [0, 2], [1, 0]]),
        ... )
        >>> people.counts([0, 1])
        array([[0, 0, 2],
               [1, 0, 0]])
        """
        shape = tuple(self.sizes[column] for column in chosen)
        if not shape:
            return np.array(len(self.codes))
        cells = np.ravel_multi_index(tuple(self.codes[:, list(chosen)].T), shape)
        return np.bincount(cells, minlength=math.prod(shape)).reshape(shape)
