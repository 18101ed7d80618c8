"""How the risk is spread: every person and every cell, and the mean that the other results give."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import epsilometer as em
from epsilometer.assessments.exploring.risk_spread import risk_spread
from epsilometer.errors import OutOfRange
from epsilometer.vocabulary.risk_spread import Spread

COUNTS = [[3, 0, 0], [2, 1, 0], [1, 1, 1], [0, 12, 5], [3, 0, 0]]
FREQ = em.FrequencyTable.from_counts(COUNTS)
MECHANISMS = (
    em.Laplace(epsilon=0.8),
    em.Geometric(epsilon=0.8, threshold=3.0),
    em.Gaussian(epsilon=0.8, delta=1e-5),
    em.DiscreteGaussian(epsilon=0.8, delta=1e-5, adjacency="replace"),
)
tables = st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3).filter(any), min_size=1, max_size=8)
spreads = st.dictionaries(st.floats(0, 1), st.integers(1, 50), min_size=1, max_size=9).map(
    lambda numbers: Spread.gathered(np.array(list(numbers)), np.array(list(numbers.values())))
)


def enumerated(epsilon, threshold):
    """Each person's and each cell's risk, over every set of values that a cell can show."""
    law, people, cells = stats.laplace(scale=1 / epsilon), [], []
    for cell in COUNTS:
        alone = [0.0] * len(cell)
        for pattern in itertools.product((False, True), repeat=len(cell)):
            if sum(pattern) == 1:
                alone[pattern.index(True)] += math.prod(
                    law.sf(threshold - n) if seen else law.cdf(threshold - n)
                    for n, seen in zip(cell, pattern, strict=True)
                )
        cells.append(sum(risk for risk, n in zip(alone, cell, strict=True) if n))
        people += [risk for risk, n in zip(alone, cell, strict=True) for _ in range(n)]
    return sorted(people), sorted(cells)


@pytest.mark.parametrize(("epsilon", "threshold"), [(0.3, 0.5), (2.0, 0.5), (1.0, 4.0)])
def test_everybody_by_listing_everything_a_cell_can_show(epsilon, threshold):
    found = risk_spread(FREQ, em.Laplace(epsilon=epsilon, threshold=threshold))
    people, cells = enumerated(epsilon, threshold)
    np.testing.assert_allclose(np.repeat(found.people.risks, found.people.numbers), people, rtol=1e-12)
    np.testing.assert_allclose(np.repeat(found.cells.risks, found.cells.numbers), cells, rtol=1e-12)


@given(tables, st.sampled_from(MECHANISMS))
def test_the_means_are_the_risks_of_people_and_of_cells(counts, mechanism):
    freq = em.FrequencyTable.from_counts(counts)
    found = risk_spread(freq, mechanism)
    people = em.homogeneity_risk(freq, mechanism, average="records")
    assert found.value == people.value
    assert found.people.mean == pytest.approx(people.value, rel=1e-12, abs=1e-300)
    assert found.cells.mean == pytest.approx(em.homogeneity_risk(freq, mechanism).value, rel=1e-12, abs=1e-300)
    assert (found.people.total, found.cells.total) == (freq.n_records, freq.n_cells)
    assert found.people.not_exceeded_by(1.0) <= found.any_table * (1 + 1e-12)


@given(spreads, st.floats(0.001, 1))
def test_a_part_does_not_exceed_its_risk_and_would_exceed_a_smaller_one(spread, part):
    risk = spread.not_exceeded_by(part)
    everyone = np.repeat(spread.risks, spread.numbers)
    assert np.sum(everyone <= risk) >= part * len(everyone)
    assert np.sum(everyone < risk) < part * len(everyone)


@given(spreads, st.floats(0, 1))
def test_those_at_or_above_a_risk_are_counted(spread, risk):
    everyone = np.repeat(spread.risks, spread.numbers)
    assert spread.number_at_least(risk) == np.sum(everyone >= risk)
    assert spread.number_at_least(0.0) == spread.total == len(everyone)


def test_a_few_bear_the_risk():
    """Nine people of one value hide nobody: 1 - z(9) = 0.99990; thirty of each value hide each other."""
    found = risk_spread(em.FrequencyTable.from_counts([[9, 0], [30, 30]]), em.Laplace(epsilon=1.0))
    lone = (1 - 0.5 * math.exp(-8.5)) * (1 - 0.5 * math.exp(-0.5))
    assert found.people.not_exceeded_by(1.0) == pytest.approx(lone)
    assert found.people.not_exceeded_by(0.5) == pytest.approx(0.5 * math.exp(-29.5))
    document = found.to_dict()
    assert document["people"]["at_least"] == [{"risk": level, "number": 9} for level in (0.01, 0.1, 0.5)]
    assert document["cells"]["at_least"] == [{"risk": level, "number": 1} for level in (0.01, 0.1, 0.5)]
    assert [row["part"] for row in document["people"]["not_exceeded_by"]] == [0.5, 0.9, 0.99, 1.0]
    assert (document["kind"], document["people"]["total"], document["cells"]["total"]) == ("risk-spread", 69, 2)
    assert document["people"]["mean"] == pytest.approx(document["value"], rel=1e-12)
    assert found.confidential


def test_the_frame_holds_every_risk():
    found = risk_spread(FREQ, em.Laplace(epsilon=1.0))
    totals = found.to_frame().groupby("of")["number"].sum()
    assert (totals["people"], totals["cells"]) == (FREQ.n_records, FREQ.n_cells)
    people = found.to_frame().query("of == 'people'")
    assert (people["risk"] @ people["number"]) / people["number"].sum() == pytest.approx(found.value)


def test_what_goes_with_the_numbers_is_that_of_the_risk():
    noise = em.Laplace(epsilon=1.0)
    found, people = risk_spread(FREQ, noise), em.homogeneity_risk(FREQ, noise, average="records")
    for name in ("assumptions", "caveats", "source", "no_release", "any_table"):
        assert getattr(found, name) == getattr(people, name)
    assert found.evidence == "exact"


def test_one_epsilon_at_a_time():
    message = r"^epsilon must be in the single numbers, got \(0\.5, 1\.0\)\. Name one: mechanism\.at\(1\.0\)\.$"
    with pytest.raises(OutOfRange, match=message):
        risk_spread(FREQ, em.Laplace(epsilon=(0.5, 1.0)))
