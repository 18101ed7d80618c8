"""Charts of what an analyst loses, of several attributes, of distances and of checks."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

import epsilometer as em
from epsilometer.charts.assessment import draw_assessment
from epsilometer.charts.checklist import draw_checklist
from epsilometer.charts.distances import draw_audit, draw_proximity
from epsilometer.charts.loss_curve import draw_loss, draw_sample_loss
from epsilometer.charts.risk_curve import draw_risk
from epsilometer.charts.strangers import draw_strangers
from epsilometer.vocabulary.evidence import Estimate, Exact, Interval, UpperBound
from epsilometer.vocabulary.loss import Loss
from epsilometer.vocabulary.passport_check import Finding, PassportCheck
from epsilometer.vocabulary.sample_loss import SampleLoss
from epsilometer.vocabulary.sample_release import SampleRelease


def estimate(values):
    array = np.asarray(values)
    return Estimate(array, Interval(array - 0.01, array + 0.01, 0.95))


def loss(epsilon, *values):
    return Loss(
        question="?",
        answer=estimate(np.mean(values, axis=0)),
        by_way={way: estimate(value) for way, value in enumerate(values, start=1)},
        table_l1=Exact(1.0),
        table_largest=UpperBound(1.0),
        mechanism={"name": "laplace", "epsilon": epsilon},
        repeats=10,
        seed=0,
        assumptions=(),
        caveats=(),
        source=(),
    )


def sample_loss(sample, values):
    release = SampleRelease(population=9_000, sample=sample, n_values=2, prior="frequencies", alpha=1.0)
    return SampleLoss(
        question="How far off?",
        release=release,
        answer=Exact(values),
        fraction=None,
        no_release=0.25,
        assumptions=(),
        source=(),
    )


def assessment(epsilon, sensitive=("reason", "district")):
    return em.assess(
        em.Plan(
            table=em.example_table(),
            quasi_identifiers=("sex",),
            sensitive=sensitive,
            release=em.Counts(mechanism=em.Laplace(epsilon=epsilon)),
        )
    )


def people(seed):
    rng = np.random.default_rng(seed)
    return pd.DataFrame({"height": rng.normal(170, 9, 120), "weight": rng.normal(70, 9, 120)})


CHECK = PassportCheck(
    passport="p.json",
    dataset="stays",
    released_at="2026-01-31T12:00:00Z",
    findings=(
        Finding(what="form", outcome="passed"),
        Finding(what="risk of the table", outcome="not possible", missing="--table"),
        Finding(what="rows", outcome="failed", expected="18", found="19"),
    ),
)
NEAR = em.proximity(people(1), people(2))
CHARTS = {
    "loss": lambda width: draw_loss(loss(1.0, 0.1, 0.2), width=width),
    "loss curve": lambda width: draw_loss(loss((0.1, 1.0), [0.1, 0.05], [0.2, 0.1]), width=width),
    "sample loss": lambda width: draw_sample_loss(sample_loss(400, 0.016), width=width),
    "sample loss curve": lambda width: draw_sample_loss(sample_loss((40, 400), np.array([0.05, 0.016])), width=width),
    "several": lambda width: draw_assessment(assessment(1.0), width=width),
    "several curves": lambda width: draw_assessment(assessment((0.1, 1.0)), width=width),
    "proximity": lambda width: draw_proximity(NEAR, width=width),
    "strangers": lambda width: draw_audit(em.audit(people(1), people(2), holdout=people(3)), width=width),
    "checks": lambda width: draw_checklist(CHECK, width=width),
}


@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS.keys())
def test_charts_fit_their_pages(draw, fits_its_page):
    fits_its_page(draw)


def test_a_loss_at_one_epsilon_is_drawn_by_number_of_columns(title, rows):
    chart = draw_loss(loss(1.0, 0.1, 0.2))
    assert [row["value"] for row in rows(chart) if "value" in row] == pytest.approx([0.1, 0.2, 0.15])
    assert [(row["x"], row["high"]) for row in rows(chart) if "high" in row] == [
        (pytest.approx(0.09), pytest.approx(0.11)),
        (pytest.approx(0.19), pytest.approx(0.21)),
        (pytest.approx(0.14), pytest.approx(0.16)),
    ]
    assert title(chart)[0] == "At ε = 1, shares are off by 15.0 percentage points on average"
    assert len([row for row in rows(draw_loss(loss(1.0, 0.1))) if "value" in row]) == 1


def test_a_loss_over_epsilon(title, rows):
    chart = draw_loss(loss((0.1, 1.0), [0.1, 0.05], [0.2, 0.1]))
    drawn = {(row["x"], round(row["value"], 9)) for row in rows(chart) if {"x", "value"} == row.keys()}
    assert drawn == {(0.1, 0.1), (1.0, 0.05), (0.1, 0.2), (1.0, 0.1), (0.1, 0.15), (1.0, 0.075)}
    assert {row["name"] for row in rows(chart) if "name" in row} == {"1 column", "2 columns", "average"}
    assert title(chart)[0] == "Between ε = 0.1 and ε = 1, shares are off by 7.5 to 15.0 percentage points on average"
    alone = draw_loss(loss((0.1, 1.0), [0.1, 0.05]))
    assert {row["name"] for row in rows(alone) if "name" in row} == {"1 column"}


def test_the_loss_of_a_sample_next_to_none(title, rows):
    one = draw_sample_loss(sample_loss(400, 0.0161))
    assert [row["value"] for row in rows(one) if "value" in row] == [0.25, 0.0161]
    assert title(one) == (
        "Shares read off the sample are off by 1.7 percentage points, against 25.0 percentage points without a release",
        "How far off?",
    )
    curve = draw_sample_loss(sample_loss((40, 400), np.array([0.05, 0.016])))
    drawn = {(row["x"], row["value"]) for row in rows(curve) if {"x", "value"} == row.keys()}
    assert drawn == {(40.0, 0.05), (400.0, 0.016), (40.0, 0.25), (400.0, 0.25)}


def test_several_attributes_have_three_numbers_each(title, rows):
    found = assessment(1.0)
    chart = draw_assessment(found)
    numbers = [
        number
        for each in found.attributes
        for number in (each.people.no_release, each.people.value, each.people.any_table)
    ]
    assert [row["value"] for row in rows(chart) if "value" in row] == pytest.approx(numbers)
    names = [" ".join(row["name"]) for row in rows(chart) if "name" in row]
    assert names[:3] == ["reason: no release", "reason: this table", "reason: any table"]
    assert title(chart)[0].startswith("At ε = 1, ")


def test_several_attributes_over_epsilon_have_a_line_each(title, rows):
    found = assessment((0.1, 1.0))
    chart = draw_assessment(found)
    assert [row["name"] for row in rows(chart) if "name" in row] == ["reason", "district", "reason an…"]
    assert title(chart)[0].startswith("Up to ε = 1, ")


def test_one_attribute_is_drawn_as_its_risk():
    found = assessment(1.0, ("reason",))
    assert (
        found.plot().to_dict()
        == found.attributes[0].plot().to_dict()
        == draw_risk(found.attributes[0].people).to_dict()
    )


def test_distances_to_the_nearest_original(title, rows):
    nearest = NEAR.nearest
    found = [row["value"] for row in rows(draw_proximity(NEAR)) if "value" in row]
    assert found == [nearest.minimum, *nearest.quantiles.values(), nearest.median, nearest.mean]
    assert title(draw_proximity(NEAR))[0].startswith(
        "0.0 % of the synthetic records are equal to an original one; half"
    )


def test_an_audit_shows_strangers_where_there_are_some():
    alone = em.audit(people(1), people(2))
    assert alone.plot().to_dict() == draw_proximity(alone.proximity).to_dict()
    framed = em.audit(people(1), people(2), holdout=people(3))
    assert framed.plot().to_dict() == draw_strangers(framed.frame).to_dict()


def test_strangers_are_drawn_on_a_scale_for_each_measure(title, rows):
    frame = em.audit(people(1), people(1), holdout=people(3)).frame  # the table itself: all at distance zero
    chart = draw_strangers(frame)
    dots = [row for row in rows(chart) if "what" in row]
    assert len(dots) == 2 * len(frame.bands)
    assert {dot["at"] for dot in dots} <= {0.0, 1.0}
    strips = [(row["at"], row["to"]) for row in rows(chart) if "to" in row]
    assert all(0 <= low <= high <= 1 for low, high in strips)
    names = [" ".join(row["name"]) for row in rows(chart) if "name" in row]
    assert names[0].startswith("Minimum: 0, ")
    assert title(chart)[0].startswith("The leak test found a leak; by ")


def test_checks_that_failed_come_first_and_say_why(title, rows):
    chart = draw_checklist(CHECK)
    texts = [" ".join(row["text"]) for row in rows(chart)]
    assert texts == [
        "Failed: rows; should be 18, is 19",
        "Not possible: risk of the table; needs --table",
        "Passed: form",
    ]
    assert title(chart)[0] == "The passport does NOT hold: 1 of 2 checks failed. 1 was not possible."


def test_a_check_of_nothing(title):
    assert (
        title(draw_checklist(dataclasses.replace(CHECK, findings=())))[0] == "The passport holds: all 0 checks passed."
    )
