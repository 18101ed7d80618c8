"""Is a synthetic table nearer to its people than strangers are? Each measure on a line of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import altair as alt

from epsilometer.charts.rows import GAP, LINE, MARGIN, NAME_WIDER
from epsilometer.charts.theme import BLUE, INK, QUIET, VERMILLION, WIDE, dressed, lines

if TYPE_CHECKING:
    from epsilometer.assessments.synthetic.frame import Frame
    from epsilometer.attacks.null_band import NullBand

STRIP: Final = 15  # pixels: where held-out people lie
SHADES: Final = {"synthetic table": BLUE.light, "with copies planted": VERMILLION.light}


def draw_strangers(frame: Frame, *, width: int = WIDE) -> alt.LayerChart:
    """Draw where held-out people lie, and where the table lies, with and without planted copies.

    Each measure has its own unit: its line runs from zero to the largest number on it.
    """
    names = [lines(_name(band), width * NAME_WIDER) for band in frame.bands]
    step = LINE * max(map(len, names)) + STRIP + GAP
    height = step * len(names)
    x = alt.X("at:Q", scale=alt.Scale(domain=[0, 1], nice=False), axis=None)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[height, 0], nice=False), axis=None)
    tops = range(0, height, step)
    rows = [{"at": 0.0, "y": top, "name": name} for top, name in zip(tops, names, strict=True)]
    middles = [top + step - GAP - STRIP / 2 for top in tops]
    bands = [_strip(band, middle) for band, middle in zip(frame.bands, middles, strict=True)]
    dots = [dot for band, middle in zip(frame.bands, middles, strict=True) for dot in _dots(band, middle)]
    marks = [
        _data(rows).mark_text(align="left", baseline="top", lineHeight=LINE).encode(x=x, y=y, text="name:N"),
        _data(bands).mark_rule(color=QUIET.light, opacity=0.35, strokeWidth=STRIP).encode(x=x, x2="to:Q", y=y),
        _data(dots).mark_circle(size=110, opacity=0.9).encode(x=x, y=y, color=_shade()),
    ]
    chart = alt.LayerChart(layer=marks, width=width - 2 * MARGIN, height=height)
    return dressed(chart, title=_finding(frame), subtitle=_reading(frame.bands), width=width)


def _data(rows: list[dict[str, object]]) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=rows))


def _shade() -> alt.Color:
    legend = alt.Legend(orient="top", labelColor=INK.light, labelFontSize=12.5, symbolType="circle")
    return alt.Color(
        "what:N", title=None, scale=alt.Scale(domain=list(SHADES), range=list(SHADES.values())), legend=legend
    )


def _name(band: NullBand) -> str:
    measure = f"{band.measure[:1].upper()}{band.measure[1:]}"
    return f"{measure}: {band.value:.3g}, {band.place} ({band.low:.3g} to {band.high:.3g} for held-out people)"


def _largest(band: NullBand) -> float:
    return max(band.value, band.high, band.planted) or 1.0


def _strip(band: NullBand, middle: float) -> dict[str, object]:
    largest = _largest(band)
    return {"at": band.low / largest, "to": band.high / largest, "y": middle}


def _dots(band: NullBand, middle: float) -> list[dict[str, object]]:
    values = zip(SHADES, (band.value, band.planted), strict=True)
    return [{"at": value / _largest(band), "y": middle, "what": what} for what, value in values]


def _finding(frame: Frame) -> str:
    verdict = "The leak test found a leak" if frame.leak.found else "The leak test found no leak"
    nearer = sum(band.place == "nearer" for band in frame.bands)
    return (
        f"{verdict}; by {nearer} of {len(frame.bands)} distances the table is nearer to its people than strangers are"
    )


def _reading(bands: tuple[NullBand, ...]) -> str:
    return (
        "Distance to the nearest person in the table, each on a scale of its own from zero; left is nearer, but for "
        "the share at distance zero. Grey: where 95 % of random "
        f"parts of the held-out people lie, up to {max(band.n_compared for band in bands):,} at a time."
    )
