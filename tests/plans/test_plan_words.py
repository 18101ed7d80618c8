"""What a plan asks for, in sentences."""

import pytest

from epsilometer.mechanisms import Gaussian, Laplace
from epsilometer.plans.in_words import plan_in_words
from epsilometer.plans.plan import Plan
from epsilometer.plans.release_kinds import Counts, CountsOf, Local, Raw, Sample, Synthetic


def plan(**settings):
    return Plan(table="people.csv", quasi_identifiers=("age", "sex", "town"), sensitive=("job",), **settings)


RELEASES = {
    "counts": (
        Counts(mechanism=Laplace(epsilon=(0.5, 1.0, 2.0))),
        "Publish counts with Laplace noise, drawn in whole numbers as two-sided geometric noise, at ε = 0.5, 1 and 2, "
        "one person added or removed; every combination of the declared domain is published, empty ones too.",
    ),
    "counts with more to say": (
        Counts(
            mechanism=Gaussian(epsilon=1.0, delta=1e-6, adjacency="replace"),
            support="thresholded",
            support_delta=1e-7,
            tables=(CountsOf(columns=("age", "sex")), CountsOf(columns=("job",))),
            split="optimised",
            post_processing=("non-negative", "whole"),
        ),
        "Publish counts with Gaussian noise, drawn in whole numbers as discrete Gaussian noise, at ε = 1 and "
        "δ = 1e-06, one person replaced; a combination is published if it occurs and its noisy count is high enough. "
        "Tables: age by sex and job; the budget is split so that the error of all counts is smallest. Afterwards: "
        "non-negative and whole.",
    ),
    "sample": (Sample(size=5000), "Publish a random sample of 5,000 rows."),
    "strata": (
        Sample(size=9, strata=("town",)),
        "Publish a random sample of 9 rows, the same part of each combination of town.",
    ),
    "synthetic": (Synthetic(), "Publish a synthetic table, made by mst at ε = 1 and δ = 1e-06."),
    "local": (
        Local(),
        "Publish a report of each person, randomised by response at ε = 1 before it is handed in, in random order.",
    ),
    "in order": (
        Local(shuffled=False),
        "Publish a report of each person, randomised by response at ε = 1 before it is handed in, in the order of the "
        "table.",
    ),
    "raw": (Raw(), "Publish the rows as they are, for comparison only."),
}


@pytest.mark.parametrize(("release", "words"), RELEASES.values(), ids=RELEASES.keys())
def test_each_kind_of_release(release, words):
    assert plan_in_words(plan(release=release)) == (
        f"{words} Table: people.csv.",
        "An attacker is taken to know age, sex and town, and to want to know job.",
        "Nobody has said whose the rows are.",
    )


def test_everything_else_a_plan_may_say():
    domain = {
        "age": (17.0, 90.0),
        "hours": {"low": 0.0, "high": 99.0, "missing": True},
        "sex": ["f", "m"],
        "town": {"values": ["here"], "missing": True},
    }
    said = plan_in_words(
        plan(
            person_id="id",
            bins={"age": 5},
            where="age > 17",
            missing=("?",),
            domain=domain,
            max_risk=0.1,
            max_loss=0.05,
        )
    )
    assert said[2:] == (
        "Rows with the same id are of one person.",
        "Bins: age: 5.",
        "Filter: age > 17.",
        "Missing marks: ?.",
        "Declared: age 17 to 90; hours 0 to 99 or missing; sex 2 values; town 1 value or missing.",
        "Targets: risk at most 0.1 and loss at most 0.05.",
    )


@pytest.mark.parametrize(
    ("unit", "words"),
    [
        ({"unit": "row"}, "Each row is protected by itself."),
        ({"unit": "row", "rows_per_person": 3}, "Each row is protected by itself; a person has 3 rows at most."),
        ({"person_id": "id"}, "Rows with the same id are of one person."),
    ],
)
def test_whose_part_is_hidden(unit, words):
    assert plan_in_words(plan(**unit))[2] == words


def test_no_password_is_shown():
    held = Plan(table="postgres://ann:secret@host/db::t", quasi_identifiers=("a",), sensitive=("b",))
    assert plan_in_words(held)[0].endswith("Table: postgres://ann@host/db::t.")
