"""The two ends of an interval are written in one way: rounded outwards, with as many decimals each."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from epsilometer.vocabulary.language import language
from epsilometer.vocabulary.wording import hundredths_between, rounded_down, rounded_up


@given(st.floats(0, 1), st.floats(0, 1))
def test_ends_are_rounded_outwards_and_alike(one, other):
    low, high = sorted((one, other))
    lower, upper = hundredths_between(low, high)
    assert len(lower.partition(".")[2]) == len(upper.partition(".")[2]) > 0
    slack = Fraction(1, 10**6)
    assert Fraction(lower) <= 100 * Fraction(low) + slack
    assert Fraction(upper) >= 100 * Fraction(high) - slack


@pytest.mark.parametrize(
    ("low", "high", "written"),
    [
        (0.0, 0.0, ("0.0 %", "0.0 %")),
        (0.11, 0.1213, ("11.0 %", "12.2 %")),
        (0.33225, 0.33225, ("33.2 %", "33.3 %")),
        (0.00661, 0.00689, ("0.66 %", "0.69 %")),
        (0.0, 1e-9, ("0.0000 %", "0.0001 %")),
    ],
)
def test_ends_to_the_letter(low, high, written):
    assert language("en").percent_between(low, high) == written
    assert language("de").percent_between(low, high) == tuple(end.replace(".", ",") for end in written)


@given(st.floats(0, 1e300), st.integers(1, 6))
@example(0.0, 3)
@example(5e-324, 4)
@example(1e-308, 4)
def test_rounding_never_crosses_the_number_and_keeps_so_many_digits(number, digits):
    low, high = rounded_down(number, digits), rounded_up(number, digits)
    assert low <= number * (1 + 1e-11)
    assert high >= number * (1 - 1e-11)
    assert low == float(f"{low:.{digits - 1}e}")
    assert high == float(f"{high:.{digits - 1}e}")
