"""Which columns are linked: the measure against scipy's chi-square, and the columns that tell nothing."""

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats.contingency import association as scipy_association
from scipy.stats.contingency import crosstab

from epsilometer.errors import OutOfRange
from epsilometer.neighbors.dependency import association, dependency_cliques, dependency_codes
from epsilometer.tables.records import Records


def codes_of(**columns):
    return dependency_codes(Records(pa.table(columns), "people"))


@pytest.mark.parametrize("n_values", [(2, 2), (3, 7), (20, 4)])
def test_the_correction_is_applied_to_cramers_v(n_values):
    """Numerator and denominator corrected as published, from the uncorrected one of scipy."""
    rng = np.random.default_rng(sum(n_values))
    one = rng.integers(0, n_values[0], size=300)
    other = np.where(rng.random(300) < 0.5, one % n_values[1], rng.integers(0, n_values[1], size=300))
    counts = crosstab(one, other).count
    r, c = counts.shape
    phi_squared = scipy_association(counts, method="cramer") ** 2 * (min(r, c) - 1)
    corrected = [k - (k - 1) ** 2 / 299 for k in (r, c)]
    expected = np.sqrt((phi_squared - (r - 1) * (c - 1) / 299) / (min(corrected) - 1))
    assert association(one, other) == pytest.approx(expected, rel=1e-12)
    assert association(other, one + 5) == pytest.approx(expected, rel=1e-12)


def test_what_tells_nothing_is_associated_with_nothing():
    many = np.arange(100)
    assert association(many, many % 2) == 0  # another value in every record
    assert association(np.zeros(100, dtype=int), many % 2) == 0  # the same value in every record
    assert association(np.array([0]), np.array([3])) == 0  # a single record
    assert association(many % 2, many // 2 % 2) == 0  # independent: chance would make it larger


def test_one_column_that_tells_another_is_associated_fully():
    many = np.arange(100)
    assert association(many % 2, 1 - many % 2) == 1
    assert association(many % 4, many % 4) == pytest.approx(1)


def test_columns_linked_through_others_are_in_one_clique():
    """a-b and b-c are linked, a-c are not: b says both."""
    many = np.arange(800)
    a, c, d = many % 2, many // 2 % 2, many // 4 % 2
    assert dependency_cliques(np.column_stack([a, d, 2 * a + c, c])) == [[0, 2, 3], [1]]
    assert dependency_cliques(np.column_stack([a])) == [[0]]
    assert dependency_cliques(np.zeros((5, 2), dtype=int)) == [[0], [1]]


def test_the_limit_decides():
    rng = np.random.default_rng(3)
    one = rng.integers(0, 2, size=5000)
    other = np.where(rng.random(5000) < 0.3, one, rng.integers(0, 2, size=5000))  # an association of about 0.3
    codes = np.column_stack([one, other])
    assert dependency_cliques(codes) == [[0, 1]]
    assert dependency_cliques(codes, linked_from=0.4) == [[0], [1]]


@pytest.mark.parametrize("linked_from", [0, 1.5, float("nan")])
def test_the_limit_is_an_association(linked_from):
    with pytest.raises(OutOfRange, match=r"linked_from must be in \(0, 1\], got .* It is an association"):
        dependency_cliques(np.zeros((2, 2), dtype=int), linked_from=linked_from)


def test_numbers_are_put_into_at_most_ten_bins_of_about_equal_size():
    codes = codes_of(income=np.random.default_rng(4).lognormal(size=1000))[:, 0]
    assert np.bincount(codes).tolist() == [100] * 10
    assert np.unique(codes_of(children=[0] * 95 + [1, 2, 3, 4, 5])).size == 6  # few different numbers have a bin each


def test_numbers_keep_their_order_and_missing_ones_have_a_bin_of_their_own():
    codes = codes_of(age=[30.0, None, 20.0, float("nan"), 30.0])[:, 0].tolist()
    assert codes[2] < codes[0] == codes[4] < codes[1] == codes[3]
    gone, void = codes_of(gone=pa.array([None, None], pa.float64()), void=[None, None]).T.tolist()
    assert len(set(gone)) == len(set(void)) == 1


def test_numbers_and_words_are_linked():
    rng = np.random.default_rng(5)
    age = rng.integers(0, 90, size=500)
    codes = codes_of(age=age, sex=rng.choice(["f", "m"], 500), school=np.where(age < 18, "yes", "no"))
    assert dependency_cliques(codes) == [[0, 2], [1]]
