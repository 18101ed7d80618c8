"""Is a synthetic table nearer to its people than strangers are? Each measure on a line of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import altair as alt

from epsilometer.charts.theme import BLUE, INK, QUIET, VERMILLION, WIDE, dressed

if TYPE_CHECKING:
    from epsilometer.assessments.synthetic.frame import Frame
    from epsilometer.attacks.null_band import NullBand

ROW: Final = 40  # pixels for each measure
NAMES: Final = 190  # pixels for their names
WORDS_START, WORDS_END = 1.08, 1.9  # of the length of a line: where its numbers are written
SHADES: Final = {"synthetic table": BLUE.light, "with copies planted": VERMILLION.light}


def draw_strangers(frame: Frame, *, width: int = WIDE) -> alt.LayerChart:
    """Draw where held-out people lie, and where the table lies, with and without planted copies.

    Each measure has its own unit: its line runs from zero to the largest number on it.
    """
    bands = frame.bands
    names = alt.Axis(domain=False, ticks=False, labelLimit=NAMES, labelPadding=14, labelFontSize=13)
    y = alt.Y("measure:N", sort=[band.measure for band in bands], title=None, axis=names)
    scale = alt.Scale(domain=[0, WORDS_END])
    held_out = alt.Chart(alt.InlineData(values=[_band(band) for band in bands]))
    dots = alt.Chart(alt.InlineData(values=[_dot(band, *shown) for band in bands for shown in _values(band)]))
    shade = alt.Color(
        "what:N",
        title=None,
        scale=alt.Scale(domain=list(SHADES), range=list(SHADES.values())),
        legend=alt.Legend(orient="top", labelColor=INK.light, labelFontSize=12.5, symbolType="circle"),
    )
    marks = [
        held_out.mark_rule(color=QUIET.light, opacity=0.35, strokeWidth=ROW * 0.4, strokeCap="round").encode(
            y=y, x=alt.X("from:Q", scale=scale, axis=None), x2="to:Q"
        ),
        dots.mark_circle(size=110, opacity=0.9).encode(y=y, x=alt.X("at:Q", scale=scale, axis=None), color=shade),
        held_out.mark_text(align="left", color=QUIET.light).encode(
            y=y, x=alt.X("words:Q", scale=scale, axis=None), text="shown:N"
        ),
    ]
    chart = alt.LayerChart(layer=marks, width=width - NAMES, height=ROW * len(bands))
    return dressed(chart, title=_finding(frame), subtitle=_reading(bands), width=width)


def _largest(band: NullBand) -> float:
    return max(band.value, band.high, band.planted) or 1.0


def _band(band: NullBand) -> dict[str, object]:
    largest = _largest(band)
    return {
        "measure": band.measure,
        "from": band.low / largest,
        "to": band.high / largest,
        "words": WORDS_START,
        "shown": f"{band.value:.3g} ({band.place}; held out {band.low:.3g} to {band.high:.3g})",
    }


def _values(band: NullBand) -> list[tuple[str, float]]:
    return list(zip(SHADES, (band.value, band.planted), strict=True))


def _dot(band: NullBand, what: str, value: float) -> dict[str, object]:
    return {"measure": band.measure, "what": what, "at": value / _largest(band)}


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
