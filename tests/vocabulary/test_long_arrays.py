"""Parts of long arrays are all of them, and fit a cache."""

import os
import threading
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.vocabulary import long_arrays
from epsilometer.vocabulary.long_arrays import histogram, of_parts, parts, ranked, row_sums, tally


@given(n_rows=st.integers(0, 60), numbers_per_row=st.integers(1, 40))
def test_parts_are_the_rows_in_order_and_fit(n_rows, numbers_per_row):
    rows = np.arange(n_rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_arrays, "FITS_A_CACHE", 20)
        several = parts(rows, numbers_per_row)
    assert np.concatenate(several).tolist() == rows.tolist()
    assert all(len(part) * numbers_per_row <= max(20, numbers_per_row) + numbers_per_row for part in several)


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9), st.integers(-9, 9)), min_size=1))
def test_rows_are_summed_one_by_one(rows):
    assert row_sums(np.array(rows)).tolist() == [sum(row) for row in rows]


@given(st.lists(st.tuples(st.integers(0, 10**12) | st.integers(0, 9), st.integers(1, 9)), min_size=1))
def test_histogram_is_a_tally_however_large_the_numbers(pairs):
    by_hand = Counter()
    for number, weight in pairs:
        by_hand[number] += weight
    numbers, weights = np.array(pairs).T
    different, sums = histogram(lambda some: some, int(numbers.max()), numbers, weights)
    assert dict(zip(different.tolist(), sums.tolist(), strict=True)) == by_hand
    assert different.tolist() == sorted(by_hand)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 9)), min_size=1),
    st.integers(1, 40),
    st.sampled_from([1, 2**21]),
    st.integers(0, 5),
)
def test_a_tally_does_not_depend_on_how_rows_are_cut(rows, at_once, worth_threads, spare):
    numbers = np.array(rows)
    most = int(numbers[:, :2].sum(axis=1).max()) + spare
    by_hand = [sum(weight for a, b, weight in rows if a + b == number) for number in range(most + 1)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_arrays, "WORTH_THREADS", worth_threads)
        patch.setattr(long_arrays, "KEEPS_A_THREAD_BUSY", at_once)
        assert tally(row_sums, most, numbers[:, :2], numbers[:, 2]).tolist() == by_hand


@given(st.lists(st.integers(0, 10**12) | st.integers(0, 9)))
def test_places_among_the_different_numbers(numbers):
    in_order = sorted(set(numbers))
    place, n_different = ranked(np.array(numbers, dtype=np.int64))
    assert place.tolist() == [in_order.index(number) for number in numbers]
    assert n_different == len(in_order)


@given(st.integers(0, 40), st.integers(1, 12), st.booleans())
def test_answers_about_parts_are_in_order_and_about_every_row(n_rows, at_once, threads):
    numbers, doubled = np.arange(n_rows), 2 * np.arange(n_rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_arrays, "WORTH_THREADS", 0 if threads else np.inf)
        patch.setattr(long_arrays, "KEEPS_A_THREAD_BUSY" if threads else "FITS_A_CACHE", 3 * at_once)
        answers = of_parts(lambda *of: [some.tolist() for some in of], numbers, doubled, numbers_per_row=3)
    assert all(0 < len(some) <= at_once for some, _ in answers)
    assert [number for some, _ in answers for number in some] == numbers.tolist()
    assert [number for _, twice in answers for number in twice] == doubled.tolist()


@pytest.fixture
def row_by_row(monkeypatch):
    """Make parts of one row, for two threads."""
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(long_arrays, "WORTH_THREADS", 0)
    monkeypatch.setattr(long_arrays, "KEEPS_A_THREAD_BUSY", 1)


def test_several_parts_are_worked_on_at_once(row_by_row):
    """Both threads wait for each other: one alone would never come past the barrier."""
    barrier = threading.Barrier(2)
    assert sorted(of_parts(lambda _: barrier.wait(timeout=60), np.arange(2))) == [0, 1]


@pytest.mark.parametrize("wrong", range(4))
@pytest.mark.parametrize("error", [ValueError, IndexError], ids=["any", "as if nothing were waiting"])
def test_what_goes_wrong_with_one_part_is_raised(row_by_row, wrong, error):
    """Whichever thread it happens in."""

    def refuse(some):
        if some[0] == wrong:
            raise error(f"no {wrong}")

    with pytest.raises(error, match=f"^no {wrong}$"):
        of_parts(refuse, np.arange(4))
