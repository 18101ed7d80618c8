"""The first numbers of a random order, drawn without the others."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from epsilometer.randomizers import randomness
from epsilometer.randomizers.randomness import random_order


@pytest.mark.parametrize(("n", "first", "n_outcomes"), [(5, 2, 20), (4, 2, 12), (4, 3, 24), (6, 1, 6)])
def test_every_beginning_is_as_likely(n, first, n_outcomes):
    """False alarm once in a million."""
    seen = Counter(tuple(random_order(n, first).tolist()) for _ in range(6000))
    assert len(seen) == n_outcomes
    assert all(len(set(order)) == first for order in seen)
    assert stats.chisquare(list(seen.values())).pvalue > 1e-6


def test_numbers_that_were_drawn_before_are_passed_over(monkeypatch):
    answers = iter([[3, 3], [3, 1]])
    monkeypatch.setattr(randomness, "random_numbers", lambda bound, n: np.array(next(answers)))
    assert random_order(9, 2).tolist() == [3, 1]


def test_of_nothing_nothing_is_drawn():
    assert random_order(7, 0).tolist() == []
