"""The tables that are synthesized: the health table, and five columns of Adult, all of whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from epsilometer.reproduction.synthetic.health import BOUNDS, N_ROWS, health_table
from epsilometer.synthesizers.coding import Coding
from epsilometer.synthesizers.domain import Range
from epsilometer.tables.opening import open_table
from epsilometer.tables.records import Records, read_records

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from epsilometer.vocabulary.arrays import FloatArray

ADULT_BOUNDS: Final = {  # declared, not read off the table
    "age": (0, 99),
    "education_num": (1, 16),
    "hours_per_week": (0, 99),
    "sex": (0, 1),
    "income": (0, 1),
}
ONES: Final = {"sex": "Male", "income": ">50K"}  # the values of Adult that become a 1
RAISED: Final = 120  # mmHg: above is what models are to tell from the other columns of the health table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Original:
    """A table of whole numbers with declared ends.

    Attributes:
        name: what to call it.
        records: its rows.
        bounds: the ends of each column.
        label: the column that models are to tell from the others.
        above: whether they are to tell that it is above this.
    """

    name: str
    records: Records
    bounds: Mapping[str, tuple[int, int]]
    label: str
    above: int

    @property
    def coding(self) -> Coding:
        """How records become codes and back: a code for each number."""
        domains = {name: Range(low, high, high - low + 1, whole=True) for name, (low, high) in self.bounds.items()}
        return Coding(self.records.rows.schema, domains)

    def points(self, records: Records) -> FloatArray:
        """Return records as points, each column in percent of its declared range, so that no unit outweighs another."""
        columns = [100 * (records.numbers(name) - low) / (high - low) for name, (low, high) in self.bounds.items()]
        return np.column_stack(columns)

    def classed(self, records: Records) -> Records:
        """Return records with the label as yes or no."""
        place = records.rows.schema.get_field_index(self.label)
        answer = pc.greater(records.rows.column(self.label), self.above)
        return Records(records.rows.set_column(place, self.label, answer), records.name)


def health(n_rows: int = N_ROWS) -> Original:
    """Draw the health table."""
    records = Records(health_table(n_rows), "Health")
    return Original(name="Health", records=records, bounds=BOUNDS, label="SBP", above=RAISED)


def adult(directory: Path) -> Original:
    """Read five columns of ``adult.csv``; sex and income become 0 or 1."""
    types = {name: "integer" for name in ADULT_BOUNDS if name not in ONES}
    records = read_records(open_table(directory / "adult.csv", types=types), list(ADULT_BOUNDS))
    rows = pa.table({name: _whole(records, name) for name in records.columns})
    return Original(name="Adult", records=Records(rows, "Adult"), bounds=ADULT_BOUNDS, label="income", above=0)


def _whole(records: Records, name: str) -> pa.ChunkedArray:
    values = records.rows.column(name)
    return (pc.equal(values, ONES[name]) if name in ONES else values).cast(pa.int64())
