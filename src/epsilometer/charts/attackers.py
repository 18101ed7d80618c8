"""How much must an attacker know? A dot for every set of columns that was looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import altair as alt

from epsilometer.charts.lines import DASHED, DOTTED, LINE_HEIGHT, spread
from epsilometer.charts.targets import as_asked
from epsilometer.charts.theme import (
    BLUE,
    INK,
    QUIET,
    SKY,
    VERMILLION,
    WIDE,
    dressed,
    over_lines,
    percent_axis,
    plot_width,
    short,
)
from epsilometer.vocabulary.language import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from epsilometer.vocabulary.attackers import Attackers, Knowledge
    from epsilometer.vocabulary.language import Language

HEIGHT: Final = 320
NAMES: Final = 26  # pixels that the names of the levels need beyond those of other lines
LEGEND: Final = 30  # pixels above the plot: below it stands the title of the axis
SWARM: Final = 0.72  # width of the dots of one size, of the way to the next
GOLDEN: Final = 0.6180339887  # steps of this, without their whole part, fall evenly over a stretch
MANY: Final = 300  # dots; more are drawn smaller
MARGIN: Final = 0.08  # of what is drawn, above and below it
SHADES: Final = {"breaks": VERMILLION, "within": BLUE, "by_noise": BLUE, "raw_within": SKY}


class Dot(NamedTuple):
    """A set of columns: how many, where on the axis, how often it is right, and what that means."""

    size: int
    x: float
    value: float
    what: str


class Axes(NamedTuple):
    """What the marks share."""

    x: alt.X
    y: alt.Y
    low: float
    top: float
    right: float


def draw_attackers(found: Attackers, *, width: int = WIDE, language: Language = ENGLISH) -> alt.LayerChart:
    """Draw the share named right against the number of columns known, with the target and the cheapest attacker."""
    dots = _dots(found)
    axes = _axes(found, dots, language)
    chart = alt.LayerChart(
        layer=[*_levels(found, axes, language), _swarm(dots, axes, width, language), *_names(found, axes)],
        width=plot_width(width) - NAMES,
        height=HEIGHT,
    )
    title, subtitle = _finding(found, language), _reading(found, language)
    return dressed(chart, title=title, subtitle=subtitle, width=width, language=language)


def _dots(found: Attackers) -> list[Dot]:
    """Return a dot for each set looked at, and where the search ended at once one for knowing everything."""
    dots = [_dot(found, known, place) for place, known in enumerate(found.evaluated)]
    if _searched(found):
        return dots
    return [*dots, Dot(1, 1, found.all_known, dots[0].what)]


def _searched(found: Attackers) -> bool:
    return len(found.evaluated) > 1


def _dot(found: Attackers, known: Knowledge, place: int) -> Dot:
    size = len(known.columns)
    if known.breaks:
        what = "breaks"
    elif found.mechanism is None:
        what = "within"
    else:
        what = "raw_within" if known.released is None else "by_noise"
    return Dot(size, size + SWARM * (place * GOLDEN % 1 - 0.5) * (size > 0), known.at_most, what)


def _axes(found: Attackers, dots: Sequence[Dot], language: Language) -> Axes:
    values = [found.max_risk, found.no_release, *(dot.value for dot in dots)]
    margin = (max(values) - min(values)) * MARGIN or MARGIN
    low, top = max(0.0, min(values) - margin), min(1.0, max(values) + margin)
    largest = max(dot.size for dot in dots)
    every = language.text("chart.attackers.all", n=len(found.costs))
    numbers = map(str, range(1, largest + 1)) if _searched(found) else [every]
    names = [language.text("chart.attackers.nothing"), *numbers]
    x = alt.X(
        "x:Q",
        title=language.text("chart.attackers.columns"),
        scale=alt.Scale(domain=[-0.5, largest + 0.5], nice=False),
        axis=alt.Axis(
            values=list(range(largest + 1)), labelExpr=f"{names}[datum.value]", grid=False, domain=False, ticks=False
        ),
    )
    named = language.text("chart.attackers.axis", sensitive=short(found.sensitive))
    y = percent_axis(named, top).scale(domain=[low, top])
    return Axes(x, y, low, top, largest + 0.5)


def _levels(found: Attackers, axes: Axes, language: Language) -> list[alt.Chart]:
    """Draw the target and the guess without a release as lines, named at their ends."""
    values = [found.max_risk, found.no_release]
    names = [
        language.text("chart.target", target=language.number(as_asked(found.max_risk))),
        language.text("chart.attackers.no_release", share=language.percent_at_least(found.no_release)),
    ]
    places = spread(values, (axes.top - axes.low) * LINE_HEIGHT / HEIGHT, axes.top)
    marks = []
    for value, place, name, shade, dash in zip(
        values, places, names, (VERMILLION, QUIET), (DASHED, DOTTED), strict=True
    ):
        line = alt.Chart(alt.InlineData(values=[{"x": -0.5, "to": axes.right, "value": value}]))
        label = alt.Chart(alt.InlineData(values=[{"x": axes.right, "value": place, "name": name}]))
        rule = line.mark_rule(color=shade.light, strokeWidth=2, strokeDash=list(dash))
        text = label.mark_text(align="left", dx=6, color=shade.light)
        marks += [rule.encode(x=axes.x, x2="to:Q", y=axes.y), text.encode(x=axes.x, y=axes.y, text="name:N")]
    return marks


def _swarm(dots: Sequence[Dot], axes: Axes, width: int, language: Language) -> alt.Chart:
    kinds = [kind for kind in SHADES if any(dot.what == kind for dot in dots)]
    names = {kind: language.text(f"chart.attackers.{kind}") for kind in kinds}
    shade = alt.Color(
        "what:N",
        title=None,
        scale=alt.Scale(domain=list(names.values()), range=[SHADES[kind].light for kind in kinds]),
        legend=alt.Legend(
            orient="top",
            columns=2 if width > WIDE / 2 else 1,
            offset=LEGEND,
            labelColor=INK.light,
            labelFontSize=12.5,
            labelLimit=0,
            symbolType="circle",
            symbolOpacity=1,
        ),
    )
    rows = [dot._replace(what=names[dot.what])._asdict() for dot in dots]
    mark = alt.Chart(alt.InlineData(values=rows)).mark_circle(size=80 if len(dots) <= MANY else 28, opacity=0.6)
    return mark.encode(x=axes.x, y=axes.y, color=shade)


def _names(found: Attackers, axes: Axes) -> list[alt.Chart]:
    """Name the most dangerous set of each size, and the cheapest attacker, who also gets a ring."""
    cheapest = found.breaking[0] if found.breaking and found.breaking[0].columns else None
    worst: dict[int, Knowledge] = {}
    for known in found.evaluated:
        size = len(known.columns)
        if size and (size not in worst or known.at_most > worst[size].at_most):
            worst[size] = known
    others = [known for size, known in worst.items() if cheapest is None or size != len(cheapest.columns)]
    marks = [mark for known in others for mark in _named(found, known, axes, ring=False)]
    return marks if cheapest is None else [*marks, *_named(found, cheapest, axes, ring=True)]


def _named(found: Attackers, known: Knowledge, axes: Axes, *, ring: bool) -> list[alt.Chart]:
    """Write the columns of a set next to its dot, towards the side with more room; with a ring, in bold."""
    dot = _dot(found, known, found.evaluated.index(known))
    left = dot.x < (axes.right - 0.5) / 2
    side: dict[str, Any] = {"align": "left" if left else "right", "dx": 5 if left else -5, "dy": -18 if ring else -14}
    side["fontWeight"] = "bold" if ring else "normal"
    color = (INK if ring else QUIET).light
    row = {"x": dot.x, "value": dot.value, "name": short(", ".join(known.columns))}
    data = alt.Chart(alt.InlineData(values=[row]))
    named = [mark.encode(x=axes.x, y=axes.y, text="name:N") for mark in over_lines(data, side, color=color)]
    around = data.mark_point(size=150, color=color, strokeWidth=2, filled=False).encode(x=axes.x, y=axes.y)
    return [around, *named] if ring else named


def _finding(found: Attackers, language: Language) -> str:
    target, sensitive = language.number(as_asked(found.max_risk)), short(found.sensitive)
    if not found.breaking:
        return language.text("chart.attackers.nobody", target=target, sensitive=sensitive)
    cheapest = found.breaking[0]
    if not cheapest.columns:
        share = language.percent_at_least(found.no_release)
        return language.text("chart.attackers.anybody", target=target, share=share)
    known, share = language.joined(map(short, cheapest.columns)), language.percent(cheapest.at_most)
    return language.text("chart.attackers.somebody", known=known, sensitive=sensitive, share=share, target=target)


def _reading(found: Attackers, language: Language) -> str:
    if not _searched(found):
        return language.text("chart.attackers.not_searched")
    sentences, unseen = [_dots_in_words(found, language)], sum(each.n_sets - each.n_evaluated for each in found.levels)
    if unseen:
        sentences.append(language.text("chart.attackers.left_out", n=unseen))
    if found.mechanism is not None and any(known.released is None for known in found.evaluated):
        sentences.append(language.text("chart.attackers.no_noise"))
    sentences.append(language.text("chart.attackers.all_known", share=language.percent(found.all_known)))
    return " ".join(sentences)


def _dots_in_words(found: Attackers, language: Language) -> str:
    if found.mechanism is None:
        return language.text("chart.attackers.dots_raw", columns=len(found.costs))
    epsilon = language.number(found.mechanism["epsilon"], "g")
    return language.text("chart.attackers.dots", columns=len(found.costs), epsilon=epsilon)
