"""The majority of a cell in a sample: every sample listed, limits, and blocks that change nothing."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom

from epsilometer.formulas.sampling import majority
from epsilometer.formulas.sampling.hypergeometric import hypergeometric
from epsilometer.formulas.sampling.majority import named_from_sample, right_by_majority

few = st.integers(0, 12)


def listed(first, second, drawn):
    """Chance that the majority of so many people drawn is a member's value, a tie by a coin: all counts listed."""
    n, found = first + second, Fraction(0)
    for y in range(max(0, drawn - second), min(first, drawn) + 1):
        ways = Fraction(math.comb(first, y) * math.comb(second, drawn - y), math.comb(n, drawn))
        named = Fraction(first if 2 * y > drawn else second, n) if 2 * y != drawn else Fraction(1, 2)
        found += ways * named
    return float(found)


@given(few, few)
def test_the_majority_is_right_as_often_as_listing_says(first, second):
    n = first + second
    if n:
        found = right_by_majority([[first, second]], np.arange(1, n + 1))[0]
        np.testing.assert_allclose(found, [listed(first, second, t) for t in range(1, n + 1)], rtol=1e-13)


def test_everybody_drawn_is_the_share_of_the_majority_also_of_many():
    assert right_by_majority([[30_000, 20_000]], np.arange(1, 50_002))[0, -1] == pytest.approx(0.6, abs=1e-12)


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(1, 9))
def test_the_law_of_a_sample_is_scipys(marked, others, drawn, seen):
    n = marked + others
    if n and drawn <= n:
        expected = hypergeom(n, marked, drawn).pmf([seen, 0])
        np.testing.assert_allclose(hypergeometric([seen, 0], marked, n, drawn), expected, rtol=1e-12)


def test_nobody_and_everybody_drawn():
    named = named_from_sample([[3, 1], [0, 2]], [0.25, 0.75], 6, [0, 6])
    np.testing.assert_allclose(named, [[0.25 * 0.75 + 0.75 * 0.25, 0.75], [0.75, 1.0]], atol=1e-14)


def test_many_cells_are_worked_on_in_blocks(monkeypatch):
    rng = np.random.default_rng(5)
    counts = rng.integers(1, 30, (200, 2))
    sizes = [1, 50, int(counts.sum())]
    whole = named_from_sample(counts, [1.0, 0.0], int(counts.sum()), sizes)
    monkeypatch.setattr(majority, "BLOCK", 40)
    np.testing.assert_allclose(named_from_sample(counts, [1.0, 0.0], int(counts.sum()), sizes), whole, rtol=1e-12)


def test_a_large_cell_needs_only_what_is_likely():
    """200,000 people in one cell, half of the table: the majority is that of the cell from some thousands on."""
    named = named_from_sample([[120_000, 80_000]], [1.0, 0.0], 400_000, [10_000])
    assert named[0, 0] == pytest.approx(0.6, abs=1e-12)
