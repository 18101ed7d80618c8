"""Epsilon read off synthetic tables that were made and measured: what is measured, answered and refused."""

import json

import jsonschema
import numpy as np
import pandas as pd
import pytest

from epsilometer.assessments.synthetic.choose import choose_synthetic
from epsilometer.assessments.synthetic.measures import (
    MEASURES,
    Roles,
    guessed_without,
    marginal_loss,
    median_distance,
    named_right,
    share_equal,
)
from epsilometer.assessments.synthetic.reading_off import in_words, read_off
from epsilometer.errors import BadQuestion, BadRoles, OutOfRange, UnknownChoice, UnknownColumn
from epsilometer.formulas.curve_bands import band_of_runs
from epsilometer.formulas.risk_curves import choose_curve, fit_risk_curve
from epsilometer.report.documents import schema_text
from epsilometer.solvers.measured_targets import AtLeast, AtMost
from epsilometer.tables.records import read_records

SCHEMA = jsonschema.Draft202012Validator(json.loads(schema_text()))
ROLES = Roles(("sex",), "ill")
ONE = read_records(pd.DataFrame({"sex": ["f", "f", "f", "m", "m"], "ill": ["no", "no", "yes", "yes", "yes"]}))
OTHER = read_records(pd.DataFrame({"sex": ["f", "f", "m", "x"], "ill": ["no", "yes", "no", "no"]}))


@pytest.fixture(scope="module")
def patients():
    rng = np.random.default_rng(5)
    sex, ward = rng.integers(0, 2, 1500), rng.integers(0, 4, 1500)
    ill = (rng.random(1500) < 0.15 + 0.2 * ward) ^ (rng.random(1500) < 0.1 * sex)
    return pd.DataFrame(
        {
            "sex": np.array(["f", "m"])[sex],
            "ward": np.array(["a", "b", "c", "d"])[ward],
            "ill": np.where(ill, "yes", "no"),
        }
    )


DOMAIN = {"sex": ["f", "m"], "ward": ["a", "b", "c", "d"], "ill": ["no", "yes"]}


def chosen(patients, **targets):
    asked = {"method": "contingency", "epsilons": (0.02, 0.1, 0.5, 2.0), "domain": DOMAIN, "seed": 3} | targets
    return choose_synthetic(patients, quasi_identifiers=["sex", "ward"], sensitive="ill", **asked)


def test_named_right_by_hand():
    # f: a tie of no and yes in the synthetic table, so a half each; m: it says no, and both are ill
    assert named_right(ONE, OTHER, ROLES) == pytest.approx(3 * 0.5 / 5)
    # the table itself: f says no (right for 2 of 3), m says yes (right for 2)
    assert named_right(ONE, ONE, ROLES) == pytest.approx(4 / 5)
    assert guessed_without(ONE, ROLES) == pytest.approx(3 / 5)


def test_other_measures_by_hand():
    # (f, no) and (f, yes) are original records; (m, no) and (x, no) are not: one of two columns differs
    assert share_equal(ONE, OTHER, ROLES) == pytest.approx(2 / 4)
    assert median_distance(ONE, OTHER, ROLES) == pytest.approx(0.25)
    # sex: |3/5-2/4|+|2/5-1/4|+1/4 = 1/2, half is 1/4; ill: |2/5-3/4| = 7/20;
    # both: fn |2/5-1/4|, fy |1/5-1/4|, my 2/5, mn 1/4, xn 1/4: 11/10, half is 11/20
    assert marginal_loss(ONE, OTHER) == pytest.approx((1 / 4 + 7 / 20 + 11 / 20) / 3)


def test_targets_are_met_at_the_worse_end_of_the_band(patients):
    choice = chosen(patients, max_risk=0.68, max_loss=0.12)
    assert choice
    assert 0.02 <= choice.recommended <= 2.0
    at = np.log(choice.recommended)
    assert np.interp(at, np.log(choice.risk.grid), choice.risk.high) <= 0.68 + 1e-3
    assert np.interp(at, np.log(choice.loss.grid), choice.loss.high) <= 0.12 + 1e-3
    assert choice.no_release == pytest.approx(patients["ill"].value_counts(normalize=True).max())
    raw = patients.groupby(["sex", "ward"])["ill"].agg(lambda values: values.value_counts().max()).sum() / len(patients)
    assert choice.raw == pytest.approx(raw)
    assert "at most" in choice.in_words


def test_loss_falls_from_much_noise_to_little_and_risk_becomes_that_of_the_table(patients):
    choice = chosen(patients, max_loss=0.5)
    risk, loss = (dict(zip(curve.epsilons, vars_of(curve), strict=True)) for curve in (choice.risk, choice.loss))
    assert loss[0.02] > loss[0.1] > loss[2.0]
    assert risk[2.0] == pytest.approx(choice.raw, abs=0.02)


def vars_of(curve):
    """What the last run at each epsilon came to."""
    return curve.to_dict()["values"]


def test_one_target_alone(patients):
    by_risk, by_loss = chosen(patients, max_risk=0.99), chosen(patients, max_loss=0.12)
    assert by_risk.recommended == 2.0
    assert "measure further" in " ".join(by_risk.support)
    assert by_loss.recommended < 2.0
    assert len(by_loss.support) == 1


def test_nothing_will_do(patients):
    choice = chosen(patients, max_risk=0.3, max_loss=0.12)
    assert not choice
    assert choice.stretches == ()
    assert "no measured epsilon meets the target for the risk" in choice.binding
    assert choice.in_words.startswith("No ε from 0.02 to 2 will do")
    assert "for the loss" in chosen(patients, max_loss=1e-6).binding
    neither = chosen(patients, max_risk=0.3, max_loss=1e-6)
    assert neither.binding == "no measured epsilon meets the target for the risk and none that for the loss"


