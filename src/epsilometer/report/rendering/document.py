"""A report as JSON: for programs that show, keep or compare reports. Its charts are Vega-Lite specifications."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from epsilometer.charts.theme import WIDE
from epsilometer.report import documents
from epsilometer.report.model import Citations, Details, Facts, Heading, Lines, Picture, Table, Text
from epsilometer.vocabulary.wording import readable

if TYPE_CHECKING:
    from epsilometer.report.model import Answer, Block, Report, Section

SCHEMA: Final = "epsilometer/report/1"


def as_document(report: Report) -> str:
    """Return a report as the text of a JSON document."""
    return documents.as_document(
        {
            "schema": SCHEMA,
            "audience": readable(report.audience),
            "confidential": report.confidential,
            "language": report.language,
            "title": readable(report.title),
            "scope": readable(report.scope),
            "answers": [_answer(answer) for answer in report.answers],
            "recommendation": None if report.recommendation is None else readable(report.recommendation),
            "decision": _texts(report.decision),
            "sections": [_section(section) for section in report.sections],
        }
    )


def _answer(answer: Answer) -> dict[str, Any]:
    return {
        "about": readable(answer.about),
        "question": readable(answer.question),
        "sentences": _texts(answer.sentences),
        "numbers": [
            {
                "value": readable(number.value),
                "name": readable(number.name),
                "meaning": readable(number.meaning),
                "place": number.place,
            }
            for number in answer.numbers
        ],
        "chart": None if answer.chart is None else _block(answer.chart),
    }


def _section(section: Section) -> dict[str, Any]:
    return {
        "name": section.name,
        "heading": readable(section.heading),
        "blocks": [_block(block) for block in section.blocks],
    }


def _block(block: Block) -> dict[str, Any]:
    return {"kind": type(block).__name__.lower(), **_content(block)}


def _content(block: Block) -> dict[str, Any]:  # noqa: PLR0911  (one for each kind of block)
    match block:
        case Text():
            return {"text": readable(block.text), "lead": readable(block.lead), "quiet": block.quiet}
        case Heading(text):
            return {"text": readable(text)}
        case Lines(lines):
            return {"lines": _texts(lines)}
        case Facts(facts):
            return {"facts": [_texts(fact) for fact in facts.items()]}
        case Table():
            return _table(block)
        case Picture():
            return _picture(block)
        case Citations(works):
            return {"works": [{"citation": work.citation, "locators": list(work.locators)} for work in works]}
        case Details(summary, blocks):
            return {"summary": readable(summary), "blocks": [_block(inner) for inner in blocks]}


def _table(table: Table) -> dict[str, Any]:
    return {
        "caption": readable(table.caption),
        "columns": _texts(table.columns),
        "rows": [_texts(row) for row in table.rows],
        "numeric": sorted(table.numeric),
        "asked": table.asked,
    }


def _picture(picture: Picture) -> dict[str, Any]:
    chart = picture.draw(WIDE)
    return {
        "name": picture.name,
        "finding": str(chart.description),
        "caption": readable(picture.caption),
        "vega_lite": chart.to_dict(),
    }


def _texts(texts: tuple[str, ...]) -> list[str]:
    return [readable(text) for text in texts]
