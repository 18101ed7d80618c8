"""The way to the Voronoi diagram without a diagram, against scipy's diagram."""

import numpy as np
import pytest
from scipy.spatial import Voronoi

from epsilometer.errors import BadTable
from epsilometer.neighbors import boundary_points, choice, products, search, voronoi, voronoi_distances, voronoi_privacy
from epsilometer.neighbors.how import How

SEARCHES = pytest.mark.parametrize("by_tree", [True, False])


@pytest.fixture
def chosen(monkeypatch, by_tree):
    """Little at a time makes several rounds of everything."""
    how = How(choice.TREE if by_tree else choice.PRODUCTS, "asked for")
    monkeypatch.setattr(voronoi, "choose_search", lambda *_, **__: how)
    for module in (search, products):
        monkeypatch.setattr(module, "NUMBERS_AT_ONCE", 2000)
    monkeypatch.setattr(products, "BLOCK", (90, 64))


def to_segments(point, starts, ends):
    """Distance from a point to the nearest of some segments."""
    along = ends - starts
    share = np.clip(((point - starts) * along).sum(axis=1) / (along**2).sum(axis=1), 0, 1)
    return np.linalg.norm(point - starts - share[:, None] * along, axis=1).min()


def finite_edges(sites):
    """Edges of the diagram within a frame of far sites, which make those near the middle finite."""
    frame = 1e3 * np.array([[1, 0.1], [-1, 0.2], [0.3, 1], [-0.1, -1]])
    diagram = Voronoi(np.concatenate([sites, frame]))
    edges = np.array([ridge for ridge in diagram.ridge_vertices if -1 not in ridge])
    return diagram.vertices[edges[:, 0]], diagram.vertices[edges[:, 1]]


@SEARCHES
@pytest.mark.parametrize("seed", range(12))
def test_scipy_diagram_in_the_plane(chosen, seed):
    rng = np.random.default_rng(seed)
    sites, points = rng.normal(size=(4 + 5 * seed, 2)), rng.normal(size=(40, 2))
    starts, ends = finite_edges(sites)
    expected = [to_segments(point, starts, ends) for point in points]
    np.testing.assert_allclose(voronoi_distances(sites, points), expected, rtol=1e-9, atol=1e-12)


@SEARCHES
@pytest.mark.parametrize("n_columns", [1, 3, 6, 15])
@pytest.mark.parametrize("whole", [True, False])
def test_few_sites_looked_at_are_as_good_as_all(chosen, n_columns, whole):
    """Points far out have many sites equally far; whole numbers make ties of sites and of bisectors."""
    rng = np.random.default_rng(n_columns)
    sites, points = rng.normal(size=(150, n_columns)), 3 * rng.normal(size=(200, n_columns))
    if whole:
        sites, points = np.unique(np.rint(sites), axis=0), np.rint(points)
    squares = ((points[:, None] - sites) ** 2).sum(axis=2)
    nearest = squares.argmin(axis=1)
    apart = np.linalg.norm(sites[nearest][:, None] - sites, axis=2)
    with np.errstate(invalid="ignore"):
        bisectors = (squares - squares.min(axis=1, keepdims=True)) / (2 * apart)
    np.testing.assert_allclose(voronoi_distances(sites, points), np.nanmin(bisectors, axis=1), rtol=1e-9, atol=1e-12)


@SEARCHES
def test_no_digit_is_lost_far_from_the_origin(chosen):
    """Sites a thousandth apart, at a billion: products alone do not tell them apart."""
    rng = np.random.default_rng(1)
    spread = 1e6 * rng.integers(-3, 4, size=(40, 3))
    sites, points = (np.rint(1000 * (spread + 1e-3 * rng.integers(0, 9, size=spread.shape))) for _ in range(2))
    sites = np.unique(sites, axis=0)
    near = voronoi_distances(sites, points)
    np.testing.assert_allclose(voronoi_distances(sites + 2.0**42, points + 2.0**42), near, rtol=1e-12)


@SEARCHES
def test_equal_sites_count_once(chosen):
    assert voronoi_distances([[0], [0], [4], [4]], [[0], [1], [2], [9]]).tolist() == [2, 1, 0, 7]


def test_two_sites_are_the_fewest():
    with pytest.raises(BadTable, match="All sites are equal, so that there is no Voronoi diagram; at least two"):
        voronoi_distances([[1, 2], [1, 2]], [[0, 0]])
    assert boundary_points([[0, 0], [2, 0]], [[5, 7]]).tolist() == [[1, 7]]


@SEARCHES
def test_sites_nearer_than_a_square_can_say(chosen):
    """The square of 1e-200 is zero in floating point."""
    assert voronoi_distances([[0.0], [1e-200], [1.0]], [[0.7]]) == pytest.approx(0.2)
    assert voronoi_distances([[0.0], [1e-200]], [[-1e-200], [0.0]]).max() <= 1e-199


def test_r5_the_two_readings_point_in_opposite_directions():
    """Originals released as they are, against records halfway between originals."""
    original = np.array([[0.0], [4.0], [10.0], [12.0]])
    halfway = boundary_points(original, original)
    assert voronoi_privacy(original, halfway) == 0 < voronoi_privacy(original, original)
    assert voronoi_distances(original, halfway).tolist() == [0, 0, 0, 0]
    assert voronoi_distances(original, original).tolist() == [2, 2, 1, 1]


def test_tables_of_two_sizes():
    """Originals move to 2, 2, 7; only one synthetic record is there to be paired."""
    assert voronoi_privacy([[0], [4], [10]], [[6]]) == 1
    assert voronoi_privacy([[0], [4], [10]], [[6], [2], [2], [2]]) == pytest.approx(1 / 3)
