"""Who is exposed is counted without a number for each person, and agrees with the numbers of each person."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.assessments.exploring.counts_explorer import CountsExplorer, CountsSetting
from epsilometer.assessments.exploring.exposure import lone_cells, people_with_risk
from epsilometer.assessments.exploring.risk_spread import risk_spread
from epsilometer.formulas.homogeneity.alone_by_count import CellTallies

TABLES = st.lists(st.lists(st.integers(0, 12), min_size=3, max_size=3).filter(any), min_size=1, max_size=8)


@given(rows=TABLES, epsilon=st.floats(0.05, 8.0), threshold=st.sampled_from([0.5, 3.0]), least=st.floats(0.01, 0.99))
@settings(max_examples=60, deadline=None)
def test_people_with_a_risk_are_those_of_the_spread(rows, epsilon, threshold, least):
    freq, noise = em.FrequencyTable.from_counts(np.array(rows)), em.Geometric(epsilon=epsilon, threshold=threshold)
    people = risk_spread(freq, noise).people
    found = people_with_risk(CellTallies.of(freq.profile.counts, freq.profile.n_cells), least, noise)
    assert people.number_at_least(least * (1 + 1e-6)) <= found <= people.number_at_least(least * (1 - 1e-6))


def test_a_view_counts_the_people_whose_risk_is_one_half_or_more():
    freq = em.FrequencyTable.from_counts([[3, 0], [9, 9], [40, 0]])
    view = CountsExplorer(freq).at(CountsSetting(epsilon=1.0))
    assert (view.likely, view.n_people) == (43, 61)  # of the cells with one value
    assert CountsExplorer(freq).at(CountsSetting(epsilon=0.01)).likely == 0


@pytest.mark.parametrize(
    ("counts", "alone", "most"),
    [([[1, 0], [0, 1], [3, 4]], 2, True), ([[1, 0], [2, 0]], 1, False), ([[5, 5]], 0, False)],
)
def test_cells_of_one_person(counts, alone, most):
    cells = lone_cells(em.FrequencyTable.from_counts(counts))
    assert (cells.alone, cells.most, cells.n_cells) == (alone, most, len(counts))


def test_what_is_to_know_about_the_counts_is_among_the_caveats(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("town,job\na,x\n,y\n")
    freq = em.frequency_table(path, quasi_identifiers=["town"], sensitive="job")
    view = CountsExplorer(freq).at(CountsSetting())
    assert freq.notes
    for risk in (view.people, view.cells):
        assert risk.caveats[-len(freq.notes) :] == freq.notes
