"""When a number of ours is what a paper prints."""

import pytest

from epsilometer.errors import EpsilometerError
from epsilometer.reproduction.comparison import Comparison


def compared(printed, ours):
    return Comparison(paper="001", place="here", quantity="it", printed=printed, ours=ours, why_not="because")


@pytest.mark.parametrize(
    ("printed", "ours", "agrees"),
    [
        ("5,974", 5974, True),
        ("5,974", 5009, False),
        ("4.6", 4.6499, True),
        ("4.6", 4.6501, False),
        ("25%", 0.2549, True),
        ("25%", 0.2551, False),
        ("0.25%", 0.25, False),
        ("≈ 100%", 0.99, True),
        ("≈ 100%", 0.989, False),
        ("< 0.05", 0.0499, True),
        ("< 0.05", 0.05, False),
        ("> 0.25", 0.376, True),
        ("> 0.25", 0.25, False),
        ("0.1 to 10", 2.2, True),
        ("0.1 to 10", 11.0, False),
        ("-0.4800466", -0.48004662, True),
        ("-0.4800466", 0.4800466, False),
        ("2/27", 2 / 27, True),
        ("2/27", 0.0740, False),
    ],
)
def test_agreement_follows_the_printed_digits(printed, ours, agrees):
    row = compared(printed, ours)
    assert row.agrees is agrees
    assert row.note == ("" if agrees else "because")


@pytest.mark.parametrize(
    ("printed", "ours", "shown"),
    [
        ("5974", 5009, "5,009"),
        ("25%", 0.29816, "29.816%"),
        ("0.1", 1 / 6, "0.166667"),
        ("8.6034350", 8.603434993606, "8.60343499"),
    ],
)
def test_ours_is_shown_as_the_paper_shows_it(printed, ours, shown):
    assert compared(printed, ours).ours_in_words == shown


def test_words_are_no_number():
    with pytest.raises(EpsilometerError, match="'about a quarter' is no number as papers print it"):
        _ = compared("about a quarter", 0.25).agrees
