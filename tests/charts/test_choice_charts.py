"""Charts of what to choose: every point that was tried, the targets, where they are met, and what is recommended."""

import dataclasses

import numpy as np
import pytest

import epsilometer as em
from epsilometer.charts.choice import draw_choice
from epsilometer.charts.export import to_svg
from epsilometer.charts.stretches import draw_feasible, draw_sample_choice
from epsilometer.report.odds import said
from epsilometer.vocabulary.choice import Choice, TradeOff
from epsilometer.vocabulary.evidence import Estimate, Interval
from epsilometer.vocabulary.feasible import Feasible
from epsilometer.vocabulary.stretch import Stretch

POINTS = np.array([0.1, 1.0, 10.0])
RISK = np.array([0.02, 0.05, 0.3])
LOSS = np.array([0.6, 0.2, 0.01])


def curve(about="reason", **changes):
    loss = Estimate(LOSS, Interval(LOSS - 0.01, LOSS + 0.01, 0.95))
    return TradeOff(**{"about": about, "points": POINTS, "risk": RISK, "loss": loss, "no_release": 0.3, **changes})


CHOICE = Choice(
    parameter="epsilon",
    looked_at_the_data=True,
    based_on={},
    max_risk=0.1,
    max_loss=0.25,
    stretches=(Stretch(0.8, 2.0, bounded_below=True, bounded_above=True),),
    risk_stretches=(),
    loss_stretches=(),
    recommended=0.8,
    consequences=None,
    binding="loss below, risk above",
    certificate="",
    relaxations=(),
    in_words="",
    mechanism={},
    curves=(curve(),),
    caveats=(),
)
NOTHING = dataclasses.replace(CHOICE, stretches=(), recommended=None, binding="risk and loss rule each other out")
FEASIBLE = Feasible(
    parameter="epsilon",
    max_risk=0.05,
    stretches=(Stretch(0.123456, 0.5, False, True), Stretch(2.0, 9.87654, True, False)),
    searched=(0.001, 100.0),
    smallest_risk=0.011,
    smallest_at=0.2,
    no_release=0.3,
    noise_limit=0.083,
    in_words="",
)
CHARTS = {
    "choice": lambda width: draw_choice(CHOICE, width=width),
    "nothing": lambda width: draw_choice(NOTHING, width=width),
    "several": lambda width: draw_choice(
        dataclasses.replace(CHOICE, curves=(curve(), curve("a very long name indeed"))), width=width
    ),
    "feasible": lambda width: draw_feasible(FEASIBLE, width=width),
    "sample": lambda width: draw_sample_choice(em.choose_sample(population=9_000, max_loss=0.05), width=width),
}


@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS.keys())
def test_charts_fit_their_pages(draw, fits_its_page):
    fits_its_page(draw)


def test_a_choice_holds_every_point_the_targets_and_what_is_recommended(title, rows):
    found = rows(draw_choice(CHOICE))
    drawn = {(row["x"], row["value"]) for row in found if {"x", "value"} == row.keys()}
    assert drawn == set(zip(POINTS, RISK, strict=True)) | set(zip(POINTS, LOSS, strict=True))
    assert {0.1, 0.25} == {row["value"] for row in found if str(row.get("name")).startswith("target")}
    assert {(row["x"], row["until"]) for row in found if "until" in row} == {(0.8, 2.0)}
    assert {"x": 0.8} in found
    assert [row["value"] for row in found if "high" in row] == pytest.approx(LOSS - 0.01)
    assert [row["high"] for row in found if "high" in row] == pytest.approx(LOSS + 0.01)
    assert title(draw_choice(CHOICE))[0] == "ε = 0.8 has a risk of at most 10 % and a loss of at most 25 %"


def test_a_risk_that_is_simulated_has_a_band(rows):
    simulated = curve(risk_interval=Interval(RISK - 0.01, RISK + 0.01, 0.95))
    found = rows(draw_choice(dataclasses.replace(CHOICE, curves=(simulated,))))
    assert (pytest.approx(0.29), pytest.approx(0.31)) in [(row["value"], row["high"]) for row in found if "high" in row]


