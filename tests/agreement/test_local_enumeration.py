"""Local risk by formula, by enumeration of all patterns of vanished counts, and by simulation."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.formulas import homogeneity

MECHANISMS = {
    "laplace": em.Laplace(epsilon=0.8),
    "laplace with a threshold": em.Laplace(epsilon=0.8, threshold=4.0),
    "geometric": em.Geometric(epsilon=1.2, threshold=2.0),
    "gaussian": em.Gaussian.with_sigma(1.7),
    "discrete gaussian": em.DiscreteGaussian(epsilon=2.0, delta=1e-3),
}
mechanism = pytest.mark.parametrize("noise", MECHANISMS.values(), ids=MECHANISMS.keys())


def by_enumeration(counts, noise):
    """Go through all 2^K patterns of which counts survive; keep those with one present survivor."""
    below = [float(noise.probability_below(noise.threshold - c)) for c in counts]
    cells = records = 0.0
    for pattern in itertools.product([False, True], repeat=len(counts)):
        survivors = [k for k, survives in enumerate(pattern) if survives]
        if len(survivors) == 1 and counts[survivors[0]] > 0:
            weight = math.prod(1 - z if survives else z for z, survives in zip(below, pattern, strict=True))
            cells += weight
            records += weight * counts[survivors[0]] / sum(counts)
    return cells, records


@mechanism
@given(counts=st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(any))
@settings(max_examples=40, deadline=None)
def test_formula_equals_enumeration(noise, counts):
    cells, records = by_enumeration(counts, noise)
    assert float(homogeneity.local(counts, noise)) == pytest.approx(cells, rel=1e-9)
    assert float(homogeneity.local_records(counts, noise)) == pytest.approx(records, rel=1e-9)


@mechanism
def test_formula_lies_in_the_interval_of_a_simulation(noise):
    """Publish a table 20,000 times and look. Normal interval at a false-alarm rate of 1e-6, fixed seed."""
    counts = np.array([[3, 0, 0], [2, 1, 0], [5, 2, 1], [1, 1, 1], [12, 0, 0]])
    n_runs = 20_000
    noisy = counts + noise.sample(np.random.default_rng(7), (n_runs, *counts.shape))
    shown = noisy >= noise.threshold
    alone = shown & (shown.sum(axis=-1, keepdims=True) == 1) & (counts > 0)
    cells = alone.any(axis=-1).mean(axis=1)
    people = (alone * counts).sum(axis=(1, 2)) / counts.sum()
    freq = em.FrequencyTable.from_counts(counts)
    for draws, average in ((cells, "cells"), (people, "records")):
        exact = em.homogeneity_risk(freq, noise, average=average).value
        assert abs(draws.mean() - exact) < 4.9 * draws.std() / math.sqrt(n_runs)


def test_pieces_are_corollary_3_on_a_table_split_by_value():
    """Splitting each cell by its values makes a table of homogeneous cells; both ways must agree on it."""
    counts = np.array([[3, 0], [2, 1], [5, 2], [3, 0]])
    noise = em.Laplace(epsilon=(0.3, 1.0))
    pieces = [row * (np.arange(2) == k) for row in counts for k in range(2) if row[k] > 0]
    split = em.homogeneity_risk(em.FrequencyTable.from_counts(pieces), noise).value
    np.testing.assert_allclose(
        sum(homogeneity.homogeneous_pieces(row, noise) for row in counts) / len(pieces), split, rtol=1e-13
    )
