"""The report of a search for the attacker who needs to know least."""

from functools import cache, partial

import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.report.building.attackers import attackers_report
from epsilometer.vocabulary.wording import CONFIDENTIAL

NAME = "<script>alert(1)</script>"


@cache
def found(max_risk, max_known=2, epsilon=None, costs=()):
    """Eight people: the first column tells the secret of six, both together that of all, nothing that of five."""
    rows = [*["a0x"] * 3, "a1y", *["b0x"] * 2, "b1y", "b1y"]
    table = pa.table([pa.array([row[i] for row in rows]) for i in range(3)], names=["area", NAME, "job"])
    release = em.Raw() if epsilon is None else em.Counts(mechanism=em.Laplace(epsilon=epsilon))
    plan = em.Plan(
        table=table, quasi_identifiers=("area", NAME), sensitive=("job",), release=release, max_risk=max_risk
    )
    return em.find_attackers(plan, max_known=max_known, costs=dict(costs))


def test_the_first_numbers_are_the_guess_the_attacker_and_all_columns(numbers):
    report = attackers_report(found(0.9))
    assert numbers(report) == [("before", "62.5 %"), ("this", "100.0 %"), ("worst", "100.0 %")]
    assert report.audience == CONFIDENTIAL
    assert report.recommendation == (
        f"Do not publish the table as it is: knowing {NAME} suffices to name job right for 100.0 % of the people, "
        "above the limit of 90 %."
    )


def test_it_says_all_that_the_result_says(complete):
    for attackers in (found(0.9), found(0.7, epsilon=1.0)):
        complete(attackers_report(attackers), assumptions=attackers.assumptions, caveats=attackers.caveats)
        assert any(section.name == "method" for section in attackers_report(attackers).sections)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"max_risk": 0.5}, "Set another limit: without any release, naming the most common value is right for 62.5 %"),
        ({"max_risk": 1.0}, "Nobody breaks the limit of 100 %: even whoever knows all of the columns and has the"),
        ({"max_risk": 0.64, "epsilon": 10.0}, "Do not publish these counts at ε = 10: knowing"),
        (
            {"max_risk": 0.9, "costs": ((NAME, 5.0),), "max_known": 1.5},
            "Within what was looked at nobody breaks the limit of 90 %: knowing columns of a total cost of at most 1.5",
        ),
    ],
)
def test_what_is_recommended_follows_from_what_was_found(asked, words, in_every_form):
    build = partial(attackers_report, found(**asked))
    assert build().recommendation.startswith(words)
    in_every_form(build, NAME)


def test_one_column_is_called_one(texts):
    assert "at most one column" in texts(attackers_report(found(0.9, max_known=1)))


@pytest.mark.parametrize(("max_risk", "although"), [(0.5, True), (0.9, True), (1.0, False)])
def test_whoever_publishes_beyond_the_limit_signs_that(max_risk, although):
    assert attackers_report(found(max_risk)).decision[0].endswith("although the limit is broken.") == although
