"""Is a synthetic table nearer to its people than strangers are? Each measure on a line of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import altair as alt

from epsilometer.charts.rows import GAP, LINE, MARGIN, NAME_WIDER
from epsilometer.charts.theme import BLUE, INK, QUIET, VERMILLION, WIDE, dressed, lines
from epsilometer.vocabulary.language import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from epsilometer.assessments.synthetic.frame import Frame
    from epsilometer.attacks.null_band import NullBand
    from epsilometer.vocabulary.language import Language

STRIP: Final = 15  # pixels: where held-out people lie
SHADES: Final = {"synthetic": BLUE.light, "planted": VERMILLION.light}


def draw_strangers(frame: Frame, *, width: int = WIDE, language: Language = ENGLISH) -> alt.LayerChart:
    """Draw where held-out people lie, and where the table lies, with and without planted copies.

    Each measure has its own unit: its line runs from zero to the largest number on it.
    """
    names = [lines(_name(band, language), width * NAME_WIDER) for band in frame.bands]
    step = LINE * max(map(len, names)) + STRIP + GAP
    height = step * len(names)
    x = alt.X("at:Q", scale=alt.Scale(domain=[0, 1], nice=False), axis=None)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[height, 0], nice=False), axis=None)
    tops = range(0, height, step)
    rows = [{"at": 0.0, "y": top, "name": name} for top, name in zip(tops, names, strict=True)]
    middles = [top + step - GAP - STRIP / 2 for top in tops]
    bands = [_strip(band, middle) for band, middle in zip(frame.bands, middles, strict=True)]
    shades = {language.text(f"chart.strangers.{what}"): shade for what, shade in SHADES.items()}
    dots = [dot for band, middle in zip(frame.bands, middles, strict=True) for dot in _dots(band, middle, shades)]
    marks = [
        _data(rows).mark_text(align="left", baseline="top", lineHeight=LINE).encode(x=x, y=y, text="name:N"),
        _data(bands).mark_rule(color=QUIET.light, opacity=0.35, strokeWidth=STRIP).encode(x=x, x2="to:Q", y=y),
        _data(dots[1::2]).mark_point(size=190, opacity=1, strokeWidth=2.5).encode(x=x, y=y, color=_shade(shades)),
        _data(dots[::2]).mark_circle(size=90, opacity=1).encode(x=x, y=y, color=_shade(shades)),
    ]
    chart = alt.LayerChart(layer=marks, width=width - 2 * MARGIN, height=height)
    most = max(band.n_compared for band in frame.bands)
    subtitle = language.text("chart.strangers.reading", compared=most)
    return dressed(chart, title=_finding(frame, language), subtitle=subtitle, width=width, language=language)


def _data(rows: list[dict[str, object]]) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=rows))


def _shade(shades: Mapping[str, str]) -> alt.Color:
    legend = alt.Legend(orient="top", labelColor=INK.light, labelFontSize=12.5, symbolType="circle")
    scale = alt.Scale(domain=list(shades), range=list(shades.values()))
    return alt.Color("what:N", title=None, scale=scale, legend=legend)


def _name(band: NullBand, language: Language) -> str:
    measure = language.line(band.measure)
    return language.text(
        "chart.strangers.band",
        measure=f"{measure[:1].upper()}{measure[1:]}",
        value=language.number(band.value, ".3g"),
        place=language.text(f"chart.strangers.{band.place}"),
        low=language.number(band.low, ".3g"),
        high=language.number(band.high, ".3g"),
    )


def _largest(band: NullBand) -> float:
    return max(band.value, band.high, band.planted) or 1.0


def _strip(band: NullBand, middle: float) -> dict[str, object]:
    largest = _largest(band)
    return {"at": band.low / largest, "to": band.high / largest, "y": middle}


def _dots(band: NullBand, middle: float, shades: Mapping[str, str]) -> list[dict[str, object]]:
    values = zip(shades, (band.value, band.planted), strict=True)
    return [{"at": value / _largest(band), "y": middle, "what": what} for what, value in values]


def _finding(frame: Frame, language: Language) -> str:
    nearer = sum(band.place == "nearer" for band in frame.bands)
    verdict = "leak" if frame.leak.found else "no_leak"
    return language.text(f"chart.strangers.{verdict}", nearer=nearer, bands=len(frame.bands))
