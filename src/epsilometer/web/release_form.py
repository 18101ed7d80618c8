"""The form of a release: which fields each kind has, and the plan that what was entered stands for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from epsilometer.errors import BadOutput, BadQuestion, UnknownChoice
from epsilometer.plans.reading import Source
from epsilometer.plans.validation import plan_from
from epsilometer.vocabulary.wording import joined
from epsilometer.web.sending import file_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.plans.plan import Plan
    from epsilometer.web.desk import Opened, Roles

KINDS: Final = {
    "counts": "Counts with noise",
    "sample": "A random sample",
    "synthetic": "A synthetic table",
    "local": "Randomised reports",
}
NUMBERS: Final[Mapping[str, tuple[str, ...]]] = {
    "counts": ("mechanism", "epsilon", "delta", "adjacency", "threshold", "support", "support_delta"),
    "sample": ("size",),
    "synthetic": ("method", "epsilon", "delta", "rows"),
    "local": ("randomizer", "epsilon", "delta"),
}
DEFAULTS: Final[Mapping[str, Mapping[str, str]]] = {
    "counts": {
        "mechanism": "geometric",
        "epsilon": "1",
        "adjacency": "add-remove",
        "threshold": "0.5",
        "support": "declared",
    },
    "sample": {},
    "synthetic": {"method": "mst", "epsilon": "1", "delta": "1e-6"},
    "local": {"randomizer": "response", "epsilon": "1"},
}
LONGEST_NAME: Final = 200  # of a data set: it is typed to confirm a release
NEED_DOMAINS: Final = ("counts", "local")
FILE_NAME: Final = re.compile(r"\w[\w .-]{0,80}\.(csv|parquet)")
RANGE: Final = re.compile(r"\s*(?P<low>[^\s.]+(?:\.\d+)?)\s*\.\.\s*(?P<high>[^\s.]+(?:\.\d+)?)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What stands in the form.

    Attributes:
        kind: what is to be published.
        fields: the settings of that kind, as they were written.
        domains: what each column may hold, as it was written, by column.
        may_be_missing: columns whose values may be missing.
        dataset: what the ledger calls the data.
        file: what the published file is to be called.
    """

    kind: str
    fields: Mapping[str, str]
    domains: Mapping[str, str]
    may_be_missing: frozenset[str]
    dataset: str
    file: str


def asked_from(given: Mapping[str, object], opened: Opened, roles: Roles) -> Asked:
    """Read the form from an address; what is not there has a default. Columns have numbers there."""
    kind = _text(given, "kind") or "counts"
    if kind not in KINDS:
        raise UnknownChoice("kind", kind, KINDS)
    columns = columns_of(kind, roles)
    return Asked(
        kind=kind,
        fields={name: _text(given, name) or DEFAULTS[kind].get(name, "") for name in NUMBERS[kind]},
        domains={column: str(given.get(f"domain-{i}", "")) for i, column in enumerate(columns)},
        may_be_missing=frozenset(column for i, column in enumerate(columns) if f"may-be-missing-{i}" in given),
        dataset=(_text(given, "dataset") or opened.name)[:LONGEST_NAME],
        file=_text(given, "file") or f"{file_name(opened.name)}-{kind}.csv",
    )


def columns_of(kind: str, roles: Roles) -> tuple[str, ...]:
    """Return the columns whose domain a release of this kind may need."""
    return {
        "counts": (*roles.quasi_identifiers, *roles.sensitive),
        "synthetic": (*roles.quasi_identifiers, *roles.sensitive),
        "local": roles.sensitive,
    }.get(kind, ())


def plan_asked(asked: Asked, opened: Opened, roles: Roles) -> Plan:
    """Return the plan that the form stands for."""
    if not FILE_NAME.fullmatch(asked.file):
        raise BadOutput(
            f"{asked.file!r} is no name for the file. Use letters and digits, and end it in .csv or .parquet."
        )
    settings = {name: text for name, text in asked.fields.items() if text}
    thresholded = settings.get("support") == "thresholded"
    if not thresholded:
        settings.pop("support_delta", None)
    lacking = [column for column, text in asked.domains.items() if not text.strip()]
    if lacking and asked.kind in NEED_DOMAINS and not thresholded:
        raise BadQuestion(f"Which values occur is a secret. Say what {joined(map(repr, lacking))} may hold.")
    document = {
        "table": opened.source,
        "dataset": asked.dataset,
        "quasi_identifiers": roles.quasi_identifiers,
        "sensitive": roles.sensitive,
        "person_id": roles.person_id,
        "bins": dict(roles.bins),
        "where": roles.where,
        "missing": roles.missing,
        "release": {"kind": asked.kind, **settings},
        "domain": {
            column: {"missing": column in asked.may_be_missing, **domain_from(text)}
            for column, text in asked.domains.items()
            if text.strip() and not thresholded
        },
    }
    return plan_from(Source(data={name: value for name, value in document.items() if value is not None}))


def domain_from(text: str) -> dict[str, object]:
    r"""Read what a column may hold: a range, or values with a line for each.

    >>> domain_from("17..90")
    {'low': '17', 'high': '90'}
    >>> domain_from("female\r\nmale\r\n")
    {'values': ('female', 'male')}
    """
    if (ends := RANGE.fullmatch(text)) is not None:
        return {"low": ends["low"], "high": ends["high"]}
    return {"values": tuple(line.strip() for line in text.splitlines() if line.strip())}


def _text(given: Mapping[str, object], name: str) -> str:
    return str(given.get(name, "")).strip()
