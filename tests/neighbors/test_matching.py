"""Pairings: errata, sizes that differ, and the proof that a pairing is cheapest."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment, linprog
from scipy.spatial.distance import cdist

from epsilometer.errors import NotCertified, OutOfRange
from epsilometer.neighbors import Coverage, assignment, coverage, matching, mean_matched_distance
from epsilometer.neighbors.assignment import cheapest_pairing
from epsilometer.neighbors.how import How
from epsilometer.neighbors.matching import matched_distance
from epsilometer.neighbors.pricing import Market


def covered(*numbers, **more):
    """What is found, however it was."""
    return Coverage(*numbers, **more, how=How("any", "way"))


def test_r1_cheapest_pairings_disagree():
    assert coverage([[0], [1]], [[2], [3]], radius=1) == covered(2, 1, 0, 2.0)


def test_rates_of_the_pairings_with_most_and_with_fewest_pairs_within():
    found = coverage([[0], [1], [9]], [[2], [3], [9]], radius=1)
    assert (found.rate, found.lowest_rate) == (2 / 3, 1 / 3)


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
    assert coverage([[1, 2]] * 4, [[1, 2]] * 4, radius=0) == covered(4, 4, 4, 0.0)


def test_a_larger_table_leaves_records_over():
    original, synthetic = [[0], [10]], [[1], [12], [50], [2]]
    expected = covered(2, 1, 1, 1.5)
    assert coverage(original, synthetic, radius=1) == expected
    assert coverage(synthetic, original, radius=1) == expected
    assert mean_matched_distance(original, synthetic) == 1.5


def test_a_record_that_every_cheapest_pairing_uses_is_not_left_over():
    """For -1 and 1 the cheapest are 0 and one of -3 and 3; those two without 0 are made of the same pairs."""
    assert coverage([[-1], [1]], [[0], [-3], [3]], radius=1) == covered(2, 1, 1, 1.5)


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


def dense_extremes(distances, n_columns, radius):
    """Most and fewest pairs within a radius, by the prices of all pairs at once."""
    n_pairs = len(distances)
    exponent = np.floor(np.log2(2**50 / (n_pairs + 1)) - np.log2(distances.max()))
    costs = np.rint(np.ldexp(distances, int(exponent)))
    row, column = linear_sum_assignment(costs)
    prices = np.zeros(distances.shape[1])
    while True:
        worth = costs[row, column] - prices[column]
        lowered = np.minimum(prices, (costs - worth[:, None]).min(axis=0))
        if (lowered == prices).all():
            break
        prices = lowered
    hidden = n_pairs + n_columns
    usable = costs - worth[:, None] - prices <= hidden
    within, needed = distances <= radius * (1 + 1e-14), np.where(prices < -hidden, n_pairs + 1.0, 0.0)
    chosen = (linear_sum_assignment(np.where(usable, -sign * within - needed, np.inf)) for sign in (1, -1))
    return tuple(int(within[pairs].sum()) for pairs in chosen)


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("sizes", [(420, 420), (380, 450)])
def test_the_worst_and_best_of_the_cheapest_pairings_are_those_of_a_dense_search(kind, sizes):
    original, synthetic = TABLES[kind](np.random.default_rng(15), *sizes)
    distances = dense(original, synthetic)
    radius = float(np.median(distances.min(axis=1))) or 1.0
    found = coverage(original, synthetic, radius=radius)
    assert (found.most_within, found.fewest_within) == dense_extremes(distances, original.shape[1], radius)
    assert found.every_pairing


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("sizes", [(500, 500), (500, 520)])
def test_prices_prove_the_pairing_against_every_pair(kind, sizes):
    found = cheapest_pairing(*TABLES[kind](np.random.default_rng(12), *sizes), 2)
    market, prices = found.prices.market, found.prices.prices
    shape = len(market.smaller), len(market.larger)
    reduced = found.prices.reduced(*(index.ravel() for index in np.indices(shape)))
    assert reduced.min() >= 0
    np.testing.assert_array_equal(np.bincount(found.row, found.amount, shape[0]), market.n_smaller)
    left_over = market.n_larger - np.bincount(found.column, found.amount, shape[1])
    assert left_over.min() >= 0
    assert left_over.sum() == sizes[1] - sizes[0]
    assert (prices <= 0).all()
    excess = found.amount @ market.costs(found.row, found.column) - market.n_smaller @ found.prices.worth
    assert found.excess == excess - market.n_larger @ prices
    assert found.proved


@pytest.mark.parametrize("kind", ["normal", "shifted", "clusters"])
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


@pytest.mark.parametrize("kind", ["shifted", "one column"])
def test_prices_that_are_not_found_in_time_only_widen_the_gap(monkeypatch, kind):
    original, synthetic = TABLES[kind](np.random.default_rng(16), 500, 560)
    distances = dense(original, synthetic)
    best = distances[linear_sum_assignment(distances)].mean()
    monkeypatch.setattr(assignment, "SWEEPS_AT_MOST", 3)
    found = matched_distance(original, synthetic)
    assert found.gap > 0
    assert -1e-12 <= found.mean_distance - best <= found.gap


def test_too_many_ties_to_see_every_pairing(monkeypatch):
    monkeypatch.setattr(matching, "TIES_AT_MOST", 100)
    found = coverage(np.arange(500.0)[:, None], np.arange(500.0)[:, None] + 7, radius=7)
    assert found == covered(500, 500, 500, 7.0, 0.0, every_pairing=False)


def test_many_equal_records_are_a_small_transport_problem():
    """Eight points with thousands of records each, against a linear program of sixty-four flows."""
    rng = np.random.default_rng(17)
    original, synthetic = ((rng.random((n, 3)) < share).astype(float) for n, share in ((20_000, 0.5), (21_000, 0.4)))
    (rows, n_row), (columns, n_column) = (np.unique(t, axis=0, return_counts=True) for t in (original, synthetic))
    distances = cdist(rows, columns)
    program = linprog(
        distances.ravel(),
        A_eq=np.kron(np.eye(8), np.ones(8)),
        b_eq=n_row,
        A_ub=np.kron(np.ones(8), np.eye(8)),
        b_ub=n_column,
    )
    found = coverage(original, synthetic, radius=0.0)
    assert found.mean_distance == pytest.approx(program.fun / 20_000, rel=1e-9)
    assert found.gap == 0
    assert found.every_pairing


@pytest.mark.parametrize("n", [1, 700, 20_000])
def test_one_column_is_paired_in_order(n):
    rng = np.random.default_rng(14)
    one, other = rng.normal(size=(n, 1)), rng.exponential(size=(n, 1))
    one[n // 2 :] = one[n // 2 :].round(1)  # some of them equal
    expected = np.abs(np.sort(one.ravel()) - np.sort(other.ravel())).mean()
    found = matched_distance(one, other)
    assert found.mean_distance == pytest.approx(expected, rel=1e-9)
    assert found.gap == 0


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ((5, 5, 1), "in order: 5 records of one coordinate in both tables; nothing is cheaper"),
        ((5, 6, 1), "all pairs: 30 of different records; up to 160,000 are all looked at"),
        ((400, 400, 2), "all pairs: 160,000 of different records; up to 160,000 are all looked at"),
        (
            (400, 401, 2),
            "near pairs and bargains: 160,400 of different records are more than 160,000; proved to be the",
        ),
    ],
    ids=["line", "line of two sizes", "few", "many"],
)
def test_a_pairing_says_how_it_was_found(sizes, words):
    rng = np.random.default_rng(18)
    original, synthetic = (rng.normal(size=(n, sizes[2])) for n in sizes[:2])
    assert matched_distance(original, synthetic).how.in_words.startswith(words)
    assert coverage(original, synthetic, radius=1).how.in_words.startswith(words)


def test_a_pairing_that_is_not_proved_says_so(monkeypatch):
    original, synthetic = TABLES["shifted"](np.random.default_rng(15), 600, 600)
    monkeypatch.setattr(assignment, "ROUNDS_AT_MOST", 1)
    found = matched_distance(original, synthetic)
    assert found.gap > 0
    assert (
        found.how.why == "360,000 of different records are more than 160,000; not proved to be the cheapest in round 1"
    )


def two_points():
    points, once = np.array([[0.0], [10.0]]), np.array([1, 1])
    return Market(points, points, once, once, 2, 1.0)


def test_prices_of_a_pairing_that_is_not_the_cheapest_do_not_exist():
    market = two_points()
    row, column = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    with pytest.raises(NotCertified, match=r"could not be proved to be the cheapest. Take a random part"):
        assignment._proved(market, row, column, market.costs(row, column), np.array([0, 1, 1, 0]))


def test_records_that_cannot_be_paired_are_said_not_to_be():
    with pytest.raises(NotCertified, match=r"could not be paired. Take a random part"):
        assignment.solved(np.array([0, 1]), np.array([0, 0]), np.zeros(2), two_points())
