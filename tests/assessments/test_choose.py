"""Choosing a threshold, what is recommended, and what an answer says of itself."""

import json
import math
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.assessments.choosing import search
from epsilometer.assessments.choosing.answer import shown_point
from epsilometer.assessments.choosing.axis import axis_named
from epsilometer.assessments.choosing.subject import CountedTable
from epsilometer.report.odds import said
from epsilometer.vocabulary.evidence import Estimate, Interval
from epsilometer.vocabulary.feasible import Feasible
from epsilometer.vocabulary.stretch import Stretch
from epsilometer.vocabulary.telling import heard_by

EXAMPLE = em.Plan(
    table=em.example_table(),
    quasi_identifiers=("age", "sex", "district"),
    sensitive=("reason",),
    bins={"age": 10},
    max_risk=0.02,
    max_loss=0.05,
)
FREQ = em.frequency_table(
    em.example_table(), quasi_identifiers=["age", "sex", "district"], sensitive="reason", bins={"age": 10}
)


def test_a_threshold_is_chosen_at_the_plans_epsilon():
    chosen = em.choose(EXAMPLE, parameter="threshold")
    assert chosen.parameter == "threshold"
    noise = em.Laplace(epsilon=1.0)
    for threshold in (chosen.recommended, chosen.stretches[0].high):
        at = replace(noise, threshold=threshold)
        assert em.homogeneity_risk(FREQ, at, average="records").value <= 0.02
        assert em.utility_loss(FREQ, at, seed=0).answer.interval.high <= 0.05
    beyond = replace(noise, threshold=chosen.stretches[0].high * 1.01)
    assert em.homogeneity_risk(FREQ, beyond, average="records").value > 0.02
    assert chosen.mechanism["threshold"] == chosen.recommended
    assert chosen.mechanism["epsilon"] == 1.0
    assert chosen.in_words.startswith(f"Publish with threshold = {chosen.recommended:g} at epsilon = 1. From 0.5 to ")


def test_the_threshold_of_least_risk_is_recommended():
    """In this table a larger threshold leaves more values alone in their cell, so the smallest is the safest."""
    chosen = em.choose(EXAMPLE, parameter="threshold")
    (curve,) = chosen.curves
    feasible = (curve.risk <= 0.02) & (curve.loss.interval.high <= 0.05)
    assert chosen.recommended == curve.points[feasible][np.argmin(curve.risk[feasible])]
    assert "is the one of least risk among those tried" in chosen.in_words


def test_the_threshold_of_the_plan_is_among_those_tried():
    plan = replace(EXAMPLE, release=em.Counts(mechanism=em.Laplace(epsilon=1.0, threshold=0.77)))
    assert 0.77 in em.choose(plan, parameter="threshold").curves[0].points


@given(st.floats(0.011, 9), st.floats(1e-6, 1))
def test_what_is_recommended_of_a_stretch_lies_in_what_is_shown_of_it(low, width):
    stretch = Stretch(low, low * (1 + width), bounded_below=True, bounded_above=True)
    first = axis_named("epsilon", em.Laplace(epsilon=1.0)).candidates(stretch)[0]
    begins, ends = stretch.shown()
    assert float(begins) <= float(shown_point(first)) <= float(ends)


@pytest.mark.parametrize(
    ("targets", "why"),
    [
        ((0.02, 0.05), "is the smallest, with the strongest guarantee. It was found"),
        ((0.02, 0.9), "is the smallest that was looked at, with the strongest guarantee of these. Nothing below"),
        ((0.9, 0.05), "is the smallest, with the strongest guarantee. Nothing above 10 was looked at. It was found"),
        ((0.9, 0.9), "with the strongest guarantee of these. Nothing below 0.01 or above 10 was looked at."),
    ],
    ids=str,
)
def test_where_the_search_ends_a_stretch_the_answer_says_so(targets, why):
    """An end of the search is no end of what meets the targets: a smaller epsilon may do as well."""
    max_risk, max_loss = targets
    chosen = em.choose(replace(EXAMPLE, max_risk=max_risk, max_loss=max_loss))
    assert why in chosen.in_words
    assert (chosen.recommended == 0.01) == ("below 0.01" in chosen.in_words)


def test_a_sample_has_no_size_beyond_those_looked_at():
    plan = replace(EXAMPLE, release=em.Sample(size=1), max_risk=1.0, max_loss=1.0)
    chosen = em.choose(plan)
    assert not chosen.stretches[0].bounded_below
    for answer in (chosen.in_words, said(chosen).paragraph):
        assert "looked at." not in answer


def test_what_the_recommended_point_means():
    chosen = em.choose(EXAMPLE)
    noise = em.Laplace(epsilon=chosen.recommended)
    people = em.homogeneity_risk(FREQ, noise, average="records")
    loss = em.utility_loss(FREQ, noise, seed=0)
    assert chosen.consequences.risk == pytest.approx(people.value, rel=1e-12)  # engines sum in any order
    assert chosen.consequences.any_table == pytest.approx(people.any_table, rel=1e-12)
    assert chosen.consequences.loss == pytest.approx(loss.answer.interval.high, rel=1e-9)
    assert chosen.consequences.own_record == pytest.approx(float(noise.value_advantage))
    assert chosen.consequences.count_error == pytest.approx(loss.table_l1.value / (FREQ.n_cells * FREQ.n_values))


