"""Counting without hashing: where all combinations that are possible fit in memory, a row is one addition to its place.

An engine finds the place of each row's combination by a hash table, which for millions of combinations costs several
times what reading the row costs. Where all columns are whole numbers of known ranges, the place can be computed; and so
it can for text that the table stores as numbers of a dictionary, of which only the few different texts are looked up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from epsilometer.tables.engine import in_view, one_at_a_time
from epsilometer.tables.homogeneous import HomogeneousAttributes
from epsilometer.tables.key_figures import KeyFigures
from epsilometer.tables.memory import memory_allowed
from epsilometer.tables.places import Ranges, combinations_at, place_of, ranges_of, texts_of
from epsilometer.tables.profiling import Domain, labels_of
from epsilometer.tables.scan_progress import COUNTING
from epsilometer.vocabulary.distinct_rows import distinct_rows
from epsilometer.vocabulary.long_arrays import row_sums
from epsilometer.vocabulary.profile import Profile
from epsilometer.vocabulary.telling import listener

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ibis import Schema
    from ibis.expr.types import Table as Expression

    from epsilometer.tables.bins import Bins
    from epsilometer.tables.engine import Engine
    from epsilometer.tables.places import Digit
    from epsilometer.vocabulary.arrays import IntArray

ENOUGH: Final = 1500 * 10**6  # bytes for counts, unless somebody said how much memory there is
BYTES_PER_PLACE: Final = 24  # the count, and the place and the count of a combination that occurs
PLACES_PER_ROW: Final = 4  # with more, looking at all places would cost as much as hashing the rows
FEWEST_ROWS: Final = 1_000_000  # below that, hashing takes less than a tenth of a second
BATCH: Final = 200_000  # rows at a time: their places stay in the cache of the processor


def worth_counting_densely(keys: Expression, *, has_dictionaries: bool) -> Ranges | None:
    """Return the ranges of the columns if counting by place is the faster way."""
    if keys.get_backend().name != "duckdb":  # others hash where the rows are; these would have to come here
        return None
    texts = [name for name, kind in keys.schema().items() if kind.is_string()]
    if texts and not has_dictionaries:
        return None
    ranges = ranges_of(keys, but=texts)
    if ranges is None or ranges.n_rows < FEWEST_ROWS:
        return None
    most = min((memory_allowed() or ENOUGH) // BYTES_PER_PLACE, PLACES_PER_ROW * ranges.n_rows)
    if texts and ranges.n_places <= most:
        ranges = _with_texts(ranges, keys, texts)
    return ranges if ranges is not None and ranges.n_places <= most else None


def _with_texts(ranges: Ranges, keys: Expression, texts: Sequence[str]) -> Ranges | None:
    found = texts_of(keys.select(*texts), ranges.n_rows)
    if found is None:
        return None
    digits = {digit.name: digit for digit in (*ranges.digits, *found)}
    return Ranges(ranges.n_rows, tuple(digits[name] for name in keys.columns))


def count_by_place(keys: Expression, ranges: Ranges) -> DenseCounts | None:
    """Count rows by place; ``None`` if the engine has a complaint, or if a value is not within its range.

    A stream tells of an engine's complaint in words alone; counted in the engine, it is told properly.
    """
    engine, digits, tell = keys.get_backend(), ranges.digits, listener()
    counts = np.zeros([digit.size for digit in digits], np.int64)
    at_place, n_read = counts.ravel(), 0
    with one_at_a_time(engine):
        rows = engine.con.sql(engine.compile(keys.select(place=place_of(keys, digits))))
        try:
            for batch in rows.to_arrow_reader(BATCH):
                places = batch.column(0)
                if places.null_count:
                    return None
                np.add.at(at_place, cast("IntArray", np.from_dlpack(places)), 1)
                n_read += len(places)
                tell(COUNTING, n_read / ranges.n_rows)
        except OSError:
            return None
    return DenseCounts(engine, keys.schema(), counts, digits)


@dataclass(frozen=True, eq=False)
class DenseCounts:
    """Counts of all combinations that are possible.

    Attributes:
        engine: where they were counted.
        kinds: the type of each key there.
        counts: an axis for each key.
        digits: what the places along each axis stand for.
    """

    engine: Engine
    kinds: Schema
    counts: IntArray
    digits: tuple[Digit, ...]

    @cached_property
    def rows(self) -> Expression:
        """One row per combination that occurs: the keys, and the count ``n``; listed when somebody asks for them."""
        import pyarrow as pa

        at_place = self.counts.ravel()
        occupied = np.flatnonzero(at_place)
        with one_at_a_time(self.engine):
            counted = in_view(self.engine, pa.table({"place": occupied, "n": at_place[occupied]}))
        return combinations_at(counted, self.kinds, self.digits)

    def figures(self) -> dict[str, KeyFigures]:
        """What is to be known of each key."""
        found, rest = {}, self.counts
        for digit in self.digits:
            of_digit = rest.sum(axis=tuple(range(1, rest.ndim)))
            rest = rest.sum(axis=0)  # the keys so far are done: what is left becomes ever smaller
            found[digit.name] = KeyFigures(
                n_records=int(of_digit.sum()),
                n_missing=int(of_digit[digit.n_values :].sum()),
                n_values=int(np.count_nonzero(of_digit[: digit.n_values])),
            )
        return found

    def profile(self, cell: Sequence[str], sensitive: Mapping[str, Bins | None]) -> tuple[Domain, Profile]:
        """The sensitive values that occur, and the number of cells that have each vector of their counts."""
        table = self._by_cell(cell, tuple(sensitive))
        occupied, occurring = (np.flatnonzero(row_sums(counts)) for counts in (table, table.T))
        some = table if len(occupied) == len(table) else table.take(occupied, axis=0)
        vectors, n_cells = distinct_rows(some if len(occurring) == some.shape[1] else some.take(occurring, axis=1))
        domain = _domain([self._digit(name) for name in sensitive], occurring, sensitive)
        return domain, Profile(vectors, n_cells, domain.labels)

    def homogeneous(self, cell: Sequence[str], sensitive: Sequence[str]) -> tuple[HomogeneousAttributes, ...]:
        """Count the cells by how many of the sensitive keys have a single value in them."""
        tables = [self._by_cell(cell, (name,)) for name in sensitive]
        records = tables[0].sum(axis=1)
        single = np.add.reduce([np.count_nonzero(table, axis=1) == 1 for table in tables], dtype=np.int64)
        n_cells, n_records = (np.bincount(single, part) for part in (records > 0, records))
        return tuple(
            HomogeneousAttributes(n_attributes, int(n_cells[n_attributes]), int(n_records[n_attributes]))
            for n_attributes in np.flatnonzero(n_cells).tolist()
        )

    def _digit(self, name: str) -> Digit:
        return next(digit for digit in self.digits if digit.name == name)

    def _by_cell(self, cell: Sequence[str], sensitive: Sequence[str]) -> IntArray:
        """Counts of all possible cells, a column for each possible value or combination of values."""
        names = [digit.name for digit in self.digits]
        others = tuple(axis for axis, name in enumerate(names) if name not in {*cell, *sensitive})
        left = [name for axis, name in enumerate(names) if axis not in others]
        counts = self.counts.sum(axis=others) if others else self.counts
        ordered = counts.transpose([left.index(name) for name in (*cell, *sensitive)])
        return ordered.reshape(-1, math.prod(self._digit(name).size for name in sensitive))


def _domain(digits: Sequence[Digit], places: IntArray, bins: Mapping[str, Bins | None]) -> Domain:
    """The values at some places, which come in their natural order with missing last."""
    axes = np.unravel_index(places, [digit.size for digit in digits])
    values = tuple(
        zip(*(map(digit.value, axis.tolist()) for digit, axis in zip(digits, axes, strict=True)), strict=True)
    )
    return Domain(tuple(bins), values, tuple(labels_of(values, bins.values())))
