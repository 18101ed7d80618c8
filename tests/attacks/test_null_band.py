"""Bands of strangers: which side is which, equal sizes, and how often strangers lie outside."""

import numpy as np
import pytest
from scipy.stats import binom

from epsilometer.attacks.null_band import NullBand, null_bands
from epsilometer.errors import OutOfRange


def by_name(*arguments, **options):
    return {band.measure: band for band in null_bands(*arguments, **options)}


@pytest.mark.parametrize(
    ("measure", "value", "place"),
    [
        ("mean", 0.9, "nearer"),
        ("mean", 1.0, "inside"),
        ("mean", 2.0, "inside"),
        ("mean", 2.1, "farther"),
        ("share at distance zero", 0.9, "farther"),
        ("share at distance zero", 1.0, "inside"),
        ("share at distance zero", 2.1, "nearer"),
    ],
)
def test_more_hits_are_nearer_and_longer_distances_farther(measure, value, place):
    assert NullBand(measure, 10, value, value, low=1.0, high=2.0, planted=0.0).place == place


def test_measures_of_the_whole_table_by_hand():
    table = np.array([*[0.0] * 30, *range(1, 271)])
    bands = by_name(table, np.arange(1.0, 301.0), seed=1)
    whole = {name: band.whole_table for name, band in bands.items()}
    assert whole == {
        "minimum": 0.0,
        "share at distance zero": 0.1,
        "5 % quantile": 0.0,
        "25 % quantile": 45.0,
        "median": 120.0,
        "mean": pytest.approx(271 * 135 / 300),
    }
    assert {name: band.n_compared for name, band in bands.items()} == {
        name: 7 if name == "minimum" else 100 for name in whole
    }
    assert bands["share at distance zero"].place == "nearer"
    assert (bands["share at distance zero"].low, bands["share at distance zero"].high) == (0.0, 0.0)


def test_a_band_is_that_of_held_out_people_alone():
    """The middle of a band of means is the mean of the held-out people, whatever the table."""
    rng = np.random.default_rng(3)
    strangers = rng.exponential(size=2000)
    band = by_name(np.full(2000, 5.0), strangers, seed=1)["mean"]
    width = 2 * 1.96 * strangers.std() * np.sqrt(1 / 2000 + 1 / 2000)
    assert (band.value, band.place, band.n_compared) == (5.0, "farther", 666)
    assert (band.low + band.high) / 2 == pytest.approx(strangers.mean(), abs=0.2 * width)
    assert band.high - band.low == pytest.approx(width, rel=0.2)


def test_quantiles_that_are_all_but_a_minimum_are_left_out():
    distances = np.arange(30.0)
    assert list(by_name(distances, distances, seed=1)) == ["minimum", "share at distance zero", "median", "mean"]
    assert "1 % quantile" in by_name(np.arange(1500.0), np.arange(1500.0), seed=1, n_parts=20)
    assert "1 % quantile" not in by_name(np.arange(1400.0), np.arange(1400.0), seed=1, n_parts=20)


def test_planted_copies_are_so_many():
    distances = np.random.default_rng(1).exponential(size=3000)
    bands = by_name(distances, distances, seed=1, planted_share=0.02)
    assert bands["share at distance zero"].planted == 0.02
    assert bands["1 % quantile"].planted == 0.0
    assert bands["median"].planted < bands["median"].value
    assert {name for name, band in bands.items() if band.place != "inside"} == set()


def test_equal_distances_are_inside_to_the_last_digit():
    distances = np.full(50, 0.1)
    assert {band.place for band in null_bands(distances, distances, seed=1)} == {"inside"}
    one = null_bands(np.array([0.3]), np.array([0.3]), seed=1)
    assert [(band.n_compared, band.place) for band in one] == [(1, "inside")] * 3


@pytest.mark.parametrize(("n_table", "n_held_out"), [(300, 300), (1200, 400)])
def test_a_table_of_strangers_is_outside_in_one_case_of_twenty(n_table, n_held_out):
    """150 tables of strangers: as many outside as 5 % allows, but with probability 1e-5; the minimum in fewer."""
    n_outside = {}
    for seed in range(150):
        distances = np.random.default_rng(seed).exponential(size=n_table + n_held_out)
        for band in null_bands(distances[:n_table], distances[n_table:], seed=seed, n_parts=60):
            n_outside[band.measure] = n_outside.get(band.measure, 0) + (band.place != "inside")
    most = binom.isf(1e-5, 150, 0.07)  # 60 parts make the ends of a band uncertain: a little more than 5 %
    assert max(n_outside.values()) <= most
    assert n_outside["mean"] >= binom.ppf(1e-5, 150, 0.05)


@pytest.mark.parametrize("share", [0.0, -0.1, 1.1, float("nan")])
def test_a_planted_share_is_a_share(share):
    with pytest.raises(OutOfRange, match=r"planted_share must be in \(0, 1\], got .* part of the records of the table"):
        null_bands(np.ones(3), np.ones(3), seed=1, planted_share=share)
