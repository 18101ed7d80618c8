"""What a report says, before it becomes a page: the decision first, then the evidence, in blocks of a few kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from epsilometer.charts.theme import AnyChart
    from epsilometer.report.bibliography import Work

BLANK: Final = "____"
"""Where the reader of a decision writes by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyNumber:
    """One of the numbers of the first page.

    Attributes:
        value: the number, rounded and written.
        name: what it is a number of, in two or three words.
        meaning: a sentence that starts with the number ("of the people are ...").
        place: whether it is what holds without a release, what this release does, or the worst that could be.
    """

    value: str
    name: str
    meaning: str
    place: Literal["before", "this", "worst"]


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph.

    Attributes:
        text: what it says.
        quiet: whether it is a note beside something else.
        lead: a few words in bold that begin it.
    """

    text: str
    quiet: bool = False
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Lines:
    """A list of sentences."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Names with what they are: a plan, versions, seeds."""

    facts: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of texts.

    Attributes:
        columns: its headings.
        rows: its cells, already rounded and written.
        numeric: which columns hold numbers, and stand flush right.
        caption: what it shows.
        asked: the row that the answer speaks of.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = frozenset()
    caption: str = ""
    asked: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A chart, drawn for the width of whoever shows it.

    Attributes:
        name: a word for the file it may be saved as.
        draw: makes the chart, given its width in pixels; its description is the finding.
        caption: how to read it.
    """

    name: str
    draw: Callable[[int], AnyChart]
    caption: str


@dataclass(frozen=True, slots=True)
class Citations:
    """Works that a method rests on."""

    works: tuple[Work, ...]


@dataclass(frozen=True, slots=True)
class Details:
    """Blocks that only an expert unfolds."""

    summary: str
    blocks: tuple[Block, ...]


Block = Text | Heading | Lines | Facts | Table | Picture | Citations | Details


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the report after its first page.

    Attributes:
        name: a word for links to it.
        heading: what it is about.
        blocks: what it says.
    """

    name: str
    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The first page's answer to one question; a report on several attributes has one for each.

    Attributes:
        about: the attribute or subject, where there are several.
        question: what was asked.
        sentences: the answer in words: the finding, what holds without a release, the attacker, how it is known.
        numbers: three numbers, or fewer where there are fewer.
        chart: the one chart of the first page.
    """

    about: str
    question: str
    sentences: tuple[str, ...]
    numbers: tuple[KeyNumber, ...]
    chart: Picture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report of any release, ready to become a web page, Markdown or JSON.

    Attributes:
        title: the question that the reader has.
        audience: who may see it; the first line of every form.
        confidential: whether anything in it was computed from the table.
        scope: what was looked at, in one sentence.
        answers: the first page.
        recommendation: what to do, where something can be recommended.
        decision: what can be signed; empty where nothing is to be decided.
        sections: evidence, assumptions, caveats, method, plan, versions.
        language: of the texts: "en" or "de".
    """

    title: str
    audience: str
    confidential: bool
    scope: str
    answers: tuple[Answer, ...]
    recommendation: str | None
    decision: tuple[str, ...]
    sections: tuple[Section, ...]
    language: str = "en"
