"""Laws of nearness, by search over small tables of whole numbers, where every tie is a tie."""

from fractions import Fraction
from itertools import chain, permutations, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist

from epsilometer.neighbors import (
    boundary_points,
    candidate_probability,
    coverage,
    hitting_rate,
    mean_matched_distance,
    nearest_distances,
    voronoi_distances,
)


@st.composite
def table_pairs(draw, max_rows=6, max_columns=3, largest=6):
    columns = draw(st.integers(1, max_columns))
    one, other = (draw(st.integers(1, max_rows)) for _ in range(2))
    numbers = st.integers(0, largest)
    return draw(arrays(np.int64, (one, columns), elements=numbers)), draw(
        arrays(np.int64, (other, columns), elements=numbers)
    )


wide_pairs = table_pairs(max_rows=12, max_columns=16)


@given(wide_pairs)
def test_nearest_is_the_smallest_of_all_distances(pair):
    original, synthetic = pair
    np.testing.assert_allclose(
        nearest_distances(original, synthetic), cdist(synthetic, original).min(axis=1), rtol=1e-15
    )


@given(wide_pairs, st.integers(-50, 50), st.randoms(use_true_random=False))
def test_order_and_place_of_the_originals_do_not_matter(pair, shift, random):
    original, synthetic = pair
    shuffled = random.sample(original.tolist(), len(original))
    moved = nearest_distances(np.array(shuffled) + shift, synthetic + shift)
    np.testing.assert_allclose(moved, nearest_distances(original, synthetic), rtol=1e-15)


@given(wide_pairs)
def test_another_original_is_never_less_near(pair):
    original, synthetic = pair
    assert (nearest_distances(original, synthetic) <= nearest_distances(original[:1], synthetic)).all()


@given(wide_pairs)
def test_hits_are_the_records_at_distance_zero(pair):
    at_zero = (nearest_distances(*pair) == 0).sum()
    assert hitting_rate(*pair) == Fraction(int(at_zero), len(pair[1]))


@given(table_pairs(max_rows=5), st.sampled_from([0.0, 1.0, 1.5, 2.0, 3.0, 5.0]))
def test_coverage_is_that_of_all_pairings_tried_out(pair, radius):
    distances = cdist(*sorted(pair, key=len))
    n_pairs, n_others = distances.shape
    costs = {chosen: distances[range(n_pairs), chosen] for chosen in permutations(range(n_others), n_pairs)}
    cheapest = min(cost.sum() for cost in costs.values())
    within = [int((cost <= radius).sum()) for cost in costs.values() if cost.sum() <= cheapest + 1e-9]
    found = coverage(*pair, radius=radius)
    assert (found.most_within, found.fewest_within) == (max(within), min(within))
    assert found.n_pairs == n_pairs
    np.testing.assert_allclose([found.mean_distance, mean_matched_distance(*pair)], cheapest / n_pairs, rtol=1e-12)


@given(table_pairs())
def test_coverage_grows_with_the_radius_up_to_everyone(pair):
    rates = [coverage(*pair, radius=radius).rate for radius in (0.0, 1.0, 2.0, 4.0, 20.0)]
    assert rates == sorted(rates)
    assert rates[-1] == 1


@given(table_pairs())
def test_the_foot_is_on_the_diagram_at_the_distance_said(pair):
    sites = np.unique(np.concatenate([pair[0], pair[0][:1] + 1]), axis=0)
    distances, feet = voronoi_distances(sites, pair[1]), boundary_points(sites, pair[1])
    np.testing.assert_allclose(np.linalg.norm(feet - pair[1], axis=1), distances, atol=1e-12)
    first, second = np.sort(cdist(feet, sites), axis=1)[:, :2].T
    np.testing.assert_allclose(first, second, rtol=1e-9, atol=1e-9)


@given(table_pairs())
def test_a_site_is_half_way_from_its_nearest_neighbour(pair):
    sites = np.unique(np.concatenate([pair[0], pair[0][:1] + 1]), axis=0)
    apart = cdist(sites, sites) + np.diag(np.full(len(sites), np.inf))
    np.testing.assert_allclose(voronoi_distances(sites, sites), apart.min(axis=1) / 2, rtol=1e-12)


@given(table_pairs(largest=3), st.data())
def test_candidates_counted_are_candidates_listed(pair, data):
    original, synthetic = pair
    labels = data.draw(st.lists(st.integers(0, 2), min_size=original.shape[1], max_size=original.shape[1]))
    cliques = [[column for column, own in enumerate(labels) if own == label] for label in sorted(set(labels))]
    parts = [{tuple(row) for row in synthetic[:, clique].tolist()} for clique in cliques]
    columns = list(chain.from_iterable(cliques))
    candidates = [dict(zip(columns, chain.from_iterable(chosen), strict=True)) for chosen in product(*parts)]
    listed = {tuple(candidate[column] for column in range(len(labels))) for candidate in candidates}
    originals = {tuple(row) for row in original.tolist()}
    expected = Fraction(len(listed & originals) ** 2, len(listed) * len(originals))
    assert candidate_probability(original, synthetic, cliques) == expected
