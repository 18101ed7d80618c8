"""The largest published count or the overall mode: limits, and what the two parts come to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.formulas.homogeneity import hard
from epsilometer.formulas.homogeneity.named_right import named_right
from epsilometer.formulas.homogeneity.thresholding import empty_probability

cells = st.lists(st.integers(0, 9), min_size=2, max_size=4).filter(any)


@given(cells)
def test_with_little_noise_it_is_the_share_of_the_plurality(counts):
    n = np.array(counts)
    modes = (n == n.max()) / (n == n.max()).sum()
    assert named_right(n, modes, em.Geometric(epsilon=200.0)) == pytest.approx(n.max() / n.sum(), abs=1e-12)


@given(cells)
def test_with_much_noise_it_tends_to_a_coin_and_the_fallback(counts):
    n, k = np.array(counts), len(counts)
    fallback = np.eye(k)[0]
    limit = (1 - 2.0**-k) / k + 2.0**-k * n[0] / n.sum()
    assert named_right(n, fallback, em.Laplace(epsilon=2e-3)) == pytest.approx(limit, abs=0.02)


@given(cells, st.sampled_from([0.1, 1.0, 4.0]))
def test_the_fallback_adds_to_the_plurality_rule_only_where_nothing_is_shown(counts, epsilon):
    n, noise = np.array(counts), em.Laplace(epsilon=epsilon)
    fallback = np.full(len(counts), 1 / len(counts))
    added = named_right(n, fallback, noise) - hard(n, noise)
    assert added == pytest.approx(float(empty_probability(n, noise)) / len(counts), abs=1e-12)
