"""Nearest originals: both searches against plain differences, and where rounding or equal records could hurt."""

import re
from fractions import Fraction

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from epsilometer.errors import OutOfRange
from epsilometer.neighbors import (
    choice,
    hitting_rate,
    nearest,
    nearest_distances,
    nearest_ties,
    products,
    search,
    tiles,
    y_privacy,
)
from epsilometer.neighbors.how import How
from epsilometer.neighbors.search import grown_tree

KINDS = {1: "cityblock", 2: "euclidean"}
NORMS = pytest.mark.parametrize("norm", KINDS)
SEARCHES = pytest.mark.parametrize("by_tree", [True, False])


@pytest.fixture
def chosen(monkeypatch, by_tree):
    how = How(choice.TREE if by_tree else choice.PRODUCTS, "asked for")
    monkeypatch.setattr(nearest, "choose_search", lambda *_: how)


@pytest.fixture
def small_steps(monkeypatch):
    """Little at a time makes several rounds of everything."""
    for module in (search, products):
        monkeypatch.setattr(module, "NUMBERS_AT_ONCE", 1000)
    monkeypatch.setattr(products, "BLOCK", (100, 64))
    monkeypatch.setattr(tiles, "AT_ONCE", (1, 2))


def smallest(original, synthetic, norm):
    return cdist(synthetic, original, KINDS[norm]).min(axis=1)


@NORMS
@SEARCHES
@pytest.mark.parametrize("n_columns", [1, 2, 7, 30])
@pytest.mark.parametrize(("n_original", "n_synthetic"), [(1, 1), (1, 1100), (4100, 2), (4100, 1100)])
def test_both_searches_find_the_nearest(chosen, norm, n_columns, n_original, n_synthetic):
    rng = np.random.default_rng(n_columns)
    original, synthetic = (rng.normal(size=(n, n_columns)) for n in (n_original, n_synthetic))
    found = nearest_distances(original, synthetic, norm=norm)
    np.testing.assert_allclose(found, smallest(original, synthetic, norm), rtol=1e-14)


@NORMS
@SEARCHES
def test_no_digit_is_lost_far_from_the_origin(chosen, norm):
    """Coordinates of 1e9, spread by 1e6, with neighbours a thousandth apart: by products alone, they are the same."""
    rng = np.random.default_rng(1)
    spread = 1e9 + 1e6 * rng.normal(size=(300, 20))
    original = np.concatenate([spread, spread + 1e-3 * rng.normal(size=spread.shape)])
    synthetic = spread + 1e-3 * rng.normal(size=spread.shape)
    found = nearest_distances(original, synthetic, norm=norm)
    np.testing.assert_allclose(found, smallest(original, synthetic, norm), rtol=1e-14)


@NORMS
@SEARCHES
@pytest.mark.parametrize("n_columns", [3, 40])
def test_equal_records_and_ties(chosen, small_steps, norm, n_columns):
    """Few values make many equal records and many equally near ones."""
    rng = np.random.default_rng(2)
    original, synthetic = (rng.integers(0, 2, size=(600, n_columns)) for _ in range(2))
    expected = smallest(original, synthetic, norm)
    assert nearest_distances(original, synthetic, norm=norm).tolist() == expected.tolist()


@NORMS
@SEARCHES
@pytest.mark.parametrize("n_values", [2, 3, 9])
def test_ties_are_all_records_at_the_smallest_distance(chosen, small_steps, norm, n_values):
    """Some columns have one value or two, which products of matrices treat in their own way."""
    rng = np.random.default_rng(n_values)
    pool, queries = (
        np.column_stack([np.full(n, 7), rng.integers(0, 2, size=(n, 3)), rng.integers(0, n_values, size=(n, 3))])
        for n in (500, 230)
    )
    found = nearest_ties(pool, queries, norm=norm)
    distances = cdist(queries, pool, KINDS[norm])
    assert found.distances.tolist() == distances.min(axis=1).tolist()
    at_place = np.zeros((len(queries), found.place_of_record.max() + 1), dtype=bool)
    at_place[found.query, found.place] = True
    assert (at_place[:, found.place_of_record] == (distances == found.distances[:, None])).all()
    assert len(found.query) == at_place.sum()
    assert (np.diff(found.query) >= 0).all()


