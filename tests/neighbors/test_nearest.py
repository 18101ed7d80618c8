"""Nearest originals: both searches against plain differences, and where rounding or equal records could hurt."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from epsilometer.errors import OutOfRange
from epsilometer.neighbors import hitting_rate, nearest, nearest_distances, y_privacy

SEARCHES = pytest.mark.parametrize("search", [nearest._by_tree, nearest._by_products])


@SEARCHES
@pytest.mark.parametrize("n_columns", [1, 2, 7, 30])
@pytest.mark.parametrize(("n_original", "n_synthetic"), [(1, 1), (1, 1100), (4100, 2), (4100, 1100)])
def test_both_searches_find_the_nearest(search, n_columns, n_original, n_synthetic):
    rng = np.random.default_rng(n_columns)
    original, synthetic = (rng.normal(size=(n, n_columns)) for n in (n_original, n_synthetic))
    np.testing.assert_allclose(search(original, synthetic), cdist(synthetic, original).min(axis=1), rtol=1e-14)


@SEARCHES
def test_no_digit_is_lost_far_from_the_origin(search):
    """Coordinates of 1e9, spread by 1e6, with neighbours a thousandth apart: by products alone, they are the same."""
    rng = np.random.default_rng(1)
    spread = 1e9 + 1e6 * rng.normal(size=(300, 20))
    original = np.concatenate([spread, spread + 1e-3 * rng.normal(size=spread.shape)])
    synthetic = spread + 1e-3 * rng.normal(size=spread.shape)
    np.testing.assert_allclose(search(original, synthetic), cdist(synthetic, original).min(axis=1), rtol=1e-14)


@pytest.mark.parametrize("n_columns", [3, 40])
def test_equal_records_and_ties(n_columns, monkeypatch):
    """Few values make many equal records and many equally near ones; a small limit makes several rounds of them."""
    monkeypatch.setattr(nearest, "NUMBERS_AT_ONCE", 1000)
    rng = np.random.default_rng(2)
    original, synthetic = (rng.integers(0, 2, size=(600, n_columns)) for _ in range(2))
    expected = cdist(synthetic, original).min(axis=1)
    assert nearest_distances(original, synthetic).tolist() == expected.tolist()


def test_the_search_is_chosen_by_the_columns(monkeypatch):
    monkeypatch.setattr(nearest, "_by_tree", lambda *_: "tree")
    monkeypatch.setattr(nearest, "_by_products", lambda *_: "products")
    chosen = [nearest_distances(np.zeros((1, columns)), np.zeros((1, columns))) for columns in (1, 12, 13)]
    assert chosen == ["tree", "tree", "products"]


def test_hitting_rate_asks_for_equality_not_for_a_distance_of_zero():
    """The square of 1e-200 is zero in floating point."""
    assert nearest_distances([[0.0]], [[1e-200]]).tolist() == [0.0]
    assert hitting_rate([[0.0], [5.0]], [[1e-200], [-0.0], [5.0], [5.0]]) == Fraction(3, 4)


def test_y_privacy_by_hand():
    """Distances 0, 1, 2, 3, 4."""
    found = y_privacy([[0], [100]], [[104], [1], [0], [-2], [97]], shares=[0, 0.2, 0.21, 1])
    assert (found.minimum, found.median, found.mean) == (0, 2, 2)
    assert found.quantiles == {0: 0, 0.2: 0, 0.21: 1, 1: 4}


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
