"""Metadata of the Synthetic Data Vault, version 1: one table or several, columns with their kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from epsilometer.plans.importing.imported import Imported, is_true, mapping_at, one_table

if TYPE_CHECKING:
    from epsilometer.plans.reading import Place, Source

VERSION: Final = "METADATA_SPEC_VERSION"
VERSIONS: Final = ("V1", "MULTI_TABLE_V1", "SINGLE_TABLE_V1")
ISO: Final = {
    "%Y-%m-%d": "date",
    **dict.fromkeys((f"%Y-%m-%d{mark}%H:%M{more}" for mark in " T" for more in ("", ":%S", ":%S.%f")), "datetime"),
}
STATISTICAL: Final = ("categorical", "boolean", "numerical", "datetime")


def from_sdv(source: Source, only: str | None = None) -> Imported:
    """Read what the metadata say of one table.

    The key of a sequence says whose rows they are, so it becomes the person id; a primary key only tells rows apart.
    Identifiers and what is marked as personal play no part. Bounds of numbers are not in these metadata.
    """
    if (version := source.data.get(VERSION, VERSIONS[0])) not in VERSIONS:
        raise source.complaint((VERSION,), f"{VERSION} must be one of {', '.join(VERSIONS)}; got {version!r}.")
    place: Place = ()
    if "columns" not in source.data:
        tables: dict[str, Place] = {name: ("tables", name) for name in mapping_at(source, ("tables",))}
        place = one_table(source, tables, only)
    columns = {name: mapping_at(source, (*place, "columns", name)) for name in mapping_at(source, (*place, "columns"))}
    person = mapping_at(source, place).get("sequence_key")
    domain = {name: _domain(column) for name, column in columns.items() if name != person}
    usable = tuple(name for name, column in columns.items() if name != person and _is_usable(column))
    settings = {
        "unit": person and {"person_id": person},
        "types": {name: _type(columns[name]) for name in usable},
        "domain": {name: known for name, known in domain.items() if known is not None},
    }
    return Imported(
        settings={key: value for key, value in settings.items() if value},
        columns=usable,
        described=tuple(columns),
        notes=_notes(columns, usable, person),
    )


def is_sdv(source: Source) -> bool:
    """Whether a description has the marks of these metadata."""
    return bool({VERSION, "tables", "columns"} & source.data.keys())


def _is_usable(column: dict[str, Any]) -> bool:
    if column.get("sdtype") in STATISTICAL:
        return True
    return column.get("sdtype") != "id" and not is_true(column, "pii", otherwise=True)


def _type(column: dict[str, Any]) -> str:
    """Return the type to declare; dates and times that are not written as the ISO has them are text."""
    match column:
        case {"sdtype": "boolean"}:
            return "boolean"
        case {"sdtype": "numerical", "computer_representation": str(kept)} if "Int" in kept:
            return "integer"
        case {"sdtype": "numerical"}:
            return "number"
        case {"sdtype": "datetime", "datetime_format": str(written)}:
            return ISO.get(written, "text")
    return "text"


def _domain(column: dict[str, Any]) -> dict[str, Any] | None:
    if column.get("sdtype") == "boolean":
        return {"values": ["false", "true"], "missing": True}
    if isinstance(order := column.get("order"), list):
        return {"values": order, "missing": True}
    return None


def _notes(columns: dict[str, dict[str, Any]], usable: tuple[str, ...], person: str | None) -> tuple[str, ...]:
    numbers = [name for name in usable if columns[name].get("sdtype") == "numerical"]
    personal = [name for name in columns if name not in usable and name != person]
    return (
        *([f"Ranges are not in these metadata; declare low and high of {', '.join(numbers)}."] if numbers else []),
        *([f"Identifiers and personal data, left out: {', '.join(personal)}."] if personal else []),
    )
