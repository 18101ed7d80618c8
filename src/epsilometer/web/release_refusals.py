"""Why a release cannot be made as it stands, in words of the page: each names the field that it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from epsilometer.errors import EpsilometerError, OutOfRange, OutputExists, UnknownChoice
from epsilometer.vocabulary.wording import joined
from epsilometer.web.release_form import LABELS, free_name

if TYPE_CHECKING:
    from pathlib import Path

    from epsilometer.releases.undeclared import Undeclared
    from epsilometer.web.release_form import Asked

OWN_VALUE: Final = "Missing values are a value of their own"
REPLACE: Final = "Replace a file of this name"
MOST_NAMED: Final = 30  # values of a column that a message names
RANGES: Final = {
    "(0, inf)": "above 0",
    "[1, inf)": "1 or more",
    "(0, 1)": "above 0 and below 1",
    "[0, 1)": "0 or more, and below 1",
}


def refused(error: EpsilometerError, asked: Asked, out: Path | None) -> str:
    """Say what is wrong, by the names that the fields have on the page."""
    labels = LABELS[asked.kind]
    match error:
        case OutputExists() if out is not None:
            free = free_name(out, asked.file)
            return f"{asked.file} or its passport is there already. Call it {free}, or tick “{REPLACE}”."
        case OutOfRange(name=name) if name in labels:
            allowed = RANGES.get(error.allowed, f"in {error.allowed}")
            return f"{labels[name]} must be {allowed}; got {_shown(error.value)}. {error.hint}".rstrip()
        case UnknownChoice(name=name) if name in labels:
            return f"{labels[name]} must be one of {', '.join(error.allowed)}; got {error.value!r}."
    return str(error)


def not_declared(found: Undeclared) -> str:
    """Say what a column holds that was not declared; it is the owner who reads it."""
    named = [repr(value) for value in found.values[:MOST_NAMED]]
    more = [f"{len(found.values) - MOST_NAMED:,} more"] if len(found.values) > MOST_NAMED else []
    said = f"Column {found.column!r}:"
    if named:
        said += f" the table holds {joined([*named, *more])} too, not declared below. Add what may occur."
    if found.missing:
        said += f" values are missing in the table. Tick “{OWN_VALUE}” below."
    return f"{said} Or leave those rows out, by the filter under Columns."


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, int | float) else repr(value)
