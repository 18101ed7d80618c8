"""Counts given as an array: what is taken, and what is refused with a reason."""

import math

import numpy as np
import pytest

import epsilometer as em
from epsilometer.vocabulary.profile import Profile
from epsilometer.vocabulary.source import Source

BAD = {
    "negative": ([[3, -1]], r"^counts must not be negative, got -1 in row 0, column 1\.$"),
    "fractional": ([[3, 0], [1.5, 0]], r"^counts must be whole numbers, got 1.5 in row 1, column 0\.$"),
    "not a number": ([[math.nan, 1]], r"^counts must be finite, got nan in row 0, column 0\.$"),
    "infinite": ([[1, math.inf]], r"^counts must be finite, got inf in row 0, column 1\.$"),
    "too large": ([[2.0**60, 1]], r"^counts must not exceed 9007199254740992"),
    "ragged": ([[1, 2], [3]], r"^counts must be a rectangular array of numbers"),
    "text": ([["a", "b"]], r"^counts must be a rectangular array of numbers"),
    "one row": ([1, 2], r"^counts must have one row per cell and one column per value, got shape \(2,\)\.$"),
    "nothing": ([[]], r"^counts must have one row per cell"),
    "no record": ([[0, 0]], r"^counts has no record in any cell\. Give at least one positive count\.$"),
}


@pytest.mark.parametrize(("counts", "message"), BAD.values(), ids=BAD.keys())
def test_bad_counts_are_refused(counts, message):
    with pytest.raises(ValueError, match=message):
        em.FrequencyTable.from_counts(counts)


def test_labels_must_fit():
    assert Profile.from_counts([[1, 2]], ("a", "b")).values == ("a", "b")
    with pytest.raises(ValueError, match=r"^counts has 2 columns, got 1 value labels\.$"):
        Profile.from_counts([[1, 2]], ("a",))


def test_a_source_reads_as_a_citation():
    assert str(Source("homogeneity-v2", "Eq. (12)")) == "homogeneity-v2, Eq. (12)"


def test_fitted_weights_read_like_an_array():
    fit = em.dirichlet_multinomial_mle([[3, 0], [2, 1], [0, 4], [5, 2]])
    assert len(fit) == 2
    assert [fit[0], fit[1]] == pytest.approx(np.asarray(fit).tolist())
