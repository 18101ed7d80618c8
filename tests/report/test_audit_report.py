"""The reports of a synthetic table: audited, measured, and made."""

from functools import cache, partial

import numpy as np
import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.report.building.audit import audit_report, proximity_report
from epsilometer.report.building.synthetic_table import synthetic_table_report
from epsilometer.vocabulary.language import language
from epsilometer.vocabulary.wording import CONFIDENTIAL

NAME = "<script>alert(1)</script>"


@cache
def people(seed, n=150):
    rng = np.random.default_rng(seed)
    return pa.table({"x": rng.normal(size=n).round(2), "y": rng.integers(0, 5, n), NAME: rng.choice(["a", "b"], n)})


@cache
def audited(*, holdout=True, copied=False):
    synthetic = people(1) if copied else people(3)
    roles = {"quasi_identifiers": ["x", "y"], "sensitive": NAME} if holdout else {}
    return em.audit(people(1), synthetic, holdout=people(2) if holdout else None, **roles)


def test_the_first_numbers_are_guesses_about_people_in_the_table_and_others(numbers, up, down):
    audit = audited()
    best = audit.inference.best
    assert numbers(audit_report(audit)) == [
        ("before", down(audit.inference.no_release)),
        ("before", down(best.control.value)),
        ("this", up(best.training.interval.high)),
    ]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"copied": True}, "Do not publish this table: it gives away people whom it was made from."),
        ({}, "No leak was found, and that proves nothing"),
        ({"holdout": False}, "Hold people out, and audit again"),
    ],
)
def test_what_is_recommended_follows_from_what_was_found(asked, words):
    report = audit_report(audited(**asked))
    assert report.audience == CONFIDENTIAL
    assert report.recommendation.startswith(words)


def test_without_people_held_out_the_first_number_is_that_of_equal_records(numbers):
    assert numbers(audit_report(audited(holdout=False, copied=True))) == [("this", "100.0 %"), ("worst", "100.0 %")]


def test_it_says_all_that_the_result_says(complete, texts):
    audit = audited()
    report = audit_report(audit)
    complete(report, caveats=(*audit.caveats, *audit.proximity.notes, *audit.usefulness.notes))
    assert any("Chen, Kang-Cheng" in text for text in texts(report))
    near = em.proximity(people(1), people(3))
    complete(proximity_report(near), caveats=near.caveats)


def test_every_form_and_language(in_every_form):
    in_every_form(partial(audit_report, audited(copied=True)), NAME)
    in_every_form(partial(audit_report, audited(holdout=False)), NAME)
    in_every_form(partial(proximity_report, em.proximity(people(1), people(3))), NAME)


@cache
def synthetic():
    domain = {"x": (-5, 5), "y": (0, 4), NAME: ["a", "b"]}
    return em.synthesize(people(1), method="contingency", epsilon=1.0, domain=domain, bins=3)


def test_a_synthetic_table_says_what_it_guarantees(numbers, complete):
    made = synthetic()
    report = synthetic_table_report(made)
    at_most = (np.e - 1) / (np.e + 1)  # both errors equal: Kairouz, Oh and Viswanath
    assert numbers(report) == [("this", "ε = 1"), ("worst", f"{np.ceil(at_most * 1000) / 10:.1f} %")]
    assert report.audience == language().text("report.public_protected")
    complete(report, caveats=made.caveats)


def test_a_synthetic_table_in_every_form_and_language(in_every_form):
    in_every_form(partial(synthetic_table_report, synthetic()), NAME)
