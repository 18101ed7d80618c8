"""Paper 003 against the independent oracle's values, to 1e-12, and its errata B3 to B6.

``oracle.json`` holds values from exact products, 60-digit arithmetic and bisection; each entry says which.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from epsilometer.formulas import guessing
from epsilometer.formulas.guessing import published

ORACLE = json.loads(Path(__file__).with_name("oracle.json").read_text(encoding="utf-8"))
GROUPS = np.array([(5, 30), (4, 20), (6, 50)])


def by_group(formula):
    return lambda inputs: formula(
        float(inputs["delta"]), guessing.uniqueness_probability(*np.transpose(inputs["groups"])), inputs["R"]
    )


def of_one_group(formula):
    return lambda inputs: formula(
        float(inputs["delta"]), guessing.uniqueness_probability(inputs["k"], inputs["N"]), inputs["R"]
    )


FORMULAS = {
    "birthday-pi": [lambda inputs: guessing.uniqueness_probability(inputs["k"], inputs["N"])],
    "birthday-logpi": [lambda inputs: guessing.log_uniqueness_probability(inputs["k"], inputs["N"])],
    "birthday-eps": [of_one_group(guessing.epsilon_single), of_one_group(published.epsilon_single)],
    "birthday-and": [by_group(guessing.epsilon_all_joint), by_group(published.epsilon_all)],
    "birthday-or": [by_group(published.epsilon_any)],
    "birthday-or-event": [by_group(guessing.epsilon_any)],
    "birthday-worst": [lambda inputs: guessing.worst_case_epsilon(float(inputs["delta"]), inputs["R"])],
}
ENTRIES = [entry for entry in ORACLE["references"] if entry["id"].startswith("birthday-")]


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry["id"] for entry in ENTRIES])
def test_oracle(entry):
    for formula in FORMULAS[entry["category"]]:
        assert float(formula(entry["inputs"])) == pytest.approx(float(entry["value"]), rel=1e-12)


def test_the_birthday_of_23_people():
    assert guessing.uniqueness_probability(23, 365) == pytest.approx(0.492702765676014593, rel=1e-15)


def test_b3_the_domain_that_is_not_stated():
    """Sum above one: the logarithm is 0.1001 - pi i. Prior one: 0/0. Sum one: infinite. No advantage: not positive."""
    assert np.isnan(published.epsilon_single(0.1, [0.95, 1.0], 1.0)).all()
    assert published.epsilon_single([0.1, 0.1], [0.9, 0.0], 1.0).tolist() == [np.inf, np.inf]
    assert published.epsilon_single(0.0, 0.3, 1.0) == pytest.approx(0, abs=1e-15)
    assert published.epsilon_single(-0.1, 0.3, 1.0) < 0
    assert guessing.epsilon_single([0.1, 0.1, 0.1, -0.1], [0.95, 1.0, 0.9, 0.3], 1.0).tolist() == [np.inf] * 3 + [0]


def test_b4_records_that_are_almost_surely_unique_get_no_noise():
    priors = guessing.uniqueness_probability(np.arange(1, 6), 365)
    assert (priors > 0.97).all()
    assert (guessing.epsilon_single(0.05, priors, 1.0) == np.inf).all()
    assert np.isnan(published.epsilon_single(0.05, priors, 1.0)).all()


def test_b4_epsilon_is_u_shaped():
    priors = guessing.uniqueness_probability([10, 23, 40, 80], 365)
    printed = pytest.approx([0.61289, 0.20042, 0.43596, 6.4223], rel=1e-5)
    assert published.epsilon_single(0.05, priors, 1.0) == printed
    assert guessing.epsilon_single(0.05, priors, 1.0) == printed


def test_b4_every_field_can_need_more_noise_than_any_field():
    ten = np.full(10, 0.95)
    assert published.epsilon_all(0.1, ten, 1.0) == pytest.approx(0.441085, abs=5e-7)
    assert np.isnan(published.epsilon_any(0.1, ten, 1.0))
    assert guessing.epsilon_single(0.1, ten, 1.0).min() == np.inf
    priors = guessing.uniqueness_probability(GROUPS[:, 0], GROUPS[:, 1])
    assert published.epsilon_all(0.05, priors, 1.0) == pytest.approx(0.208633, abs=5e-7)
    assert published.epsilon_any(0.05, priors, 1.0) == pytest.approx(0.253484, abs=5e-7)


def test_b5_the_least_epsilon_of_the_fields_does_not_bound_the_event():
    printed = published.epsilon_any(0.1, [0.1, 0.1], 1.0)
    assert printed == pytest.approx(0.810930, abs=5e-7)
    assert guessing.advantage_any(printed, [0.1, 0.1], 1.0) == pytest.approx(0.17, abs=1e-12)
    assert guessing.epsilon_any(0.1, [0.1, 0.1], 1.0) == pytest.approx(0.519410, abs=5e-7)


def test_b6_separate_releases_exceed_the_advantage_at_the_largest_sensitivity():
    printed = published.epsilon_all(0.1, [0.5, 0.5], 1.0)
    assert guessing.advantage_all_joint(printed, [0.5, 0.5], 1.0) == pytest.approx(0.1, rel=1e-12)
    assert guessing.advantage_all_independent(printed, [0.5, 0.5], 1.0) == pytest.approx(0.1315, abs=5e-5)


def test_b6_the_sum_of_sensitivities_is_enough_and_the_product_of_posteriors_is_tight():
    """Two even fields: each posterior may rise to the square root of 0.35."""
    root = np.sqrt(0.35)
    tight = guessing.epsilon_all_independent(0.1, [0.5, 0.5], 1.0)
    assert tight == pytest.approx(np.log(root / (1 - root)), rel=1e-12)
    assert guessing.epsilon_all_separate(0.1, [0.5, 0.5], 1.0) == pytest.approx(np.log(21 / 13) / 2, rel=1e-12)


@pytest.mark.parametrize(("advantage", "epsilon"), [(0.01, 0.0400013), (0.1, 0.4013414)])
def test_prior_free_epsilon(advantage, epsilon):
    assert guessing.worst_case_epsilon(advantage, 1.0) == pytest.approx(epsilon, abs=5e-8)
