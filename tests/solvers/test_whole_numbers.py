"""The first whole number that meets a condition: against trying them all, and how often it is asked."""

from hypothesis import given
from hypothesis import strategies as st

from epsilometer.solvers.whole_numbers import first_meeting


def searched(threshold, low, high, guess):
    """Return what is found for "at least the threshold", and every number that was tried."""
    tried = []

    def meets(number):
        tried.append(number)
        return number >= threshold

    return first_meeting(meets, low, high, guess), tried


small = st.integers(-60, 60)


@given(small, small, st.integers(0, 80), small)
def test_it_is_the_first_of_all(threshold, low, width, guess):
    found, tried = searched(threshold, low, low + width, guess)
    assert found == next((number for number in range(low, low + width + 1) if number >= threshold), None)
    assert all(low <= number <= low + width for number in tried)


@given(st.integers(1, 10**15), st.integers(1, 10**15))
def test_a_near_guess_needs_few_tries(threshold, guess):
    found, tried = searched(threshold, 1, 10**15, guess)
    assert found == threshold
    assert len(tried) <= 2 * abs(threshold - guess).bit_length() + 2


def test_nothing_meets_it():
    assert searched(11, 1, 10, guess=1)[0] is None
    assert searched(11, 1, 10, guess=99) == (None, [10])


def test_everything_meets_it():
    assert searched(0, 1, 10, guess=-5) == (1, [1])
    assert searched(0, 1, 10, guess=10)[0] == 1
