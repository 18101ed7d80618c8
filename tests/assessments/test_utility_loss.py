"""Loss of noisy counts: the estimate against all that can be published, and what the result promises."""

import json
import math
import os
from dataclasses import replace
from functools import reduce

import numpy as np
import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.assessments import loss as loss_module
from epsilometer.assessments.loss import utility_loss
from epsilometer.assessments.simulated_loss import SimulatedLoss
from epsilometer.errors import OutOfRange

COUNTS = np.array([[3, 1], [0, 2]])
FREQ = em.FrequencyTable.from_counts(COUNTS)
CURVE = em.Laplace(epsilon=(0.5, 2.0))


def three_roles():
    table = pa.table({"q": list("aabbbc"), "r": list("xyxxyy"), "s": list("uuuvvv")})
    return em.frequency_table(table, quasi_identifiers=["q", "r"], sensitive="s")


def expected_distances(counts, epsilon):
    """Mean and variance of the loss of a 2 x 2 table with geometric noise, over all tables up to 24 counts each.

    With two columns there are three marginals: rows, columns and the table itself.
    """
    levels, q = np.arange(25), math.exp(-epsilon)
    laws = [np.where(levels == 0, q**c, (1 - q) * q ** np.abs(levels - c)) / (1 + q) for c in counts.ravel()]
    probability = reduce(np.multiply.outer, laws).ravel()
    released = np.stack(np.meshgrid(*[levels] * 4, indexing="ij"), axis=-1).reshape(-1, 2, 2)
    total = released.sum(axis=(1, 2))
    difference = released / np.maximum(total, 1)[:, None, None] - counts / counts.sum()
    by_way = {
        1: (np.abs(difference.sum(axis=1)).sum(axis=1) + np.abs(difference.sum(axis=2)).sum(axis=1)) / 4,
        2: np.abs(difference).sum(axis=(1, 2)) / 2,
    }
    means = {way: np.where(total > 0, distance, 1) for way, distance in by_way.items()}
    means["both"] = (2 * means[1] + means[2]) / 3
    return {key: (value @ probability, value**2 @ probability) for key, value in means.items()}


def test_estimates_agree_with_all_that_can_be_published():
    """Normal interval with the exact variance at a false-alarm rate of 1e-6, fixed seed."""
    loss = utility_loss(FREQ, em.Geometric(epsilon=1.5), repeats=4_000, seed=8)
    expected = expected_distances(COUNTS, 1.5)
    for key, estimate in {"both": loss.answer, **loss.by_way}.items():
        mean, square = expected[key]
        error = math.sqrt((square - mean**2) / 4_000)
        assert abs(estimate.value - mean) < 4.9 * error
        width = estimate.interval.high - estimate.interval.low
        assert width == pytest.approx(2 * 1.96 * error, rel=0.1)
        assert estimate.interval.low < estimate.value < estimate.interval.high


def test_intervals_cover_as_often_as_they_say():
    """Of 200 intervals from 20 releases each, 95 % should hold the truth; below 176 has probability 3e-5."""
    truth = expected_distances(COUNTS, 1.5)["both"][0]
    intervals = [
        utility_loss(FREQ, em.Geometric(epsilon=1.5), repeats=20, seed=seed).answer.interval for seed in range(200)
    ]
    assert sum(interval.low <= truth <= interval.high for interval in intervals) >= 176


def test_the_interval_is_students():
    """Three releases with means 0.2, 0.3, 0.4 over two marginals; the quantile for 2 degrees is 4.302653."""
    estimate = loss_module._estimate(np.array([[0.1, 0.2, 0.3], [0.3, 0.4, 0.5]]))
    half = 4.302653 * 0.1 / math.sqrt(3)
    found = (estimate.value, estimate.interval.low, estimate.interval.high)
    assert found == pytest.approx((0.3, 0.3 - half, 0.3 + half), rel=1e-6)


def test_the_answer_is_the_mean_over_all_marginals_asked_for():
    loss = utility_loss(three_roles(), CURVE, ways=(2, 3))
    assert list(loss.by_way) == [2, 3]
    np.testing.assert_allclose(loss.value, (3 * loss.by_way[2].value + loss.by_way[3].value) / 4, rtol=1e-12)


def test_errors_of_counts_are_those_of_the_formulas_for_the_table_cell_by_cell():
    geometric = em.Geometric(epsilon=0.7)
    q = math.exp(-0.7)
    upwards = q / (1 - q**2)
    downwards = {c: sum(q**d / (1 + q) for d in range(1, c + 1)) for c in (0, 1, 2, 3)}
    expected = sum(upwards + downwards[c] for c in COUNTS.ravel())
    assert utility_loss(FREQ, geometric).table_l1.value == pytest.approx(expected, rel=1e-12)


def test_without_noise_nothing_is_lost():
    loss = utility_loss(three_roles(), em.Laplace(epsilon=1e4), ways=(1, 2, 3))
    assert loss.value == loss.answer.interval.high == loss.table_l1.value == loss.table_largest.value == 0


def test_a_threshold_above_everything_loses_everything():
    loss = utility_loss(three_roles(), em.Laplace(epsilon=10.0, threshold=40.0))
    assert loss.value == loss.by_way[1].value == loss.answer.interval.low == 1
    assert loss.table_l1.value == pytest.approx(6)


