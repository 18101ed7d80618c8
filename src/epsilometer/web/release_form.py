"""The form of a release: which fields each kind has, and the plan that what was entered stands for."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from epsilometer.errors import BadOutput, BadQuestion, UnknownChoice
from epsilometer.mechanisms.naming import WITH_DELTA
from epsilometer.plans.reading import Source
from epsilometer.plans.validation import plan_from
from epsilometer.releases.entering import dataset_name, fingerprint_of
from epsilometer.releases.ledger import open_ledger
from epsilometer.releases.release import files_of
from epsilometer.tables.opening import open_table
from epsilometer.vocabulary.privacy_loss import ROW
from epsilometer.vocabulary.wording import joined
from epsilometer.web.numbers_given import number_from, whole_number_from
from epsilometer.web.sending import file_name

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from epsilometer.plans.plan import Plan
    from epsilometer.web.desk import Opened, Roles

KINDS: Final = {
    "counts": "Counts with noise",
    "sample": "A random sample",
    "synthetic": "A synthetic table",
    "local": "Randomised reports",
}
LABELS: Final[Mapping[str, Mapping[str, str]]] = {
    "counts": {
        "mechanism": "Noise",
        "epsilon": "Epsilon",
        "delta": "Delta",
        "adjacency": "What one person may change",
        "threshold": "Smallest count shown",
        "support": "Which combinations are listed",
        "support_delta": "Chance to be listed for one person",
    },
    "sample": {"size": "Number of rows"},
    "synthetic": {"method": "Method", "epsilon": "Epsilon", "delta": "Delta", "rows": "Number of rows"},
    "local": {"randomizer": "What each person does", "epsilon": "Epsilon of each report", "delta": "Delta"},
}
WORDS: Final = ("mechanism", "adjacency", "support", "method", "randomizer")  # fields with a list to choose from
WHOLE: Final = ("size", "rows")
DRAWN_AS: Final = {"laplace": "geometric", "gaussian": "discrete-gaussian"}  # counts get noise of whole numbers
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
NEEDED: Final = {
    "size": "How many rows are to be drawn?",
    "delta": "Gaussian noise has a small chance that its guarantee fails, such as 1e-6.",
    "support_delta": "Take a small chance, such as 1e-6.",
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
        replace: whether a file of that name may be replaced.
    """

    kind: str
    fields: Mapping[str, str]
    domains: Mapping[str, str]
    may_be_missing: frozenset[str]
    dataset: str
    file: str
    replace: bool

    def with_columns_of(self, roles: Roles) -> Asked:
        """Return the same for a table whose columns may have got other roles since."""
        domains = {column: self.domains.get(column, "") for column in columns_of(self.kind, roles)}
        return replace(self, domains=domains)


def asked_from(given: Mapping[str, object], opened: Opened, *, ledger: Path, out: Path | None) -> Asked:
    """Read the form from an address; what is not there has a default. Columns have numbers there."""
    kind = _text(given, "kind") or "counts"
    if kind not in KINDS:
        raise UnknownChoice("kind", kind, KINDS)
    columns = columns_of(kind, opened.chosen())
    fields = {name: _text(given, name) or DEFAULTS[kind].get(name, "") for name in LABELS[kind]}
    if "mechanism" in fields:
        fields["mechanism"] = DRAWN_AS.get(fields["mechanism"], fields["mechanism"])
    return Asked(
        kind=kind,
        fields=fields,
        domains={column: str(given.get(f"domain-{i}", "")) for i, column in enumerate(columns)},
        may_be_missing=frozenset(column for i, column in enumerate(columns) if f"may-be-missing-{i}" in given),
        dataset=(_text(given, "dataset") or known_as(opened, ledger) or dataset_name(opened.name, None))[:LONGEST_NAME],
        file=_text(given, "file") or free_name(out, f"{file_name(opened.name)}-{kind}.csv"),
        replace="replace" in given,
    )


def known_as(opened: Opened, ledger: Path) -> str | None:
    """Return what the ledger calls the table: its rows if they were released before, or else one of its own name."""
    if not ledger.exists():
        return None
    with open_ledger(ledger, must_exist=True) as found, opened.file.unchanged():
        if found.doubt:
            return None
        names = found.also("", fingerprint_of(found, opened.source, open_table(opened.source)))
        known = names or {dataset_name(opened.name, None)} & set(found.datasets())
    return next(iter(known)) if len(known) == 1 else None


def free_name(folder: Path | None, file: str) -> str:
    """Return the name, or the first like it with a number, under which nothing stands in the folder yet."""
    if folder is None:
        return file
    wanted = PurePath(file)
    numbered = (f"{wanted.stem}-{number}{wanted.suffix}" for number in count(2))
    return next(name for name in chain([file], numbered) if not any(path.exists() for path in files_of(folder / name)))


def columns_of(kind: str, roles: Roles) -> tuple[str, ...]:
    """Return the columns whose domain a release of this kind may need."""
    return {
        "counts": (*roles.quasi_identifiers, *roles.sensitive),
        "synthetic": (*roles.quasi_identifiers, *roles.sensitive),
        "local": roles.sensitive,
    }.get(kind, ())


def plan_asked(asked: Asked, opened: Opened) -> Plan:
    """Return the plan that the form stands for."""
    roles = opened.chosen()
    if not FILE_NAME.fullmatch(asked.file):
        raise BadOutput(
            f"{asked.file!r} is no name for the file. Use letters and digits, and end it in .csv or .parquet."
        )
    settings = _settings(asked)
    thresholded = settings.get("support") == "thresholded"
    lacking = [column for column, text in asked.domains.items() if not text.strip()]
    if lacking and asked.kind in NEED_DOMAINS and not thresholded:
        raise BadQuestion(f"Which values occur is a secret. Say what {joined(map(repr, lacking))} may hold.")
    document = {
        "table": opened.source,
        "dataset": asked.dataset,
        "quasi_identifiers": roles.quasi_identifiers,
        "sensitive": roles.sensitive,
        "unit": ROW if roles.person_id is None else {"person_id": roles.person_id},
        "types": dict(roles.types),
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


def _settings(asked: Asked) -> dict[str, str]:
    """Return the settings that play a part, or name the field that is no number or has nothing in it."""
    labels, fields = LABELS[asked.kind], dict(asked.fields)
    noise = fields.get("mechanism", fields.get("randomizer", ""))
    if noise and noise not in WITH_DELTA:
        fields["delta"] = ""
    needed = {"size", *(["delta"] if noise in WITH_DELTA else [])}
    if fields.get("support") == "thresholded":
        needed.add("support_delta")
    else:
        fields.pop("support_delta", None)
    for name, text in fields.items():
        if not text and name in needed:
            raise BadQuestion(f"{labels[name]} is needed, and empty. {NEEDED[name]}")
        if text and name not in WORDS:
            (whole_number_from if name in WHOLE else number_from)(labels[name], text)
    return {name: text for name, text in fields.items() if text}


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
