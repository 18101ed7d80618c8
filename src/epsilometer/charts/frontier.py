"""Kinds of release on one chart: how often an attacker is right, against how wrong an analyst is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import altair as alt
import numpy as np

from epsilometer.charts.frontier_words import curve_name, finding, kind_name, point_name, reading
from epsilometer.charts.lines import DASHED, DOTTED, LINE_HEIGHT, SOLID, spread
from epsilometer.charts.placing import Label, Room, along, beside
from epsilometer.charts.theme import (
    BLUE,
    GREEN,
    INK,
    LEFT,
    PAPER,
    PURPLE,
    QUIET,
    SKY,
    VERMILLION,
    WIDE,
    dressed,
    plot_width,
    ticks,
)
from epsilometer.vocabulary.evidence import Estimate
from epsilometer.vocabulary.frontier import Place
from epsilometer.vocabulary.language import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from epsilometer.charts.placing import Side
    from epsilometer.charts.theme import Shade
    from epsilometer.vocabulary.arrays import FloatArray
    from epsilometer.vocabulary.frontier import Frontier, FrontierCurve, FrontierPoint
    from epsilometer.vocabulary.language import Language

HEIGHT: Final = 360
SHORTER: Final = 330  # on a telephone
SMALLEST_LOSS: Final = 1e-4  # a hundredth of a percent: what is more exact stands at the edge
ABOVE_RAW: Final = 0.3  # of the way from no release to raw that the axis goes on
LEAST_SPAN: Final = 0.02  # of the axis of the risk, where the raw table tells next to nothing
NEAR: Final = (12, 20, 32, 46)  # how far a label may stand from what it names, in pixels
CLEAR: Final = 4  # pixels between a label and the nearest line: half the width of a mark on it
TWO_LINES: Final = 2 * LINE_HEIGHT + 2  # pixels: a name with a number below it
SMALL, LARGE = 22, 62  # marks: square pixels
STAR: Final = (
    "M0,-1L0.2245,-0.309L0.951,-0.309L0.363,0.118L0.588,0.809L0,0.382L-0.588,0.809L-0.363,0.118L-0.951,-0.309"
    "L-0.2245,-0.309Z"
)
SHADES: Final = {"counts": BLUE, "sample": VERMILLION, "synthetic": GREEN, "local": PURPLE, "raw": QUIET}
SHAPES: Final = {"counts": "circle", "sample": "square", "synthetic": "triangle-up", "local": "diamond"}
DASHES: Final = (SOLID, DASHED, DOTTED)


class Frame(NamedTuple):
    """The axes in numbers and in pixels, and the language of all words."""

    least_loss: float
    most_loss: float
    least_risk: float
    most_risk: float
    width: int
    height: int
    language: Language

    @property
    def x(self) -> alt.X:
        """The axis of the loss."""
        scale = alt.Scale(type="log", domain=[self.least_loss, self.most_loss], nice=False, clamp=True)
        axis = alt.Axis(values=ticks(self.least_loss, self.most_loss), format="~%", grid=True, titlePadding=10)
        return alt.X("x:Q", title=self.text("loss_axis"), scale=scale, axis=axis)

    @property
    def y(self) -> alt.Y:
        """The axis of the risk."""
        axis = alt.Axis(
            format="~%", tickCount=6, title=self.text("risk_axis"), titleAngle=0,
            titleAlign="left", titleAnchor="end", titleX=-LEFT + 12, titleY=-14, domain=False, ticks=False,
        )  # fmt: skip
        return alt.Y("value:Q", scale=alt.Scale(domain=[self.least_risk, self.most_risk], nice=False), axis=axis)

    def text(self, key: str, **values: str) -> str:
        """Return a text of this chart."""
        return self.language.text(f"chart.frontier.{key}", **values)

    def row(self, label: Label) -> dict[str, Any]:
        """Return the data of a label."""
        reach = np.log(self.most_loss / self.least_loss)
        loss = self.least_loss * float(np.exp(label.x / self.width * reach))
        risk = self.most_risk - label.y / self.height * (self.most_risk - self.least_risk)
        return {"x": loss, "value": risk, "name": label.text}

    def pixels(self, losses: FloatArray, risks: FloatArray) -> FloatArray:
        """Return where points are on the picture: points x 2."""
        reach = np.log(self.most_loss / self.least_loss)
        across = np.log(np.maximum(losses, self.least_loss) / self.least_loss) / reach
        down = (self.most_risk - risks) / (self.most_risk - self.least_risk)
        return np.column_stack([across * self.width, down * self.height])

    def shown(self, places: FloatArray) -> FloatArray:
        """Return those places in pixels that are on the picture."""
        return places[(places[:, 1] >= 0) & (places[:, 1] <= self.height)]


def draw_frontier(frontier: Frontier, *, width: int = WIDE, language: Language = ENGLISH) -> alt.LayerChart:
    """Draw a line for each kind of release, the targets, what nothing beats, and the release to take."""
    frame = _frame(frontier, width, language)
    lines = [curve for curve in frontier.curves if curve.kind != "raw"]
    room = _room(frontier, lines, frame)
    names = _names(lines, frame, room)  # what matters most is given room first
    plans = _plans(lines, frame, room)
    star = _star(frontier, frame, room)
    marks = [
        *_targets(frontier, frame, room),
        *_levels(frontier, frame),
        *_unbeaten(frontier, frame),
        *(mark for curve in lines for mark in (*_intervals(curve, frame), _line(curve, _dash(curve, lines), frame))),
        *names,
        *plans,
        *_points(frontier, lines, frame, room),
        *star,
    ]
    chart = alt.LayerChart(layer=marks, width=frame.width, height=frame.height)
    title, subtitle = finding(frontier, language), reading(frontier, language)
    return dressed(chart, title=title, subtitle=subtitle, width=width, language=language)


def _frame(frontier: Frontier, width: int, language: Language) -> Frame:
    span = max(frontier.raw - frontier.no_release, LEAST_SPAN)
    top = min(1.0, frontier.raw + ABOVE_RAW * span)
    losses = [
        float(point.loss.value)
        for curve in frontier.curves
        for point in curve.points
        if float(point.risk.value) <= top and float(point.loss.value) > 0
    ]
    losses += [frontier.max_loss] if frontier.max_loss else []
    least = max(SMALLEST_LOSS, min(losses, default=SMALLEST_LOSS) * 0.8)
    most = min(1.0, max(losses, default=1.0) * 1.25)
    height = HEIGHT if width > WIDE / 2 else SHORTER
    bottom = frontier.no_release - 0.12 * span
    return Frame(least, max(most, 10 * least), bottom, top, plot_width(width), height, language)


def _room(frontier: Frontier, lines: Sequence[FrontierCurve], frame: Frame) -> Room:
    """Return the room that the lines leave for labels."""
    room = Room(frame.width, frame.height)
    for curve in lines:
        room.keep_free(frame.shown(along(_places(curve, frame))))
        for point in curve.points:
            if isinstance(point.risk, Estimate):
                ends = np.array([float(point.risk.interval.low), float(point.risk.interval.high)])
                room.keep_free(frame.shown(along(frame.pixels(np.full(2, float(point.loss.value)), ends))))
    for level in (frontier.no_release, frontier.raw):
        room.keep_free(frame.pixels(np.array([frame.least_loss, frame.most_loss]), np.array([level, level])))
    return room


def _places(curve: FrontierCurve, frame: Frame) -> FloatArray:
    numbers = np.array([_numbers(point) for point in curve.points])
    return frame.pixels(*numbers.T)


def _numbers(point: FrontierPoint) -> tuple[float, float]:
    return float(point.loss.value), float(point.risk.value)


def _row(point: FrontierPoint, frame: Frame) -> dict[str, float]:
    loss, risk = _numbers(point)
    return {"x": max(loss, frame.least_loss), "value": risk}


def _line(curve: FrontierCurve, dash: tuple[int, int], frame: Frame) -> alt.Chart:
    rows = [{**_row(point, frame), "order": number} for number, point in enumerate(curve.points)]
    mark = alt.Chart(alt.InlineData(values=rows)).mark_line(
        color=SHADES[curve.kind].light, strokeWidth=2.5, strokeDash=list(dash), clip=True
    )
    return mark.encode(x=frame.x, y=frame.y, order="order:Q")


def _intervals(curve: FrontierCurve, frame: Frame) -> list[alt.Chart]:
    """Return pale bars from end to end of the intervals of risk and of loss."""
    upright = [
        {**_row(point, frame), "value": float(point.risk.interval.low), "end": float(point.risk.interval.high)}
        for point in curve.points
        if isinstance(point.risk, Estimate)
    ]
    level = [
        {**_row(point, frame), "x": float(point.loss.interval.low), "end": float(point.loss.interval.high)}
        for point in curve.points
        if isinstance(point.loss, Estimate)
    ]
    style: dict[str, Any] = {"color": SHADES[curve.kind].light, "opacity": 0.25, "strokeWidth": 7, "clip": True}
    base = [alt.Chart(alt.InlineData(values=rows)).mark_rule(**style) for rows in (upright, level)]
    return [
        base[0].encode(x=frame.x, y=frame.y, y2="end:Q"),
        base[1].encode(x=frame.x, x2="end:Q", y=frame.y),
    ]


def _dash(curve: FrontierCurve, lines: Sequence[FrontierCurve]) -> tuple[int, int]:
    """Tell curves of one kind apart by their dashes."""
    alike = [other.name for other in lines if other.kind == curve.kind]
    return DASHES[alike.index(curve.name) % len(DASHES)]


def _levels(frontier: Frontier, frame: Frame) -> list[alt.Chart]:
    """Return a line for no release and one for the raw table, named at the right."""
    language = frame.language
    rows = [
        {"value": frontier.raw, "name": frame.text("raw"), "number": language.percent(frontier.raw)},
        {
            "value": frontier.no_release,
            "name": language.text("chart.no_release"),
            "number": language.percent_at_least(frontier.no_release),
        },
    ]
    rule = alt.Chart(alt.InlineData(values=rows)).mark_rule(color=QUIET.light, strokeWidth=1.5, strokeDash=list(DASHED))
    gap = TWO_LINES * (frame.most_risk - frame.least_risk) / frame.height
    lower, upper = spread([frontier.no_release, frontier.raw], gap)
    named = [{**row, "value": value} for row, value in zip(rows, (upper, lower), strict=True)]
    base = alt.Chart(alt.InlineData(values=named)).encode(y=frame.y)
    text: dict[str, Any] = {"align": "left", "dx": 8, "color": QUIET.light}
    name = base.mark_text(**text, dy=-1, fontWeight="bold").encode(x=alt.value(frame.width), text="name:N")
    number = base.mark_text(**text, dy=14).encode(x=alt.value(frame.width), text="number:N")
    return [rule.encode(y=frame.y), name, number]


def _targets(frontier: Frontier, frame: Frame, room: Room) -> list[alt.Chart]:
    """Return the corner in which the targets are met."""
    if not frontier.has_targets:
        return []
    right = frame.most_loss if frontier.max_loss is None else frontier.max_loss
    top = frame.most_risk if frontier.max_risk is None else min(frontier.max_risk, frame.most_risk)
    if top <= frame.least_risk or right <= frame.least_loss:
        return []
    corner = frame.pixels(np.array([right]), np.array([top]))
    rows = [{"x": frame.least_loss, "value": frame.least_risk, "right": right, "top": top}]
    base = alt.Chart(alt.InlineData(values=rows))
    shading = base.mark_rect(color=SKY.light, opacity=0.22).encode(x=frame.x, x2="right:Q", y=frame.y, y2="top:Q")
    x, y = corner[0].tolist()
    sides: tuple[tuple[Side, float], ...] = (("left", 8.0), ("right", x - 8), ("center", x / 2))
    possible = [
        Label(frame.text("met"), at, down, side) for down in (y + 14, frame.height - 14, y + 34) for side, at in sides
    ]
    return [shading, *_text(room.placed(possible, least=1), INK, frame)]


def _unbeaten(frontier: Frontier, frame: Frame) -> list[alt.Chart]:
    """Return a broad pale line along the points of each curve that nothing beats."""
    places = {place for place in frontier.pareto if frontier.at(place)[0].kind != "raw"}
    rows = [
        {**_row(frontier.at(place)[1], frame), "order": place.point, "run": f"{place.curve} {_start(place, places)}"}
        for place in sorted(places)
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(x=frame.x, y=frame.y)
    style: dict[str, Any] = {"color": QUIET.light, "opacity": 0.25, "clip": True}
    line = base.mark_line(**style, strokeWidth=13, strokeCap="round", strokeJoin="round")
    return [line.encode(order="order:Q", detail="run:N")]


def _start(place: Place, places: Collection[Place]) -> int:
    """Return where the unbroken run of points on a curve begins that a point belongs to."""
    first = place.point
    while Place(place.curve, first - 1) in places:
        first -= 1
    return first


def _names(lines: Sequence[FrontierCurve], frame: Frame, room: Room) -> list[alt.Chart]:
    """Return the name of each line, where there is most room beside it, the middle of the line first."""
    named = []
    for curve in lines:
        places = frame.shown(along(_places(curve, frame)))[::3]
        middle_first = places[np.argsort(np.abs(np.arange(len(places)) - len(places) / 2), kind="stable")]
        kind = kind_name(curve, frame.language)
        label = _nearest(room, (curve_name(curve, frame.language), kind), middle_first, least=2)
        label = label or room.placed(beside(kind, middle_first, NEAR[0]), least=0)
        named += _text(label, SHADES[curve.kind], frame, bold=True)
    return named


def _nearest(room: Room, texts: Sequence[str], places: FloatArray, *, least: float) -> list[Label]:
    """Put the first of some texts that fits beside places, as near as there is room."""
    label: list[Label] = []
    for text in texts:
        for distance in NEAR:
            label = label or room.placed(beside(text, places, distance), least=least)
    return label


def _points(frontier: Frontier, lines: Sequence[FrontierCurve], frame: Frame, room: Room) -> list[alt.Chart]:
    """Return the points: large where nothing beats them, some with their parameter."""
    unbeaten = {id(frontier.at(place)[1]) for place in frontier.pareto}
    marks = []
    for curve in lines:
        rows = [{**_row(point, frame), "size": LARGE if id(point) in unbeaten else SMALL} for point in curve.points]
        dots = alt.Chart(alt.InlineData(values=rows)).mark_point(
            filled=True, opacity=1, shape=SHAPES[curve.kind], color=SHADES[curve.kind].light, clip=True
        )
        marks.append(dots.encode(x=frame.x, y=frame.y, size=alt.Size("size:Q", scale=None)))
        marks += _parameters(curve, frame, room)
    return marks


def _plans(lines: Sequence[FrontierCurve], frame: Frame, room: Room) -> list[alt.Chart]:
    """Return a ring around every planned point, with its parameter."""
    marks = []
    for curve in lines:
        planned = [point for point in curve.points if point.planned]
        rows, labels = [_row(point, frame) for point in planned], []
        for point in planned:
            place = frame.shown(frame.pixels(*np.array([_numbers(point)]).T))
            name = frame.text("plan", at=point_name(curve, point, frame.language))
            labels += _nearest(room, (name,), place, least=1)
        ring = alt.Chart(alt.InlineData(values=rows)).mark_point(
            filled=False, size=190, strokeWidth=2, opacity=1, color=INK.light, clip=True
        )
        marks += [ring.encode(x=frame.x, y=frame.y)] if rows else []
        marks += _text(labels, SHADES[curve.kind], frame)
    return marks


def _parameters(curve: FrontierCurve, frame: Frame, room: Room) -> list[alt.Chart]:
    """Return the parameters of points at powers of ten, where there is room."""
    labels = []
    for point, place in zip(curve.points, _places(curve, frame), strict=True):
        if _is_power_of_ten(point.parameter) and not point.planned:
            name = point_name(curve, point, frame.language)
            labels += _nearest(room, (name,), frame.shown(place[None, :]), least=CLEAR)
    return _text(labels, SHADES[curve.kind], frame)


def _is_power_of_ten(number: float | None) -> bool:
    return number is not None and float(np.log10(number)).is_integer()


def _star(frontier: Frontier, frame: Frame, room: Room) -> list[alt.Chart]:
    """Return a star at the release to take, with its name."""
    if frontier.recommended is None:
        return []
    curve, point = frontier.at(frontier.recommended)
    place = frame.pixels(*np.array([_numbers(point)]).T)
    at = point_name(curve, point, frame.language)
    label = _nearest(room, (f"{curve_name(curve, frame.language)}, {at}", at), place, least=3)
    star = alt.Chart(alt.InlineData(values=[_row(point, frame)])).mark_point(
        shape=STAR, size=520, filled=True, opacity=1, color=INK.light, stroke=PAPER.light, strokeWidth=1.5
    )
    return [star.encode(x=frame.x, y=frame.y), *_text(label, INK, frame, bold=True)]


def _text(labels: Iterable[Label], shade: Shade, frame: Frame, *, bold: bool = False) -> list[alt.Chart]:
    """Return labels at their places."""
    by_side: dict[Side, list[dict[str, Any]]] = {}
    for label in labels:
        by_side.setdefault(label.align, []).append(frame.row(label))
    return [
        alt.Chart(alt.InlineData(values=rows))
        .mark_text(align=side, baseline="middle", color=shade.light, fontWeight="bold" if bold else "normal")
        .encode(x=frame.x, y=frame.y, text="name:N")
        for side, rows in by_side.items()
    ]