def test_less_noise_loses_less():
    loss = utility_loss(three_roles(), em.Gaussian(epsilon=(0.1, 1.0, 10.0), delta=1e-5), repeats=200)
    assert np.all(np.diff(loss.answer.value) < 0)
    assert np.all(np.diff(loss.table_largest.value) < 0)


def test_one_epsilon_gives_numbers_and_a_curve_gives_arrays():
    point = utility_loss(FREQ, em.Laplace(epsilon=2.0))
    assert isinstance(point.value, float)
    assert isinstance(point.table_largest.value, float)
    curve = utility_loss(FREQ, CURVE)
    assert curve.value.shape == curve.by_way[1].interval.low.shape == curve.table_l1.value.shape == (2,)
    assert curve.table_l1.value[1] == pytest.approx(point.table_l1.value)
    assert curve.to_frame()["epsilon"].tolist() == [0.5, 2.0]


def test_a_seed_gives_the_same_numbers_again():
    first, again, other = (utility_loss(FREQ, CURVE, seed=seed).value.tolist() for seed in (4, 4, 5))
    assert first == again != other


@pytest.mark.parametrize("block", [1, 40, 1_000])
def test_tables_are_published_in_blocks(monkeypatch, block):
    """The blocks draw other noise, of the same law: differences within 5 standard errors. The first has two parts."""
    counts = np.random.default_rng(2).integers(0, 9, (60, 3))
    freq = em.FrequencyTable.from_counts(counts)
    whole = utility_loss(freq, CURVE)
    monkeypatch.setattr(loss_module, "KEEPS_A_THREAD_BUSY", block)
    monkeypatch.setattr(loss_module, "FITS_A_CACHE", 1)
    in_blocks = utility_loss(freq, CURVE)
    half = (whole.answer.interval.high - whole.answer.interval.low) / 2
    assert np.all(np.abs(in_blocks.value - whole.value) < 5 / 2 * math.sqrt(2) * half)
    assert np.all(in_blocks.value > 0)


@pytest.mark.parametrize("fits", [1, 7, 100])
def test_parts_of_a_release_change_no_digit(monkeypatch, fits):
    """Laplace noise takes one random number after the other, cell by cell."""
    rng = np.random.default_rng(2)
    rows = pa.table({name: rng.integers(0, most, 500) for name, most in (("q", 9), ("r", 7), ("s", 3))})
    freq = em.frequency_table(rows, quasi_identifiers=["q", "r"], sensitive="s")
    whole = utility_loss(freq, em.Laplace(epsilon=1.0))
    monkeypatch.setattr(loss_module, "FITS_A_CACHE", fits)
    assert utility_loss(freq, em.Laplace(epsilon=1.0)).to_dict() == whole.to_dict()


def test_the_number_of_cores_changes_no_digit(monkeypatch):
    monkeypatch.setattr(loss_module, "KEEPS_A_THREAD_BUSY", 40)
    found = []
    for n_cores in (1, 2, 5):
        monkeypatch.setattr(os, "cpu_count", lambda n=n_cores: n)
        found.append(utility_loss(FREQ, em.Geometric(epsilon=1.0), repeats=30).to_dict())
    assert found[0] == found[1] == found[2]


def test_marginals_are_found_once_for_all_epsilons():
    fetched = []

    def cells(limit, having):
        fetched.append(limit)
        return FREQ.cells(limit, having=having)

    simulated = SimulatedLoss(replace(FREQ, _fetch_cells=cells))
    losses = [simulated.at(em.Laplace(epsilon=epsilon)).value for epsilon in (0.5, 1.0, 2.0)]
    assert losses == [utility_loss(FREQ, em.Laplace(epsilon=epsilon)).value for epsilon in (0.5, 1.0, 2.0)]
    assert fetched == [None]


def test_the_result_says_what_it_takes_for_granted():
    loss = utility_loss(replace(FREQ, notes=("Two records are missing.",)), CURVE, ways=(1,), repeats=10, seed=3)
    assert loss.question == "How far are shares over 1 column, read off the release, from those of the table?"
    assert loss.assumptions[0].startswith("The release covers the non-empty cells")
    assert loss.assumptions[-1] == "10 releases were simulated, seeded with 3."
    assert any("declared domain" in caveat for caveat in loss.caveats)
    assert loss.caveats[-1] == "Two records are missing."
    assert {source.key for source in loss.source} == {"homogeneity-v2"}
    document = json.loads(json.dumps(loss.to_dict(), allow_nan=False))
    assert (document["repeats"], document["seed"], list(document["by_way"])) == (10, 3, ["1"])


def test_one_release_has_no_interval():
    message = r"^repeats must be in \[2, inf\), got 1\. An interval needs two releases or more\.$"
    with pytest.raises(OutOfRange, match=message):
        utility_loss(FREQ, CURVE, repeats=1)


def test_a_numbered_table_has_two_columns():
    with pytest.raises(OutOfRange, match=r"^ways must be in \[1, 2\], got \(1, 3\)\."):
        utility_loss(FREQ, CURVE, ways=(1, 3))
