"""The chart of risks over epsilon and one more parameter: every tile, the border of the target, the ring."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

import epsilometer as em
from epsilometer.assessments.exploring.risk_grid import risk_grid
from epsilometer.charts.export import to_svg
from epsilometer.charts.heat_map import border_rows, draw_heat_map
from epsilometer.charts.theme import BLUE, INK, VERMILLION
from epsilometer.vocabulary.evidence import Exact

FREQ = em.FrequencyTable.from_counts([[3, 0, 0], [2, 1, 0], [40, 30, 10]])
RISKS = np.array([[0.05, 0.1, 0.3], [0.04, 0.20001, 0.1]])
GRID = dataclasses.replace(
    risk_grid(FREQ, em.Laplace(epsilon=(0.1, 1.0, 10.0)), thresholds=[0.5, 5.0]),
    answer=Exact(RISKS),
    no_release=0.28899,
)


def parts(chart):
    """Each layer's mark and rows; rows that all layers share stand outside them."""
    drawn = chart.to_dict()
    return [(layer["mark"], drawn["datasets"][{**drawn, **layer}["data"]["name"]]) for layer in drawn["layer"]]


def of(chart, kind):
    return [(mark, rows) for mark, rows in parts(chart) if mark["type"] == kind]


def test_there_is_a_tile_for_every_risk_around_its_epsilon_and_level():
    ((mark, rows),) = of(draw_heat_map(GRID), "rect")
    assert mark["color"] == BLUE.light
    assert len(rows) == RISKS.size
    for level, risks in enumerate(RISKS.tolist()):
        for epsilon, risk in zip((0.1, 1.0, 10.0), risks, strict=True):
            (tile,) = [row for row in rows if row["x"] < epsilon < row["x2"] and row["y"] < level < row["y2"]]
            assert tile["risk"] == risk
    sides = sorted({side for row in rows for side in (row["x"], row["x2"])})
    assert sides == pytest.approx([10**power for power in (-1.5, -0.5, 0.5, 1.5)])


@pytest.mark.parametrize(
    ("max_risk", "sides", "finding"),
    [
        (
            0.1,  # met, met, not; met, not, met
            {
                (1.0, 0, "upright"),
                (0.0, 1, "upright"),
                (1.0, 1, "upright"),
                (1.0, 0.5, "level"),
                (2.0, 0.5, "level"),
            },
            "A risk of at most 10 %: the largest ε on this chart that meets it is at ε = 10, τ = 5",
        ),
        (0.045, {(0.0, 1, "upright"), (0.0, 0.5, "level")}, "A risk of at most 4.5 %: the largest ε on this chart that "
         "meets it is at ε = 0.1, τ = 5"),
        (0.0005, set(), "No combination on this chart has a risk of at most 0.05 %"),
        (0.3, set(), "Every combination on this chart has a risk of at most 30 %"),
    ],
)  # fmt: skip
def test_a_line_parts_what_meets_the_target_from_what_does_not(max_risk, sides, finding, title):
    chart = draw_heat_map(GRID, max_risk=max_risk)
    found = set()
    for mark, rows in of(chart, "rule"):
        assert mark["color"] == VERMILLION.light
        for row in rows:
            column = round(np.log10(row["x"]) + 1.5) - 1  # the tile left of an upright side is this one
            if row["x"] == row["x2"]:
                found.add((float(column), row["y"] + 0.5, "upright"))
            else:
                found.add((float(column + 1), row["y"], "level"))
    assert found == sides
    assert title(chart)[0] == finding
    assert f"the target of {max_risk * 100:g} %, met where fainter." in title(chart)[1]


@given(nps.arrays(bool, st.tuples(st.integers(1, 5), st.integers(1, 6))))
def test_each_side_of_the_border_has_one_tile_that_meets_and_one_that_does_not(met):
    rows = border_rows(met, np.arange(met.shape[1] + 1.0))
    for row in rows:
        if row["x"] == row["x2"]:
            level, column = int(row["y"] + 0.5), int(row["x"])
            assert met[level, column] != met[level, column - 1]
        else:
            level, column = int(row["y"] - 0.5), int(row["x"])
            assert met[level, column] != met[level + 1, column]
    assert len(rows) == (met[1:] != met[:-1]).sum() + (met[:, 1:] != met[:, :-1]).sum()


def test_without_a_target_the_ends_are_named(title):
    finding, reading = title(draw_heat_map(GRID))
    assert finding == "The risk to people is between 4.0 % at ε = 0.1, τ = 5 and 30.0 % at ε = 10, τ = 0.5"
    assert reading == (
        "Share of people whose own value alone shows in their cell (exact). "
        "A guess without a release is right for 28.8 %."
    )
    assert not of(draw_heat_map(GRID), "rule")
    assert not of(draw_heat_map(GRID), "point")


def test_a_ring_marks_the_release_asked_about(title):
    grid = risk_grid(FREQ, em.Gaussian(epsilon=0.7, delta=3e-6))
    chart = draw_heat_map(grid)
    (_, rim), (mark, ring) = of(chart, "point")
    assert rim == ring == [{"x": 0.7, "y": 5}]  # after 1e-10 to 1e-6
    assert mark["color"] == INK.light
    risk = em.homogeneity_risk(FREQ, em.Gaussian(epsilon=0.7, delta=3e-6), average="records").value
    assert f"Ring: the release asked about, {np.ceil(risk * 1000 - 1e-9) / 10:.1f} %." in title(chart)[1]


def test_a_release_that_is_not_on_the_grid_has_no_ring():
    grid = risk_grid(FREQ, em.Gaussian(epsilon=0.7, delta=3e-6), deltas=[1e-5])
    assert not of(draw_heat_map(grid), "point")


def test_deltas_are_written_as_powers_and_thresholds_as_numbers():
    over_delta = draw_heat_map(risk_grid(FREQ, em.Gaussian(epsilon=1.0, delta=3e-6)))
    over_threshold = draw_heat_map(GRID)
    for chart, labels in ((over_delta, (">1e-10<", ">3e-6<", ">1e-2<")), (over_threshold, (">0.5<", ">5<"))):
        svg = to_svg(chart)
        assert all(label in svg for label in labels)


def test_a_single_epsilon_without_any_risk(title):
    grid = dataclasses.replace(
        risk_grid(FREQ, em.Laplace(epsilon=(1.0,)), thresholds=[0.5]), answer=Exact(np.zeros((1, 1)))
    )
    ((_, rows),) = of(draw_heat_map(grid), "rect")
    assert [row["risk"] for row in rows] == [0.0]
    assert rows[0]["x"] < 1.0 < rows[0]["x2"]
    assert title(draw_heat_map(grid, max_risk=0.0))[0] == "Every combination on this chart has a risk of at most 0 %"


def test_a_grid_draws_itself():
    assert GRID.plot(max_risk=0.1).to_dict() == draw_heat_map(GRID, max_risk=0.1).to_dict()
