"""Charts show what they were given, compute nothing, and say their finding in words."""

import dataclasses
import json
import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.assessments.exploring.risk_grid import THRESHOLDS, risk_grid
from epsilometer.assessments.exploring.risk_spread import risk_spread
from epsilometer.charts.cell_sizes import draw_cell_sizes, size_classes
from epsilometer.charts.export import to_json, to_png, to_svg
from epsilometer.charts.heat_map import draw_heat_map
from epsilometer.charts.lines import spread
from epsilometer.charts.placing import LINE_HEIGHT
from epsilometer.charts.profile import draw_profile
from epsilometer.charts.risk_and_loss import draw_risk_and_loss, feasible_runs
from epsilometer.charts.risk_curve import draw_risk, draw_risk_at
from epsilometer.charts.risk_spread import draw_risk_spread
from epsilometer.charts.sample_curve import draw_sample, draw_sample_risk
from epsilometer.charts.theme import NARROW, WIDE, epsilon_axis, ticks
from epsilometer.charts.thresholds import draw_thresholds
from epsilometer.vocabulary.curves import Curves
from epsilometer.vocabulary.evidence import Estimate, Exact, Heuristic, Interval, UpperBound
from epsilometer.vocabulary.loss import Loss
from epsilometer.vocabulary.risk import Risk
from epsilometer.vocabulary.source import Source
from epsilometer.vocabulary.wording import percent

EPSILONS = (2.0, 0.1, 0.5, 10.0)  # out of order, as they may be asked for
PEOPLE = np.array([0.10, 0.02, 0.04, 0.2501])
CELLS = np.array([0.20, 0.03, 0.05, 0.50])
ANY = np.array([0.40, 0.05, 0.10, 0.98])
LOSS = np.array([0.08, 0.60, 0.20, 0.01])


def estimate(value, half=0.01):
    return Estimate(value, Interval(value - half, value + half, 0.95))


def risk(answer, epsilon, any_table, average="records"):
    return Risk(
        question="For how many people?",
        measure="homogeneity local",
        average=average,
        answer=answer,
        no_release=0.28899,
        any_table=any_table,
        mechanism={"name": "laplace", "epsilon": epsilon, "delta": 0.0},
        assumptions=("An assumption.",),
        caveats=("A caveat.",),
        source=(Source("homogeneity-v2", "Theorem 1"),),
    )


def curves(sensitive="reason", people=PEOPLE):
    loss = Loss(
        question="How far off?",
        answer=estimate(LOSS),
        by_way={1: estimate(LOSS)},
        table_l1=Exact(LOSS),
        table_largest=UpperBound(LOSS),
        mechanism={"name": "laplace", "epsilon": EPSILONS},
        repeats=100,
        seed=7,
        assumptions=(),
        caveats=(),
        source=(),
    )
    return Curves(
        sensitive=sensitive,
        people=risk(Exact(people), EPSILONS, ANY),
        cells=risk(Exact(CELLS), EPSILONS, ANY, average="cells"),
        loss=loss,
        people_by_threshold={0.5: PEOPLE},
        knee=Heuristic(0.6),
        cell_sizes=np.array([1, 3, 4, 1200]),
        cells_of_size=np.array([7, 2, 1, 1]),
    )


