"""The norm of encoded records is their distance, pair by pair, whatever the columns hold."""

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from epsilometer.errors import BadTable, UnknownChoice
from epsilometer.neighbors import default_metric, encode, encoding, nearest_distances
from epsilometer.tables.records import Records

KINDS = {"number": pa.float64(), "word": pa.string(), "truth": pa.bool_()}
VALUES = {
    "number": st.sampled_from([-2.0, 0.0, 0.5, 3.0, 1e6]),
    "word": st.sampled_from(["a", "b", "c", "d"]),
    "truth": st.booleans(),
}


def people(name="people", **columns):
    return Records(pa.table(columns), name)


def gower(one, other, original, columns):
    """The definition, for two rows."""
    return math.fsum(difference(one[name], other[name], original[name]) for name in columns) / len(columns)


def difference(x, y, originals):
    known = [value for value in originals if value is not None]
    spread = None if not known or isinstance(known[0], (str, bool)) else max(known) - min(known)
    if x is None or y is None or not spread:
        return float(x != y)
    return abs(x - y) / spread


@st.composite
def tables(draw):
    kinds = draw(st.lists(st.sampled_from(list(KINDS)), min_size=1, max_size=4))
    values = [st.none() | VALUES[kind] if draw(st.booleans()) else VALUES[kind] for kind in kinds]
    return [
        Records(
            pa.table(
                {
                    f"{kind}{position}": pa.array(draw(st.lists(value, min_size=n, max_size=n)), KINDS[kind])
                    for position, (kind, value) in enumerate(zip(kinds, values, strict=True))
                }
            ),
            f"table {number}",
        )
        for number, n in enumerate(draw(st.lists(st.integers(1, 5), min_size=2, max_size=3)))
    ]


def inside(row, original):
    """Whether all numbers of a row are within the range of the original: then a missing one is 1 away."""
    return all(
        value is None or isinstance(value, (str, bool)) or not known or min(known) <= value <= max(known)
        for name, value in row.items()
        for known in [[v for v in original[name] if v is not None]]
    )


@given(tables())
def test_the_norm_is_the_gower_distance(drawn):
    original = drawn[0].rows.to_pydict()
    found = encode(drawn, "gower")
    assert found.norm == 1
    assert [len(points) for points in found.points] == [len(records) for records in drawn]
    rows = [row for records in drawn for row in records.rows.to_pylist()]
    distances = cdist(*[np.concatenate(found.points)] * 2, "cityblock")
    for i, one in enumerate(rows):
        for j, other in enumerate(rows):
            expected = gower(one, other, original, found.columns)
            if inside(one, original) and inside(other, original):
                assert distances[i, j] == pytest.approx(expected, rel=1e-12, abs=1e-15)
            else:  # missing is further from a number beyond the range
                assert distances[i, j] >= expected * (1 - 1e-12) - 1e-15
            assert (distances[i, j] == 0) == (one == other)


def test_a_number_beyond_the_range_of_the_original_may_be_further_than_one():
    """A range of 10: 25 is 15 beyond its end, and the other column is equal."""
    original, synthetic = people(a=[0, 10], b=["x", "y"]), people(a=[25, -5], b=["y", "x"])
    assert nearest_distances(*encode([original, synthetic], "gower").points, norm=1).tolist() == [0.75, 0.25]


def test_a_missing_number_is_one_away_from_every_number_of_the_original():
    points = encode([people(a=[0, 10, 4, None]), people(a=[None, 6])], "gower").points
    np.testing.assert_allclose(cdist(points[1], points[0], "cityblock"), [[1, 1, 1, 0], [0.6, 0.4, 0.2, 1]], rtol=1e-12)


def test_the_range_is_that_of_the_original_alone():
    original, wide = people(a=[0, 10, 4]), people(a=[1000, 4])
    both = encode([original, wide], "gower").points[0]
    assert both.tolist() == encode([original], "gower").points[0].tolist()


