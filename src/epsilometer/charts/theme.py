"""One look for every chart: colours that colour-blind readers tell apart, plain type, titles that say the finding.

The colours are those of Okabe and Ito. Each has a lighter twin, for pages that turn dark.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import altair as alt
import numpy as np

from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.wording import readable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.language import Language

    AnyChart = alt.LayerChart | alt.VConcatChart

_Chart = TypeVar("_Chart", alt.LayerChart, alt.VConcatChart)


class Shade(NamedTuple):
    """A colour on white paper, and what it becomes on a dark page."""

    light: str
    dark: str


INK: Final = Shade("#1b1b1b", "#eeeeee")
QUIET: Final = Shade("#595959", "#b4b4b4")
GRID: Final = Shade("#e4e4e4", "#3c3c3c")
PAPER: Final = Shade("#ffffff", "transparent")
BLUE: Final = Shade("#0072b2", "#5ab4f0")
VERMILLION: Final = Shade("#d55e00", "#ff8f45")
GREEN: Final = Shade("#009e73", "#33cc9f")
PURPLE: Final = Shade("#cc79a7", "#e7a3c8")
SKY: Final = Shade("#56b4e9", "#8fd0f7")
SHADES: Final = (INK, QUIET, GRID, PAPER, BLUE, VERMILLION, GREEN, PURPLE, SKY)

WIDE: Final = 860  # pixels: a desktop page, or the text width of A4 paper
NARROW: Final = 350  # a telephone of 390 pixels, less its margins
LEFT, RIGHT = 52, 84  # room for the labels of the axis and of the lines
CHARACTER: Final = 8.6  # mean width of a character of the title, bold, in pixels
LYING_FLAT: Final[dict[str, Any]] = {  # a vertical axis whose title lies above it, where it can be read
    "titleAngle": 0,
    "titleAlign": "left",
    "titleAnchor": "end",
    "titleX": -LEFT + 12,
    "titleY": -12,
    "domain": False,
    "ticks": False,
}
LONGEST_NAME: Final = 40

CONFIG: Final[dict[str, Any]] = {
    "background": PAPER.light,
    "font": "sans-serif",
    "padding": 6,
    "aria": False,  # the page describes the picture once; a voice for each mark would only be noise
    "view": {"stroke": None},
    "axis": {
        "domainColor": QUIET.light,
        "tickColor": QUIET.light,
        "gridColor": GRID.light,
        "labelColor": QUIET.light,
        "labelFontSize": 12.5,
        "titleColor": QUIET.light,
        "titleFontSize": 12.5,
        "titleFontWeight": "normal",
    },
    "title": {
        "anchor": "start",
        "frame": "bounds",
        "color": INK.light,
        "fontSize": 16,
        "fontWeight": "bold",
        "subtitleColor": QUIET.light,
        "subtitleFontSize": 13,
        "subtitlePadding": 5,
        "offset": 18,
    },
    "text": {"fontSize": 12.5, "color": INK.light},
}


def dressed(chart: _Chart, *, title: str, subtitle: str, width: int, language: Language = ENGLISH) -> _Chart:
    """Put the common look and a title that states the finding on a finished chart, and its language on its axes."""
    heading = alt.TitleParams(text=lines(title, width), subtitle=lines(subtitle, width * 1.2))
    return chart.properties(title=heading, description=readable(title)).configure(**CONFIG, **_marks(language))


def _marks(language: Language) -> dict[str, Any]:
    """Return how the numbers of the axes are written; in English they are so by themselves."""
    if language is ENGLISH:
        return {}
    number = {
        "decimal": language.text("writing.decimal"),
        "thousands": language.text("writing.thousands"),
        "grouping": [3],
        "currency": ["", ""],
        "percent": "\N{NO-BREAK SPACE}%",
    }
    return {"locale": {"number": number}}


def plot_width(width: int) -> int:
    """Return what the labels leave of the width of a chart."""
    return width - LEFT - RIGHT


def lines(text: str, width: float) -> list[str]:
    """Break text into lines that fit a width in pixels, but never between a number and its sign."""
    kept = readable(text).replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}").replace(" %", "\N{NO-BREAK SPACE}%")
    return textwrap.wrap(kept, int(width / CHARACTER))


def short(name: str, longest: int = LONGEST_NAME) -> str:
    """Return a name from the data, harmless to read, and cut where it would push everything else off the chart.

    >>> len(short("x" * 300))
    40
    """
    return readable(name if len(name) <= longest else f"{name[: longest - 1]}…")


def over_lines(base: alt.Chart, style: Mapping[str, Any], **ink: Any) -> list[alt.Chart]:  # noqa: ANN401  (altair's)
    """Return marks of a text that can be read where lines pass behind it: the paper around it, and the text."""
    halo = base.mark_text(**style, stroke=PAPER.light, strokeWidth=5, strokeJoin="round")
    return [halo, base.mark_text(**style, **ink)]


def how_known(kind: str, language: Language) -> str:
    """Name how a number is known, as :mod:`epsilometer.vocabulary.evidence` has it.

    >>> how_known("upper bound", ENGLISH)
    'upper bound'
    """
    return language.text(f"chart.known.{kind.replace(' ', '_')}")


def span(low: float, high: float, language: Language) -> str:
    """Write the ends of a range of risks under noise, once where both read the same.

    >>> span(0.1, 0.25, ENGLISH), span(0.1, 0.1, ENGLISH)
    ('10.0 % to 25.0 %', '10.0 %')
    """
    return f" {language.text('chart.to')} ".join(
        dict.fromkeys((language.percent_under_noise(low), language.percent_under_noise(high)))
    )


def epsilon_axis(epsilons: FloatArray, *, labels: bool = True, language: Language = ENGLISH) -> alt.X:
    """Return the logarithmic axis of the privacy parameter."""
    return _logarithmic(epsilons, language.text("chart.axis.epsilon"), format="~g", labels=labels)


def size_axis(sizes: FloatArray, *, labels: bool = True, language: Language = ENGLISH) -> alt.X:
    """Return the logarithmic axis of the number of people in a sample."""
    written = language.text("chart.axis.size_format")
    return _logarithmic(sizes, language.text("chart.axis.size"), format=written, labels=labels)


def threshold_axis(thresholds: FloatArray, *, labels: bool = True, language: Language = ENGLISH) -> alt.X:
    """Return the logarithmic axis of the count below which nothing is published."""
    return _logarithmic(thresholds, language.text("chart.axis.threshold"), format="~g", labels=labels)


def _logarithmic(places: FloatArray, title: str, *, format: str, labels: bool) -> alt.X:  # noqa: A002  (altair's word)
    low, high = float(np.min(places)), float(np.max(places))
    if low == high:
        low, high = low / 2, high * 2
    return alt.X(
        "x:Q",
        title=title if labels else None,
        scale=alt.Scale(type="log", domain=[low, high], nice=False),
        axis=alt.Axis(values=ticks(low, high), format=format, labels=labels, ticks=labels, grid=True),
    )


def percent_axis(title: str, top: float | alt.Parameter, *, field: str = "value") -> alt.Y:
    """Return an axis of probabilities from 0, with its title lying flat above it."""
    return _from_zero(title, top, "~%", field)


def number_axis(title: str, top: float) -> alt.Y:
    """Return an axis of numbers from 0, with its title lying flat above it."""
    return _from_zero(title, top, "~g", "value")


def _from_zero(title: str, top: float | alt.Parameter, format: str, field: str) -> alt.Y:  # noqa: A002  (altair's word)
    axis = alt.Axis(
        format=format,
        tickCount=5,
        title=title,
        **LYING_FLAT,
    )
    return alt.Y(f"{field}:Q", scale=alt.Scale(domain=[0, top], clamp=True), axis=axis)


def ticks(low: float, high: float) -> list[float]:
    """Return round numbers for a logarithmic axis: powers of ten, and 2 and 5 between them if there is room.

    >>> ticks(0.1, 12.0)
    [0.1, 1.0, 10.0]
    >>> ticks(0.5, 3.0)
    [0.5, 1.0, 2.0]
    """
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    steps = (1, 2, 5) if high / low < 30 else (1,)  # noqa: PLR2004  (a decade and a half)
    return [tick for power in powers for step in steps if low <= (tick := float(f"{step}e{power}")) <= high]
