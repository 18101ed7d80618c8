"""The risk over epsilon and one more parameter: each point is the risk of its own release."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import epsilometer as em
from epsilometer.assessments.exploring.risk_grid import DELTAS, THRESHOLDS, risk_grid
from epsilometer.errors import BadQuestion, OutOfRange

COUNTS = [[3, 0, 0], [2, 1, 0], [1, 1, 1], [0, 12, 5], [3, 0, 0]]
FREQ = em.FrequencyTable.from_counts(COUNTS)
GAUSSIANS = (em.Gaussian(epsilon=1.0, delta=1e-5), em.DiscreteGaussian(epsilon=1.0, delta=1e-5))
MECHANISMS = (em.Laplace(epsilon=1.0), em.Geometric(epsilon=1.0, adjacency="replace"), *GAUSSIANS)
every_mechanism = pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: mechanism.name)


def shown(law, count, threshold):
    """Probability that a count shows, by the law of the noise in scipy."""
    return law.sf(threshold - count)


def enumerated(law, threshold):
    """Share of people disclosed, over every set of values that a cell can show."""
    disclosed = 0.0
    for cell in COUNTS:
        for pattern in itertools.product((False, True), repeat=len(cell)):
            factors = [shown(law, n, threshold) if seen else 1 - shown(law, n, threshold)
                       for n, seen in zip(cell, pattern, strict=True)]  # fmt: skip
            if sum(pattern) == 1:
                disclosed += math.prod(factors) * cell[pattern.index(True)]
    return disclosed / np.sum(COUNTS)


@every_mechanism
def test_each_point_is_the_risk_of_its_release(mechanism):
    found = risk_grid(FREQ, mechanism.at((0.2, 3.0)), thresholds=[-1.0, 0.5, 4.0])
    for (i, threshold), (j, epsilon) in itertools.product(enumerate(found.levels), enumerate(found.epsilons)):
        one = em.homogeneity_risk(FREQ, replace(mechanism, epsilon=epsilon, threshold=threshold), average="records")
        assert found.value[i, j] == pytest.approx(one.value, rel=1e-13)
        assert found.any_table[i, j] == pytest.approx(one.any_table, rel=1e-13)
        assert found.no_release == one.no_release


@pytest.mark.parametrize("mechanism", GAUSSIANS, ids=lambda mechanism: mechanism.name)
def test_each_delta_is_that_of_its_release(mechanism):
    found = risk_grid(FREQ, mechanism.at((0.2, 3.0)), deltas=[1e-9, 0.01])
    for (i, delta), (j, epsilon) in itertools.product(enumerate(found.levels), enumerate(found.epsilons)):
        one = em.homogeneity_risk(FREQ, replace(mechanism, epsilon=epsilon, delta=delta), average="records")
        assert found.value[i, j] == pytest.approx(one.value, rel=1e-13)


def test_thresholds_by_listing_everything_a_cell_can_show():
    found = risk_grid(FREQ, em.Laplace(epsilon=(0.3, 2.0)), thresholds=[0.5, 3.0])
    for i, threshold in enumerate((0.5, 3.0)):
        for j, epsilon in enumerate((0.3, 2.0)):
            assert found.value[i, j] == pytest.approx(enumerated(stats.laplace(scale=1 / epsilon), threshold))


def test_deltas_by_listing_everything_a_cell_can_show():
    noise = em.Gaussian(epsilon=(0.3, 2.0), delta=1e-3)
    found = risk_grid(FREQ, noise, deltas=[1e-3, 1e-8])
    for i, delta in enumerate((1e-8, 1e-3)):
        for j, sigma in enumerate(replace(noise, delta=delta).sigma):
            assert found.value[i, j] == pytest.approx(enumerated(stats.norm(scale=sigma), 0.5))


@given(
    st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any), min_size=1, max_size=6),
    st.lists(st.floats(-3, 25), min_size=1, max_size=5),
    st.sampled_from(MECHANISMS),
)
def test_risks_are_probabilities_and_no_table_is_worse_than_the_worst(counts, thresholds, mechanism):
    found = risk_grid(em.FrequencyTable.from_counts(counts), mechanism.at((5.0, 0.1, 5.0)), thresholds=thresholds)
    assert np.all((found.value >= 0) & (found.value <= found.any_table * (1 + 1e-12)))
    assert found.levels.tolist() == sorted(set(thresholds))
    assert found.epsilons.tolist() == [0.1, 5.0]
    assert found.value.shape == found.any_table.shape == (len(set(thresholds)), 2)


@given(st.integers(1, 40))
def test_with_one_value_there_is_only_to_survive(count):
    """A lone count always tells the truth: less noise shows it more often, a higher threshold less often."""
    freq = em.FrequencyTable.from_counts([[count]])
    over_delta = risk_grid(freq, em.Gaussian(epsilon=1.0, delta=1e-5)).value
    assert np.all(np.diff(over_delta, axis=0) >= 0)
    assert np.all(np.diff(over_delta, axis=1) >= 0)
    assert np.all(np.diff(risk_grid(freq, em.Laplace(epsilon=1.0)).value, axis=0) <= 0)


def test_without_rows_the_grid_is_over_what_the_noise_has():
    gaussian = risk_grid(FREQ, em.Gaussian(epsilon=0.7, delta=3e-6))
    assert gaussian.parameter == "delta"
    assert gaussian.levels.tolist() == sorted({*DELTAS, 3e-6})
    laplace = risk_grid(FREQ, em.Laplace(epsilon=0.7, threshold=7.0))
    assert laplace.parameter == "threshold"
    assert laplace.levels.tolist() == sorted({*THRESHOLDS, 7.0})
    for found in (gaussian, laplace):
        assert (found.epsilons[0], found.epsilons[-1], len(found.epsilons)) == (0.01, 10.0, 26)
        assert 0.7 in found.epsilons


def test_the_classic_calibration_ends_below_one():
    found = risk_grid(FREQ, em.Gaussian(epsilon=0.5, delta=1e-5, calibration="classic"), deltas=[1e-5])
    assert found.epsilons[-1] < 1


def test_the_grid_says_what_it_is():
    noise = em.Gaussian(epsilon=1.0, delta=1e-5)
    found = risk_grid(FREQ, noise)
    assert found.mechanism == noise.describe()
    assert found.evidence == "exact"
    assert found.confidential
    assert found.caveats[-1] == "A larger delta is a weaker guarantee, whatever this attack makes of it."
    assert "costs accuracy" in risk_grid(FREQ, noise, thresholds=[1.0]).caveats[-1]
    people = em.homogeneity_risk(FREQ, noise, average="records")
    assert (found.question, found.assumptions, found.source) == (people.question, people.assumptions, people.source)


def test_the_frame_and_the_document_hold_every_point():
    found = risk_grid(FREQ, em.Laplace(epsilon=(0.5, 1.0)), thresholds=[2.0, 0.5])
    frame = found.to_frame().set_index(["threshold", "epsilon"])["value"]
    document = found.to_dict()
    assert (document["kind"], document["parameter"]) == ("risk-grid", "threshold")
    for i, threshold in enumerate(document["levels"]):
        for j, epsilon in enumerate(document["epsilons"]):
            assert frame[threshold, epsilon] == document["value"][i][j] == found.value[i, j]


def test_one_parameter_at_a_time():
    with pytest.raises(BadQuestion, match=r"^A grid has epsilon and one more parameter\. Give deltas or thresholds, "):
        risk_grid(FREQ, GAUSSIANS[0], deltas=[1e-5], thresholds=[0.5])


@pytest.mark.parametrize("mechanism", MECHANISMS[:2], ids=lambda mechanism: mechanism.name)
def test_pure_noise_has_no_delta(mechanism):
    message = (
        rf"^{mechanism.name} noise has no delta: its epsilon holds always\. "
        r"Give thresholds instead, or gaussian or discrete-gaussian noise\.$"
    )
    with pytest.raises(BadQuestion, match=message):
        risk_grid(FREQ, mechanism, deltas=[1e-5])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"deltas": [1e-5, 1.0]}, r"^deltas must be in \(0, 1\), got 1\.0\.$"),
        ({"deltas": []}, r"^deltas must be in \(0, 1\), got \[\]\.$"),
        ({"thresholds": [math.nan]}, r"^thresholds must be in \(-inf, inf\), got nan\.$"),
        ({"thresholds": ["high"]}, r"^thresholds must be in \(-inf, inf\), got \['high'\]\.$"),
    ],
)
def test_rows_that_are_none(rows, message):
    with pytest.raises(OutOfRange, match=message):
        risk_grid(FREQ, GAUSSIANS[0], **rows)
