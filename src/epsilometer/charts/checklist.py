"""Does a passport hold? Each check with its outcome, what failed first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import altair as alt

from epsilometer.charts.theme import GREEN, INK, QUIET, VERMILLION, WIDE, dressed, lines, short
from epsilometer.vocabulary.passport_check import FAILED, NOT_POSSIBLE, PASSED

if TYPE_CHECKING:
    from epsilometer.vocabulary.passport_check import Finding, PassportCheck

LINE: Final = 17
GAP: Final = 6
INDENT: Final = 18
WIDER: Final = 1.15  # the checks are set smaller than the title that line widths are reckoned for
LONGEST: Final = 80
SHADES: Final = {FAILED: VERMILLION, NOT_POSSIBLE: QUIET, PASSED: GREEN}  # what failed comes first


def draw_checklist(check: PassportCheck, *, width: int = WIDE) -> alt.LayerChart:
    """Draw a line for each check."""
    order = list(SHADES)
    rows, height = [], 0.0
    for finding in sorted(check.findings, key=lambda finding: order.index(finding.outcome)):
        text = lines(_words(finding), (width - INDENT) * WIDER)
        rows.append({"x": 0, "y": height, "text": text, "shade": SHADES[finding.outcome].light})
        height += LINE * len(text) + GAP
    across = alt.X("x:Q", scale=alt.Scale(domain=[0, width], nice=False), axis=None)
    down = alt.Y("y:Q", scale=alt.Scale(domain=[height, 0], nice=False), axis=None)
    data = alt.Chart(alt.InlineData(values=rows)).encode(x=across, y=down)
    symbols = data.mark_circle(size=70, xOffset=6, yOffset=7, opacity=1).encode(color=alt.Color("shade:N", scale=None))
    words = data.mark_text(align="left", baseline="top", dx=INDENT, lineHeight=LINE, color=INK.light)
    chart = alt.LayerChart(layer=[symbols, words.encode(text="text:N")], width=width - INDENT, height=height)
    return dressed(chart, title=check.in_words, subtitle=_reading(check), width=width)


def _words(finding: Finding) -> str:
    words = f"{finding.outcome.capitalize()}: {short(finding.what, LONGEST)}"
    if finding.outcome == FAILED:
        return f"{words}; should be {short(finding.expected, LONGEST)}, is {short(finding.found, LONGEST)}"
    return f"{words}; needs {short(finding.missing, LONGEST)}" if finding.outcome == NOT_POSSIBLE else words


def _reading(check: PassportCheck) -> str:
    return f"{short(check.dataset)}, released at {check.released_at}: what was held against what is at hand."
