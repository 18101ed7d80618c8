"""A report as Markdown, with its charts as pictures beside it: for a wiki, a repository or an editor."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from epsilometer.charts.export import to_svg
from epsilometer.charts.theme import WIDE
from epsilometer.report.model import BLANK, Citations, Details, Facts, Heading, Lines, Picture, Table, Text
from epsilometer.vocabulary.language import language
from epsilometer.vocabulary.wording import readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from epsilometer.report.model import Answer, Block, Report, Section
    from epsilometer.vocabulary.language import Language

# What begins emphasis, code, links, pictures, HTML, entities, headings, tables, mentions or formulas wherever it
# stands; a web address or an emoji name in the middle; and what makes a list, a line or a heading at the start.
SPECIAL: Final = re.compile(r"[\\`*_\[\]<>&#|~$@!^{}]|:(?=//|[\w+-]+:)|(?<=www)\.|^[-+=](?=\s|[-+=]|$)", re.IGNORECASE)
NUMBERED: Final = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")


class MarkdownReport(NamedTuple):
    """A report as Markdown.

    Attributes:
        text: the document.
        pictures: the SVG pictures that it links to, by their path as seen from the document.
    """

    text: str
    pictures: Mapping[str, str]


def as_markdown(report: Report, *, folder: str = "charts") -> MarkdownReport:
    """Return a report as Markdown that links to pictures in a folder beside it."""
    pictures = _Pictures(folder)
    words = language(report.language)
    parts = [*_first_page(report, words, pictures), f"## {escaped(words.text('report.rest'))}"]
    parts.append(_listed(f"[{escaped(section.heading)}](#{section.name})" for section in report.sections))
    for section in report.sections:
        parts += [_heading_of(section), *(_written(block, pictures) for block in section.blocks)]
    return MarkdownReport("\n\n".join(parts) + "\n", pictures.drawn)


def escaped(text: str) -> str:
    r"""Return text that no reader of Markdown takes for anything but text, on one line.

    >>> print(escaped("a*b [c](d) <e>"), escaped("1. x"), escaped("- x"))
    a\*b \[c\](d) \<e\> 1\. x \- x
    """
    line = readable(text).strip()
    return NUMBERED.sub(r"\1\\\2", SPECIAL.sub(lambda found: f"\\{found[0]}", line))


class _Pictures:
    """The pictures of a document, numbered in the order in which they come."""

    def __init__(self, folder: str) -> None:
        self.drawn: dict[str, str] = {}
        self._folder = folder

    def link(self, picture: Picture) -> str:
        """Draw a picture and return the link to it, which says the finding to whoever does not see it."""
        chart = picture.draw(WIDE)
        path = f"{self._folder}/{len(self.drawn) + 1:02}-{picture.name}.svg"
        self.drawn[path] = to_svg(chart)
        return f"![{escaped(str(chart.description))}]({quote(path)})\n\n{escaped(picture.caption)}"


def _first_page(report: Report, words: Language, pictures: _Pictures) -> Iterator[str]:
    yield f"**{escaped(report.audience)}**"
    yield f"# {escaped(report.title)}"
    yield escaped(report.scope)
    for answer in report.answers:
        named = words.text("report.answer_for", about=answer.about) if answer.about else words.text("report.answer")
        yield f"## {escaped(named)}"
        yield f"*{escaped(answer.question)}*"
        yield escaped(" ".join(answer.sentences))
    if report.recommendation:
        yield f"## {escaped(words.text('report.recommendation'))}"
        yield escaped(report.recommendation)
    for answer in report.answers:
        yield from _numbers(answer, words)
    yield from (pictures.link(answer.chart) for answer in report.answers if answer.chart is not None)
    if report.decision:
        yield f"## {escaped(words.text('report.decision'))}"
        yield _listed(f"☐ {escaped(line)}" for line in report.decision)
        signed = map(words.text, ("report.name_and_office", "report.date", "report.signature"))
        yield _listed(f"{escaped(name)}: {escaped(BLANK)}" for name in signed)


def _numbers(answer: Answer, words: Language) -> Iterator[str]:
    if answer.about and answer.numbers:
        yield f"### {escaped(words.text('report.numbers_for', about=answer.about))}"
    if answer.numbers:
        yield _listed(
            f"**{escaped(number.value)}** {escaped(number.meaning)} ({escaped(number.name)})"
            for number in answer.numbers
        )


def _heading_of(section: Section) -> str:
    return f'<a id="{section.name}"></a>\n\n## {escaped(section.heading)}'


def _written(block: Block, pictures: _Pictures) -> str:  # noqa: PLR0911  (one for each kind of block)
    match block:
        case Text(text=text, lead=lead):
            return f"**{escaped(lead)}** {escaped(text)}" if lead else escaped(text)
        case Heading(text):
            return f"### {escaped(text)}"
        case Lines(lines):
            return _listed(map(escaped, lines))
        case Facts(facts):
            return _listed(f"**{escaped(name)}:** {escaped(value)}" for name, value in facts.items())
        case Table():
            return _table(block)
        case Picture():
            return pictures.link(block)
        case Citations(works):
            return _listed(f"{escaped(work.citation)} {escaped('; '.join(work.locators))}" for work in works)
        case Details(summary, blocks):
            return "\n\n".join([f"### {escaped(summary)}", *(_written(inner, pictures) for inner in blocks)])


def _table(table: Table) -> str:
    rule = ["---:" if column in table.numeric else "---" for column in range(len(table.columns))]
    rows = [[escaped(cell) for cell in row] for row in table.rows]
    if table.asked is not None:
        rows[table.asked] = [f"**{cell}**" if cell else "" for cell in rows[table.asked]]
    drawn = "\n".join(map(_row, ([escaped(name) for name in table.columns], rule, *rows)))
    return f"{escaped(table.caption)}\n\n{drawn}" if table.caption else drawn


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
