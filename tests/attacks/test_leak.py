"""The leak test: its sums by plain counting, its scores by all choices of training people, and its laws."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from epsilometer.attacks.closest import closest_people
from epsilometer.attacks.leak import LeakTest, leak_test
from epsilometer.errors import OutOfRange

LIMITS = {"nearest 1 %": 0.01, "nearest 5 %": 0.05, "nearest 25 %": 0.25, "all records": 1.0}


def plain_subsets(training, held_out, table):
    """By name: the records, and for each of them which people are nearest."""
    distances = cdist(table, np.concatenate([training, held_out]), "cityblock")
    smallest = distances.min(axis=1).tolist()
    nearest = [np.flatnonzero(row == least).tolist() for row, least in zip(distances, smallest, strict=True)]
    equal = [i for i, least in enumerate(smallest) if least == 0]
    n_at = Counter(tuple(row) for row in table.tolist())
    alone = [i for i in equal if len(nearest[i]) == 1 and n_at[tuple(table[i].tolist())] == 1]
    subsets = {"equal to one person, as no other record": alone, "equal to somebody": equal}
    for name, share in LIMITS.items():
        limit = sorted(smallest)[max(0, int(np.ceil(share * len(smallest) - 1e-9)) - 1)]
        subsets[name] = [i for i, least in enumerate(smallest) if least <= limit]
    return subsets, nearest


def plain_share(records, nearest, chosen):
    shares = [Fraction(len(chosen.intersection(nearest[i])), len(nearest[i])) for i in records]
    return sum(shares) / len(records)


@st.composite
def small_tables(draw):
    n_columns = draw(st.integers(1, 2))
    row = st.lists(st.integers(0, 4), min_size=n_columns, max_size=n_columns)
    return [np.array(draw(st.lists(row, min_size=low, max_size=high))) for low, high in ((1, 4), (1, 4), (1, 30))]


@given(small_tables())
def test_shares_and_scores_are_those_of_all_choices(tables):
    training, held_out, _ = tables
    found = leak_test(closest_people(*tables, norm=1), seed=1, permutations=99)
    subsets, nearest = plain_subsets(*tables)
    n_people, own = len(training) + len(held_out), set(range(len(training)))
    assert [(s.name, s.n_records) for s in found.subsets] == [
        (name, len(rows)) for name, rows in subsets.items() if rows
    ]
    for subset in found.subsets:
        rows = subsets[subset.name]
        share = plain_share(rows, nearest, own)
        choices = [plain_share(rows, nearest, set(c)) for c in combinations(range(n_people), len(training))]
        mean = sum(choices) / len(choices)
        deviation = sqrt(sum((choice - mean) ** 2 for choice in choices) / len(choices))
        assert subset.in_training == pytest.approx(float(share))
        assert float(mean) == pytest.approx(found.by_chance)
        assert subset.z == pytest.approx(float(share - mean) / deviation if deviation else 0.0, abs=1e-6)
    assert found.in_training == found.subsets[-1].in_training


@given(small_tables(), st.integers(0, 1000))
def test_if_every_choice_is_as_good_no_leak_is_found(tables, seed):
    """One record in the middle of everyone, or everyone in one place: the p-value is one."""
    training, held_out, table = (np.zeros_like(rows) for rows in tables)
    found = leak_test(closest_people(training, held_out, table, norm=2), seed=seed)
    assert (found.p_value, found.subsets[-1].z) == (1.0, 0.0)


@given(st.integers(0, 2**32), st.sampled_from(["continuous", "discrete"]))
def test_the_order_of_records_does_not_matter(seed, kind):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(90, 3)) if kind == "continuous" else rng.integers(0, 3, size=(90, 3))
    tables = rows[:40], rows[40:60], rows[60:]
    one = leak_test(closest_people(*tables, norm=1), seed=3, permutations=99)
    other = leak_test(closest_people(*map(rng.permutation, tables), norm=1), seed=3, permutations=99)
    assert one.p_value == other.p_value
    for before, after in zip(one.subsets, other.subsets, strict=True):
        assert (before.name, before.n_records) == (after.name, after.n_records)
        assert (before.in_training, before.z) == pytest.approx((after.in_training, after.z), abs=1e-9)


def test_copies_of_held_out_people_are_no_leak():
    people = np.random.default_rng(1).normal(size=(200, 4))
    found = leak_test(closest_people(people[:100], people[100:], people[100:150], norm=2), seed=1)
    assert (found.p_value, found.in_training, found.found) == (1.0, 0.0, False)
    assert found.verdict == "no leak found at an error rate of 0.05"


def test_near_copies_are_found_among_many_others():
    """Ten records a hair's breadth from training people, among a thousand; nobody is equal to anybody."""
    rng = np.random.default_rng(2)
    people, table = rng.normal(size=(2000, 5)), rng.normal(size=(1000, 5))
    table[:10] = people[:10] + 1e-6
    found = leak_test(closest_people(people[:1000], people[1000:], table, norm=2), seed=1)
    nearest = found.subsets[0]
    assert (nearest.name, nearest.n_records, nearest.in_training) == ("nearest 1 %", 10, 1.0)
    assert found.found
    assert found.verdict == "leak found at an error rate of 0.05"


@pytest.mark.parametrize(("error_rate", "found"), [(0.01, True), (0.009, False)])
def test_found_means_a_p_value_up_to_the_error_rate(error_rate, found):
    assert LeakTest(0.01, error_rate, 0.5, (), 999, 1).found is found


@pytest.mark.parametrize("error_rate", [0.0005, 0.0, 1.0, -1.0, float("nan")])
def test_the_error_rate_must_be_within_reach(error_rate):
    closest = closest_people([[0.0]], [[1.0]], [[0.5]], norm=2)
    expected = r"error_rate must be in \[1/1000, 1\), got .* More permutations allow a smaller one"
    with pytest.raises(OutOfRange, match=expected):
        leak_test(closest, seed=1, error_rate=error_rate)
    assert leak_test(closest, seed=1, error_rate=0.001).p_value > 0.3
