"""Propensity scores: regressions whose answer is known, and the expectation under the null by drawing."""

import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from epsilometer.errors import BadTable, MissingExtra
from epsilometer.tables.records import Records
from epsilometer.utility import propensity
from epsilometer.utility.propensity import propensity_error

pytest.importorskip("sklearn", reason="propensity scores are an optional extra")


def records(**columns):
    return Records(pa.table(columns), "people")


def from_frame(frame):
    return Records(pa.Table.from_pandas(frame, preserve_index=False), "people")


def people(n, rng):
    age = rng.normal(50, 10, n)
    return pd.DataFrame(
        {
            "age": age,
            "sex": rng.choice(["f", "m"], n),
            "town": rng.choice(["a", "b", "c"], n),
            "income": age * 100 + rng.normal(0, 500, n),
        }
    )


def test_one_category_is_estimated_by_its_shares():
    """20 of 50 f and 20 of 30 m are synthetic, so that their propensities are 0.4 and 2/3, and c = 1/2."""
    one, other = records(sex=["f"] * 30 + ["m"] * 10), records(sex=["f"] * 20 + ["m"] * 20)
    found = propensity_error(one, other)
    assert found.pmse == pytest.approx((50 * 0.1**2 + 30 * (2 / 3 - 1 / 2) ** 2) / 80, rel=1e-4)
    assert found.expected == pytest.approx(1 * (1 / 2) ** 2 * (1 / 2) / 80)
    assert found.ratio == pytest.approx(found.pmse / found.expected)
    assert (found.n_parameters, found.interactions, found.converged) == (2, "none", True)
    assert (found.n_original, found.n_synthetic) == (40, 40)


def test_interactions_of_two_categories_are_estimated_by_the_shares_of_their_cells():
    rng = np.random.default_rng(2)
    one, other = (pd.DataFrame(rng.choice(["x", "y"], (n, 2)), columns=["a", "b"]) for n in (300, 200))
    other.loc[other["a"] == "x", "b"] = "y"
    both = pd.concat([one.assign(s=0), other.assign(s=1)])
    shares = both.groupby(["a", "b"])["s"].transform("mean")
    found = propensity_error(from_frame(one), from_frame(other))
    assert found.pmse == pytest.approx(np.mean((shares - 0.4) ** 2), rel=1e-3)
    assert found.expected == pytest.approx(3 * 0.6**2 * 0.4 / 500)
    assert (found.n_parameters, found.interactions) == (4, "all")


def test_numbers_are_estimated_by_maximum_likelihood():
    rng = np.random.default_rng(3)
    x = np.concatenate([rng.normal(0, 1, 400), rng.normal(0.5, 1, 300)])
    label = np.arange(700) >= 400

    def loss(beta):
        score = beta[0] + beta[1] * x
        return np.logaddexp(0, score).sum() - score[label].sum()

    beta = minimize(loss, [0, 0], tol=1e-12).x
    expected = np.mean((expit(beta[0] + beta[1] * x) - 3 / 7) ** 2)
    assert propensity_error(records(x=x[:400]), records(x=x[400:])).pmse == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("n_synthetic", [600, 300])
def test_the_expectation_under_the_null(n_synthetic):
    """Drawn from the original: 1. Other people: 1/(1 - c). Means of 60 ratios with 14 degrees: 5 standard errors."""
    rng = np.random.default_rng(4)
    drawn, others = [], []
    for _ in range(60):
        original = from_frame(people(600, rng))
        drawn.append(propensity_error(original, original.part(rng.integers(0, 600, n_synthetic))).ratio)
        others.append(propensity_error(original, from_frame(people(n_synthetic, rng))).ratio)
    error = np.sqrt(2 / 14 / 60)
    factor = 1 + n_synthetic / 600
    assert np.mean(drawn) == pytest.approx(1, abs=5 * error)
    assert np.mean(others) == pytest.approx(factor, abs=5 * factor * error)


def test_tables_that_can_be_told_apart_reach_the_largest_value_there_is():
    found = propensity_error(records(a=["x"] * 60, b=[1.0, 2.0] * 30), records(a=["y"] * 40, b=[1.0, 2.0] * 20))
    assert found.pmse == pytest.approx(0.4 * 0.6, rel=1e-3)


def test_columns_shuffled_apart_are_found_by_their_products():
    rng = np.random.default_rng(5)
    original = people(2000, rng)
    shuffled = original.apply(lambda column: rng.permutation(column.to_numpy()))
    found = propensity_error(from_frame(original), from_frame(shuffled))
    assert found.interactions == "all"
    assert found.ratio > 20


def test_collinear_columns_are_no_parameters():
    rng = np.random.default_rng(6)
    one, other = people(500, rng), people(500, rng)
    plain = propensity_error(from_frame(one[["age"]]), from_frame(other[["age"]]))
    doubled = propensity_error(
        *(from_frame(frame[["age"]].assign(months=12 * frame["age"] + 3)) for frame in (one, other))
    )
    assert (plain.n_parameters, plain.interactions) == (2, "none")
    assert (doubled.n_parameters, doubled.interactions) == (3, "all")  # age, and its square


@pytest.mark.parametrize(("most", "which", "n_parameters"), [(300, "all", 15), (11, "first", 12), (10, "none", 6)])
def test_products_take_part_where_there_is_room(most, which, n_parameters, monkeypatch):
    """Five features: age, m, two towns, income; nine products of different columns; six of their first features."""
    monkeypatch.setattr(propensity, "MOST_FEATURES", most)
    rng = np.random.default_rng(7)
    found = propensity_error(from_frame(people(400, rng)), from_frame(people(400, rng)))
    assert (found.interactions, found.n_parameters) == (which, n_parameters)


def test_few_records_have_no_room_for_products():
    rng = np.random.default_rng(7)
    found = propensity_error(from_frame(people(50, rng)), from_frame(people(50, rng)))
    assert found.interactions == "none"


def test_nothing_to_tell_apart():
    found = propensity_error(records(a=["x"] * 3, b=[1, 1, 1]), records(a=["x"] * 2, b=[1, 1]))
    assert (found.pmse, found.expected, found.ratio, found.n_parameters) == (pytest.approx(0), 0, 0, 1)


def test_large_tables_are_drawn_from_with_the_seed(monkeypatch):
    monkeypatch.setattr(propensity, "ROWS_AT_MOST", 100)
    rng = np.random.default_rng(8)
    one, other = from_frame(people(150, rng)), from_frame(people(90, rng))
    found, same, another = (propensity_error(one, other, seed=seed) for seed in (1, 1, 2))
    assert (found.n_original, found.n_synthetic) == (100, 90)
    assert found == same
    assert found.pmse != another.pmse


def test_a_regression_that_does_not_settle_says_so(monkeypatch):
    monkeypatch.setattr(propensity, "STEPS_AT_MOST", 1)
    assert not propensity_error(records(a=[1.0, 2.0, 3.0]), records(a=[2.0, 3.0, 5.0])).converged


def test_what_cannot_be_compared(monkeypatch):
    with pytest.raises(BadTable, match="The tables must have the same columns"):
        propensity_error(records(a=[1.0]), records(b=[1.0]))
    monkeypatch.setitem(sys.modules, "sklearn.exceptions", None)
    with pytest.raises(MissingExtra, match=r"^A propensity score needs the optional part synthesis: .*\[synthesis\]"):
        propensity_error(records(a=[1.0]), records(a=[1.0]))
