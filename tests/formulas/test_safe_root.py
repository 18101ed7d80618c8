"""The root finder lands on the safe side, wherever the bracket falls."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epsilometer.errors import OutOfRange
from epsilometer.formulas.gaussian import epsilon_from_sigma
from epsilometer.formulas.safe_root import meeting_between, smallest_meeting


@given(st.floats(1e-12, 1e12))
def test_the_result_meets_the_target_and_hardly_less_does(root):
    found = smallest_meeting(lambda x: 1 / x, 1 / root, name="x")
    assert 1 / found <= 1 / root
    assert found == pytest.approx(root, rel=1e-12)


@pytest.mark.parametrize("power", range(-3, 6))
def test_roots_on_round_numbers(power):
    """A bracket that ends exactly on the root must not lose it to rounding."""
    assert epsilon_from_sigma(8.0**power if power < 4 else 512.0, delta=1e-5) > 0
    assert smallest_meeting(lambda x: 8.0**power / x, 1.0, name="x") == pytest.approx(8.0**power, rel=1e-14)


def test_a_target_out_of_reach_raises():
    with pytest.raises(OutOfRange, match=r"^delta must be in .* got 0.5\. No finite value meets it\.$"):
        smallest_meeting(lambda x: 1 + 1 / x, 0.5, name="delta")


def test_a_stepped_curve_is_still_met():
    steps = smallest_meeting(lambda x: math.floor(10 / x), 3.0, name="x")
    assert math.floor(10 / steps) <= 3


@given(st.floats(1.001, 99.9))
def test_between_two_ends_the_result_meets_the_target_too(root):
    found = meeting_between(lambda x: math.exp(-x), math.exp(-root), 1.0, 100.0)
    assert math.exp(-found) <= math.exp(-root)
    assert found == pytest.approx(root, rel=1e-12)