def test_of_several_attributes_the_worst_counts():
    plan = replace(EXAMPLE, sensitive=("reason", "admission"), bins={}, quasi_identifiers=("sex", "district"))
    chosen = em.choose(replace(plan, max_risk=0.3, max_loss=0.2))
    assert [curve.about for curve in chosen.curves] == ["reason", "admission", "reason and admission"]
    noise = em.Laplace(epsilon=chosen.recommended)
    risks = [
        em.homogeneity_risk(
            em.frequency_table(plan.table, quasi_identifiers=plan.quasi_identifiers, sensitive=sensitive),
            noise,
            average="records",
        ).value
        for sensitive in ("reason", "admission", ("reason", "admission"))
    ]
    assert chosen.consequences.risk == pytest.approx(max(risks), rel=1e-12)  # engines sum in any order


@pytest.mark.parametrize("release", [em.Counts(), em.Sample(size=2)])
@pytest.mark.parametrize(("max_risk", "found"), [(1.0, True), (0.0, False)])
def test_each_attribute_is_held_against_its_most_common_value_whether_or_not_something_is_found(
    release, max_risk, found
):
    """Of eight people five are cooks, six live here, and four are cooks who live here."""
    towns = ["here"] * 4 + ["there"] * 2 + ["here"] * 2
    table = pa.table({"age": [1, 2] * 4, "job": ["cook"] * 5 + ["nurse"] * 3, "town": towns})
    plan = em.Plan(table=table, quasi_identifiers=("age",), sensitive=("job", "town"), release=release)
    chosen = em.choose(replace(plan, max_risk=max_risk, max_loss=1.0))
    assert (chosen.consequences is not None) is found
    assert [curve.no_release for curve in chosen.curves] == [0.625, 0.75, 0.5]


def test_a_certified_stretch_is_held_against_the_most_common_value():
    freq = em.FrequencyTable.from_counts([[3, 0], [1, 4]])
    assert em.epsilon_for_risk(freq, em.Laplace(epsilon=1.0), 0.4).no_release == 0.5
    assert em.threshold_for_risk(freq, em.Laplace(epsilon=1.0), 0.4).no_release == 0.5


def test_the_answer_says_that_the_table_was_looked_at():
    chosen = em.choose(EXAMPLE)
    assert chosen.looked_at_the_data
    assert chosen.in_words.endswith("It was found by looking at the table: the choice itself tells a little about it.")
    document = json.loads(json.dumps(chosen.to_dict()))
    assert document["looked_at_the_data"] is True
    assert document["confidential"] is True
    assert document["based_on"]["quasi-identifiers"] == "age, sex, district"


def test_delta_is_said_where_there_is_one():
    plan = replace(EXAMPLE, release=em.Counts(mechanism=em.Gaussian(epsilon=1.0, delta=1e-6)), max_loss=0.2)
    assert " and delta = 1e-06. From " in em.choose(plan).in_words


CERTIFIED = {
    "risk": (0.001, 0.5, "No epsilon from 0.01 to 10 brings the risk down to 0.001: the smallest is "),
    "loss": (1.0, 0.0001, ", at epsilon = 10: simulated, at the worse end of its interval."),
    "risk and loss together": (0.009, 0.02, " only, certified; the smallest loss seen there is "),
}


@pytest.mark.parametrize(("binding", "case"), CERTIFIED.items(), ids=CERTIFIED.keys())
def test_a_certificate_says_what_rules_out_what(binding, case):
    max_risk, max_loss, words = case
    chosen = em.choose(replace(EXAMPLE, max_risk=max_risk, max_loss=max_loss))
    assert chosen.recommended is None
    assert chosen.consequences is None
    assert chosen.binding == binding
    assert words in chosen.certificate
    assert chosen.certificate in chosen.in_words


def test_numbers_of_the_certificate_of_targets_that_pull_apart():
    chosen = em.choose(replace(EXAMPLE, max_risk=0.009, max_loss=0.02))
    where_private, where_accurate = chosen.certificate.split(". The loss")
    loss = em.utility_loss(FREQ, em.Laplace(epsilon=chosen.risk_stretches[-1].high), seed=0).answer.interval.high
    assert f"the smallest loss seen there is {loss:.3g}" in where_private
    risk = em.homogeneity_risk(FREQ, em.Laplace(epsilon=chosen.loss_stretches[0].low), average="records").value
    assert f"the smallest risk seen there is {risk:.3g}" in where_accurate