CURVE = curves().people
FLAT = curves(people=PEOPLE / 100).people
ONE = risk(Exact(0.03601), 1.0, 0.165)
TABLE = em.FrequencyTable.from_counts([[3, 0, 0], [2, 1, 0], [40, 30, 10]], values=("yes", "no", "x" * 90))
NOISE = em.Gaussian(epsilon=0.7, delta=3e-6)
CHARTS = {
    "sample": lambda width: draw_sample(em.assess_sample(population=10_000, sample=50), width=width),
    "sample risk": lambda width: draw_sample_risk(
        em.sampling_risk(population=10**6, sample=[5, 10**5], n_values=3, prior=0.5), width=width
    ),
    "sample risk at one size": lambda width: draw_sample_risk(em.sampling_risk(population=9, sample=3), width=width),
    "one": lambda width: draw_risk(ONE, width=width),
    "one estimate": lambda width: draw_risk(dataclasses.replace(ONE, answer=estimate(0.2)), width=width),
    "curve": lambda width: draw_risk(CURVE, width=width),
    "curve of estimates": lambda width: draw_risk(dataclasses.replace(CURVE, answer=estimate(PEOPLE)), width=width),
    "risk at one epsilon": lambda width: draw_risk_at(CURVE, (2.0, 0.1), width=width),
    "flat risk at one epsilon": lambda width: draw_risk_at(FLAT, (0.1, 2e-4), width=width),
    "risk and loss": lambda width: draw_risk_and_loss(curves(), width=width),
    "targets": lambda width: draw_risk_and_loss(curves(), max_risk=0.1, max_loss=0.25, width=width),
    "small risks": lambda width: draw_risk_and_loss(curves(people=PEOPLE / 1e6), width=width),
    "no feasible point": lambda width: draw_risk_and_loss(curves(), max_risk=0.01, width=width),
    "cell sizes": lambda width: draw_cell_sizes(curves(), width=width),
    "profile": lambda width: draw_profile(TABLE.profile, width=width),
    "risk spread": lambda width: draw_risk_spread(risk_spread(TABLE, em.Laplace(epsilon=1.0)), width=width),
    "risk over delta": lambda width: draw_heat_map(risk_grid(TABLE, NOISE), width=width),
    "risk over thresholds": lambda width: draw_heat_map(
        risk_grid(TABLE, NOISE, thresholds=THRESHOLDS), max_risk=0.1, width=width
    ),
    "thresholds": lambda width: draw_thresholds(EPSILONS, {5.0: PEOPLE / 4, 0.5: PEOPLE}, width=width),
}
every_chart = pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS.keys())
widths = pytest.mark.parametrize("width", [WIDE, NARROW])


def walk(node):
    if isinstance(node, dict):
        yield node
        for child in node.values():
            yield from walk(child)
    elif isinstance(node, list):
        for child in node:
            yield from walk(child)


@pytest.fixture
def points(rows):
    return lambda chart: {(row["x"], row["value"]) for row in rows(chart) if {"x", "value"} <= row.keys()}


@every_chart
def test_a_chart_computes_nothing_and_loads_nothing(draw):
    """Vega-Lite can transform, aggregate, bin and evaluate, and fetch data: none of it is asked for."""
    computing = {"transform", "aggregate", "bin", "timeUnit", "impute", "expr", "signal", "params", "url", "href"}
    for node in walk(draw(WIDE).to_dict()):
        assert not computing & node.keys()


@every_chart
def test_charts_fit_their_pages(draw, fits_its_page):
    fits_its_page(draw)


@every_chart
def test_png_and_json(draw):
    chart = draw(NARROW)
    assert to_png(chart).startswith(b"\x89PNG\r\n")
    assert json.loads(to_json(chart)) == chart.to_dict()


def test_three_numbers_are_the_ones_of_the_risk_and_round_towards_caution(title, rows):
    assert [(row["name"], row["value"], row["text"]) for row in rows(draw_risk(ONE))[:3]] == [
        ("no release", 0.28899, "28.8 %"),
        ("this table", 0.03601, "3.7 %"),
        ("any table", 0.165, "16.5 %"),
    ]
    assert title(draw_risk(ONE)) == ("At ε = 1, 3.7 % of the people are disclosed", "For how many people?")


def test_a_curve_of_one_point_is_drawn_as_three_numbers():
    single = risk(Exact(np.array([0.03601])), (1.0,), np.array([0.165]))
    assert draw_risk(single).to_dict() == draw_risk(ONE).to_dict()


def test_an_interval_is_drawn(rows):
    one = dataclasses.replace(ONE, answer=estimate(0.2))
    assert {"name": "this table", "value": pytest.approx(0.19), "high": pytest.approx(0.21)} in rows(draw_risk(one))
    band = [row for row in rows(draw_risk_and_loss(curves())) if "high" in row]
    assert [row["value"] for row in band] == pytest.approx(LOSS - 0.01)
    assert [row["high"] for row in band] == pytest.approx(LOSS + 0.01)


