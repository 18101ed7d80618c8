"""Distances of marginals, against crosstables of pandas."""

from itertools import combinations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.errors import BadBins, BadTable, OutOfRange, UnknownColumn
from epsilometer.tables.records import Records, read_records
from epsilometer.utility import marginal_distances
from epsilometer.utility.marginal_distances import marginal_distance


def records(**columns):
    return Records(pa.table(columns), "people")


@pytest.fixture(scope="module")
def frames():
    rng = np.random.default_rng(3)

    def people(n, shift):
        return pd.DataFrame(
            {
                "sex": rng.choice(["f", "m"], n),
                "town": rng.choice(["a", "b", "c", None], n, p=[0.4, 0.3, 0.2, 0.1]),
                "age": rng.normal(40 + shift, 12, n).round(),
                "rank": rng.integers(0, 3, n),
            }
        )

    one, other = people(400, 0), people(300, 5)
    one.loc[rng.random(400) < 0.1, "age"] = np.nan
    return one, other


def shares(frame, columns, edges):
    """Share of each combination; ages between the edges."""
    labels = frame.assign(age=pd.cut(frame["age"], [-np.inf, *edges, np.inf], right=False, labels=False))
    counts = labels.groupby(list(columns), dropna=False).size()
    return counts / counts.sum()


@pytest.mark.parametrize("ways", [1, 2, 3])
@pytest.mark.parametrize("most_cells", [marginal_distances.CELLS_COUNTED, 2])
def test_distances_equal_those_of_grouped_frames(frames, ways, most_cells, monkeypatch):
    """Whether all cells are counted or only those that occur."""
    monkeypatch.setattr(marginal_distances, "CELLS_COUNTED", most_cells)
    one, other = frames
    edges = [20, 30, 40, 60]
    found = marginal_distance(read_records(one), read_records(other), ways, edges={"age": edges})
    expected = []
    for columns in combinations(one.columns, ways):
        before, after = shares(one, columns, edges), shares(other, columns, edges)
        expected.append(before.sub(after, fill_value=0).abs().sum() / 2)
    np.testing.assert_allclose(found.distances, expected, rtol=1e-12)
    assert found.columns == tuple(combinations(one.columns, ways))
    assert found.ways == ways
    assert found.mean == pytest.approx(np.mean(expected))
    assert found.worst == pytest.approx(np.max(expected))
    assert found.worst_columns == list(combinations(one.columns, ways))[int(np.argmax(expected))]


def test_numbers_are_binned_by_quantiles_of_the_original(frames):
    limits = [-np.inf, *np.nanquantile(frames[0]["age"], np.arange(1, 10) / 10, method="inverted_cdf"), np.inf]
    before, after = (
        pd.cut(frame["age"], limits, labels=False).value_counts(normalize=True, dropna=False) for frame in frames
    )
    found = marginal_distance(*(read_records(frame[["age"]]) for frame in frames), ways=1)
    assert found.mean == pytest.approx(before.sub(after, fill_value=0).abs().sum() / 2)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 20)), min_size=2, max_size=60), st.data())
def test_tables_in_proportion_are_the_same_and_distances_grow_with_the_ways(rows, data):
    words, numbers = zip(*rows, strict=True)
    one = records(word=words, number=numbers)
    twice = one.part(np.tile(np.arange(len(one)), 2))
    assert marginal_distance(one, twice, 2).worst < 1e-12
    drawn = one.part(np.array(data.draw(st.lists(st.integers(0, len(rows) - 1), min_size=1, max_size=60))))
    single, pair = (marginal_distance(one, drawn, ways) for ways in (1, 2))
    assert 0 <= single.worst <= pair.worst + 1e-12
    assert pair.worst <= 1 + 1e-12


def test_nothing_in_common_is_at_distance_one():
    found = marginal_distance(records(a=["x", "y"], b=[True, True]), records(a=["z", "w"], b=[True, True]), 1)
    assert found.distances.tolist() == [1, 0]
    assert found.worst_columns == ("a",)


def test_columns_may_stand_in_another_order():
    one, other = records(a=["x", "y"], b=[1, 2]), records(b=[1, 2], a=["x", "y"])
    assert marginal_distance(one, other).worst == 0


def test_columns_of_very_many_values():
    """Two hundred thousand values in each of three columns: their product has sixteen digits."""
    n = 200_000
    codes = np.arange(n)
    one = records(a=codes.astype(str), b=codes.astype(str), c=codes.astype(str))
    shuffled = records(a=codes.astype(str), b=codes.astype(str), c=np.roll(codes, 1).astype(str))
    assert marginal_distance(one, one, 3).worst == 0
    assert marginal_distance(one, shuffled, 3).worst == pytest.approx(1)


def test_what_cannot_be_compared():
    one = records(a=["x", "y"], b=[1, 2])
    for ways in (0, 3, 4, 1.5):
        with pytest.raises(OutOfRange, match=r"^ways must be in \[1, 2\], got .* number of columns, and three at most"):
            marginal_distance(one, one, ways)
    many = records(**{name: [1, 2] for name in "abcde"})
    with pytest.raises(OutOfRange, match=r"^ways must be in \[1, 3\], got 4"):
        marginal_distance(many, many, 4)
    with pytest.raises(UnknownColumn, match="There is no column 'c'"):
        marginal_distance(one, one, edges={"c": [1]})
    with pytest.raises(BadBins, match="does not hold numbers"):
        marginal_distance(one, one, edges={"a": [1]})
    with pytest.raises(BadTable, match="The tables must have the same columns"):
        marginal_distance(one, records(a=["x"]))