def test_attributes_that_allow_nothing_in_common_are_said_to():
    """Cells of two and two need much epsilon to be safe, cells with one of six values little."""
    rows = [(f"{cell}", "xy"[i % 2], f"{cell}") for cell in range(6) for i in range(4)]
    table = pa.table({name: [row[i] for row in rows] for i, name in enumerate(("cell", "mixed", "single"))})
    settings = {"table": table, "quasi_identifiers": ("cell",), "sensitive": ("mixed", "single")}
    chosen = em.choose(em.Plan(**settings, max_risk=0.1, max_loss=0.9))
    assert chosen.recommended is None
    assert chosen.binding == "risk"
    assert chosen.certificate.startswith("No epsilon suits all attributes: The risk is at most 0.1 for epsilon from ")


def test_bad_questions_are_refused():
    with pytest.raises(ValueError, match=r"^parameter must be one of epsilon, threshold; got 'delta'\.$"):
        em.choose(EXAMPLE, parameter="delta")
    several = replace(EXAMPLE, release=em.Counts(mechanism=em.Laplace(epsilon=(1.0, 2.0))))
    with pytest.raises(ValueError, match=r"^epsilon must be in the single numbers, got .* chosen at one epsilon\.$"):
        em.choose(several, parameter="threshold")
    with pytest.raises(ValueError, match=r"^This needs a plan for a release of counts; this one is for local\.$"):
        em.choose(replace(EXAMPLE, release=em.Local()))


class Wavy:
    """A subject whose loss meets its target at the points of the grid and misses it at the ends that were found."""

    about, n_values = "waves", 2

    def __init__(self, misses):
        self.misses = misses

    def feasible(self, max_risk):
        return Feasible(
            parameter="epsilon",
            max_risk=max_risk,
            stretches=(Stretch(0.3333, 3.0, True, True),),
            searched=(0.01, 10.0),
            smallest_risk=0.0,
            smallest_at=1.0,
            no_release=0.5,
            noise_limit=0.0,
            in_words="",
        )

    def risk(self, point):
        return 0.1 if 0.3333 <= point <= 3.0 else 0.5

    def loss(self, point):
        lost = 0.9 if self.misses(point) else 0.1
        return Estimate(lost, Interval(lost, lost, 0.95))


AXIS = axis_named("epsilon", em.Laplace(epsilon=1.0))


def recommended_despite(*misses):
    subjects = tuple(map(Wavy, misses))
    return search.Problem(AXIS, subjects).search(search.Targets(0.2, 0.2)).recommended


def test_a_recommended_point_that_misses_a_target_gives_way_to_the_next_safe_one():
    points = [point for point in AXIS.points if 0.3333 <= point <= 3.0]
    assert recommended_despite(lambda _: False) == 0.334
    assert recommended_despite(lambda point: point == 0.334) == 0.3333
    assert recommended_despite(lambda point: 0.3333 < point < points[0]) == 0.3333
    assert recommended_despite(lambda point: point not in points) == points[0]
    assert recommended_despite(lambda _: True) is None


def halved(met, missed):
    """The points that are looked at on the way from one that meets the target to one that misses it, if all meet."""
    found = [met]
    for _ in range(search.HALVINGS):
        found.append(math.sqrt(found[-1] * missed))
    return found


def test_a_stretch_without_a_point_that_meets_the_targets_of_all_is_not_offered():
    one, next_one = [point for point in AXIS.points if 0.3333 <= point <= 3.0][1:3]
    up, down = halved(one, next_one), halved(next_one, one)
    assert recommended_despite(lambda point: point not in up, lambda point: point not in down) is None
    assert recommended_despite(lambda point: point not in up, lambda point: point not in (*up, *down)) is not None


def test_a_long_search_says_how_far_it_is():
    told = []
    with heard_by(lambda what, done: told.append((what, done))):
        em.choose(EXAMPLE)
    simulated = [done for what, done in told if what == "simulating releases"]
    assert simulated[0] == 0
    assert sorted(simulated) == simulated
    assert len(simulated) >= 25
    assert max(simulated) < 1


@pytest.mark.parametrize(("max_risk", "max_loss"), [(0.02, 0.05), (0.02, 0.01), (0.1, 0.02), (0.3, 0.9)])
def test_what_the_risk_rules_out_is_not_simulated_and_changes_nothing(max_risk, max_loss):
    targets = search.Targets(max_risk, max_loss)
    everywhere, narrow = (search.Problem(AXIS, (CountedTable(FREQ, AXIS),)) for _ in range(2))
    found, alike = everywhere.search(targets), narrow.search_if_risk_allows(targets)
    assert (alike.stretches, alike.recommended, alike.within) == (found.stretches, found.recommended, found.within)
    low, high = min(s.low for s in found.risk_stretches), max(s.high for s in found.risk_stretches)
    simulated = narrow.subjects[0]._losses
    assert all(low <= point <= high for point in simulated)
    assert len(simulated) <= len(everywhere.subjects[0]._losses)


def test_nothing_is_simulated_where_the_risk_rules_everything_out():
    problem = search.Problem(AXIS, (CountedTable(FREQ, AXIS),))
    assert problem.search_if_risk_allows(search.Targets(1e-9, 1.0)) is None
    assert problem.subjects[0]._losses == {}
