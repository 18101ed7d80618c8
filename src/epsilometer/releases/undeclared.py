"""What occurs in a table and is not declared: for its owner, who has to declare it or to leave it out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from epsilometer.plans.release_kinds import Counts, Local, Synthetic
from epsilometer.publication.domains import declared_labels
from epsilometer.synthesizers.domain import Range, declared
from epsilometer.tables.people_counted import distinct_keys
from epsilometer.tables.roles import assign_roles

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from epsilometer.plans.plan import Plan
    from epsilometer.tables.roles import Roles


class Undeclared(NamedTuple):
    """What a column holds that its declared domain does not.

    Attributes:
        column: its name.
        values: the values, or the labels of their bins.
        missing: whether values are missing that the domain does not provide for.
    """

    column: str
    values: tuple[str, ...]
    missing: bool


def undeclared(plan: Plan) -> tuple[Undeclared, ...]:
    """Return what a release of the plan's table would stumble over, for each column with a declared domain."""
    table = plan.open()
    roles = assign_roles(
        table.columns, plan.quasi_identifiers, plan.sensitive, person_id=plan.person_id, bins=plan.bins
    )
    columns = [name for name in _published(plan, roles) if name in plan.domain]
    bins = roles.bins if isinstance(plan.release, Counts) else {}
    occurring = distinct_keys(table, columns, bins=bins, where=plan.where)
    schema = table.expression.schema().to_pyarrow()
    find = _outside_labels if isinstance(plan.release, Counts) else _outside_domains
    return tuple(found for found in find(plan, roles, schema, occurring) if found.values or found.missing)


def _published(plan: Plan, roles: Roles) -> tuple[str, ...]:
    """Return the columns whose values must be declared, or may be."""
    match plan.release:
        case Counts(support="declared"):
            return roles.columns
        case Synthetic(columns=columns):
            return columns or roles.columns
        case Local():
            return roles.sensitive
    return ()


def _outside_labels(
    plan: Plan, roles: Roles, schema: pa.Schema, occurring: Mapping[str, pa.ChunkedArray]
) -> Iterator[Undeclared]:
    """Counts say nothing but what is declared: neither another value nor another number."""
    for labels in declared_labels(plan, roles, schema, list(occurring)):
        keys = occurring[labels.column]
        yield Undeclared(labels.column, labels.outside(keys), bool(keys.null_count) and not labels.missing)


def _outside_domains(
    plan: Plan, _roles: Roles, schema: pa.Schema, occurring: Mapping[str, pa.ChunkedArray]
) -> Iterator[Undeclared]:
    """A number beyond a range counts as its end; that nobody may lack a value, local reports say themselves."""
    for name, keys in occurring.items():
        domain = declared(name, schema.field(name).type, plan.domain[name], n_bins=1)
        found = keys.drop_null()
        listed = () if isinstance(domain, Range) or domain.missing else domain.values
        inside = pc.is_in(found, value_set=pa.array(listed, found.type)) if listed else None
        values = () if inside is None else tuple(sorted(map(str, found.filter(pc.invert(inside)).to_pylist())))
        provided = domain.missing or isinstance(plan.release, Local)
        yield Undeclared(name, values, bool(keys.null_count) and not provided)
