"""Counts of subsets of the quasi-identifiers in memory: one array with an axis for each column, added up along axes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from epsilometer.tables.subset_arrays import profile_of_cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from epsilometer.tables.subset_arrays import SubsetArrays
    from epsilometer.vocabulary.arrays import IntArray
    from epsilometer.vocabulary.profile import Profile

PLACES_PER_COMBINATION: Final = 8  # beyond that, most of the array is empty, and following combinations is faster
MOST_PLACES: Final = 2**26  # half a gigabyte


@dataclass(frozen=True, eq=False)
class SubsetCube:
    """Counts of all combinations that are possible.

    Attributes:
        columns: names of the quasi-identifiers, those with the fewest values first.
        counts: records, by sensitive value and then by each column.
        note: a sentence on where the counts are added up.
    """

    columns: tuple[str, ...]
    counts: IntArray
    note: str

    @property
    def n_records(self) -> int:
        """Number of records."""
        return int(self.counts.sum())

    def named_right(self, sets: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield each set, in increasing order, and the number of records with the most frequent value of their cell."""
        return _named_right(self.counts, sets, len(self.columns) - 1)

    def profile(self, columns: Iterable[int]) -> Profile:
        """Return the profile of the cells of some columns, by number; the sensitive values are in no special order."""
        others = set(range(len(self.columns))) - set(columns)
        counts = self.counts.sum(axis=tuple(1 + column for column in others))
        return profile_of_cells(counts.reshape(len(counts), -1).T)


def _named_right(counts: IntArray, sets: Sequence[int], column: int) -> Iterator[tuple[int, int]]:
    """Go from the last column to the first, and add up over it once for all sets without it."""
    if column < 0:
        for known in sets:
            yield known, int(counts.max(axis=0).sum())
        return
    without = [known for known in sets if not known >> column & 1]
    if without:
        yield from _named_right(counts.sum(axis=1 + column, keepdims=True), without, column - 1)
    if len(without) < len(sets):
        yield from _named_right(counts, [known for known in sets if known >> column & 1], column - 1)


def fits_a_cube(arrays: SubsetArrays) -> bool:
    """Tell whether a place for every possible combination is worth its memory."""
    n_places = math.prod(arrays.n_codes) * arrays.n_values
    return n_places <= min(MOST_PLACES, PLACES_PER_COMBINATION * len(arrays.n))


def subset_cube(arrays: SubsetArrays) -> SubsetCube:
    """Put combinations at their places."""
    place = arrays.values.astype(np.int64)
    for pairs, n_codes in zip(arrays.pairs, arrays.n_codes, strict=True):
        place = place * n_codes + pairs // arrays.n_values
    shape = (arrays.n_values, *arrays.n_codes)
    counts = np.bincount(place, arrays.n, math.prod(shape)).astype(np.int64).reshape(shape)
    return SubsetCube(arrays.columns, counts, arrays.note)
