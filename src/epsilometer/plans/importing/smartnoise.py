"""Metadata of SmartNoise SQL: database, schema, table, columns with types and bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from epsilometer.plans.importing.imported import EXPECTED, Imported, is_true, mapping_at, one_table
from epsilometer.vocabulary.privacy_loss import ROW

if TYPE_CHECKING:
    from epsilometer.plans.reading import Place, Source

TYPES: Final = {"int": "integer", "float": "number", "string": "text", "boolean": "boolean", "datetime": "datetime"}
ABOUT_THE_TABLE: Final = frozenset(
    {
        "rows",
        "rows_exact",
        "row_privacy",
        "max_ids",
        "sample_max_ids",
        "clamp_counts",
        "clamp_columns",
        "use_dpsu",
        "censor_dims",
    }
)


def from_smartnoise(source: Source, only: str | None = None) -> Imported:
    """Read what the metadata say of one table.

    Types become types and bounds domains, the private id becomes the person id unless rows are protected, and the most
    rows of a person become the most counts a person may add to. A value may be missing unless the metadata say it is
    not.
    """
    place = one_table(source, _tables(source), only)
    table = mapping_at(source, place)
    columns = {name: mapping_at(source, (*place, name)) for name in table if name not in ABOUT_THE_TABLE}
    persons = [name for name, column in columns.items() if is_true(column, "private_id", otherwise=False)]
    settings: dict[str, Any] = {}
    if is_true(table, "row_privacy", otherwise=False):
        settings["unit"] = ROW
    elif len(persons) == 1:
        settings["unit"] = {"person_id": persons[0]}
        if (most := table.get("max_ids", "1")) != "1":
            settings["release"] = {"kind": "counts", "cells_per_person": _number(most)}
    types = {name: TYPES.get(str(column.get("type"))) for name, column in columns.items() if name not in persons}
    settings["types"] = {name: kind for name, kind in types.items() if kind is not None}
    domain = {name: _domain(column) for name, column in columns.items() if name not in persons}
    settings["domain"] = {name: declared for name, declared in domain.items() if declared is not None}
    return Imported(
        settings={key: value for key, value in settings.items() if value},
        columns=tuple(name for name in columns if name not in persons),
        described=tuple(columns),
        notes=tuple(
            f"{name} has one bound only, which makes no range."
            for name, column in columns.items()
            if ("lower" in column) != ("upper" in column)
        ),
    )


def _tables(source: Source) -> dict[str, Place]:
    """Return where each table stands, by schema.table; beside the database there may be the name of an engine."""
    databases = [key for key in source.data if key != "engine"]
    if len(databases) != 1:
        found = ", ".join(databases) or "none"
        raise source.complaint((), f"this must describe one database, got {found}. {EXPECTED}")
    database = databases[0]
    return {
        f"{schema}.{table}": (database, schema, table)
        for schema in mapping_at(source, (database,))
        for table in mapping_at(source, (database, schema))
    }


def _domain(column: dict[str, Any]) -> dict[str, Any] | None:
    nullable = is_true(column, "nullable", otherwise=True) and "missing_value" not in column
    missing = {"missing": True} if nullable else {}
    if "lower" in column and "upper" in column:
        return {"low": _number(column["lower"]), "high": _number(column["upper"]), **missing}
    if column.get("type") == "boolean":
        return {"values": ["false", "true"], **missing}
    return None


def _number(written: object) -> object:
    """Return a number where one is written; what is none is refused where the plan is checked."""
    for kind in (int, float):
        try:
            return kind(str(written))
        except ValueError:
            continue
    return written
