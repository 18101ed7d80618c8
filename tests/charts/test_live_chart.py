"""A frame without data, and the rows that fill it."""

import numpy as np
import pytest
import vl_convert

import epsilometer as em
from epsilometer.assessments.exploring.counts_explorer import CountsExplorer, CountsSetting
from epsilometer.assessments.exploring.sample_explorer import SampleExplorer, SampleSetting
from epsilometer.charts.export import VERSION, to_svg
from epsilometer.charts.live import COUNTS, NAME_ROOM, SAMPLE, counts_data, filled, live_frame, sample_data


@pytest.fixture
def explorer():  # a new one each time: it remembers the losses it was asked for
    return CountsExplorer(em.FrequencyTable.from_counts([[19, 1, 0], [4, 0, 2], [30, 20, 10]]))


@pytest.fixture(scope="module")
def sample():
    return SampleExplorer(500, 3, counts={"a": 300, "b": 150, "c": 50})


def named(part):
    """The names of the data that a chart asks for."""
    if isinstance(part, dict):
        own = {part["data"]["name"]} if "data" in part else set()
        return own.union(*map(named, part.values()))
    return set().union(*map(named, part)) if isinstance(part, list) else set()


@pytest.mark.parametrize("design", [COUNTS, SAMPLE])
def test_a_frame_holds_no_data_and_asks_for_what_the_data_fill(design, explorer, sample):
    frame = live_frame(design, 0.01, 10.0).to_dict()
    assert "datasets" not in frame
    data = (
        counts_data(explorer.at(CountsSetting()))
        if design is COUNTS
        else sample_data(sample.at(SampleSetting(sample=50)))
    )
    assert named(frame) == set(data.rows)
    assert {param["name"] for param in frame["params"]} == set(data.tops)


def test_the_width_can_be_set_from_outside():
    compiled = vl_convert.vegalite_to_vega(live_frame(COUNTS, 0.01, 10.0).to_dict(), vl_version=VERSION)
    widths = {mark["encode"]["update"]["width"]["signal"] for mark in compiled["marks"]}
    assert widths == {"width"}


def test_every_line_is_named_at_its_end_and_below_the_top(explorer):
    data = counts_data(explorer.at(CountsSetting()))
    names = data.rows["riskNames"]
    assert {row["name"] for row in names} == {"people", "cells", "any table", "no release"}
    assert all(0 <= row["value"] <= data.tops["riskTop"] for row in names)
    largest = max(row[field] for row in data.rows["risk"] for field in ("people", "cells", "any_table", "no_release"))
    assert largest <= data.tops["riskTop"] <= 1


def test_from_near_only_this_table_is_shown(explorer):
    view = explorer.at(CountsSetting(), max_risk=0.001)
    near, whole = counts_data(view, near=True), counts_data(view)
    assert {row["name"] for row in near.rows["riskNames"]} == {"people"}
    assert near.tops["riskTop"] <= whole.tops["riskTop"]
    assert all(set(row) == {"x", "people"} for row in near.rows["risk"])


def test_targets_are_lines_that_the_axis_reaches(explorer):
    data = counts_data(explorer.at(CountsSetting(), max_risk=0.5, max_loss=0.9))
    assert [(row["value"], row["name"]) for row in data.rows["riskTarget"]] == [(0.5, "target 50 %")]
    assert [(row["value"], row["name"]) for row in data.rows["lossTarget"]] == [(0.9, "target 90 %")]
    assert data.tops["lossTop"] >= 0.9
    assert data.rows["band"] == []  # the losses are not known yet


def test_the_name_of_a_target_begins_where_the_lines_are_away(explorer):
    data = counts_data(explorer.at(CountsSetting(), max_risk=0.3))
    begin = data.rows["riskTarget"][0]["x"]
    rows = data.rows["risk"]
    away = [min(abs(row[field] - 0.3) for field in set(row) - {"x"}) for row in rows]
    place = [row["x"] for row in rows].index(begin)
    room = int(NAME_ROOM * len(rows))
    assert min(away[place : place + room]) == max(min(away[i : i + room]) for i in range(len(rows) - room + 1))


@pytest.mark.parametrize("targets", [{"max_risk": 0.5}, {"max_loss": 0.5}, {"max_risk": 0.5, "max_loss": 0.5}])
def test_the_shade_covers_the_positions_that_meet_the_targets(explorer, targets):
    explorer.losses(CountsSetting())
    view = explorer.at(CountsSetting(), **targets)
    data = counts_data(view)
    risk, loss = view.curves.people, view.curves.loss.interval.high
    met = (risk <= targets.get("max_risk", 1.0)) & (loss <= targets.get("max_loss", np.inf))
    shaded = [any(row["x"] <= e <= row["until"] for row in data.rows["band"]) for e in view.curves.epsilons]
    assert shaded == met.tolist()
    assert len(data.rows["lossInterval"]) == len(view.curves.epsilons)


def test_a_position_beyond_the_axis_is_not_drawn(explorer):
    assert counts_data(explorer.at(CountsSetting(epsilon=50.0))).rows["here"] == []


def test_the_dot_stands_on_the_line_of_the_attacker_asked_about(sample):
    for adversary, field in (("unknown", "unknown"), ("in", "inside"), ("out", "outside")):
        view = sample.at(SampleSetting(sample=50), adversary=adversary)
        assert sample_data(view).rows["here"][0]["risk"] == float(np.asarray(getattr(view, field).value))


def test_nobody_is_outside_a_sample_of_everybody(sample):
    data = sample_data(sample.at(SampleSetting(sample=500), adversary="out"))
    assert "risk" not in data.rows["here"][0]
    assert "outside" not in data.rows["risk"][-1]
    assert "outside" in {row["name"] for row in data.rows["riskNames"]}


def test_a_filled_frame_is_a_picture_to_keep(explorer):
    view = explorer.at(CountsSetting(epsilon=0.5))
    frame = live_frame(COUNTS, 0.01, 10.0)
    chart = filled(frame, counts_data(view), title="The finding", subtitle="How to read it")
    assert chart.to_dict()["datasets"]["here"][0]["x"] == 0.5
    assert "The finding" in to_svg(chart)
    assert "title" not in frame.to_dict()