def test_a_distance_must_not_be_smaller(patients):
    numbers = patients.assign(age=np.random.default_rng(1).normal(50, 10, len(patients)))[["age", "ill"]]
    asked = {"quasi_identifiers": ["age"], "sensitive": "ill", "method": "contingency", "epsilons": (0.02, 0.2, 2.0)}
    domain = {"age": (0, 100), "ill": ["no", "yes"]}
    choice = choose_synthetic(numbers, **asked, domain=domain, measure="nearest-distance", min_distance=1e-4, runs=2)
    assert choice.measure == "nearest-distance"
    assert choice.target_risk == 1e-4
    assert choice.no_release is None
    assert choice.plot().to_dict()


def test_the_same_seed_gives_the_same_answer(patients):
    one, other = (chosen(patients, max_loss=0.12).to_dict() for _ in range(2))
    assert one == other
    assert one != chosen(patients, max_loss=0.12, seed=4).to_dict()


def test_the_result_follows_the_schema_and_can_be_drawn(patients):
    for targets in ({"max_risk": 0.68, "max_loss": 0.12}, {"max_risk": 0.3}):
        choice = chosen(patients, **targets)
        SCHEMA.validate(choice.to_dict())
        assert choice.plot().to_dict()["vconcat"]


def test_steps_are_told(patients):
    told = []
    chosen(patients, max_loss=0.5, runs=2, tell=lambda what, done: told.append((what, done)))
    assert told[-1][0] == "table 8 of 8, at ε = 2"
    assert [done for _, done in told] == sorted(done for _, done in told)
    assert told[-1][1] < 1


@pytest.mark.parametrize(
    ("targets", "error", "message"),
    [
        ({}, BadQuestion, "no target"),
        ({"max_risk": 0}, OutOfRange, "max_risk"),
        ({"max_risk": 1.5}, OutOfRange, "max_risk"),
        ({"max_loss": -1}, OutOfRange, "max_loss"),
        ({"max_risk": 0.5, "measure": "nearest-distance"}, BadQuestion, "give min_distance"),
        ({"min_distance": 0.5}, BadQuestion, "give max_risk"),
        ({"max_loss": 0.5, "measure": "nearness"}, UnknownChoice, "nearness"),
        ({"max_loss": 0.5, "epsilons": (1, 1, 2)}, BadQuestion, "3 different epsilons"),
        ({"max_loss": 0.5, "epsilons": (-1, 1, 2)}, OutOfRange, "epsilon"),
        ({"max_loss": 0.5, "runs": 0}, OutOfRange, "runs"),
        ({"max_loss": 0.5, "method": "magic"}, UnknownChoice, "magic"),
    ],
)
def test_what_is_refused(patients, targets, error, message):
    with pytest.raises(error, match=message):
        chosen(patients, **targets)


def test_roles_must_fit(patients):
    with pytest.raises(BadRoles, match="at least one quasi-identifier"):
        choose_synthetic(patients, quasi_identifiers=[], sensitive="ill", max_loss=0.5)
    with pytest.raises(UnknownColumn, match="agee"):
        choose_synthetic(patients, quasi_identifiers=["agee"], sensitive="ill", max_loss=0.5, method="contingency")


def test_targets_that_exclude_each_other():
    epsilons = [0.1, 0.3, 1.0, 3.0, 10.0]
    rising, falling = [0.1, 0.2, 0.4, 0.7, 0.9], [0.9, 0.7, 0.4, 0.2, 0.1]
    bands = [
        band_of_runs(choose_curve(epsilons, values), epsilons, values, rng=np.random.default_rng(0))
        for values in (rising, falling)
    ]
    found = read_off(bands, AtMost(0.3), AtMost(0.3))
    assert (found.recommended, found.binding) == (None, "each target can be met, but not both at once")
    assert len(found.support) == 2


def straight_lines():
    """A risk or distance that is epsilon itself, and a loss of 5 less epsilon, both measured from 1 to 4."""
    epsilons = np.array([1.0, 2.0, 3.0, 4.0])
    return [
        band_of_runs(fit_risk_curve(epsilons, seen, "polynomial-2"), epsilons, seen, rng=np.random.default_rng(0))
        for seen in (epsilons, 5 - epsilons)
    ]


def test_what_is_recommended_lies_inside_a_stretch_too_short_for_three_digits():
    found = read_off(straight_lines(), AtMost(2.0008), AtMost(2.9996))
    assert found.recommended == found.stretches[0].low == pytest.approx(2.0004, rel=1e-8)
    assert found.binding == "the target for the loss sets the lower end, the target for the risk the upper"


def test_a_distance_is_said_to_be_at_least_so_large():
    bands = straight_lines()
    found = read_off(bands, AtLeast(2.5), None)
    assert found.recommended == 4
    assert "the median distance to the nearest original is about 4, at least 4;" in in_words(
        found, bands, MEASURES["nearest-distance"], None
    )


def test_a_measure_that_tells_nothing_is_said_to(patients):
    constant = patients.assign(ill=np.where(np.arange(len(patients)) % 50 == 0, "yes", "no"))
    choice = choose_synthetic(
        constant, quasi_identifiers=["sex"], sensitive="ill", columns=["ward"], method="contingency", domain=DOMAIN,
        epsilons=(0.1, 1, 5), runs=1, max_risk=0.99,
    )  # fmt: skip
    assert any("cannot tell one epsilon from another" in caveat for caveat in choice.caveats)
    assert any("sex, ill, ward were made" in caveat for caveat in choice.caveats)
