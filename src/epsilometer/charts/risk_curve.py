"""How large is the risk, next to what it must be compared with?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import altair as alt
import numpy as np

from epsilometer.charts.lines import DASHED, DOTTED, Line, above, band_of, marked, panel
from epsilometer.charts.placing import Label, Room, beside
from epsilometer.charts.theme import BLUE, QUIET, VERMILLION, WIDE, dressed, over_lines, plot_width, span
from epsilometer.charts.three_numbers import counted, draw_three_numbers, share_title
from epsilometer.vocabulary.language import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.risk import Risk

HEIGHT: Final = 240
LOW: Final = 175  # where this table has a panel of its own
GAP: Final = 34
READABLE: Final = 0.2  # of the axis: a line that stays below lies too flat to be read
CLEAR: Final = 13  # pixels between the dot and its label
NEAR: Final = 8  # pixels that the label may be moved up or down to keep clear of lines


def draw_risk(risk: Risk, *, width: int = WIDE, language: Language = ENGLISH) -> alt.LayerChart:
    """Draw a risk: three bars for one epsilon, lines over epsilon for a curve."""
    if np.size(risk.value) == 1:
        return draw_three_numbers(risk, width=width, language=language)
    epsilons = np.asarray(risk.mechanism["epsilon"])
    axis = share_title(risk, language)
    chart = panel(epsilons, _lines(risk, language), title=axis, width=width, height=HEIGHT, language=language)
    title, subtitle = _course(risk, language), language.line(risk.question)
    return dressed(chart, title=title, subtitle=subtitle, width=width, language=language)


def draw_risk_at(
    risk: Risk, here: tuple[float, float], *, width: int = WIDE, language: Language = ENGLISH
) -> alt.VConcatChart:
    """Draw a curve of risk, marked at an epsilon and its risk; a flat line gets a panel of its own, enlarged."""
    epsilons, lines = np.asarray(risk.mechanism["epsilon"]), _lines(risk, language)
    drawn = {share_title(risk, language): lines}
    if _highest(lines[-1:]) < READABLE * _highest(lines):
        drawn[language.text("chart.risk.enlarged")] = lines[-1:]
    side_by_side = len(drawn) > 1 and width > WIDE / 2
    size = width // 2 if side_by_side else width, LOW if len(drawn) > 1 else HEIGHT
    panels = [
        marked(panel(epsilons, those, title=title, width=size[0], height=size[1], language=language), here)
        for title, those in drawn.items()
    ]
    panels[-1].layer += _label(epsilons, [*drawn.values()][-1], here, size, language)
    chart = alt.vconcat(alt.hconcat(*panels)) if side_by_side else alt.vconcat(*panels, spacing=GAP)
    title = language.text(
        "chart.risk.one",
        epsilon=language.number(here[0]),
        risk=language.percent_under_noise(here[1]),
        counted=counted(risk, language),
    )
    return dressed(chart, title=title, subtitle=f"{_course(risk, language)}.", width=width, language=language)


def _lines(risk: Risk, language: Language) -> list[Line]:
    """Return what a risk is compared with, and the risk itself last."""
    values = np.asarray(risk.value)
    return [
        Line(language.text("chart.any_table"), np.asarray(risk.any_table), VERMILLION, DASHED),
        Line(language.text("chart.no_release"), np.full(values.shape, risk.no_release), QUIET, DOTTED),
        Line(language.text("chart.this_table"), values, BLUE, band=band_of(risk.answer)),
    ]


def _course(risk: Risk, language: Language) -> str:
    epsilons, values = np.asarray(risk.mechanism["epsilon"]), np.asarray(risk.value)
    return language.text(
        "chart.risk.curve",
        low=language.number(epsilons.min(), ".3g"),
        high=language.number(epsilons.max(), ".3g"),
        span=span(float(values.min()), float(values.max()), language),
        counted=counted(risk, language),
    )


def _highest(lines: Sequence[Line]) -> float:
    return max(float(np.max(line.band[1] if line.band else line.values)) for line in lines)


def _label(
    epsilons: FloatArray, lines: Sequence[Line], here: tuple[float, float], size: tuple[int, int], language: Language
) -> list[alt.Chart]:
    """Write what the dot shows where the lines leave most room beside it."""
    width, height = plot_width(size[0]), size[1]
    low, high = np.log(epsilons.min()), np.log(epsilons.max())
    top = min(1.0, above(_highest(lines)))

    def pixels(places: Any, values: Any) -> FloatArray:  # noqa: ANN401  (numbers or arrays of them)
        across = (np.log(places) - low) / (high - low) * width
        return np.column_stack([across, (1 - np.asarray(values) / top) * height])

    room, order = Room(width, height), np.argsort(epsilons)
    for line in lines:
        room.keep_free(pixels(epsilons[order], line.values[order]))
    (dot,) = pixels([here[0]], [here[1]])
    room.keep_free(np.array([[dot[0], 0.0], [dot[0], height]]))
    at_the_dot = dot + np.column_stack([np.zeros(2 * NEAR + 1), np.arange(-NEAR, NEAR + 1)])
    nearest_first = at_the_dot[np.argsort(np.abs(at_the_dot[:, 1] - dot[1]), kind="stable")]
    text = language.text(
        "chart.risk.here", epsilon=language.number(here[0]), risk=language.percent_under_noise(here[1])
    )
    (label,) = room.placed(beside(text, nearest_first, CLEAR), least=-np.inf)
    return _written(label)


def _written(label: Label) -> list[alt.Chart]:
    """Write a label that can be read where lines pass behind it."""
    style: dict[str, Any] = {"align": label.align, "baseline": "middle", "fontWeight": "bold"}
    data = alt.Chart(alt.InlineData(values=[{"name": label.text}]))
    place: dict[str, Any] = {"x": alt.value(label.x), "y": alt.value(label.y), "text": "name:N"}
    return [mark.encode(**place) for mark in over_lines(data, style)]
