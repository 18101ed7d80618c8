"""A report as one web page: the decision first, then the evidence. It opens offline and prints on A4."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape

from epsilometer.charts.theme import SHADES
from epsilometer.report.figures import figure
from epsilometer.report.model import BLANK
from epsilometer.report.templating import environment
from epsilometer.vocabulary.language import language
from epsilometer.vocabulary.wording import readable

if TYPE_CHECKING:
    from epsilometer.report.model import Block, Report

LINE_TO_WRITE_ON: Final = Markup('<span class="blank">&nbsp;</span>')


def as_html(report: Report) -> str:
    """Return a report as a self-contained HTML document."""
    words = language(report.language)
    template = environment().get_template("report.html.j2")
    return template.render(
        report=report,
        text=words.text,
        mark=words.text("report.confidential" if report.confidential else "report.public").partition(":")[0],
        shades=SHADES,
        drawn=figure,
        kind=_kind,
        to_fill_in=_to_fill_in,
    )


def _kind(block: Block) -> str:
    """Return the name of the macro that shows a block."""
    return type(block).__name__.lower()


def _to_fill_in(line: str) -> Markup:
    """Return a line with a place to write on where it has a blank."""
    return escape(readable(line)).replace(BLANK, LINE_TO_WRITE_ON)
