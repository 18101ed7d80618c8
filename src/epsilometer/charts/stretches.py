"""For which parameters is a target met?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import altair as alt
import numpy as np

from epsilometer.charts.rows import MARGIN, Row, Scale, bars
from epsilometer.charts.targets import as_asked
from epsilometer.charts.theme import (
    BLUE,
    GREEN,
    INK,
    PURPLE,
    QUIET,
    RIGHT,
    VERMILLION,
    WIDE,
    dressed,
    epsilon_axis,
    size_axis,
    ticks,
)
from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.wording import joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.vocabulary.feasible import Feasible
    from epsilometer.vocabulary.language import Language
    from epsilometer.vocabulary.sample_choice import Exposure, SampleChoice
    from epsilometer.vocabulary.stretch import Stretch

HEIGHT: Final = 84
MIDDLE: Final = HEIGHT / 2
STRIP: Final = 16
GAP: Final = 34


class Note(NamedTuple):
    """A diamond on the strip, with words below it."""

    place: float
    text: str


def draw_feasible(found: Feasible, *, width: int = WIDE, language: Language = ENGLISH) -> alt.LayerChart:
    """Draw where the target is met on the stretch that was searched, and where the risk is smallest."""
    runs = [(stretch.low, stretch.high) for stretch in found.stretches]
    risk = language.percent(found.smallest_risk)
    smallest = Note(found.smallest_at, language.text("chart.feasible.smallest", risk=risk))
    chart = _strip(_axis(found, language), found.searched, runs, smallest, width)
    subtitle = language.text("chart.feasible.reading", limit=language.percent(found.noise_limit))
    return dressed(chart, title=_course(found, language), subtitle=subtitle, width=width, language=language)


def draw_sample_choice(choice: SampleChoice, *, width: int = WIDE, language: Language = ENGLISH) -> alt.VConcatChart:
    """Draw which sizes meet all targets, and what the smallest and the largest of them mean for people."""
    population, size = choice.release.population, choice.recommended
    runs = [] if choice.smallest is None or choice.largest is None else [(choice.smallest, choice.largest)]
    note = None if size is None else Note(size, language.text("chart.sample_choice.recommended", size=size))
    sizes = np.array([1.0, max(2.0, population)])
    strip = _strip(size_axis(sizes, language=language), (1.0, float(sizes[1])), runs, note, width)
    rows = [row for end in dict.fromkeys(choice.ends) for row in _exposed(end, language)]
    means = [bars(rows, Scale(language.text("chart.sample_choice.axis")), width=width)] if rows else []
    title = (
        language.text("chart.sample_choice.none", population=population)
        if size is None
        else language.text("chart.sample_choice.met", size=size, population=population)
    )
    chart = alt.vconcat(strip, *means, spacing=GAP)
    return dressed(chart, title=title, subtitle=_targets(choice, language), width=width, language=language)


def _course(found: Feasible, language: Language) -> str:
    name, target = language.text(f"chart.feasible.{found.parameter}"), language.number(as_asked(found.max_risk))
    if not found:
        return language.text("chart.feasible.none", name=name, target=target)
    ends = joined((_ends(stretch, language) for stretch in found.stretches), language.text("chart.feasible.or"))
    return language.text("chart.feasible.met", name=name, target=target, ends=ends)


def _targets(choice: SampleChoice, language: Language) -> str:
    goals = {"risk": choice.max_risk, "loss": choice.max_loss, "gap": choice.max_gap}
    asked = [
        language.text(f"chart.sample_choice.{name}", target=language.number(as_asked(goal)))
        for name, goal in goals.items()
        if goal is not None
    ]
    return language.text("chart.sample_choice.reading", targets=language.joined(asked))


def _exposed(end: Exposure, language: Language) -> list[Row]:
    """Return what one size means: for a person inside, outside, of whom neither is known, and for the analyst."""
    chances = {
        "inside": (end.inside, VERMILLION),
        "outside": (end.outside, GREEN),
        "unknown": (end.unknown, BLUE),
        "error": (end.loss, PURPLE),
    }
    return [
        Row(
            language.text("chart.sample_choice.drawn", n=end.sample, what=language.text(f"chart.sample_choice.{what}")),
            chance,
            language.percent(chance),
            shade,
        )
        for what, (chance, shade) in chances.items()
        if chance is not None
    ]


def _axis(found: Feasible, language: Language) -> alt.X:
    low, high = found.searched
    if found.parameter == "epsilon":
        return epsilon_axis(np.array([low, high]), language=language)
    return alt.X(
        "x:Q",
        title=language.text("chart.feasible.axis", name=language.text(f"chart.feasible.{found.parameter}")),
        scale=alt.Scale(type="log", domain=[low, high], nice=False),
        axis=alt.Axis(values=ticks(low, high), format="~g"),
    )


def _strip(
    x: alt.X,
    searched: tuple[float, float],
    runs: Sequence[tuple[float, float]],
    note: Note | None,
    width: int,
) -> alt.LayerChart:
    """Draw a strip of all that was searched, with runs of it in green."""
    y = alt.Y("y:Q", scale=alt.Scale(domain=[HEIGHT, 0], nice=False), axis=None)
    all_of_it = _from_to([searched]).mark_rule(color=QUIET.light, opacity=0.25, strokeWidth=STRIP)
    marks = [all_of_it.encode(x=x, x2="to:Q", y=y)]
    if runs:
        met = _from_to(runs)
        marks += [met.mark_rule(color=GREEN.light, strokeWidth=STRIP).encode(x=x, x2="to:Q", y=y)]
    if note is not None:
        data = alt.Chart(alt.InlineData(values=[{"x": note.place, "y": MIDDLE, "text": note.text}]))
        left = bool(np.log(note.place / searched[0]) < np.log(searched[1] / searched[0]) / 2)
        diamond = data.mark_point(shape="diamond", filled=True, size=120, color=INK.light, opacity=1)
        words = data.mark_text(dy=STRIP + 8, align="left" if left else "right")
        marks += [diamond.encode(x=x, y=y), words.encode(x=x, y=y, text="text:N")]
    return alt.LayerChart(layer=marks, width=width - MARGIN - RIGHT, height=HEIGHT)


def _from_to(runs: Sequence[tuple[float, float]]) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=[{"x": low, "to": high, "y": MIDDLE} for low, high in runs]))


def _ends(stretch: Stretch, language: Language) -> str:
    """Write the ends of a stretch, rounded inwards, with the digits that they have wherever people read them."""
    return f" {language.text('chart.to')} ".join(map(language.number, stretch.shown()))
