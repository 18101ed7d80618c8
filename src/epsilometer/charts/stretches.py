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
from epsilometer.vocabulary.wording import joined, percent, shown_down, shown_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.vocabulary.feasible import Feasible
    from epsilometer.vocabulary.sample_choice import Exposure, SampleChoice

HEIGHT: Final = 84
MIDDLE: Final = HEIGHT / 2
STRIP: Final = 16
GAP: Final = 34
SIGNS: Final = {"epsilon": "ε", "delta": "δ", "threshold": "threshold τ"}


class Note(NamedTuple):
    """A diamond on the strip, with words below it."""

    place: float
    text: str


def draw_feasible(found: Feasible, *, width: int = WIDE) -> alt.LayerChart:
    """Draw where the target is met on the stretch that was searched, and where the risk is smallest."""
    name, runs = SIGNS[found.parameter], [(stretch.low, stretch.high) for stretch in found.stretches]
    smallest = Note(found.smallest_at, f"smallest risk seen: {percent(found.smallest_risk)}")
    axis = _axis(name, *found.searched)
    chart = _strip(axis, found.searched, runs, smallest, width)
    target = as_asked(found.max_risk)
    title = (
        f"The risk is at most {target} for {name} from {joined(_ends(runs), 'or')}"
        if runs
        else f"No {name} that was looked at has a risk of at most {target}"
    )
    subtitle = (
        "Green: the risk meets the target there, for certain. As noise grows without bound, it tends to "
        f"{percent(found.noise_limit)}."
    )
    return dressed(chart, title=title, subtitle=subtitle, width=width)


def draw_sample_choice(choice: SampleChoice, *, width: int = WIDE) -> alt.VConcatChart:
    """Draw which sizes meet all targets, and what the smallest and the largest of them mean for people."""
    population = choice.release.population
    runs = [] if choice.smallest is None or choice.largest is None else [(choice.smallest, choice.largest)]
    note = None if choice.recommended is None else Note(choice.recommended, f"recommended: {choice.recommended:,}")
    sizes = np.array([1.0, max(2.0, population)])
    strip = _strip(size_axis(sizes), (1.0, float(sizes[1])), runs, note, width)
    ends = list(dict.fromkeys(choice.ends))
    rows = [row for end in ends for row in _exposed(end)]
    means = [bars(rows, Scale("chance, or error of the shares (%)"), width=width)] if rows else []
    title = (
        f"A sample of {choice.recommended:,} of {population:,} people meets the targets"
        if choice.recommended is not None
        else f"No sample of these {population:,} people meets the targets"
    )
    goals = {"risk": choice.max_risk, "loss": choice.max_loss, "gap between inside and outside": choice.max_gap}
    asked = [f"{name} at most {as_asked(goal)}" for name, goal in goals.items() if goal is not None]
    subtitle = f"Targets: {joined(asked)}. Green: the sizes that meet them."
    return dressed(alt.vconcat(strip, *means, spacing=GAP), title=title, subtitle=subtitle, width=width)


def _exposed(end: Exposure) -> list[Row]:
    """Return what one size means: for a person inside, outside, of whom neither is known, and for the analyst."""
    size = "1 person drawn" if end.sample == 1 else f"{end.sample:,} people drawn"
    chances = {
        "right about somebody known to be in the sample": (end.inside, VERMILLION),
        "right about somebody known to be outside": (end.outside, GREEN),
        "right about anybody": (end.unknown, BLUE),
        "error of the analyst's shares": (end.loss, PURPLE),
    }
    return [
        Row(f"{size}: {what}", chance, percent(chance), shade)
        for what, (chance, shade) in chances.items()
        if chance is not None
    ]


def _axis(name: str, low: float, high: float) -> alt.X:
    if name == "ε":
        return epsilon_axis(np.array([low, high]))
    return alt.X(
        "x:Q",
        title=f"{name} (log scale)",
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


def _ends(runs: Sequence[tuple[float, float]]) -> list[str]:
    """Write the ends of stretches, rounded inwards: what is said is inside them."""
    return [f"{shown_up(low)} to {shown_down(high)}" for low, high in runs]