def test_where_nothing_meets_the_targets_nothing_is_shaded(title, rows):
    chart = draw_choice(NOTHING)
    assert not [row for row in rows(chart) if "until" in row]
    assert {"x": 0.8} not in rows(chart)
    assert title(chart) == (
        "Nothing that was tried has a risk of at most 10 % and a loss of at most 25 %",
        "Risk and loss rule each other out.",
    )


def test_attributes_are_named_at_their_lines(rows):
    chart = draw_choice(dataclasses.replace(CHOICE, curves=(curve(), curve("a very long name indeed"))))
    names = {row["name"] for row in rows(chart) if "name" in row and not row["name"].startswith("target")}
    assert names == {"reason", "a very lo…"}


@pytest.mark.parametrize(
    ("changes", "finding", "axis", "risk"),
    [
        ({"parameter": "threshold"}, "A threshold of 0.8 has", "threshold τ", "Risk: people disclosed (%)"),
        (
            {"parameter": "size", "recommended": 1_234},
            "A sample of 1,234 rows has",
            "people in the sample",
            "named right",
        ),
        ({"looked_at_the_data": False}, "ε = 0.8 has", "privacy parameter", "Risk: such cells disclosed (%)"),
    ],
)
def test_each_parameter_has_its_axis(changes, finding, axis, risk, title):
    chart = draw_choice(dataclasses.replace(CHOICE, **changes))
    assert title(chart)[0].startswith(finding)
    svg = to_svg(chart)
    assert axis in svg
    assert risk in svg


def test_stretches_are_drawn_and_said_rounded_inwards(title, rows):
    chart = draw_feasible(FEASIBLE)
    assert [(row["x"], row["to"]) for row in rows(chart) if "to" in row] == [
        (0.001, 100.0),
        (0.123456, 0.5),
        (2.0, 9.87654),
    ]
    assert {"x": 0.2, "y": 42.0, "text": "smallest risk seen: 1.1 %"} in rows(chart)
    assert title(chart) == (
        "The risk is at most 5 % for ε from 0.124 to 0.5 or 2 to 9.87",
        "Green: the risk meets the target there, for certain. As noise grows without bound, it tends to 8.3 %.",
    )


def test_card_and_chart_write_the_ends_of_a_stretch_alike(title):
    found = dataclasses.replace(FEASIBLE, stretches=(Stretch(0.001, 6.71849, False, True),))
    assert "0.001 to 6.71" in said(found).finding
    assert "0.001 to 6.71" in title(draw_feasible(found))[0]
    assert "6.718" not in title(draw_feasible(found))[0]


@pytest.mark.parametrize(("parameter", "sign"), [("epsilon", "ε"), ("delta", "δ"), ("threshold", "threshold τ")])
def test_no_stretch_at_all(parameter, sign, title, rows):
    nowhere = dataclasses.replace(FEASIBLE, stretches=(), parameter=parameter)
    assert title(draw_feasible(nowhere))[0] == f"No {sign} that was looked at has a risk of at most 5 %"
    assert [row for row in rows(draw_feasible(nowhere)) if "to" in row] == [{"x": 0.001, "to": 100.0, "y": 42.0}]


def test_sizes_that_meet_the_targets(title, rows):
    choice = em.choose_sample(population=9_000, max_risk=0.752, max_loss=0.05, max_gap=0.01)
    chart = draw_sample_choice(choice)
    assert [(row["x"], row["to"]) for row in rows(chart) if "to" in row] == [(1.0, 9_000.0), (50, 9_000)]
    assert title(chart) == (
        "A sample of 50 of 9,000 people meets the targets",
        "Targets: risk at most 75.2 %, loss at most 5 % and gap between inside and outside at most 1 %. "
        "Green: the sizes that meet them.",
    )
    names = [" ".join(row["name"]) for row in rows(chart) if "name" in row]
    assert len(names) == 7  # nobody is outside a sample of everybody
    assert names[0] == "50 people drawn: right about somebody known to be in the sample"


def test_a_single_person(rows):
    names = [
        " ".join(row["name"])
        for row in rows(draw_sample_choice(em.choose_sample(population=1, max_loss=0.9)))
        if "name" in row
    ]
    assert names[0].startswith("1 person drawn")


def test_no_size_meets_the_target(title, rows):
    chart = draw_sample_choice(em.choose_sample(population=9, max_risk=0.1))
    assert title(chart)[0] == "No sample of these 9 people meets the targets"
    assert not [row for row in rows(chart) if "text" in row]