def test_a_curve_holds_every_point_of_the_risk_with_its_comparisons(title, rows, points):
    drawn = points(draw_risk(CURVE))
    for values in (PEOPLE, ANY, np.full(4, 0.28899)):
        assert set(zip(EPSILONS, values.tolist(), strict=True)) <= drawn
    assert title(draw_risk(CURVE))[0] == "Between ε = 0.1 and ε = 10, 2.0 % to 25.1 % of the people are disclosed"
    assert {row["name"] for row in rows(draw_risk(CURVE)) if "name" in row} == {
        "any table",
        "no release",
        "this table",
    }


def test_risk_and_loss_hold_every_point_and_the_knee(title, rows, points):
    chart = draw_risk_and_loss(curves())
    for values in (PEOPLE, CELLS, LOSS):
        assert set(zip(EPSILONS, values.tolist(), strict=True)) <= points(chart)
    assert {"x": 0.6, "name": "climbs from ε ≈ 0.6 (heuristic)"} in rows(chart)
    finding, reading = title(chart)
    assert finding == "From about ε = 0.6, the risk to people starts to climb"
    assert reading.endswith("counts of reason discloses 4.0 % of the people and costs 20.0 % of the accuracy.")
    assert reading.startswith("At ε = 0.5, ")  # the point of the grid nearest to the knee


@pytest.mark.parametrize(
    ("people", "finding", "read_at"),  # people in the order of EPSILONS: 2, 0.1, 0.5, 10
    [
        ([0.1, 0.1, 0.1, 0.1], "More ε does not raise the risk in this table", 0.1),
        ([0.1, 0.3, 0.2, 0.05], "More ε does not raise the risk in this table", 0.1),
        ([0.1, 0.1, 0.1, 0.10001], "More ε does not raise the risk in this table", 10),
        ([0.0, 0.0, 0.0, 0.0], "More ε does not raise the risk in this table", 0.1),
        (
            [2e-4, 0.3, 1e-4, 3e-4],
            "The risk to people is largest at about ε = 0.1",
            0.1,
        ),  # rises, from nearly nothing
        ([0.1, 0.3, 0.2, 0.15], "The risk to people is largest at about ε = 0.1", 0.1),  # falls, then rises less
        ([0.1, 0.05, 0.2, 0.25], "The risk to people is largest at about ε = 10", 10),  # falls after the knee first
    ],
)
def test_without_a_climb_there_is_no_knee(people, finding, read_at, title, rows):
    chart = draw_risk_and_loss(curves(people=np.array(people)))
    assert title(chart)[0] == finding
    assert title(chart)[1].startswith(f"At ε = {read_at:g}, ")
    assert not [row for row in rows(chart) if "climbs" in str(row.get("name"))]


@pytest.mark.parametrize("scale", [1.0, 1e-2, 1e-3, 1e-5, 1e-9])
@widths
def test_ticks_of_small_risks_tell_apart_and_fit(scale, width):
    svg = to_svg(draw_thresholds(EPSILONS, {0.5: PEOPLE * scale}, width=width))
    labels = [label for label in re.findall(r">([^<>]+)</text>", svg) if re.fullmatch(r"[\d.]+%", label)]
    assert len(labels) == len(set(labels)) >= 3
    assert max(map(len, labels)) <= 7  # characters that the margin has room for


def test_a_risk_that_stays_is_said_once(title):
    flat = risk(Exact(np.full(4, 0.25)), EPSILONS, ANY)
    assert title(draw_risk(flat))[0] == "Between ε = 0.1 and ε = 10, 25.0 % of the people are disclosed"


