"""Records to codes and back: the same columns and types, every value in the bin or category it came from."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.synthesizers.coding import Coding
from epsilometer.synthesizers.domain import Categories, Range, declared
from epsilometer.tables.records import Records

ROWS = pa.table(
    {
        "age": pa.array([20, None, 64], pa.int16()),
        "weight": pa.array([60.5, 71.0, None]),
        "sex": pa.array(["f", "m", None]).dictionary_encode(),
        "ill": pa.array([True, None, False]),
        "born": pa.array([dt.date(1990, 5, 1), dt.date(2001, 1, 1), None]),
        "seen": pa.array([1_577_836_800_000_000, None, 1_609_459_200_000_000], pa.timestamp("us")),
        "paid": pa.array([Decimal("1.50"), None, Decimal("9.99")], pa.decimal128(5, 2)),
        "ward": pa.array([1, 2, None], pa.int64()),
        "void": pa.array([None, None, None], pa.int64()),
    }
)
DOMAINS = {
    "age": {"low": 0, "high": 100, "missing": True},
    "weight": {"low": 0, "high": 200, "missing": True},
    "sex": ["f", "m", None],
    "ill": [False, True, None],
    "born": {"low": 0, "high": 20_000, "missing": True},
    "seen": {"low": 0, "high": 2e15, "missing": True},
    "paid": {"low": 0, "high": 10, "missing": True},
    "ward": [1, 2, None],
    "void": [None],
}
CODING = Coding(
    ROWS.schema, {name: declared(name, ROWS.schema.field(name).type, DOMAINS[name], n_bins=8) for name in DOMAINS}
)


def test_columns_and_types_come_back_and_codes_are_kept():
    coded = CODING.encode(Records(ROWS, "rows"))
    back = CODING.decode(coded.codes, np.random.default_rng(1))
    assert back.schema.equals(ROWS.schema)
    np.testing.assert_array_equal(CODING.encode(Records(back, "back")).codes, coded.codes)
    for name in ("sex", "ill", "ward"):
        assert back.column(name).to_pylist() == ROWS.column(name).to_pylist()
    for name in ROWS.column_names:
        assert back.column(name).is_null().to_pylist() == ROWS.column(name).is_null().to_pylist()


@given(st.lists(st.floats(-50, 150), min_size=1, max_size=30), st.booleans(), st.integers(1, 12))
def test_a_number_comes_back_inside_its_own_bin(numbers, whole, n_bins):
    kind = pa.int64() if whole else pa.float64()
    rows = pa.table({"x": pa.array([int(x) if whole else x for x in numbers], kind)})
    domain = Range(0.0, 100.0, n_bins, whole=whole)
    coding = Coding(rows.schema, {"x": domain})
    codes = coding.encode(Records(rows, "rows")).codes
    back = coding.decode(codes, np.random.default_rng(0)).column("x").to_numpy()
    assert ((back >= 0) & (back <= 100)).all()
    np.testing.assert_array_equal(coding.encode(Records(pa.table({"x": back}), "back")).codes, codes)


def test_numbers_outside_count_as_the_nearer_end():
    rows = pa.table({"x": [-5, 0, 100, 900]})
    coding = Coding(rows.schema, {"x": Range(0.0, 100.0, 4, whole=True)})
    assert coding.encode(Records(rows, "rows")).codes.ravel().tolist() == [0, 0, 3, 3]


def test_a_row_with_a_value_that_was_not_declared_is_left_out():
    rows = pa.table({"x": ["a", "b", "zz"], "y": [1.0, None, 0.0]})
    domains = {"x": Categories(("a", "b")), "y": Range(0.0, 1.0, 2, whole=False)}
    assert Coding(rows.schema, domains).encode(Records(rows, "rows")).codes.tolist() == [[0, 1]]


def test_a_value_that_was_not_declared_may_count_as_other():
    rows = pa.table({"x": ["a", "zz", None, "other"]})
    coding = Coding(rows.schema, {"x": Categories(("a", "other"), missing=True, other="other")})
    assert coding.encode(Records(rows, "rows")).codes.ravel().tolist() == [0, 1, 2, 1]


def test_where_missing_is_provided_for_an_unknown_value_counts_as_missing():
    rows = pa.table({"x": ["a", "zz", None]})
    coding = Coding(rows.schema, {"x": Categories(("a",), missing=True)})
    assert coding.encode(Records(rows, "rows")).codes.ravel().tolist() == [0, 1, 1]
