"""Audits of synthetic tables in words, to the letter, with numbers that were worked out by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import epsilometer as em
from epsilometer.attacks.inference import Guessed, InferenceRisk
from epsilometer.report.odds import said
from epsilometer.vocabulary.evidence import Estimate, Interval


@pytest.fixture(scope="module")
def audited():
    rng = np.random.default_rng(4)
    people, others, made = (
        pd.DataFrame({"age": rng.integers(20, 60, 60), "job": rng.choice(["a", "b"], 60)}) for _ in range(3)
    )
    return em.audit(people, made, holdout=others, quasi_identifiers=["age"], sensitive="job")


def guessed(training, control, low):
    interval = Interval(training - 0.0201, training + 0.0301, 0.95)
    excess = Estimate(training - control, Interval(low, 0.2, 0.95))
    return Guessed("look-up", Estimate(training, interval), Estimate(control, interval), excess)


def test_an_audit(audited):
    """Of 60 records 0.04 are 2.4: 3. Of 1,000 people 0.6501 are 651, 0.6009 of others 600, 0.5509 by a guess 550."""
    leak = replace(audited.frame.leak, p_value=0.0412, error_rate=0.05)
    power = replace(audited.frame.power, share=0.0101, found=Estimate(0.75, Interval(0.5, 0.9, 0.95)), n_runs=20)
    found = replace(
        audited,
        proximity=replace(audited.proximity, hitting_rate=0.04),
        frame=replace(audited.frame, leak=leak, power=power),
        inference=InferenceRisk(0.55099, (guessed(0.6501, 0.6009, 0.01),), 60, 0),
    )
    assert said(found).sentences == (
        "Of 60 synthetic records, about 3 are equal to an original one. Held against people who were held out, a leak "
        "was found (p = 0.041, error rate 0.05). Copies among 1.1 % of the records would have been found in 15 of 20 "
        "tries. The sensitive value is named right for about 651 of 1,000 people in the table: more than the 600 of "
        "1,000 people who are not in it.",
        "Guessing without a release is right for 550 of 1,000 people.",
        "The attacker is taken to know the quasi-identifiers of a person, and guesses by looking them up in the "
        "synthetic table; what no measure finds may still be there.",
        "The share of equal records is exact, and rounded up. What is named right is an estimate, and rounded up: it "
        "lies between 630 and 681 of 1,000, with a confidence of 95 %.",
    )
    assert "wurde ein Leck gefunden (p = 0,041, Fehlerrate 0,05)" in said(found, "de").finding


def test_an_audit_that_finds_nothing(audited):
    leak = replace(audited.frame.leak, p_value=0.4, error_rate=0.05)
    frame = replace(audited.frame, leak=leak)
    model = replace(guessed(0.65, 0.6, -0.1), attacker="logistic model")
    seen, blind = (
        replace(frame, power=replace(frame.power, found=Estimate(share, Interval(0.0, 1.0, 0.95))))
        for share in (0.5, 0)
    )
    inference = InferenceRisk(0.55, (model,), 60, 0)
    quiet = replace(audited, frame=seen, inference=inference, proximity=replace(audited.proximity, hitting_rate=0.0))
    assert "Of 60 synthetic records, 0 are equal to an original one." in said(quiet).finding
    assert "no leak was found (p = 0.400" in said(quiet).finding
    assert "no surer than the 600 of 1,000" in said(quiet).finding
    assert "a logistic model trained on the synthetic table" in said(quiet).attacker
    assert "nor could a small one have been (p = 0.400" in said(replace(quiet, frame=blind)).finding
    alone = replace(quiet, inference=None)
    assert said(alone).baseline.startswith("Nobody tried to guess a column")
    assert said(replace(alone, frame=None)).baseline == (
        "Whether that is more than chance cannot be said without people who were held out."
    )


def test_nearness_alone(audited):
    pieces = replace(audited.proximity.candidates, n_candidates=1_200, n_found=30, n_originals=58)
    near = replace(audited.proximity, hitting_rate=0.04, candidates=pieces)
    assert said(near).finding == (
        "Of 60 synthetic records, about 3 are equal to an original one. An attacker who puts records together from "
        "parts of synthetic ones finds 30 of 58 different originals among 1,200 candidates."
    )
    assert "findet 30 von 58 verschiedenen Originalen unter 1.200 Kandidaten" in said(near, "de").finding