@pytest.mark.parametrize(
    ("targets", "shaded", "finding"),
    [
        (
            {"max_risk": 0.1, "max_loss": 0.25},
            [(0.5, 2.0)],
            "A risk of at most 10 % and a loss of at most 25 %: met at about ε = 0.5 to 2",
        ),
        ({"max_risk": 0.03}, [(0.1, 0.1)], "A risk of at most 3 %: met at about ε = 0.1"),
        # 0.20 meets the target, but its interval does not
        ({"max_loss": 0.2}, [(2.0, 10.0)], "A loss of at most 20 %: met at about ε = 2 to 10"),
        (
            {"max_risk": 0.03, "max_loss": 0.1},
            [],
            "No ε on this chart has a risk of at most 3 % and a loss of at most 10 %",
        ),
    ],
)
def test_targets_are_drawn_with_the_stretch_that_meets_them(targets, shaded, finding, title, rows):
    chart = draw_risk_and_loss(curves(), **targets)
    found = {(row["x"], row["until"]) for row in rows(chart) if "until" in row}
    assert found == set(shaded)
    assert title(chart)[0] == finding
    assert set(targets.values()) <= {row["value"] for row in rows(chart) if str(row.get("name")).startswith("target")}


def test_cell_sizes_are_gathered_into_classes(title, rows):
    drawn = {row["name"]: row["number"] for row in rows(draw_cell_sizes(curves())) if "name" in row}
    assert {name: cells for name, cells in drawn.items() if cells} == {"1": 7, "3–4": 3, "1,000–1,200": 1}
    assert title(draw_cell_sizes(curves()))[0] == "7 of 11 cells hold a single record"


def test_without_single_records_the_smallest_cell_is_named(title):
    without = dataclasses.replace(curves(), cell_sizes=np.array([12, 30]), cells_of_size=np.array([1, 2]))
    assert title(draw_cell_sizes(without))[0] == "The smallest of 3 cells holds 12 records"


@given(st.dictionaries(st.integers(1, 10**12), st.integers(1, 10**6), min_size=1, max_size=30))
def test_no_cell_is_lost_between_the_classes(cells_by_size):
    sizes = np.array(sorted(cells_by_size))
    classes = size_classes(sizes, np.array([cells_by_size[size] for size in sizes.tolist()]))
    bounds = [[int(end.replace(",", "")) for end in name.split("–")] for name, _ in classes]
    for (low, *rest), (_, cells) in zip(bounds, classes, strict=True):
        high = rest[0] if rest else low
        assert cells == sum(number for size, number in cells_by_size.items() if low <= size <= high)
    assert sum(cells for _, cells in classes) == sum(cells_by_size.values())
    assert bounds[-1][-1] == sizes.max()


def test_thresholds_are_drawn_in_order_and_named(title, rows, points):
    chart = draw_thresholds(EPSILONS, {5.0: PEOPLE / 4, 0.5: PEOPLE})
    for values in (PEOPLE, PEOPLE / 4):
        assert set(zip(EPSILONS, values.tolist(), strict=True)) <= points(chart)
    assert [row["name"] for row in rows(chart) if "name" in row] == ["τ = 0.5", "τ = 5"]
    assert title(chart)[0] == "At ε = 10, the risk is 25.1 % with τ = 0.5 and 6.3 % with τ = 5"


def test_a_single_threshold_at_a_single_epsilon(title):
    assert title(draw_thresholds([1.0], {2.0: [0.0]}))[0] == "At ε = 1, the risk is below 0.0001 % with τ = 2"
    assert epsilon_axis(np.array([1.0])).to_dict()["scale"]["domain"] == [0.5, 2.0]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.floats(1e-3, 0.2))
def test_labels_keep_their_order_and_distance_and_never_move_down(values, gap):
    placed = np.array(spread(values, gap))
    assert np.all(placed >= np.array(values) - 1e-12)
    ascending = placed[np.argsort(values, kind="stable")]
    assert np.all(np.diff(ascending) >= gap - 1e-9)


@given(st.lists(st.booleans(), min_size=1, max_size=20))
def test_runs_cover_exactly_the_points_that_meet_the_targets(met):
    epsilons = np.arange(1.0, len(met) + 1)
    runs = feasible_runs(epsilons, np.array(met))
    assert [any(low <= e <= high for low, high in runs) for e in epsilons] == met
    assert all(later[0] - earlier[1] > 1 for earlier, later in pairwise(runs))


@given(st.floats(1e-6, 1e3), st.floats(1.01, 1e6))
def test_ticks_are_round_numbers_inside_the_axis(low, ratio):
    found = ticks(low, low * ratio)
    assert all(low <= tick <= low * ratio and f"{tick:e}"[0] in "125" for tick in found)
    assert found or ratio < 10