@SEARCHES
def test_places_are_the_different_records_of_the_pool(chosen):
    found = nearest_ties([[7.0, 0.0], [1.0, 1.0], [7.0, -0.0]], [[0.0, 0.0]])
    assert found.place_of_record.tolist() == [0, 1, 0]
    assert (found.query.tolist(), found.place.tolist()) == ([0], [1])
    alone = nearest_ties([[3.0]] * 400, [[1.0], [3.0]])
    assert (alone.distances.tolist(), alone.place.tolist()) == ([2, 0], [0, 0])


@NORMS
@SEARCHES
@pytest.mark.parametrize("place", [0.0, 1e6])
def test_distances_that_only_rounding_tells_apart_are_equal(chosen, norm, place):
    """0.3 - 0.1 and 0.5 - 0.3 are not the same float; a difference of 1e-8 is one."""
    pool, queries = np.array([[0.1, 0.0], [0.5, 0.0], [0.3, 0.2 + 1e-8]]) + place, np.array([[0.3, 0.0]]) + place
    assert len(set(cdist(queries, pool, KINDS[norm])[0].tolist())) == 3
    assert nearest_ties(pool, queries, norm=norm).place.tolist() == [0, 1]


@NORMS
@SEARCHES
def test_more_ties_than_are_looked_at_first(chosen, small_steps, norm):
    """The centre of a cube is as far from all of its 256 corners."""
    corners = np.stack(np.meshgrid(*[[0.0, 1.0]] * 8), axis=-1).reshape(-1, 8)
    found = nearest_ties(corners, np.full((30, 8), 0.5), norm=norm)
    assert len(found.query) == 30 * 256


@pytest.mark.parametrize("scale", [1e-140, 1e140])
def test_single_precision_is_not_left_by_sizes(scale):
    """Squares of 1e140 are beyond single precision, and so are those of 1e-140."""
    rng = np.random.default_rng(3)
    original, synthetic = (scale * rng.normal(size=(n, 20)) for n in (700, 150))
    pairs = list(products.ties_by_products(original, synthetic, 2))
    assert sum(len(part.query) for part in pairs) == 150
    found = products.nearest_by_products(original, synthetic, 2)
    np.testing.assert_allclose(found, smallest(original, synthetic, 2), rtol=1e-14)


def test_where_single_precision_tells_nothing_apart_double_does():
    """One record a million times as far away as the others leaves no digits for these."""
    rng = np.random.default_rng(4)
    original, synthetic = rng.normal(size=(900, 20)), rng.normal(size=(200, 20))
    original[17] = 1e7
    cut = tiles.Tiles.of(original, synthetic)
    assert [cut.promising(rows) for rows in cut.blocks()] == [None]
    found = products.nearest_by_products(original, synthetic, 2)
    np.testing.assert_allclose(found, smallest(original, synthetic, 2), rtol=1e-14)


def test_of_hundreds_of_columns_a_tile_is_smaller():
    rng = np.random.default_rng(5)
    original, synthetic = rng.normal(size=(130, 300)), rng.normal(size=(70, 300))
    assert tiles.Tiles.of(original, synthetic).left.shape == (5, 16, 301)
    found = products.nearest_by_products(original, synthetic, 2)
    np.testing.assert_allclose(found, smallest(original, synthetic, 2), rtol=1e-14)


def on_four_directions(rng, n, n_columns):
    directions = np.random.default_rng(6).normal(size=(4, n_columns))
    return rng.normal(size=(n, 4)) @ directions


def how_chosen(original, synthetic, norm):
    return choice.choose_search(grown_tree(original), synthetic, norm)


