"""Parts of a budget never exceed the whole, and what was spent adds up."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from epsilometer.errors import OutOfRange
from epsilometer.synthesizers.budget import Budget, noise_scale, total
from epsilometer.vocabulary.spending import Spending


@example(1.0, 1.1125369292536007e-308, [1, 1, 1])  # so small that a part of it has few digits left
@given(st.floats(1e-6, 1e3), st.floats(0, 0.5), st.lists(st.integers(1, 1000), min_size=1, max_size=40))
def test_parts_never_exceed_the_whole(epsilon, delta, weights):
    parts = Budget(epsilon, delta).parts(*weights)
    assert sum(Fraction(part.epsilon) for part in parts) <= Fraction(epsilon)
    assert sum(Fraction(part.delta) for part in parts) <= Fraction(delta)
    for part, weight in zip(parts, weights, strict=True):
        assert part.epsilon == pytest.approx(epsilon * weight / sum(weights), rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.0, -1.0, float("inf"), float("nan")])
def test_epsilon_must_be_positive_and_finite(epsilon):
    with pytest.raises(OutOfRange, match="epsilon must be in"):
        Budget(epsilon)


@pytest.mark.parametrize("delta", [-1e-9, 1.0, float("nan")])
def test_delta_must_be_a_probability_below_one(delta):
    with pytest.raises(OutOfRange, match="delta must be in"):
        Budget(1.0, delta)


def test_spendings_add_up():
    assert total([Spending("a", 0.25), Spending("b", 0.5, 1e-6), Spending("c", 0.25, 1e-6)]) == (1.0, 2e-6)
    assert total([]) == (0, 0)


@given(st.floats(1e-3, 1e6), st.floats(1e-6, 1e3))
def test_the_scale_never_hides_less_than_it_should(sensitivity, epsilon):
    scale = noise_scale(sensitivity, epsilon)
    assert Fraction(scale) * Fraction(epsilon) >= Fraction(sensitivity)
    assert scale == pytest.approx(sensitivity / epsilon, rel=1e-15)
