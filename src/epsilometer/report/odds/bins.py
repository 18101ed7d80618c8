"""Bins in words: those of a plan, and coarser ones that would help."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from epsilometer.vocabulary.language import Language

OPTION: Final = re.compile(
    r"(?P<column>.+):(?:width=(?P<width>[^,]+),origin=[^,]+|edges=(?P<edges>[^,]+))(?:,\w+=[^,]+)*"
)
PLANNED: Final = re.compile(
    r"(?P<column>.+): (?:width (?P<width>\S+) from (?P<origin>\S+)|edges (?P<edges>[^a-z]+)), closed (?P<closed>\w+)"
    r"(?:, bottom (?P<bottom>[^\s,]+))?(?:, top (?P<top>\S+))?"
)


def coarser_bins(option: str, words: Language) -> str:
    """Say how coarse the bins are that the command line would take so; what is no such option stays as it is.

    >>> from epsilometer.vocabulary.language import language
    >>> coarser_bins("age:width=10,origin=0,closed=left", language())
    'age in steps of 10'
    >>> coarser_bins("age:edges=0/18/65,closed=left", language("de"))
    'age mit Grenzen bei 0 / 18 / 65'
    """
    found = OPTION.fullmatch(option)
    if found is None:
        return option
    if found["width"]:
        return words.text("odds.bins.steps", column=found["column"], width=words.number(found["width"]))
    return words.text("odds.bins.edges", column=found["column"], edges=_in_a_row(found["edges"].split("/"), words))


def planned_bins(described: str, words: Language) -> str:
    """Say how a plan puts columns into bins, which it describes in English, one column after the other.

    >>> from epsilometer.vocabulary.language import language
    >>> planned_bins("age: width 5 from 0, closed left; hours: edges 0, 0.5, closed right", language())
    'age: width 5 from 0, lower ends included; hours: edges 0 / 0.5, upper ends included'
    """
    return "; ".join(_planned(column, words) for column in described.split("; "))


def _in_a_row(edges: list[str], words: Language) -> str:
    """Write edges one after the other, where some languages have commas in numbers."""
    return " / ".join(map(words.number, edges))


def _planned(described: str, words: Language) -> str:
    found = PLANNED.fullmatch(described)
    if found is None:
        return described
    kind = "width" if found["width"] else "listed"
    given = {name: words.number(found[name] or "") for name in ("width", "origin")}
    edges = _in_a_row((found["edges"] or "").split(", "), words)
    parts = [
        words.text(f"odds.bins.{kind}", column=found["column"], **given, edges=edges),
        words.text(f"odds.bins.{found['closed']}"),
        *(
            words.text(f"odds.bins.{name}", end=words.number(found[name]))
            for name in ("bottom", "top")
            if found[name] is not None
        ),
    ]
    return ", ".join(parts)
