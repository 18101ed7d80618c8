"""What lies beyond a search is said only where the search, and not the target, ends a stretch."""

import pytest

from epsilometer.vocabulary.language import ENGLISH
from epsilometer.vocabulary.stretch import Stretch, not_looked_at

SAID = {
    "no stretch": ([], ""),
    "ends by the target": ([Stretch(0.1, 0.5, True, True)], ""),
    "the lower end": ([Stretch(0.01, 0.5, False, True)], "Nothing below 0.01 was looked at."),
    "the upper end": ([Stretch(0.1, 10.0, True, False)], "Nothing above 10 was looked at."),
    "both ends": ([Stretch(0.01, 10.0, False, False)], "Nothing below 0.01 or above 10 was looked at."),
}


@pytest.mark.parametrize(("stretches", "words"), SAID.values(), ids=SAID)
def test_an_end_of_the_search_is_said_to_be_one(stretches, words):
    assert not_looked_at(stretches, ENGLISH) == words
