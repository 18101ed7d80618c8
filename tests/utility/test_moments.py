"""Errors of moments, against pandas, and where they are not defined in the paper."""

import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from epsilometer.errors import BadTable
from epsilometer.tables.records import Records, read_records
from epsilometer.utility.moments import moment_errors


def records(name="people", **columns):
    return Records(pa.table(columns), name)


def test_errors_equal_those_of_pandas():
    rng = np.random.default_rng(1)
    one = pd.DataFrame({"a": rng.normal(5, 2, 300), "b": rng.integers(-90, 5, 300).astype(float), "c": ["x"] * 300})
    other = pd.DataFrame({"a": rng.normal(4, 3, 200), "b": rng.integers(-80, 9, 200).astype(float), "c": ["y"] * 200})
    one.loc[:29, "b"] = np.nan
    other.loc[:49, "b"] = np.nan
    found = moment_errors(read_records(one), read_records(other))
    assert [column.name for column in found.columns] == ["a", "b"]
    for measure, moment in {
        "mean": pd.Series.mean,
        "standard_deviation": lambda values: values.std(ddof=0),
        "variance": lambda values: values.var(ddof=0),
    }.items():
        signed = [100 * (moment(one[name]) - moment(other[name])) / moment(one[name]) for name in ("a", "b")]
        errors = [getattr(column, measure) for column in found.columns]
        assert [error.original for error in errors] == pytest.approx([moment(one[name]) for name in ("a", "b")])
        assert [error.signed_percent for error in errors] == pytest.approx(signed)
        assert [error.percent for error in errors] == pytest.approx(np.abs(signed))
        assert getattr(found, measure) == pytest.approx(np.mean(np.abs(signed)))
    assert found.columns[1].missing.original == pytest.approx(0.1)
    assert found.columns[1].missing.difference == pytest.approx(0.1 - 0.25)
    assert found.missing == pytest.approx((0 + 0.15) / 2)


def test_r6_errors_of_opposite_sign_do_not_cancel():
    one = records(a=[0.0, 2.0], b=[0.0, 2.0])
    other = records(a=[0.0, math.sqrt(2)], b=[0.0, math.sqrt(6)])
    found = moment_errors(one, other)
    assert [column.variance.signed_percent for column in found.columns] == pytest.approx([50, -50])
    assert found.variance == pytest.approx(50)


def test_an_original_of_zero():
    found = moment_errors(records(a=[-1.0, 1.0], b=[-1.0, 1.0]), records(a=[-2.0, 2.0], b=[0.0, 3.0])).columns
    assert (found[0].mean.signed_percent, found[0].mean.difference) == (0, 0)
    assert (found[1].mean.signed_percent, found[1].mean.difference) == (-math.inf, -1.5)
    assert found[1].mean.percent == math.inf


def test_a_column_of_one_value_has_no_spread_whatever_its_rounding():
    found = moment_errors(records(a=[0.1] * 7), records(a=[0.1] * 30))
    assert (found.mean, found.standard_deviation, found.variance) == (0, 0, 0)


def test_large_numbers_keep_their_spread():
    found = moment_errors(records(a=[1e15, 1e15 + 2]), records(a=[1e15, 1e15 + 4]))
    assert (found.standard_deviation, found.variance) == (100, 300)


def test_a_synthetic_column_without_any_value_is_infinitely_far_off():
    found = moment_errors(records(a=[1.0, 2.0]), records(a=pa.array([None, None], pa.float64())))
    assert found.columns[0].mean.difference == math.inf
    assert (found.mean, found.standard_deviation, found.variance, found.missing) == (math.inf, math.inf, math.inf, 1)


def test_times_are_numbers():
    days = [pa.array([0, 2], pa.date32()), pa.array([0, 4], pa.date32())]
    assert moment_errors(records(a=days[0]), records(a=days[1])).mean == 100


def test_what_cannot_be_compared():
    with pytest.raises(BadTable, match=r"^people has no numeric column; moments are those of numbers\.$"):
        moment_errors(records(a=["x"]), records(a=["y"]))
    empty = records(a=pa.array([None], pa.float64()))
    with pytest.raises(BadTable, match=r"^Column 'a' of people has no value\. Leave it out of the comparison\.$"):
        moment_errors(empty, records(a=[1.0]))
    with pytest.raises(BadTable, match="The tables must have the same columns"):
        moment_errors(records(a=[1.0]), records(b=[1.0]))
