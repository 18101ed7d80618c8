"""What the synthesizers that count every cell promise alike, and the counts and samples they share."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from epsilometer.errors import BadTable
from epsilometer.synthesizers.budget import Budget, total
from epsilometer.synthesizers.coded import CodedColumn, CodedTable
from epsilometer.synthesizers.contingency import ContingencySynthesizer
from epsilometer.synthesizers.histogram import MOST_CELLS, HistogramModel, model_from_noisy, nonnegative
from epsilometer.synthesizers.noise import ReleaseNoise, SimulatedNoise
from epsilometer.synthesizers.partition import PartitionSynthesizer
from epsilometer.synthesizers.wavelet import WaveletSynthesizer

SYNTHESIZERS = pytest.mark.parametrize(
    "synthesizer", [ContingencySynthesizer(), WaveletSynthesizer(), PartitionSynthesizer()], ids=lambda one: one.name
)
NO_NOISE = Budget(1e6)


@st.composite
def tables(draw):
    """Up to three columns, long or of one code, and any records or none."""
    columns = [
        CodedColumn(
            f"column {number}", draw(st.sampled_from([1, 2, 3, 5, 70])), draw(st.booleans()), draw(st.booleans())
        )
        for number in range(draw(st.integers(1, 3)))
    ]
    record = st.tuples(*(st.integers(0, column.size - 1) for column in columns))
    codes = np.array(draw(st.lists(record, max_size=30)), dtype=np.int64).reshape(-1, len(columns))
    return CodedTable(tuple(columns), codes)


def shares_of(table):
    counts = table.counts(range(len(table.columns)))
    return counts / counts.sum() if len(table.codes) else np.full(counts.shape, 1 / counts.size)


@SYNTHESIZERS
@given(table=tables())
def test_without_noise_the_shares_are_those_of_the_table(synthesizer, table):
    """An empty table is taken for one record that may be anywhere."""
    model = synthesizer.fit(table, NO_NOISE, SimulatedNoise(0))
    np.testing.assert_allclose(model.shares, shares_of(table), rtol=1e-13, atol=0)
    assert model.n_records == max(1, len(table.codes))


@SYNTHESIZERS
@given(table=tables(), epsilon=st.floats(1e-3, 10), seed=st.integers(0, 2**32))
def test_every_model_keeps_the_budget_and_samples_the_domain(synthesizer, table, epsilon, seed):
    model = synthesizer.fit(table, Budget(epsilon), SimulatedNoise(seed))
    assert total(model.spent)[0] <= epsilon
    assert total(model.spent)[0] == pytest.approx(epsilon)
    assert total(model.spent)[1] == 0
    assert model.n_records >= 1
    assert model.shares.shape == table.sizes
    assert model.shares.min() >= 0
    assert model.shares.sum() == pytest.approx(1)
    sampled = model.sample(50, np.random.default_rng(seed))
    assert sampled.shape == (50, len(table.columns))
    assert (sampled >= 0).all()
    assert (sampled < table.sizes).all()


class FixedAnswers:
    """Noise whose answers do not depend on the records, as in one and the same release; it keeps what it was asked."""

    def __init__(self):
        self.asked = []

    def whole(self, values, scale):
        self.asked.append((values.copy(), scale))
        return (4 * np.arange(values.size) // values.size * 40).reshape(values.shape)


@SYNTHESIZERS
@pytest.mark.parametrize(
    "columns",
    [
        [CodedColumn("a", 3, ordered=False), CodedColumn("b", 4, ordered=True, missing=True)],
        [CodedColumn("a", 70, ordered=True)],
        [CodedColumn("a", 65, ordered=True, missing=True), CodedColumn("b", 51, ordered=True, missing=True)],
        [CodedColumn("a", 64, ordered=True), CodedColumn("b", 3, ordered=False), CodedColumn("c", 2, ordered=True)],
    ],
    ids=lambda columns: "x".join(str(column.size) for column in columns),
)
def test_one_record_costs_epsilon_wherever_it_is(synthesizer, columns):
    """The changes in all that is asked, each over the scale of its noise, add up to the loss of the whole release."""

    def asked(codes):
        noise = FixedAnswers()
        synthesizer.fit(CodedTable(tuple(columns), np.array(codes, dtype=np.int64)), Budget(0.7), noise)
        return noise.asked

    others = [[0] * len(columns), [column.size - 1 for column in columns]]
    before = asked(others)
    every_cell = list(itertools.product(*(range(column.size) for column in columns)))
    losses = [
        sum(
            abs(now - then).sum() / scale
            for (now, scale), (then, _) in zip(asked([*others, cell]), before, strict=True)
        )
        for cell in every_cell[:: max(1, len(every_cell) // 100)] + every_cell[-1:]
    ]
    assert max(losses) == pytest.approx(0.7)


class Untouched:
    """Noise that must not be asked for."""


@SYNTHESIZERS
def test_too_many_cells_are_refused_before_anything_is_spent(synthesizer):
    columns = tuple(CodedColumn(name, 1000, ordered=True) for name in "abc")
    with pytest.raises(BadTable) as refusal:
        synthesizer.fit(CodedTable(columns, np.zeros((1, 3), dtype=np.int64)), Budget(1.0), Untouched())
    assert str(refusal.value) == (
        "The columns have 1,000,000,000 combinations of values; this method counts each of at most 4,194,304."
        " Leave columns out, use wider bins, or choose a method that looks at few columns at once."
    )
    assert MOST_CELLS == 4_194_304


@SYNTHESIZERS
def test_the_noise_of_a_release_fits_as_the_simulated_one(synthesizer):
    column = CodedColumn("age", 70, ordered=True, missing=True)
    table = CodedTable((column,), np.repeat(np.arange(70), 1000)[:, None])
    model = synthesizer.fit(table, Budget(2.0), ReleaseNoise())
    assert model.n_records == pytest.approx(70_000, abs=400)
    np.testing.assert_allclose(model.shares * 70, 1, atol=0.2)


def test_names_and_guarantees():
    synthesizers = ContingencySynthesizer, WaveletSynthesizer, PartitionSynthesizer
    assert [one.name for one in synthesizers] == ["contingency", "wavelet", "dpcube"]
    assert not any(one.needs_delta for one in synthesizers)


noisy_counts = st.lists(st.integers(-1000, 1000), min_size=1, max_size=40).map(np.array)


@given(noisy_counts)
def test_no_other_counts_with_the_same_total_are_nearer(noisy):
    """The nearest point of a convex set is where no vertex of the set lies further ahead."""
    nearest = nonnegative(noisy)
    kept = max(noisy.sum(), 1)
    assert nearest.min() >= 0
    assert nearest.sum() == pytest.approx(kept)
    ahead = noisy - nearest
    for vertex in kept * np.eye(noisy.size):
        assert ahead @ (vertex - nearest) <= 1e-6 * kept


@given(noisy_counts.filter(lambda noisy: noisy.sum() >= 1 and noisy.min() >= 0))
def test_counts_that_can_be_are_kept(noisy):
    assert (nonnegative(noisy) == noisy).all()


def test_empty_cells_do_not_inflate_the_total():
    """A hundred records in one of a thousand cells: clamping alone would make them five times as many."""
    counts = np.zeros(1000, dtype=np.int64)
    counts[3] = 100
    draws = [SimulatedNoise(seed).whole(counts, 1.0) for seed in range(200)]
    assert np.mean([np.maximum(noisy, 0).sum() for noisy in draws]) > 400
    assert np.mean([model_from_noisy(noisy, ()).n_records for noisy in draws]) == pytest.approx(100, abs=15)


def test_cells_are_sampled_in_proportion():
    """False alarm once in a million seeds; the seed is fixed."""
    shares = np.array([[0.1, 0.2, 0.0], [0.3, 0.15, 0.25]])
    sampled = HistogramModel(shares, 6, ()).sample(20_000, np.random.default_rng(1))
    seen = np.bincount(sampled[:, 0] * 3 + sampled[:, 1], minlength=6)
    assert seen[2] == 0
    kept = shares.ravel() > 0
    assert stats.chisquare(seen[kept], 20_000 * shares.ravel()[kept]).pvalue > 1e-6


def test_a_model_can_be_asked_for_no_record():
    assert HistogramModel(np.array([[0.5, 0.5]]), 6, ()).sample(0, np.random.default_rng(1)).shape == (0, 2)
