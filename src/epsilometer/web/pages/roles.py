"""The columns of a table: what each is, in which bins it is counted, and which rows count."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from epsilometer.assessments.exploring.suggestions import ONLY_A_SUGGESTION, Suggestion, number_of_values
from epsilometer.errors import BadBins, BadFilter, BadRoles, EpsilometerError
from epsilometer.tables.bins import as_bins, parse_bin
from epsilometer.tables.types import COLUMN_TYPES
from epsilometer.web.dependencies import TheDesk, TheForm, TheTable
from epsilometer.web.desk import Opened, Roles
from epsilometer.web.rendering import page
from epsilometer.web.role_warnings import warnings_about
from epsilometer.web.sending import SeeOther

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.datastructures import FormData

    from epsilometer.tables.bins import Bins

QUASI_IDENTIFIER: Final = "quasi-identifier"
SENSITIVE: Final = "sensitive"
PERSON_ID: Final = "person id"
IGNORE: Final = "ignore"
WORDS: Final = {
    QUASI_IDENTIFIER: "an attacker may know it",
    SENSITIVE: "an attacker wants to know it",
    PERSON_ID: "says whose row it is",
    IGNORE: "is left out",
}

TEXT: Final = "text"  # which columns are unless somebody says otherwise; bins make numbers of them
OF_TEXT: Final = ("string", "integer", "number")  # what a summary says of columns of text

FIRST_ROLES: Final = "First say what the columns are."

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """What stands in the form.

    Attributes:
        roles: the role of each column, in the order of the table.
        types: what each column holds.
        bins: the bins of each column, as they were written.
        missing: marks of a missing value, with commas between them.
        where: the row filter.
        problems: what is wrong, by the name of the field; that of the whole form has none.
    """

    roles: tuple[str, ...]
    types: tuple[str, ...]
    bins: tuple[str, ...]
    missing: str = ""
    where: str = ""
    problems: Mapping[str, str] = field(default_factory=dict)


@router.get("/tables/{table_id}")
def show(request: Request, opened: TheTable, first: str = "") -> Response:
    """Show the columns with the roles they have, or might have; ``first``: somebody wanted to see numbers already."""
    entered = _suggested(opened.suggestions) if opened.roles is None else _chosen(opened.columns, opened.roles)
    return _form(request, opened, entered, notices=(FIRST_ROLES,) if first and opened.roles is None else ())


@router.post("/tables/{table_id}")
def choose(request: Request, opened: TheTable, desk: TheDesk, form: TheForm) -> Response:
    """Give the columns their roles; if they cannot play them, say why and keep what was entered."""
    entered = _sent(len(opened.columns), form)
    problems: dict[str, str] = {}
    bins = _bins(opened.columns, entered, problems)
    if not problems:
        try:
            opened.choose(_roles(opened.columns, entered, bins))
        except EpsilometerError as error:
            problems["where" if isinstance(error, BadFilter) else ""] = desk.in_words(str(error))
    if problems:
        return _form(request, opened, replace(entered, problems=problems))
    return SeeOther(f"/tables/{opened.id}/counts")


def _form(request: Request, opened: Opened, entered: Entered, notices: tuple[str, ...] = ()) -> Response:
    status = HTTPStatus.UNPROCESSABLE_ENTITY if entered.problems else HTTPStatus.OK
    return page(
        request,
        "roles.html.j2",
        status=status,
        opened=opened,
        entered=entered,
        words=WORDS,
        types=COLUMN_TYPES,
        of_text=OF_TEXT,
        number_of_values=number_of_values,
        notices=notices if opened.roles is None else warnings_about(opened),
        only_a_suggestion=ONLY_A_SUGGESTION,
    )


def _suggested(suggestions: tuple[Suggestion, ...]) -> Entered:
    return Entered(
        roles=tuple(suggestion.role for suggestion in suggestions),
        types=tuple(suggestion.summary.type for suggestion in suggestions),
        bins=tuple("" if suggestion.bins is None else f"{suggestion.bins:g}" for suggestion in suggestions),
    )


def _chosen(columns: tuple[str, ...], roles: Roles) -> Entered:
    role_of = {
        **dict.fromkeys(roles.quasi_identifiers, QUASI_IDENTIFIER),
        **dict.fromkeys(roles.sensitive, SENSITIVE),
        **({roles.person_id: PERSON_ID} if roles.person_id is not None else {}),
    }
    return Entered(
        roles=tuple(role_of.get(column, IGNORE) for column in columns),
        types=tuple(roles.types.get(column, TEXT) for column in columns),
        bins=tuple(roles.bins_written.get(column, "") for column in columns),
        missing=", ".join(roles.missing),
        where=roles.where or "",
    )


def _sent(n_columns: int, form: FormData) -> Entered:
    """Return what was sent; columns have numbers there, since their names may be anything."""
    return Entered(
        roles=tuple(str(form.get(f"role-{i}", IGNORE)) for i in range(n_columns)),
        types=tuple(str(form.get(f"type-{i}", TEXT)) for i in range(n_columns)),
        bins=tuple(str(form.get(f"bins-{i}", "")).strip() for i in range(n_columns)),
        missing=str(form.get("missing", "")),
        where=str(form.get("where", "")).strip(),
    )


def _bins(columns: tuple[str, ...], entered: Entered, problems: dict[str, str]) -> dict[str, Bins]:
    """Read the bins of the columns that are counted; what is wrong with one of them goes beside its field."""
    bins = {}
    for i, (column, role, text) in enumerate(zip(columns, entered.roles, entered.bins, strict=True)):
        if text and role in (QUASI_IDENTIFIER, SENSITIVE):
            try:
                bins[column] = _read(column, text)
            except BadBins as error:
                problems[f"bins-{i}"] = str(error)
    return bins


def _roles(columns: tuple[str, ...], entered: Entered, bins: Mapping[str, Bins]) -> Roles:
    def with_role(role: str) -> tuple[str, ...]:
        return tuple(column for column, has in zip(columns, entered.roles, strict=True) if has == role)

    if len(people := with_role(PERSON_ID)) > 1:
        raise BadRoles(f"Columns {', '.join(map(repr, people))} all say whose row it is. Keep one of them.")
    return Roles(
        quasi_identifiers=with_role(QUASI_IDENTIFIER),
        sensitive=with_role(SENSITIVE),
        person_id=people[0] if people else None,
        types={column: kind for column, kind in zip(columns, entered.types, strict=True) if kind != TEXT},
        bins=bins,
        bins_written=dict(zip(columns, entered.bins, strict=True)),
        missing=tuple(mark.strip() for mark in entered.missing.split(",") if mark.strip()),
        where=entered.where or None,
    )


def _read(column: str, text: str) -> Bins:
    """Read bins as a person writes them: a width, edges with strokes between them, or all there is to say.

    >>> [_read("age", text).label(1) for text in ("5", "0/18/65", "width=5,origin=15,closed=right")]
    ['[5, 10)', '[0, 18)', '(20, 25]']
    """
    if "=" in text:
        return parse_bin(f"{column}:{text}")[1]
    return as_bins(column, {"edges": text.split("/")} if "/" in text else text)
