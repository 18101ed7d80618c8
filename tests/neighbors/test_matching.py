"""Pairings: errata, sizes that differ, and the proof that a pairing is cheapest."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from epsilometer.errors import NotCertified, OutOfRange
from epsilometer.neighbors import Coverage, assignment, coverage, matching, mean_matched_distance
from epsilometer.neighbors.assignment import cheapest_pairing
from epsilometer.neighbors.matching import matched_distance
from epsilometer.neighbors.pricing import Market


def test_r1_cheapest_pairings_disagree():
    assert coverage([[0], [1]], [[2], [3]], radius=1) == Coverage(2, 1, 0, 2.0)


def test_ties_of_irrational_distances():
    """The same along a diagonal: roots of 2, 8 and 18, whose sums rounding tells apart."""
    for scale in (1.0, 1e-3, 0.7, 1e100, 1e-100):
        diagonal = scale * np.array([[1.0, 1.0]])
        original, synthetic = np.array([[0.0], [1.0]]) * diagonal, np.array([[2.0], [3.0]]) * diagonal
        found = coverage(original, synthetic, radius=1.5 * scale)
        assert (found.most_within, found.fewest_within) == (1, 0)


def test_near_is_not_tied():
    """A thousandth off the line makes one pairing cheaper by less than a millionth, and it alone counts."""
    crossed = coverage([[0, 0], [1, 0]], [[2, 0], [3, 1e-3]], radius=1.01)
    assert (crossed.most_within, crossed.fewest_within) == (1, 1)
    straight = coverage([[0, 0], [1, 0]], [[2, 1e-3], [3, 0]], radius=1.01)
    assert (straight.most_within, straight.fewest_within) == (0, 0)


def test_the_boundary_is_within_however_the_root_is_rounded():
    assert coverage([[0.0, 0.0]], [[0.1, 0.2]], radius=np.sqrt(0.05)).rate == 1
    assert coverage([[0.0, 0.0]], [[0.1, 0.2]], radius=np.sqrt(0.05) * (1 - 1e-14)).rate == 0


def test_equal_tables():
    assert coverage([[1, 2]] * 4, [[1, 2]] * 4, radius=0) == Coverage(4, 4, 4, 0.0)


def test_a_larger_table_leaves_records_over():
    original, synthetic = [[0], [10]], [[1], [12], [50], [2]]
    expected = Coverage(2, 1, 1, 1.5)
    assert coverage(original, synthetic, radius=1) == expected
    assert coverage(synthetic, original, radius=1) == expected
    assert mean_matched_distance(original, synthetic) == 1.5


def test_a_record_that_every_cheapest_pairing_uses_is_not_left_over():
    """For -1 and 1 the cheapest are 0 and one of -3 and 3; those two without 0 are made of the same pairs."""
    assert coverage([[-1], [1]], [[0], [-3], [3]], radius=1) == Coverage(2, 1, 1, 1.5)


@pytest.mark.parametrize("radius", [-1.0, np.inf, np.nan])
def test_a_radius_is_a_distance(radius):
    with pytest.raises(OutOfRange, match=r"radius must be in \[0, inf\), got .* It is a distance between records"):
        coverage([[0]], [[1]], radius=radius)


def dense(original, synthetic, norm=2):
    """All distances, the smaller table in the rows."""
    smaller, larger = sorted((original, synthetic), key=len)
    return cdist(smaller, larger, {1: "cityblock", 2: "euclidean"}[norm])


def clustered(rng, n):
    centres = 10 * rng.normal(size=(8, 3))
    return centres[rng.integers(0, 8, n)] + rng.normal(size=(n, 3))


TABLES = {
    "normal": lambda rng, n, m: (rng.normal(size=(n, 3)), rng.normal(size=(m, 3))),
    "shifted": lambda rng, n, m: (rng.normal(size=(n, 3)), 0.5 + 1.4 * rng.normal(size=(m, 3))),
    "clusters": lambda rng, n, m: (clustered(rng, n), clustered(rng, m)),
    "many ties": lambda rng, n, m: (rng.integers(0, 5, (n, 3)).astype(float), rng.integers(0, 5, (m, 3)).astype(float)),
    "one column": lambda rng, n, m: (rng.normal(size=(n, 1)), rng.normal(size=(m, 1)) + 0.2),
}


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize(("sizes", "norm"), [((700, 700), 2), ((450, 800), 2), ((600, 600), 1)])
def test_sparse_search_finds_what_a_dense_one_finds(kind, sizes, norm):
    original, synthetic = TABLES[kind](np.random.default_rng(11), *sizes)
    distances = dense(original, synthetic, norm)
    expected = distances[linear_sum_assignment(distances)].mean()
    found = matched_distance(original, synthetic, norm=norm)
    assert found.mean_distance == pytest.approx(expected, rel=1e-9)
    assert (found.gap, found.n_pairs) == (0, min(sizes))


@pytest.mark.parametrize("kind", TABLES)
def test_prices_prove_the_pairing_against_every_pair(kind):
    original, synthetic = TABLES[kind](np.random.default_rng(12), 500, 520)
    found = cheapest_pairing(original, synthetic, 2)
    row, column = (index.ravel() for index in np.indices((500, 520)))
    reduced = found.prices.reduced(row, column).reshape(500, 520)
    assert reduced.min() >= 0
    assert (reduced[np.arange(500), found.partner] == 0).all()
    left_over = np.setdiff1d(np.arange(520), found.partner)
    assert (found.prices.prices <= 0).all()
    assert not found.prices.prices[left_over].any()


@pytest.mark.parametrize("kind", ["shifted", "clusters", "many ties"])
@pytest.mark.parametrize("thorough_at_most", [0, 10**9])
def test_work_cut_short_is_within_the_gap_it_states(monkeypatch, kind, thorough_at_most):
    original, synthetic = TABLES[kind](np.random.default_rng(13), 600, 600)
    best = linear_sum_assignment(distances := dense(original, synthetic))
    monkeypatch.setattr(assignment, "ROUNDS_AT_MOST", 1)
    monkeypatch.setattr(assignment, "THOROUGH_AT_MOST", thorough_at_most)
    found = coverage(original, synthetic, radius=1.0)
    assert found.gap > 0
    assert not found.every_pairing
    assert found.most_within == found.fewest_within
    assert 0 <= found.mean_distance - distances[best].mean() <= found.gap


def test_too_many_ties_to_see_every_pairing(monkeypatch):
    monkeypatch.setattr(matching, "TIES_AT_MOST", 100)
    found = coverage(np.zeros((500, 1)), np.zeros((501, 1)), radius=1)
    assert found == Coverage(500, 500, 500, 0.0, 0.0, every_pairing=False)


def test_one_column_is_paired_in_order():
    rng = np.random.default_rng(14)
    one, other = rng.normal(size=(700, 1)), rng.exponential(size=(700, 1))
    expected = np.abs(np.sort(one.ravel()) - np.sort(other.ravel())).mean()
    assert matched_distance(one, other).mean_distance == pytest.approx(expected, rel=1e-9)


def test_prices_of_a_pairing_that_is_not_the_cheapest_do_not_exist():
    market = Market(np.array([[0.0], [10.0]]), np.array([[0.0], [10.0]]), 2, 1.0)
    row, column = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    with pytest.raises(NotCertified, match="could not be proved"):
        assignment._proved(market, row, column, market.costs(row, column), np.array([1, 0]))


def test_records_that_cannot_be_paired_are_said_not_to_be():
    with pytest.raises(NotCertified, match="could not be paired"):
        assignment.solved(np.array([0, 1]), np.array([0, 0]), np.zeros(2), (2, 2))