@pytest.mark.parametrize("name", ["<script>alert('x')</script>", "\u202e\"&'\x00]]>", "x" * 300, "العمر"])
@widths
def test_hostile_names_are_text(name, width):
    svg = to_svg(draw_risk_and_loss(curves(name), width=width))
    root = ET.fromstring(svg)
    assert not [element for element in root.iter() if element.tag.endswith("script")]
    assert "\u202e" not in svg
    assert float(root.attrib["width"]) <= width + 10


@given(st.lists(st.floats(0, 1), min_size=1, max_size=5), st.floats(1e-3, 0.2))
def test_labels_below_a_top_keep_their_order_and_distance(values, gap):
    placed = np.array(spread(values, gap, top=1.0))
    assert np.all(placed <= 1)
    ascending = placed[np.argsort(values, kind="stable")]
    assert np.all(np.diff(ascending) >= gap - 1e-9)
    assert np.all(placed >= np.array(values) - gap * len(values))


def test_a_risk_draws_itself():
    assert ONE.plot().to_dict() == draw_risk(ONE).to_dict()
    assert "For how many people?" in ONE._repr_html_()


def panels(chart):
    """The panels of a chart, whether they stand side by side or one below the other."""
    return [panel for row in chart.to_dict()["vconcat"] for panel in row.get("hconcat", [row])]


@widths
@pytest.mark.parametrize(("people", "number"), [(CURVE, 1), (FLAT, 2)])
def test_a_line_that_lies_on_the_axis_is_drawn_once_more_enlarged(people, number, width, title):
    here = 2.0, float(people.value[0])
    chart = draw_risk_at(people, here, width=width)
    assert len(panels(chart)) == number
    assert title(chart)[0] == f"At ε = 2, {percent(here[1])} of the people are disclosed"
    tops = {scale["domain"][1] for node in walk(panels(chart)[-1]) if "clamp" in (scale := node.get("scale") or {})}
    assert max(tops) < 2 * max(people.value) or number == 1


@widths
@pytest.mark.parametrize("people", [CURVE, FLAT])
@pytest.mark.parametrize("at", range(len(EPSILONS)))
def test_what_the_dot_shows_is_written_at_the_dot(people, at, width):
    """No further up or down than three lines of text."""
    chart = draw_risk_at(people, (EPSILONS[at], float(people.value[at])), width=width)
    shown = panels(chart)[-1]
    labels = [node["encoding"] for node in walk(shown) if "value" in (node.get("encoding") or {}).get("y", {})]
    (top,) = {
        s["domain"][1] for node in walk(shown) if "clamp" in (s := node.get("scale") or {}) and s["domain"][0] == 0
    }
    height = next(node["height"] for node in walk(shown) if "height" in node)
    dot = (1 - float(people.value[at]) / top) * height
    assert labels
    assert all(abs(label["y"]["value"] - dot) < 3 * LINE_HEIGHT for label in labels)


def test_lines_have_no_kinks():
    marks = [node["mark"] for node in walk(draw_risk(CURVE).to_dict()) if isinstance(node.get("mark"), dict)]
    assert {mark["interpolate"] for mark in marks if mark["type"] == "line"} == {"monotone"}


@widths
@pytest.mark.parametrize("at", range(len(EPSILONS)))
def test_the_epsilon_of_the_report_is_marked_in_every_panel_and_named_in_one(at, width):
    here = EPSILONS[at], float(FLAT.value[at])
    chart = draw_risk_at(FLAT, here, width=width)
    data = chart.to_dict()["datasets"]
    marked = [name for name, kept in data.items() if kept == [{"x": here[0], "value": here[1]}]]
    drawn = [node for panel in panels(chart) for node in walk(panel) if node.get("data", {}).get("name") in marked]
    assert [node["mark"]["type"] for node in drawn] == ["rule", "circle"] * 2
    assert [kept for kept in data.values() if kept == [{"name": f"ε = {here[0]:g}: {percent(here[1])}"}]] != []
