"""The chart of kinds of release: every point, names, targets, the star, and labels that do not run into each other."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.assessments.currency.compare import compare_kinds
from epsilometer.charts.export import to_png, to_svg
from epsilometer.charts.frontier import draw_frontier
from epsilometer.charts.placing import Label, Room, along, beside
from epsilometer.charts.theme import NARROW, SHADES, WIDE
from epsilometer.vocabulary.evidence import Exact
from epsilometer.vocabulary.frontier import Frontier, FrontierCurve, FrontierPoint, Place

PLAN = em.Plan(
    table=em.example_table(),
    quasi_identifiers=("age", "sex", "district"),
    sensitive=("reason",),
    bins={"age": 10},
    max_risk=0.45,
    max_loss=0.1,
)
QUICK = {"repeats": 6, "runs": 2}


@pytest.fixture(scope="module")
def found():
    return compare_kinds(PLAN, **QUICK)


def parts(chart):
    """Each layer with its mark and its rows."""
    drawn = chart.to_dict()
    return [(layer["mark"], drawn["datasets"][layer["data"]["name"]], layer) for layer in drawn["layer"]]


def texts(chart):
    return [row["name"] for mark, rows, _ in parts(chart) if mark["type"] == "text" for row in rows]


def test_every_point_of_every_curve_is_drawn(found):
    drawn = {
        (row["x"], row["value"])
        for mark, rows, _ in parts(draw_frontier(found))
        if mark["type"] == "point"
        for row in rows
    }
    expected = {
        (float(point.loss.value), float(point.risk.value))
        for curve in found.curves
        for point in curve.points
        if curve.kind != "raw" and float(point.risk.value) <= found.raw  # others may lie off the chart
    }
    assert expected <= drawn


def test_points_that_nothing_beats_are_large_and_lie_on_the_grey_line(found):
    chart = draw_frontier(found)
    kept = [found.at(place) for place in found.pareto]
    places = {(float(p.loss.value), float(p.risk.value)) for curve, p in kept if curve.kind != "raw"}
    large = {(row["x"], row["value"]) for _, rows, _ in parts(chart) for row in rows if row.get("size", 0) > 30}
    assert places <= large
    (grey,) = [rows for mark, rows, _ in parts(chart) if mark.get("strokeWidth") == 13]
    assert {(row["x"], row["value"]) for row in grey} == places


def test_both_levels_and_every_curve_are_named(found):
    for width in (WIDE, NARROW):
        said = texts(draw_frontier(found, width=width))
        for kind in ("noisy counts", "sample", "synthetic", "local reports", "raw table", "no release"):
            assert any(text.startswith(kind) for text in said), (kind, width)


def test_the_corner_of_the_targets_is_shaded(found):
    (corner,) = [rows[0] for mark, rows, _ in parts(draw_frontier(found)) if mark["type"] == "rect"]
    assert (corner["right"], corner["top"]) == (0.1, 0.45)
    assert "targets met" in texts(draw_frontier(found))
    high = draw_frontier(replace(found, max_risk=0.99))
    (corner,) = [rows[0] for mark, rows, _ in parts(high) if mark["type"] == "rect"]
    assert corner["top"] < 0.7  # the axis ends before the target


@pytest.mark.parametrize("targets", [{"max_risk": 0.1}, {"max_loss": 0.0}, {"max_risk": None, "max_loss": None}])
def test_no_corner_is_shaded_where_there_is_none(found, targets):
    drawn = draw_frontier(replace(found, **targets))
    assert not [mark for mark, *_ in parts(drawn) if mark["type"] == "rect"]


def test_the_star_is_at_the_release_to_take_and_the_title_says_it(found, title):
    chart = draw_frontier(found)
    curve, point = found.at(found.recommended)
    (star,) = [rows[0] for mark, rows, _ in parts(chart) if mark.get("size") == 520]
    assert (star["x"], star["value"]) == (float(point.loss.value), float(point.risk.value))
    finding, reading = title(chart)
    assert curve.label(point) in finding
    assert finding.endswith("the targets with the least risk")
    assert reading.startswith("There the attacker is right about at most ")
    assert "2,400 people; the attacker knows age, sex, district and wants reason." in reading


def test_planned_points_are_ringed_and_named(found):
    chart = draw_frontier(found)
    rings = [rows for mark, rows, _ in parts(chart) if mark["type"] == "point" and not mark["filled"]]
    assert [len(rows) for rows in rings] == [1]
    assert "plan: ε = 1" in texts(chart)


@pytest.mark.parametrize(
    ("change", "kinds", "expected"),
    [
        ({"max_risk": 0.3, "max_loss": 0.001}, ("counts", "sample"), "No release on these curves has a risk"),
        ({"max_risk": None, "max_loss": None}, ("counts",), "Nothing beats noisy counts, whatever risk"),
        ({"max_risk": None, "max_loss": None}, ("counts", "sample", "raw"), "No kind of release is best everywhere: "),
        ({"max_loss": None}, ("sample",), "A sample of "),
        ({"max_risk": None, "max_loss": 0.05}, ("counts",), "Noisy counts at ε = "),
    ],
)  # fmt: skip
def test_titles_state_the_finding(change, kinds, expected, title):
    frontier = compare_kinds(replace(PLAN, **change), kinds, **QUICK)
    assert title(frontier.plot())[0].startswith(expected)


def test_curves_of_one_kind_differ_in_their_dashes():
    frontier = compare_kinds(PLAN, ("synthetic",), methods=("contingency", "jtree"), **QUICK)
    lines = [
        mark for mark, rows, _ in parts(draw_frontier(frontier)) if mark.get("strokeWidth") == 2.5 and len(rows) > 2
    ]
    assert len({tuple(mark["strokeDash"]) for mark in lines}) == len(lines) == 2


def test_a_table_that_tells_nothing_can_be_drawn():
    alike = pa.table({"known": ["a", "b"] * 20, "wanted": ["x", "x", "y", "y"] * 10})
    plan = em.Plan(table=alike, quasi_identifiers=("known",), sensitive=("wanted",))
    chart = draw_frontier(compare_kinds(plan, ("counts", "sample", "raw"), **QUICK))
    assert {"raw table", "no release"} <= set(texts(chart))
    only_raw = draw_frontier(compare_kinds(plan, ("raw",), **QUICK))
    assert to_svg(only_raw).startswith("<svg")


def test_colours_have_a_twin_for_dark_pages(found):
    light = {shade.light for shade in SHADES}
    for mark, *_ in parts(draw_frontier(found)):
        assert {value for key, value in mark.items() if key in ("color", "stroke")} <= light


def test_pictures_are_written(found):
    assert to_png(draw_frontier(found, width=NARROW)).startswith(b"\x89PNG")


places = st.tuples(st.floats(20, 380), st.floats(20, 280))


@given(st.lists(places, min_size=1, max_size=8))
def test_labels_run_neither_into_lines_nor_into_each_other_nor_off_the_chart(found_places):
    room = Room(400, 300)
    for place in found_places:
        room.keep_free(np.array([place, (place[0] + 5, place[1])]))
    lines = room.taken
    labels = [label for place in found_places for label in room.placed(beside("ε = 1", np.array([place]), 8), least=1)]
    for label in labels:
        left, top, right, bottom = label.box
        assert left >= 0 <= top
        assert right <= 400
        assert bottom <= 300
        inside = (lines[:, 0] > left) & (lines[:, 0] < right) & (lines[:, 1] > top) & (lines[:, 1] < bottom)
        assert not inside.any()
    for one, other in combinations(labels, 2):
        a, b = one.box, other.box
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_a_label_goes_where_there_is_room_or_nowhere():
    room = Room(100, 40)
    assert room.placed([Label("x" * 50, 0, 20, "left")], least=0) == []
    assert room.placed([], least=0) == []
    free = Label("x", 50, 20, "center")
    assert room.placed([free], least=0) == [free]
    assert room.placed([free], least=1) == []


def test_a_single_place_is_a_line_too():
    assert along(np.array([[3.0, 4.0]])).tolist() == [[3.0, 4.0]]


def all_on_one_line():
    """Releases of a secret whose most common value cannot be beaten: every risk is that of no release."""

    def curve(kind, parameter, parameters, losses):
        points = (
            FrontierPoint(parameter=at, risk=Exact(0.9), attacker="look-up", loss=Exact(loss))
            for at, loss in zip(parameters, losses, strict=True)
        )
        return FrontierCurve(kind=kind, name=kind, parameter=parameter, points=tuple(points), assumptions=())

    curves = (
        curve("counts", "epsilon", (0.1, 1.0, 10.0), (0.028, 0.003, 0.0002)),
        curve("sample", "rows", (10.0, 100.0, 1_000.0), (0.24, 0.08, 0.02)),
        curve("local", "epsilon", (0.1, 1.0), (0.05, 0.005)),
        curve("raw", "", (None,), (0.0,)),
    )
    return Frontier(
        sensitive="ill", quasi_identifiers=("age",), n_people=3_000, no_release=0.9, raw=0.9, max_risk=None,
        max_loss=None, curves=curves, pareto=(Place(3, 0),), meeting=(), recommended=None, in_words="", repeats=6,
        runs=2, seed=0, assumptions=(), caveats=(), source=(),
    )  # fmt: skip


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_labels_keep_apart_where_all_releases_have_the_same_risk(width):
    chart = draw_frontier(all_on_one_line(), width=width)
    drawn = chart.to_dict()
    (axis,) = {
        tuple(layer["encoding"]["y"]["scale"]["domain"])
        for layer in drawn["layer"]
        if "scale" in layer["encoding"]["y"]
    }
    pixel = (axis[1] - axis[0]) / drawn["height"]
    named = [(row["name"], row["value"]) for mark, rows, _ in parts(chart) if mark["type"] == "text" for row in rows]
    levels = {name: value for name, value in named if name in ("raw table", "no release")}
    assert levels["raw table"] - levels["no release"] >= 30 * pixel
    beside_points = [value for name, value in named if name not in levels]
    assert beside_points
    assert min(abs(value - 0.9) for value in beside_points) > 9 * pixel  # half a line of text, and some air
