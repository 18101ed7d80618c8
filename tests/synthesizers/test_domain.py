"""What may be declared of a column, and what is said when it cannot be."""

import datetime as dt

import pyarrow as pa
import pytest

from epsilometer.errors import BadTable, OutOfRange
from epsilometer.synthesizers.domain import Categories, Range, declared


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        (pa.int64(), (0, 9), Range(0.0, 9.0, 20, whole=True)),
        (pa.float64(), (0, 9), Range(0.0, 9.0, 20, whole=False)),
        (pa.int64(), {"low": 0.5, "high": 8.5, "bins": 3, "missing": True}, Range(0.0, 9.0, 3, True, True)),
        (pa.string(), ["a", "b", "a"], Categories(("a", "b"))),
        (pa.string(), ["a", None], Categories(("a",), missing=True)),
        (pa.int64(), [None], Categories((), missing=True)),
        (pa.int64(), ["1", "2"], Categories((1, 2))),
        (pa.bool_(), [True, False], Categories((True, False))),
        (pa.dictionary(pa.int8(), pa.string()), {"values": ["a"], "missing": True}, Categories(("a",), missing=True)),
        (pa.int64(), Range(0.0, 1.0, 2, whole=True), Range(0.0, 1.0, 2, whole=True)),
    ],
)
def test_declarations(kind, given, expected):
    assert declared("x", kind, given, n_bins=20) == expected


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        (pa.string(), (0, 9), "not numbers"),
        (pa.int64(), "0..9", "must be"),
        (pa.int64(), {"low": 0}, "low and high"),
        (pa.int64(), {"low": 0, "high": 1, "width": 3}, "width"),
        (pa.int64(), ["one"], "do not fit its type, int64"),
        (pa.string(), [], "no value"),
        (pa.int64(), {"low": "a", "high": 3}, "two numbers"),
    ],
)
def test_what_cannot_be_a_domain(kind, given, message):
    with pytest.raises(BadTable, match=message):
        declared("x", kind, given, n_bins=20)


@pytest.mark.parametrize("given", [(9, 0), (0, float("inf")), {"low": 0, "high": 9, "bins": 0}])
def test_numbers_out_of_range(given):
    with pytest.raises(OutOfRange):
        declared("x", pa.float64(), given, n_bins=20)


def test_whole_numbers_have_no_more_bins_than_values():
    assert Range(0, 4, 20, whole=True).edges.tolist() == [0, 1, 2, 3, 4, 5]
    assert Range(3, 3, 20, whole=True).edges.tolist() == [3, 4]


def test_words():
    assert str(Range(0, 9, 5, whole=True, missing=True)) == "0 to 9 in 5 bins or missing"
    assert str(Categories(("a", "b"))) == "2 values"
    assert str(Categories((), missing=True)) == "always missing"
    assert str(Range(0, 0, 5, whole=True)) == "0 to 0 in 1 bin"


def test_dates_have_ranges():
    assert declared("born", pa.date32(), (0, 20_000), n_bins=4).whole
    assert declared("when", pa.date32(), [dt.date(2020, 1, 1)], n_bins=4).values == (dt.date(2020, 1, 1),)
