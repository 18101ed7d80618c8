"""The report of kinds of release side by side."""

from dataclasses import replace
from functools import partial

import pytest

from epsilometer.report.building.frontier import frontier_report
from epsilometer.vocabulary.evidence import Estimate, Exact, Interval
from epsilometer.vocabulary.frontier import Frontier, FrontierCurve, FrontierPoint, Place
from epsilometer.vocabulary.source import Source
from epsilometer.vocabulary.wording import CONFIDENTIAL

NAME = "<script>alert(1)</script>"


def point(parameter, risk, loss, **more):
    return FrontierPoint(parameter=parameter, risk=risk, attacker="look-up", loss=Exact(loss), **more)


RECOMMENDED = Place(0, 1)


def compared(recommended=RECOMMENDED, **more):
    estimate = Estimate(0.4, Interval(0.38, 0.4203, 0.95))
    counts = FrontierCurve(
        kind="counts", name="counts, laplace noise", parameter="epsilon", assumptions=("Counts: noise.",),
        points=(point(0.1, Exact(0.25), 0.3, stronger=Exact(0.26)), point(1.5, estimate, 0.1001, planned=True)),
    )  # fmt: skip
    sample = FrontierCurve(
        kind="sample", name="sample of rows", parameter="rows", points=(point(1_000.0, Exact(0.5), 0.05),),
        assumptions=("Sample: rows.",),
    )  # fmt: skip
    raw = FrontierCurve(kind="raw", name="raw table", parameter="", points=(point(None, Exact(0.55), 0.0),),
                        assumptions=())  # fmt: skip
    asked = {
        "sensitive": NAME, "quasi_identifiers": ("age",), "n_people": 2_400, "no_release": 0.25, "raw": 0.55,
        "max_risk": 0.45, "max_loss": 0.2, "curves": (counts, sample, raw),
        "pareto": (Place(0, 1), Place(1, 0)), "meeting": (Place(0, 1),), "recommended": recommended, "in_words": "",
        "repeats": 30, "runs": 5, "seed": 424242, "assumptions": ("Risk: a person is drawn.",),
        "caveats": ("The risk is a mean over people.",), "source": (Source("homogeneity-v2", "Section 5"),),
    }  # fmt: skip
    return Frontier(**asked | more)


def test_the_recommended_release_counts_with_the_upper_ends_of_its_intervals(numbers):
    report = frontier_report(compared())
    assert numbers(report) == [("before", "25.0 %"), ("this", "42.1 %"), ("worst", "55.0 %")]
    assert report.audience == CONFIDENTIAL
    assert report.recommendation == (
        "Choose publishing counts with Laplace noise at ε = 1.5: an attacker is right about at most 42.1 % of the "
        "people, and shares are wrong by at most 10.1 percentage points."
    )


def test_a_risk_is_rounded_up_where_it_equals_the_guess_which_is_rounded_down(numbers):
    report = frontier_report(compared(recommended=Place(0, 0), no_release=0.2509, curves=same_risk(0.2509)))
    assert numbers(report)[:2] == [("before", "25.0 %"), ("this", "25.1 %")]
    assert report.sections[0].blocks[0].rows[0][2] == "25.1 %"
    assert report.answers[0].numbers[1].meaning.endswith("No more than without a release, apart from rounding.")


@pytest.mark.parametrize(
    ("language", "explained"), [("en", "Stronger: an attacker who"), ("de", "Stärker: ein Angreifer, der")]
)
def test_a_column_is_explained_only_if_it_is_there(language, explained):
    with_it, without = (
        frontier_report(compared(recommended=None, **curves), language=language).sections[0].blocks[0]
        for curves in ({}, {"curves": same_risk(0.25)})
    )
    assert len(with_it.columns) == len(without.columns) + 1
    assert explained in with_it.caption
    assert explained not in without.caption


def test_the_recommended_line_stands_out():
    table = frontier_report(compared()).sections[0].blocks[0]
    assert table.rows[table.asked][1] == "ε = 1.5"
    assert table.rows[table.asked][-1] == "recommended, planned, unbeaten"


def test_it_says_all_that_the_result_says(complete, texts):
    found = compared()
    own = [line for curve in found.curves for line in curve.assumptions]
    report = frontier_report(found)
    complete(report, assumptions=(*found.assumptions, *own), caveats=found.caveats, source=found.source)
    assert "424242" in texts(report)


def test_limits_that_nothing_keeps(numbers):
    report = frontier_report(compared(recommended=None, max_loss=None))
    assert report.recommendation == (
        "Publish none of these releases with these limits: no point on the curves keeps a risk of at most 45 %."
    )
    assert report.decision == ()
    assert [place for place, _ in numbers(report)] == ["before", "worst"]


@pytest.mark.parametrize(("pareto", "warned"), [((Place(0, 0), Place(1, 0)), False), ((Place(2, 0),), True)])
def test_without_limits_nothing_is_recommended_and_the_raw_table_is_warned_of(pareto, warned):
    found = replace(compared(recommended=None), max_risk=None, max_loss=None, pareto=pareto)
    said = frontier_report(found).recommendation
    assert said.startswith("No limits for the risk and the loss were set, so nothing is recommended here")
    assert ("it still shows every person's row." in said) == warned


def test_a_release_that_tells_nothing_is_not_said_to_stay_below_what_it_exceeds():
    report = frontier_report(compared(recommended=Place(0, 0), no_release=0.2509, curves=same_risk(0.2509)))
    assert "right no more often than without a release" in report.recommendation
    assert "25.0 %" not in report.recommendation


def same_risk(risk):
    curve = compared().curves[0]
    return (replace(curve, points=(point(0.1, Exact(risk), 0.3),)), *compared().curves[1:])


def test_every_form_and_language(in_every_form):
    in_every_form(partial(frontier_report, compared()), NAME)
