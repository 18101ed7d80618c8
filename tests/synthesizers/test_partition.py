"""DPCube: which boxes are found, how two looks at a box are joined, and what both give away."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from epsilometer.synthesizers import partition
from epsilometer.synthesizers.budget import Budget
from epsilometer.synthesizers.coded import CodedColumn, CodedTable
from epsilometer.synthesizers.contingency import ContingencySynthesizer
from epsilometer.synthesizers.noise import ReleaseNoise, SimulatedNoise
from epsilometer.synthesizers.partition import PartitionSynthesizer, best_cut, boxes, geometric_variance, spread
from epsilometer.vocabulary.spending import Spending

small_counts = arrays(np.int64, st.tuples(st.integers(1, 5), st.integers(2, 5)), elements=st.integers(-9, 9))


def unevenness(cells):
    return ((cells - cells.mean()) ** 2).sum()


@given(small_counts, st.booleans(), st.booleans())
def test_no_cut_gains_more_than_the_best(cells, first_ordered, second_ordered):
    """All cuts that are allowed, tried one by one."""
    ordered = first_ordered, second_ordered
    cut = best_cut(cells.astype(float), ordered)
    gains = []
    for axis, size in enumerate(cells.shape):
        codes = np.arange(size)
        for code in range(size - 1 if ordered[axis] else size):
            first = codes <= code if ordered[axis] else codes == code
            if first.all():
                continue
            sides = cells.compress(first, axis), cells.compress(~first, axis)
            gains.append(unevenness(cells) - sum(map(unevenness, sides)))
            if axis == cut.axis and (first == cut.first).all():
                assert cut.gain == pytest.approx(gains[-1], abs=1e-9)
    assert cut.gain == pytest.approx(max(gains), abs=1e-9)


@given(small_counts, st.booleans(), st.sampled_from([0.0, 1.0, 10.0]))
def test_every_box_is_a_product_of_codes(cells, ordered, variance):
    box = boxes(cells, [ordered, ordered], variance)
    assert set(np.unique(box)) == set(range(box.max() + 1))
    for number in range(box.max() + 1):
        inside = np.argwhere(box == number)
        codes = [sorted(set(column)) for column in inside.T.tolist()]
        assert sorted(map(tuple, inside.tolist())) == list(itertools.product(*codes))
        if ordered:
            assert all(codes[-1] - codes[0] == len(codes) - 1 for codes in codes)
        if variance == 0:
            assert np.ptp(cells[box == number]) == 0


def test_planted_boxes_are_found():
    counts = np.zeros((16, 16), dtype=np.int64)
    counts[:5, 7:] = 30
    counts[9:, :] = 60
    noisy = SimulatedNoise(3).whole(counts, 1.0)
    box = boxes(noisy, [True, True], geometric_variance(1.0))
    for number in range(box.max() + 1):
        assert np.ptp(counts[box == number]) == 0
    assert box.max() + 1 <= 10


def test_a_diagonal_is_seen_although_no_cut_gains():
    noisy = SimulatedNoise(0).whole(50 * np.eye(2, dtype=np.int64), 1.0)
    assert best_cut(noisy.astype(float), [False, False]).gain < 30
    assert np.unique(boxes(noisy, [False, False], geometric_variance(1.0))).size == 4


def test_values_without_order_are_set_apart_one_by_one():
    box = boxes(np.array([7, 90, 7, 7, 90]), [False], variance=1.0)
    assert box[0] == box[2] == box[3]
    assert len({box[0], box[1], box[4]}) == 3


def test_noise_alone_is_one_box_nearly_always():
    nothing = np.full((16, 16), 100)
    drawn = [SimulatedNoise(seed).whole(nothing, 2.0) for seed in range(100)]
    numbers = [boxes(noisy, [True, False], geometric_variance(2.0)).max() + 1 for noisy in drawn]
    assert np.median(numbers) == 1
    assert np.mean(numbers) < 2


def test_boxes_are_bounded_and_the_largest_gains_come_first(monkeypatch):
    monkeypatch.setattr(partition, "MOST_BOXES", 3)
    assert boxes(np.array([0, 1, 50, 51, 900, 902]), [True], variance=0.0).tolist() == [0, 0, 2, 2, 1, 1]


@given(arrays(np.int64, st.integers(1, 12), elements=st.integers(-50, 50)), st.integers(-100, 100))
def test_two_looks_are_joined_as_least_squares_does(cells, fresh):
    """One unknown, seen in each cell once and times their number in the box."""
    seen = np.append(np.ones(cells.size), cells.size)[:, None]
    (expected,), *_ = np.linalg.lstsq(seen, np.append(cells, fresh), rcond=None)
    joined = spread(cells, np.array([fresh]), np.zeros(cells.size, dtype=np.int64))
    np.testing.assert_allclose(joined, expected, atol=1e-9)


@pytest.mark.parametrize("scale", [0.1, 1.0, 7.5])
def test_variance_of_geometric_noise(scale):
    """Against the sum over its law."""
    q, values = np.exp(-1 / scale), np.arange(-2000, 2001)
    assert geometric_variance(scale) == pytest.approx((values**2 * q ** abs(values)).sum() * (1 - q) / (1 + q))


def test_even_stretches_are_counted_better_than_cell_by_cell():
    """Four blocks of 256 cells: mean absolute error of a cell at epsilon 1, over ten seeds."""
    counts = np.kron(np.array([[1, 9], [20, 4]]), np.ones((16, 16), dtype=np.int64))
    columns = CodedColumn("x", 32, ordered=True), CodedColumn("y", 32, ordered=True)
    table = CodedTable(columns, np.repeat(np.argwhere(counts >= 0), counts.ravel(), axis=0))
    errors = [
        np.mean([abs(model.shares * model.n_records - counts).mean() for model in
                 (synthesizer.fit(table, Budget(1.0), SimulatedNoise(seed)) for seed in range(10))])
        for synthesizer in (PartitionSynthesizer(), ContingencySynthesizer())
    ]  # fmt: skip
    assert errors[0] < 0.3 * errors[1]


def test_what_is_spent():
    table = CodedTable((CodedColumn("a", 2, ordered=False),), np.array([[0]]))
    assert PartitionSynthesizer().fit(table, Budget(0.5), SimulatedNoise(0)).spent == (
        Spending("counts of all cells", 0.25, 0.0, "geometric, scale 4"),
        Spending("counts of the boxes", 0.25, 0.0, "geometric, scale 4"),
    )


@pytest.fixture(scope="module")
def full_neighbours(neighbours):
    """Counts so large that none is clamped, and the cell of the record so different that it is a box of its own."""
    full = [np.vstack([np.repeat([[0, 0], [0, 1], [1, 0]], 90, axis=0), [[1, 1]] * n]) for n in (30, 31)]
    return [CodedTable(neighbours[0].columns, codes) for codes in full]


def count_of_the_last_cell(noise):
    def fit(table):
        model = PartitionSynthesizer().fit(table, Budget(1.0), noise)
        return model.shares[1, 1] * model.n_records

    return fit


def test_the_audit_finds_no_more_than_epsilon(audit, full_neighbours):
    assert audit(count_of_the_last_cell(ReleaseNoise()), *full_neighbours, n_runs=2000) <= 1


def test_the_audit_finds_too_little_noise(audit, full_neighbours, too_little_noise):
    assert audit(count_of_the_last_cell(too_little_noise), *full_neighbours, n_runs=2000) > 1
