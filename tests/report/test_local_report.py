"""The reports of local releases, planned and made."""

import math
from functools import partial

import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.randomizers import LocalLaplace, RandomizedResponse
from epsilometer.report.building.local import local_release_report, local_risk_report
from epsilometer.vocabulary.language import language


def response(n_values=2, epsilon=1.0):
    return RandomizedResponse(epsilon=epsilon, n_values=n_values)


def collected(*, values=("yes", "no"), shuffled=True):
    table = pa.table({"x": [values[i % 3 % 2] for i in range(300)]})
    return em.local_release(table, "x", response(), domain=values, shuffled=shuffled)


def test_one_person_who_reports_is_told_by_their_own_report(numbers, up, down):
    """With one report there is nothing to shuffle it with: the chance is that of naming what was reported."""
    risk = em.local_risk(response(), [0.5, 0.5], n_people=1)
    kept = math.e / (1 + math.e)
    report = local_risk_report(risk)
    assert numbers(report) == [("before", down(0.5)), ("this", up(kept)), ("worst", up(1.0))]
    assert report.scope == "One person reports through randomized response at ε = 1."
    assert report.audience == "Computed from the numbers given, not from a table."


def test_it_says_all_that_the_result_says(complete):
    risk = em.local_risk(response(3), [0.5, 0.3, 0.2], n_people=1_000)
    complete(local_risk_report(risk), assumptions=risk.assumptions, caveats=risk.caveats, source=risk.source)
    made = collected()
    complete(
        local_release_report(made),
        assumptions=made.risk.assumptions,
        caveats=made.risk.caveats,
        source=made.risk.source,
    )


def test_what_went_through_the_randomness_is_public():
    report = local_release_report(collected())
    assert report.audience == language().text("report.public_protected")
    assert not report.confidential
    assert report.recommendation is None


def test_reports_in_the_order_of_the_table_should_be_shuffled(numbers, up):
    made = collected(shuffled=False)
    report = local_release_report(made)
    assert report.recommendation.startswith("Put the reports into a random order before anybody sees them")
    assert numbers(report)[1] == ("this", up(made.risk.value))


@pytest.mark.parametrize("shuffled", [True, False])
def test_every_form_and_language(in_every_form, shuffled):
    name = "<script>alert(1)</script>"
    in_every_form(partial(local_release_report, collected(values=(name, "no"), shuffled=shuffled)), name)


def test_numbers_have_estimates_and_no_chance(in_every_form, numbers):
    table = pa.table({"age": [20.0, 30.0, 40.0] * 50})
    made = em.local_release(table, "age", LocalLaplace(epsilon=1.0, low=0, high=100))
    assert numbers(local_release_report(made)) == []
    in_every_form(partial(local_release_report, made))


def test_a_risk_in_every_form_and_language(in_every_form):
    in_every_form(partial(local_risk_report, em.local_risk(response(3), [0.5, 0.3, 0.2], n_people=1_000)))