@NORMS
def test_few_columns_are_searched_by_a_tree(norm):
    rng = np.random.default_rng(7)
    how = how_chosen(rng.normal(size=(3000, 5)), rng.normal(size=(40, 5)), norm)
    assert how.in_words == "a tree: 3,000 different records in 5 coordinates; up to 5 it is always taken"


@NORMS
def test_many_columns_are_searched_as_their_points_allow(norm):
    """Sixty columns drawn apart leave a tree nothing to leave out; thirty sums of four are like four."""
    rng = np.random.default_rng(8)
    apart = how_chosen(rng.normal(size=(20_000, 60)), rng.normal(size=(1000, 60)), norm)
    assert apart.method == "products of matrices"
    most, looks = {1: 15, 2: 4}[norm], "looks at {} % of the 20,000 different ones"
    assert apart.why == f"a tree, tried on 32 records, {looks.format(100)}; above {most} % it is the slower way"
    alike = how_chosen(on_four_directions(rng, 20_000, 30), on_four_directions(rng, 1000, 30), norm)
    assert alike.method == "a tree"
    share = float(re.search(r"looks at ([0-9.]+) %", alike.why)[1])
    assert 0 < share <= most
    assert alike.why == f"tried on 32 records, it {looks.format(f'{share:g}')}; up to {most} % it is the faster way"


@NORMS
def test_a_query_on_a_point_looks_at_the_leaves_that_hold_it(norm):
    """Sixteen clusters of sixteen, which are one leaf each: one of sixteen leaves is looked at."""
    centres = 1000.0 * np.arange(16)[:, None] * np.ones(6)
    points = (centres[:, None] + np.random.default_rng(9).random((16, 16, 6))).reshape(-1, 6)
    how = how_chosen(points, points[::16], norm)
    assert "tried on 16 records" in how.why
    assert "looks at 6.25 % of the 256 different ones" in how.why


@NORMS
def test_results_say_how_they_were_found(norm):
    rng = np.random.default_rng(10)
    pool, queries = rng.normal(size=(300, 7)), rng.normal(size=(60, 7))
    expected = how_chosen(pool, queries, norm)
    assert nearest.find_nearest(pool, queries, norm=norm).how == nearest_ties(pool, queries, norm=norm).how == expected


def test_hitting_rate_asks_for_equality_not_for_a_distance_of_zero():
    """The square of 1e-200 is zero in floating point."""
    assert nearest_distances([[0.0]], [[1e-200]]).tolist() == [0.0]
    assert hitting_rate([[0.0], [5.0]], [[1e-200], [-0.0], [5.0], [5.0]]) == Fraction(3, 4)


def test_y_privacy_by_hand():
    """Distances 0, 1, 2, 3, 4."""
    found = y_privacy([[0], [100]], [[104], [1], [0], [-2], [97]], shares=[0, 0.2, 0.21, 1])
    assert (found.minimum, found.median, found.mean) == (0, 2, 2)
    assert found.quantiles == {0: 0, 0.2: 0, 0.21: 1, 1: 4}
    assert [y_privacy([[0, 0]], [[3, 4]], norm=norm).mean for norm in (1, 2)] == [7, 5]


@pytest.mark.parametrize("share", [-0.1, 1.5, float("nan")])
def test_a_share_is_a_share(share):
    with pytest.raises(OutOfRange, match=r"share must be in \[0, 1\], got .* It is a part of the synthetic records"):
        y_privacy([[0]], [[1]], shares=[share])


def test_r2_the_printed_bound_on_a_guess_does_not_hold():
    """D = 5 and O = {3, 7}: y = 2, and two of the five whole numbers within it are originals, not one."""
    y = int(y_privacy([[3], [7]], [[5]]).minimum)
    within = np.arange(5 - y, 5 + y + 1)
    hit = np.isin(within, [3, 7]).mean()
    assert (y, hit) == (2, 2 / 5)
    assert hit > 1 / (2 * y + 1)
