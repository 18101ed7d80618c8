"""Marginals and their distances, against grouping the records themselves."""

from itertools import combinations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from epsilometer.errors import OutOfRange
from epsilometer.utility.marginals import Marginals

VALUES = ["no", "yes", "maybe"]


@pytest.fixture
def cells():
    """Forty of the sixty combinations of three columns, one with missing labels, one of numbers."""
    rng = np.random.default_rng(11)
    labels = pd.MultiIndex.from_product([["a", "b", None], [1, 2, 5, 9], list("vwxyz")], names=["q", "r", "s"])
    chosen = labels[rng.permutation(len(labels))[:40]].to_frame(index=False)
    counts = pd.DataFrame(rng.poisson(3, (40, 3)), columns=VALUES)
    return pa.Table.from_pandas(pd.concat([chosen, counts], axis=1), preserve_index=False)


def counts_of(cells):
    return np.column_stack([cells[value].to_numpy() for value in VALUES]).astype(float)


def shares(cells, counts, columns):
    """Share of each combination of labels, by grouping a long table."""
    long = pd.concat(
        [cells.select(["q", "r", "s"]).to_pandas().assign(value=v, n=counts[:, k]) for k, v in enumerate(VALUES)]
    )
    sums = long.groupby(list(columns), dropna=False)["n"].sum()
    return sums / sums.sum()


@pytest.mark.parametrize("ways", [(1,), (1, 2), (3, 1), (1, 2, 3, 4)])
def test_distances_equal_those_of_grouped_records(cells, ways):
    original = counts_of(cells)
    released = np.random.default_rng(3).poisson(3, (*original.shape, 5)).astype(float)
    expected = {way: [] for way in ways}
    for way in ways:
        for columns in combinations(["q", "r", "s", "value"], way):
            before = shares(cells, original, columns)
            after = [shares(cells, released[..., table], columns) for table in range(5)]
            expected[way].append([(share - before).abs().sum() / 2 for share in after])
    marginals = Marginals.of_cells(cells, len(VALUES), ways)
    found = marginals.distances(original, released)
    assert len(found) == sum(map(len, expected.values()))
    for way, distances in expected.items():
        ours = found[marginals.ways == way]
        np.testing.assert_allclose(np.sort(ours, axis=0), np.sort(distances, axis=0), rtol=1e-12)


def test_a_release_in_proportion_is_perfect_and_an_empty_one_useless(cells):
    original = counts_of(cells)
    released = np.stack([original, 3 * original, 0 * original], axis=-1)
    distances = Marginals.of_cells(cells, len(VALUES), (1, 2)).distances(original, released)
    assert np.all(distances[:, :2] < 1e-15)
    assert np.all(distances[:, 2] == 1)


def test_disjoint_releases_are_at_distance_one():
    cells = pa.table({"q": ["a", "b"], "no": [4, 0], "yes": [0, 0]})
    released = np.array([[0.0, 0.0], [0.0, 7.0]])[..., None]
    assert Marginals.of_cells(cells, 2, (1, 2)).distances(np.array([[4.0, 0.0], [0.0, 0.0]]), released).min() == 1


def test_sums_of_parts_of_the_cells_add_up(cells):
    counts = counts_of(cells)[..., None]
    marginals = Marginals.of_cells(cells, len(VALUES), (1, 2, 3))
    whole = marginals.sums(counts)
    parts = marginals.sums(counts[:13], slice(0, 13)) + marginals.sums(counts[13:], slice(13, None))
    np.testing.assert_array_equal(parts.by_value, whole.by_value)
    np.testing.assert_array_equal(parts.in_total, whole.in_total)


def test_many_columns_make_no_more_marginals_than_asked_for():
    cells = pa.table({f"q{i}": ["a", "b"] for i in range(40)} | {"no": [1, 2], "yes": [3, 0]})
    assert len(Marginals.of_cells(cells, 2, (1, 2)).ways) == 41 + 41 * 40 // 2


def test_columns_are_told_apart_by_place_not_by_name():
    cells = pa.Table.from_arrays([pa.array(["a", "b"]), pa.array([1, 2]), pa.array([3, 0])], ["n", "n", "n"])
    assert Marginals.of_cells(cells, 2, (1, 2)).ways.tolist() == [1, 2, 1]


@pytest.mark.parametrize(
    ("ways", "shown"), [((0,), r"\(0,\)"), ((2, 5), r"\(2, 5\)"), ((1.5,), r"\(1.5,\)"), ((), r"\(\)")]
)
def test_impossible_ways_are_refused(cells, ways, shown):
    message = rf"^ways must be in \[1, 4\], got {shown}\. Each is a number of role columns\.$"
    with pytest.raises(OutOfRange, match=message):
        Marginals.of_cells(cells, len(VALUES), ways)
