"""The domain of every column of a table: declared, read off a public table, or found privately."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow.compute as pc

from epsilometer.errors import UnknownColumn
from epsilometer.synthesizers.coding import Coding
from epsilometer.synthesizers.domain import declared
from epsilometer.synthesizers.finding import found_domain, needs_finding
from epsilometer.tables.records import Records, read_records
from epsilometer.vocabulary.synthetic_table import DomainOrigin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.synthesizers.budget import Budget
    from epsilometer.synthesizers.domain import ColumnDomain
    from epsilometer.synthesizers.noise import Noise
    from epsilometer.vocabulary.spending import Spending


class Domains(NamedTuple):
    """The coding of a table, and how it came about."""

    coding: Coding
    origins: tuple[DomainOrigin, ...]
    spent: tuple[Spending, ...]


class Known(NamedTuple):
    """What is known of a table apart from its records.

    Attributes:
        declared: domains by column.
        public: domains of a table that everybody may see, for columns that are not declared.
        n_bins: number of bins of a numeric column.
    """

    declared: Mapping[str, object]
    public: Mapping[str, object]
    n_bins: int

    def undeclared(self, records: Records) -> tuple[str, ...]:
        """Return the columns whose domain has to be found, or say that one was declared that is not there."""
        for name in self.declared:
            if name not in records.columns:
                raise UnknownColumn(name, records.columns)
        return tuple(
            name
            for name in records.columns
            if name not in self.declared and name not in self.public and needs_finding(records, name)
        )


def domains_of(records: Records, known: Known, budget: Budget | None, noise: Noise) -> Domains:
    """Settle the domain of each column; those to be found share ``budget`` equally, ``None`` if there are none."""
    to_find = known.undeclared(records)
    parts = dict(zip(to_find, budget.parts(*[1] * len(to_find)), strict=True)) if budget else {}
    domains: dict[str, ColumnDomain] = {}
    origins: list[DomainOrigin] = []
    spent: list[Spending] = []
    for name in records.columns:
        origin = "declared" if name in known.declared else "public table"
        given = known.declared.get(name, known.public.get(name))
        if given is not None:
            domains[name] = declared(name, records.rows.schema.field(name).type, given, n_bins=known.n_bins)
        else:
            origin = "found privately" if name in parts else "type"
            domains[name], looks = found_domain(records, name, parts.get(name), noise, n_bins=known.n_bins)
            spent.extend(looks)
        origins.append(DomainOrigin(name, str(domains[name]), origin))
    return Domains(Coding(records.rows.schema, domains), tuple(origins), tuple(spent))


def public_domain(table: object) -> dict[str, object]:
    """Read the domain off a table that everybody may see: all values, and the range of numbers, that occur in it.

    >>> import pandas as pd
    >>> public_domain(pd.DataFrame({"age": [17, 90], "sex": ["m", "f"]}))
    {'age': {'low': 17.0, 'high': 90.0, 'missing': False}, 'sex': ['f', 'm']}
    """
    records = read_records(table)
    return {name: _occurring(records, name) for name in records.columns}


def _occurring(records: Records, name: str) -> object:
    values = records.rows.column(name)
    if not records.is_numeric(name):
        listed = sorted(pc.unique(values.drop_null()).to_pylist())
        return [*listed, None] if values.null_count else listed
    numbers = records.numbers(name)
    known = numbers[~np.isnan(numbers)]
    if not len(known):
        return [None]
    return {"low": float(known.min()), "high": float(known.max()), "missing": len(known) < len(numbers)}
