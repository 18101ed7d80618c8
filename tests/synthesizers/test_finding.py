"""Domains found privately: right where there are people enough, silent about the few, and a clear word otherwise."""

import math

import numpy as np
import pyarrow as pa
import pytest

from epsilometer.errors import BadTable
from epsilometer.synthesizers.budget import Budget, total
from epsilometer.synthesizers.domain import Categories
from epsilometer.synthesizers.finding import found_domain, needs_finding, smallest_shown
from epsilometer.synthesizers.noise import ReleaseNoise, SimulatedNoise
from epsilometer.tables.records import Records


def found(values, budget=Budget(1.0, 1e-6), seed=0, kind=None):  # noqa: B008
    records = Records(pa.table({"x": pa.array(values, kind)}), "rows")
    return found_domain(records, "x", budget, SimulatedNoise(seed), n_bins=10)


def test_common_values_are_found_and_a_lone_one_is_not():
    domain, spent = found(["b"] * 500 + ["a"] * 400 + ["secret"])
    assert domain == Categories(("a", "b"), missing=True)
    assert total(spent) == (1.0, 1e-6)


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-6), (0.1, 1e-9), (3.0, 0.3), (50.0, 1e-5)])
def test_a_count_of_one_is_shown_with_probability_delta_at_most(epsilon, delta):
    # two-sided geometric: Pr(noise = k) = (1 - q) / (1 + q) q^|k|, summed here term by term
    q, needed = math.exp(-epsilon), smallest_shown(Budget(epsilon, delta)) - 1
    reached = math.fsum((1 - q) / (1 + q) * q**k for k in range(needed, needed + 4000))
    one_less = math.fsum((1 - q) / (1 + q) * q**k for k in range(needed - 1, needed + 4000))
    assert reached <= delta
    assert one_less > delta or needed == 1


def test_real_noise_shows_a_lone_value_no_more_often_than_delta():
    records = Records(pa.table({"x": ["common"] * 1000 + ["secret"]}), "rows")
    delta, n_runs = 0.05, 400
    shown = sum(
        "secret" in found_domain(records, "x", Budget(1.0, delta), ReleaseNoise(), n_bins=4)[0].values
        for _ in range(n_runs)
    )
    # exceeded with probability below 1e-4 if the chance is delta
    assert shown <= 38


@pytest.mark.parametrize("seed", range(5))
def test_the_range_of_many_numbers_is_found_within_a_step(seed):
    numbers = np.random.default_rng(seed).integers(17, 91, 5000)
    domain, spent = found(numbers, Budget(0.5), seed)
    assert domain.whole
    assert 15 <= domain.low <= 19
    assert 88 <= domain.high <= 93
    assert total(spent) == (0.5, 0.0)


def test_the_range_of_reals_below_and_above_zero():
    numbers = np.random.default_rng(3).uniform(-10, 300, 20_000)
    domain, _ = found(numbers)
    step = (512 + 16) / 64  # of the even grid
    assert -10 - step <= domain.low <= -10 + step
    assert 300 - step <= domain.high <= 300 + step


@pytest.mark.parametrize("value", [0, 7, -3])
def test_a_constant_column_has_a_range_of_one_number(value):
    domain, _ = found([value] * 1000)
    assert (domain.low, domain.high) == (value, value)


def test_one_far_away_person_does_not_move_the_range():
    near = np.full(3000, 50)
    assert found(np.append(near, 10**9))[0].high == found(near)[0].high


def test_too_few_rows_for_a_range():
    with pytest.raises(BadTable, match=r"range of column 'x' cannot be found privately.*Declare"):
        found([1, 2, 3])


def test_values_that_are_all_rare():
    with pytest.raises(BadTable, match="No value of column 'x'"):
        found([f"person {i}" for i in range(100)])


def test_truth_values_need_no_budget():
    records = Records(pa.table({"x": [True, None]}), "rows")
    assert not needs_finding(records, "x")
    assert found_domain(records, "x", Budget(1.0), SimulatedNoise(0), n_bins=4) == (
        Categories((False, True), missing=True),
        (),
    )


def test_dictionary_columns():
    records = Records(pa.table({"x": pa.array(["a"] * 100).dictionary_encode()}), "rows")
    assert needs_finding(records, "x")
    domain, _ = found_domain(records, "x", Budget(1.0, 1e-6), SimulatedNoise(0), n_bins=4)
    assert domain.values == ("a",)
