"""The works that formulas come from, as a person would cite them."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from epsilometer.vocabulary.source import Source

ENTRY: Final = re.compile(r"^@\w+\{([^,]+),(.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD: Final = re.compile(r"(\w+) = \{((?:[^{}]|\{[^{}]*\})*)\}")  # braces inside a value guard its capitals
PLACES: Final = ("journal", "booktitle", "institution", "year", "note")


class Work(NamedTuple):
    """A work, and the places in it that were used."""

    citation: str
    locators: tuple[str, ...]


def works(sources: Iterable[Source]) -> list[Work]:
    """Gather sources by work, in the order of their first mention."""
    places: dict[str, dict[str, None]] = {}
    for source in sources:
        places.setdefault(source.key, {})[source.locator] = None
    return [Work(citations()[key], tuple(locators)) for key, locators in places.items()]


@cache
def citations() -> dict[str, str]:
    """Return every work of the bibliography, by key.

    >>> citations()["Sweeney2000"]
    'Latanya Sweeney: Simple demographics often identify people uniquely. Carnegie Mellon University, 2000.'
    """
    text = resources.files("epsilometer.report").joinpath("references.bib").read_text(encoding="utf-8")
    return {key: _citation(dict(FIELD.findall(fields))) for key, fields in ENTRY.findall(text)}


def _citation(fields: dict[str, str]) -> str:
    place = ", ".join(fields[name] for name in PLACES if name in fields)
    authors = fields["author"].split(" and ")
    return re.sub("[{}]", "", f"{', '.join(authors)}: {fields['title']}. {place}.")
