"""Records to codes within a domain, and codes back to records of the same columns and types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from epsilometer.synthesizers.coded import CodedTable
from epsilometer.synthesizers.domain import Categories, ColumnDomain, Range

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.tables.records import Records
    from epsilometer.vocabulary.arrays import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Coding:
    """The domain of every column, with the types to give back.

    Attributes:
        schema: names and types of the columns.
        domains: what each may hold.
    """

    schema: pa.Schema
    domains: Mapping[str, ColumnDomain]

    def encode(self, records: Records) -> CodedTable:
        """Turn records into codes; one with a value that no domain provides for is left out, whatever the others hold.

        >>> from epsilometer.tables.records import Records
        >>> people = Records(pa.table({"age": [20, 95, None], "sex": ["f", "m", "f"]}), "people")
        >>> domains = {"age": Range(0, 90, 3, whole=True, missing=True), "sex": Categories(("f", "m"))}
        >>> Coding(people.rows.schema, domains).encode(people).codes
        array([[0, 0],
               [2, 1],
               [3, 0]])
        """
        codes = np.column_stack([self._codes(records, name) for name in self.schema.names])
        columns = tuple(self.domains[name].column(name) for name in self.schema.names)
        return CodedTable(columns, codes[(codes >= 0).all(axis=1)])

    def _codes(self, records: Records, name: str) -> IntArray:
        domain = self.domains[name]
        found = _bin_numbers(records, name, domain) if isinstance(domain, Range) else _positions(records, name, domain)
        return np.where(found < 0, domain.column(name).size - 1, found) if domain.missing else found

    def decode(self, codes: IntArray, rng: np.random.Generator) -> pa.Table:
        """Turn codes into records: a number is drawn uniformly from its bin."""
        columns = [
            _values(self.domains[name], column, self.schema.field(name).type, rng)
            for name, column in zip(self.schema.names, codes.T, strict=True)
        ]
        fields = [pa.field(field.name, field.type) for field in self.schema]
        return pa.table(columns, schema=pa.schema(fields))


def _bin_numbers(records: Records, name: str, domain: Range) -> IntArray:
    """Number of the bin of each value, -1 where there is none."""
    numbers = records.numbers(name)
    edges = domain.edges
    inside = np.searchsorted(edges, np.clip(numbers, edges[0], None), side="right") - 1
    return np.where(np.isnan(numbers), -1, np.minimum(inside, len(edges) - 2))


def _positions(records: Records, name: str, domain: Categories) -> IntArray:
    """Position of each value in the list of the domain, or of the one for others; -1 where there is none."""
    values = records.values(name)
    found = pc.index_in(values, value_set=pa.array(domain.values, values.type))
    if domain.other is not None:
        found = pc.if_else(pc.and_(pc.is_null(found), pc.is_valid(values)), len(domain.values) - 1, found)
    return np.asarray(pc.fill_null(found, -1).to_numpy(), dtype=np.int64)


def _values(domain: ColumnDomain, codes: IntArray, kind: pa.DataType, rng: np.random.Generator) -> pa.Array:
    missing = codes == domain.column("").size - 1 if domain.missing else np.zeros(len(codes), dtype=bool)
    if isinstance(domain, Categories):
        plain = kind.value_type if pa.types.is_dictionary(kind) else kind
        return pa.array(domain.values, plain).take(pa.array(codes, mask=missing)).cast(kind)
    edges = domain.edges
    start = np.where(missing, 0, codes)
    drawn = rng.uniform(edges[start], edges[start + 1])
    if domain.whole:
        return _whole(np.floor(drawn), missing, kind)
    return pa.array(drawn, mask=missing).cast(kind, safe=False)


def _whole(numbers: np.ndarray, missing: np.ndarray, kind: pa.DataType) -> pa.Array:
    """Whole numbers as a column of whole numbers, or of times, which are whole numbers underneath."""
    whole = pa.array(numbers.astype(np.int64), mask=missing)
    if pa.types.is_temporal(kind) and kind.bit_width == 32:  # noqa: PLR2004
        whole = whole.cast(pa.int32())
    return whole.cast(kind)