@pytest.mark.parametrize("original", [[5], [5, 5, 5], [5, None]])
def test_a_column_without_a_range_is_equal_or_not(original):
    kind = pa.float64()
    points = encode([people(a=pa.array(original, kind)), people(a=pa.array([5, 9, None, 7], kind))], "gower").points
    expected = [0, 1, float(None not in original), 1]
    assert nearest_distances(*points, norm=1).tolist() == expected


@pytest.mark.parametrize("kind", [pa.float64(), pa.string(), pa.null(), pa.bool_()])
def test_a_column_that_is_missing_throughout(kind):
    gone = people(a=pa.array([None, None], kind), b=[0, 1])
    points = encode([gone, people(a=pa.array([None], kind), b=[1])], "gower").points
    assert cdist(points[1], points[0], "cityblock").tolist() == [[0.5, 0]]


def test_words_that_are_numbers_in_another_encoding_are_the_same_words():
    """Dictionaries in another order, and whole numbers against floats."""
    one = people(a=pa.array(["x", "y", "z"]).dictionary_encode(), b=pa.array([1, 2, 3], pa.int8()))
    other = people(b=[3.0, 1.0], a=["z", "w"])
    points = encode([one, other], "gower").points
    assert cdist(points[1], points[0], "cityblock").tolist() == [[1, 0.75, 0], [0.5, 0.75, 1]]


def test_euclidean_takes_numbers_as_they_are_whatever_the_order_of_the_columns():
    found = encode([people(a=[1, 2], b=[0.5, -4.0]), people(b=[7.0], a=[8])], "euclidean")
    assert [points.tolist() for points in found.points] == [[[1, 0.5], [2, -4]], [[8, 7]]]
    assert (found.norm, found.columns, found.metric) == (2, ("a", "b"), "euclidean")


def test_the_metric_in_words():
    table = people(a=[1, 2], b=[3, 4])
    assert encode([table], "euclidean").words == "the Euclidean distance in 2 columns, each in its own unit"
    assert "mean over 2 columns" in encode([table], "gower").words


def test_the_default_is_euclidean_for_complete_numbers_only():
    numbers = people(a=[1, 2], b=[0.5, 1.5])
    assert default_metric([numbers, numbers]) == "euclidean"
    assert default_metric([numbers, people(a=[1, None], b=[0.5, 1.5])]) == "gower"
    assert default_metric([people(a=["x"], b=[1])]) == "gower"
    assert [encode([table]).metric for table in (numbers, people(a=["x"], b=[1]))] == ["euclidean", "gower"]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"a": [1], "sex": ["f"]}, "Column 'sex' does not hold numbers, .* Use the metric gower, or leave"),
        ({"a": [1, None, None]}, "Column 'a' of people is missing in some rows, .* Use the metric gower, filter"),
        ({"a": [1e200]}, r"Column 'a' holds numbers above 1e\+150 in size\. Scale them, or leave it out"),
    ],
)
def test_what_has_no_euclidean_distance(bad, message):
    with pytest.raises(BadTable, match=message) as raised:
        encode([people(**bad)], "euclidean")
    assert "\n" not in str(raised.value)


def test_what_cannot_be_encoded(monkeypatch):
    with pytest.raises(UnknownChoice, match="metric must be one of euclidean, gower; got 'cosine'"):
        encode([people(a=[1])], "cosine")
    with pytest.raises(BadTable, match="The tables must have the same columns: synthetic lacks b"):
        encode([people(a=[1], b=[2]), people("synthetic", a=[1])], "gower")
    with pytest.raises(BadTable, match="Column 'a' holds int64 in people and string in synthetic"):
        encode([people(a=[1]), people("synthetic", a=["x"])], "gower")
    monkeypatch.setattr(encoding, "NUMBERS_AT_MOST", 100)
    named = people(who=[f"person {number}" for number in range(11)])
    with pytest.raises(BadTable, match=r"Column 'who' has 11 different values, too many .* leave it out if it names"):
        encode([named], "gower")
