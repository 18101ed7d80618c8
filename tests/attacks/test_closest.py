"""The nearest people of each record, with everyone equally near, against all distances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist

from epsilometer.attacks.closest import closest_people
from epsilometer.errors import BadTable

METRICS = {1: "cityblock", 2: "euclidean"}


@st.composite
def pools_and_tables(draw, largest=3):
    n_columns = draw(st.integers(1, 3))
    sizes = [draw(st.integers(1, 8)) for _ in range(3)]
    return [draw(arrays(np.int64, (n, n_columns), elements=st.integers(0, largest))) for n in sizes]


def nearest_of_all(training, held_out, table, norm):
    """Distances, and for each record which people are nearest: records x people, training people first."""
    distances = cdist(table, np.concatenate([training, held_out]), METRICS[norm])
    smallest = distances.min(axis=1)
    return smallest, distances <= smallest[:, None] + 1e-9


def check(closest, smallest, nearest, n_training):
    np.testing.assert_allclose(closest.distance, smallest)
    assert closest.n_nearest.tolist() == nearest.sum(axis=1).tolist()
    trained = np.bincount(closest.record, closest.n_training[closest.place], len(smallest))
    assert trained.tolist() == nearest[:, :n_training].sum(axis=1).tolist()


@given(pools_and_tables(), st.sampled_from([1, 2]))
def test_everyone_equally_near_is_found(tables, norm):
    training, held_out, table = tables
    closest = closest_people(training, held_out, table, norm)
    check(closest, *nearest_of_all(training, held_out, table, norm), len(training))
    assert closest.by_chance == len(training) / (len(training) + len(held_out))
    assert closest.n_training.tolist() == np.bincount(closest.training_place, minlength=len(closest.n_people)).tolist()


@given(pools_and_tables(), st.data())
def test_copies_are_found_as_a_search_would(tables, data):
    training, held_out, table = tables
    records = np.array(data.draw(st.lists(st.integers(0, len(table) - 1), unique=True, min_size=1)))
    people = np.array(
        data.draw(st.lists(st.integers(0, len(training) - 1), min_size=len(records), max_size=len(records)))
    )
    planted = closest_people(training, held_out, table, 2).with_copies(records, people)
    table = table.copy()
    table[records] = training[people]
    check(planted, *nearest_of_all(training, held_out, table, 2), len(training))


@given(pools_and_tables(), st.randoms(use_true_random=False))
def test_places_are_numbered_alike_in_any_order_of_the_people(tables, random):
    shuffled = [np.array(random.sample(rows.tolist(), len(rows))) for rows in tables]
    before, after = closest_people(*tables, norm=1), closest_people(*shuffled, norm=1)
    assert before.n_people.tolist() == after.n_people.tolist()
    assert before.n_training.tolist() == after.n_training.tolist()
    assert sorted(before.distance) == sorted(after.distance)


def test_columns_must_be_the_same():
    with pytest.raises(BadTable, match="training records have 2 columns and the held-out ones 1"):
        closest_people([[0, 0]], [[0]], [[0]], norm=2)
    with pytest.raises(BadTable, match="original records have 1 columns and the synthetic ones 2"):
        closest_people([[0]], [[0]], [[0, 0]], norm=2)
    with pytest.raises(BadTable, match="There are no held-out records"):
        closest_people([[0]], np.empty((0, 1)), [[0]], norm=2)
