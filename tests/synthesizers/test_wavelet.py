"""Privelet: the transform, its sensitivity, and what noise on coefficients does to ranges."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from epsilometer.synthesizers.budget import Budget
from epsilometer.synthesizers.coded import CodedColumn, CodedTable
from epsilometer.synthesizers.contingency import ContingencySynthesizer
from epsilometer.synthesizers.noise import ReleaseNoise, SimulatedNoise
from epsilometer.synthesizers.wavelet import (
    WaveletSynthesizer,
    counts_from_haar,
    haar,
    pays,
    sensitivity,
    transformed,
    untransformed,
)
from epsilometer.vocabulary.spending import Spending


def test_the_haar_matrix_of_eight():
    """Total, halves, quarters, eighths, written out."""
    expected = [
        [1, 1, 1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, -1, -1, -1, -1],
        [1, 1, -1, -1, 0, 0, 0, 0],
        [0, 0, 0, 0, 1, 1, -1, -1],
        [1, -1, 0, 0, 0, 0, 0, 0],
        [0, 0, 1, -1, 0, 0, 0, 0],
        [0, 0, 0, 0, 1, -1, 0, 0],
        [0, 0, 0, 0, 0, 0, 1, -1],
    ]
    assert haar(np.eye(8, dtype=np.int64)).T.tolist() == expected


@given(st.data())
def test_the_counts_come_back_exactly(data):
    shape = tuple(data.draw(st.lists(st.integers(1, 20), min_size=1, max_size=3)))
    counts = data.draw(arrays(np.int64, shape, elements=st.integers(-(10**6), 10**6)))
    axes = [axis for axis in range(len(shape)) if data.draw(st.booleans())]
    coefficients = transformed(counts, axes)
    assert coefficients.shape == shape
    assert coefficients.dtype == np.int64
    assert (untransformed(coefficients, axes) == counts).all()


@pytest.mark.parametrize(
    ("shape", "axes", "stated"),
    [((1,), (0,), 1), ((2,), (0,), 2), ((7,), (0,), 4), ((64,), (0,), 7), ((65,), (0,), 8), ((8, 3), (0,), 4),
     ((8, 3), (0, 1), 12), ((5, 4, 6), (0, 2), 16), ((3, 3), (), 1)],
)  # fmt: skip
def test_one_record_changes_the_coefficients_by_the_sensitivity(shape, axes, stated):
    """For a record in every cell: never more than stated, and in some cell as much."""
    changes = [abs(transformed(one.reshape(shape), axes)).sum() for one in np.eye(math.prod(shape), dtype=np.int64)]
    assert max(changes) == sensitivity(shape, axes) == stated


def weights_of_ranges(size):
    """Sum of squares with which the noise of coefficients enters each range, and the lengths of the ranges."""
    cells = np.vstack([np.zeros(size), np.cumsum(counts_from_haar(np.eye(size)).T, axis=0)])
    ranges = [(start, end) for start, end in itertools.combinations(range(size + 1), 2)]
    squares = np.array([((cells[end] - cells[start]) ** 2).sum() for start, end in ranges])
    return squares, np.array([end - start for start, end in ranges])


@pytest.mark.parametrize("size", [2, 4, 8, 16, 32, 64, 128])
def test_short_columns_are_left_alone_because_no_range_would_gain(size):
    squares, lengths = weights_of_ranges(size)
    ratios = sensitivity((size,), (0,)) ** 2 * squares / lengths
    assert pays(size) == (ratios.min() < 1)


def test_large_ranges_of_256_codes_gain():
    """Simulated at epsilon 1: the variance of ranges, and what the transform says it is."""
    table = CodedTable((CodedColumn("age", 256, ordered=True),), np.repeat(np.arange(256), 500)[:, None])
    variances = []
    for synthesizer in (WaveletSynthesizer(), ContingencySynthesizer()):
        fits = [synthesizer.fit(table, Budget(1.0), SimulatedNoise(seed)) for seed in range(1500)]
        sums = np.cumsum([model.shares * model.n_records for model in fits], axis=1)
        parts = {"whole": sums[:, 255], "half": sums[:, 127], "more than half": sums[:, 128:], "cell": sums[:, 0]}
        variances.append({part: counts.var(axis=0).mean() for part, counts in parts.items()})
    ratio = {part: variances[0][part] / variances[1][part] for part in variances[0]}
    # 9 = sensitivity, and two-sided geometric noise of scale 9 and of scale 1
    noise = np.sinh(1 / 2) ** 2 / np.sinh(1 / 18) ** 2
    assert ratio["whole"] == pytest.approx(noise / 256, rel=0.2)
    assert ratio["half"] == pytest.approx(noise / 256, rel=0.2)
    assert ratio["more than half"] < 0.7
    assert ratio["cell"] > 10


def test_missing_values_are_apart_with_less_noise():
    column = CodedColumn("age", 65, ordered=True, missing=True)
    table = CodedTable((column,), np.repeat(np.arange(65), 1000)[:, None])
    fits = [WaveletSynthesizer().fit(table, Budget(1.0), SimulatedNoise(seed)) for seed in range(1500)]
    counts = np.array([model.shares * model.n_records for model in fits])
    assert fits[0].spent == (Spending("wavelet coefficients", 1.0, 0.0, "geometric, scale 1 or 7"),)
    assert counts[:, 64].var() == pytest.approx(0.5 / np.sinh(1 / 2) ** 2, rel=0.25)
    assert counts[:, 63].var() > 20
    assert abs(np.corrcoef(counts[:, 63], counts[:, 64])[0, 1]) < 0.15


@pytest.fixture(scope="module")
def long_neighbours():
    column = CodedColumn("age", 64, ordered=True)
    codes = np.repeat(np.arange(64), 200)[:, None]
    return CodedTable((column,), codes), CodedTable((column,), np.vstack([codes, [[0]]]))


def path_of_the_first_code(noise, without):
    """How many of the coefficients that the record moves lie on its side: the direction of the likelihood ratio."""
    before = haar(without.counts([0]))
    moved = haar(np.eye(64, dtype=np.int64))[0] != 0

    def fit(table):
        model = WaveletSynthesizer().fit(table, Budget(2.0), noise)
        found = np.rint(haar(model.shares * model.n_records))
        return float((found > before)[moved].sum())

    return fit


def test_the_audit_finds_no_more_than_epsilon(audit, long_neighbours):
    assert audit(path_of_the_first_code(ReleaseNoise(), long_neighbours[0]), *long_neighbours, n_runs=2000) <= 2


def test_the_audit_finds_too_little_noise(audit, long_neighbours, too_little_noise):
    assert audit(path_of_the_first_code(too_little_noise, long_neighbours[0]), *long_neighbours, n_runs=2000) > 2
