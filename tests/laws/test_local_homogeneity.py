"""Laws of the local homogeneity risk, for every mechanism."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import epsilometer as em
from epsilometer.formulas import homogeneity

epsilons = st.floats(0.01, 20)
thresholds = st.sampled_from([0.5, 1.0, 3.0, 10.0])
mechanisms = st.one_of(
    st.builds(em.Laplace, epsilon=epsilons, threshold=thresholds),
    st.builds(em.Geometric, epsilon=epsilons, threshold=thresholds, adjacency=st.just("replace")),
    st.builds(em.Gaussian, epsilon=epsilons, delta=st.just(1e-5), threshold=thresholds),
    st.builds(em.DiscreteGaussian, epsilon=epsilons, delta=st.just(1e-3), threshold=thresholds),
)
tables = st.integers(1, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 12), min_size=k, max_size=k).filter(any), min_size=1, max_size=6)
)


@given(tables, mechanisms)
def test_record_risk_never_exceeds_cell_risk_nor_cell_risk_the_supremum(table, noise):
    records, cells = homogeneity.local_records(table, noise), homogeneity.local(table, noise)
    assert (records <= cells * (1 + 1e-12)).all()
    n_values = len(table[0])
    assert cells.max() <= homogeneity.largest_local(n_values, noise) * (1 + 1e-12)
    assert records.max() <= homogeneity.largest_local_records(n_values, noise) * (1 + 1e-12)


@given(st.integers(1, 6), mechanisms)
def test_the_supremum_is_approached(n_values, noise):
    """Some table comes within a thousandth of the supremum, so it is no loose bound."""
    far = int(np.max(noise.scale) * 40 + noise.threshold) + 1
    homogeneous = [far] + [0] * (n_values - 1)
    singles = [[1] * m + [0] * (n_values - m) for m in range(1, n_values + 1)]
    best = homogeneity.local([homogeneous, *singles], noise).max()
    assert best == pytest.approx(float(homogeneity.largest_local(n_values, noise)), rel=1e-3)
    best = homogeneity.local_records([homogeneous], noise).max()
    assert best == pytest.approx(float(homogeneity.largest_local_records(n_values, noise)), rel=1e-3)


@given(tables, mechanisms, st.randoms())
def test_neither_the_order_of_values_nor_of_cells_matters(table, noise, random):
    order = list(range(len(table[0])))
    random.shuffle(order)
    shuffled = [[row[k] for k in order] for row in table]
    random.shuffle(shuffled)
    for average in ("cells", "records"):
        one, other = (
            em.homogeneity_risk(em.FrequencyTable.from_counts(counts), noise, average=average)
            for counts in (table, shuffled)
        )
        assert one.value == pytest.approx(other.value, rel=1e-11, abs=1e-300)


@given(tables, st.lists(st.integers(0, 9), min_size=5, max_size=5), mechanisms)
def test_adding_a_cell_changes_the_averages_as_it_must(table, cell, noise):
    cell = cell[: len(table[0])]
    assume(any(cell))
    before, after = (em.FrequencyTable.from_counts(counts) for counts in (table, [*table, cell]))
    cells = [em.homogeneity_risk(freq, noise).value for freq in (before, after)]
    expected = (cells[0] * before.n_cells + float(homogeneity.local(cell, noise))) / (before.n_cells + 1)
    assert cells[1] == pytest.approx(expected, rel=1e-11)
    people = [em.homogeneity_risk(freq, noise, average="records").value for freq in (before, after)]
    added = sum(cell) * float(homogeneity.local_records(cell, noise))
    assert people[1] == pytest.approx((people[0] * before.n_records + added) / after.n_records, rel=1e-11)


@given(tables)
def test_limits_in_epsilon(table):
    """Towards 0 a cell with |Y| values goes to |Y| / 2^K; towards infinity only homogeneous cells are left."""
    counts = np.array(table)
    present = (counts > 0).sum(axis=1)
    weak, strong = em.Laplace(epsilon=1e-9), em.Laplace(epsilon=200.0)
    np.testing.assert_allclose(homogeneity.local(counts, weak), present / 2.0 ** counts.shape[1], rtol=1e-6)
    np.testing.assert_allclose(homogeneity.local(counts, strong), present == 1, atol=1e-12)


@given(tables, st.lists(epsilons, min_size=2, max_size=4))
def test_a_curve_is_its_points(table, several):
    freq = em.FrequencyTable.from_counts(table)
    for kind, settings_ in ((em.Laplace, {}), (em.DiscreteGaussian, {"delta": 1e-4})):
        curve = em.homogeneity_risk(freq, kind(epsilon=several, **settings_))
        points = [em.homogeneity_risk(freq, kind(epsilon=epsilon, **settings_)) for epsilon in several]
        np.testing.assert_allclose(curve.value, [point.value for point in points], rtol=1e-13)
        np.testing.assert_allclose(curve.any_table, [point.any_table for point in points], rtol=1e-13)


def test_risk_need_not_rise_with_epsilon():
    """Paper 001 expects a rise; a cell with a small minority falls from 1/2 (erratum E6)."""
    curve = em.homogeneity_risk(em.FrequencyTable.from_counts([[9, 1]]), em.Laplace(epsilon=(0.001, 0.5, 2.0, 8.0)))
    assert (np.diff(curve.value) < 0).all()
    assert curve.value[0] == pytest.approx(0.5, abs=1e-4)
