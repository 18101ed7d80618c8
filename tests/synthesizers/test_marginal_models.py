"""What holds for every synthesizer that is built from noisy marginals: PrivBayes, JTree, PriView, DPCopula."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chisquare

from epsilometer.synthesizers.bayes_network import BayesNetworkSynthesizer
from epsilometer.synthesizers.budget import Budget
from epsilometer.synthesizers.coded import CodedColumn, CodedTable
from epsilometer.synthesizers.copula import CopulaSynthesizer
from epsilometer.synthesizers.junction_tree import JunctionTreeSynthesizer
from epsilometer.synthesizers.noise import ReleaseNoise, SimulatedNoise
from epsilometer.synthesizers.views import ViewsSynthesizer

RARE = 1e-6  # chance of a false alarm of each test of frequencies
CHAINS = [BayesNetworkSynthesizer, JunctionTreeSynthesizer, ViewsSynthesizer]
ALL = [*CHAINS, CopulaSynthesizer]
ADULT_SIZES = (20, 9, 20, 16, 16, 7, 15, 6, 5, 2, 20, 20, 20, 42, 2)


def table_of(sizes, codes):
    columns = tuple(CodedColumn(f"c{i}", size, ordered=i % 2 == 0) for i, size in enumerate(sizes))
    return CodedTable(columns, np.asarray(codes, dtype=np.int64).reshape(-1, len(sizes)))


def random_table(sizes, n, seed=0):
    return table_of(sizes, np.random.default_rng(seed).integers(0, sizes, (n, len(sizes))))


def markov_chain():
    """A table in which each column depends on the one before and on nothing else, exactly; 2,560 records."""
    onwards = np.array([[2, 1, 1], [1, 1, 2]]), np.array([[3, 1], [2, 2], [1, 3]])
    joint = 20 * np.einsum("ab,bc,cd->abcd", onwards[0], onwards[1], onwards[0])
    return table_of((2, 3, 2, 3), np.repeat(np.argwhere(joint >= 0), joint.ravel(), axis=0))


def fitted(synthesizer, table, epsilon, noise):
    return synthesizer().fit(table, Budget(epsilon), noise)


def assert_same_frequencies(table, codes, columns):
    """An exact model puts no record where the table has none; the others are as frequent but for the draw."""
    expected, seen = (each.counts(columns).ravel() for each in (table, CodedTable(table.columns, codes)))
    assert not seen[expected == 0].any()
    shares = expected[expected > 0] / expected.sum()
    assert len(shares) == 1 or chisquare(seen[expected > 0], len(codes) * shares).pvalue > RARE


def assert_in_domain(codes, sizes, n):
    assert codes.shape == (n, len(sizes))
    assert codes.dtype == np.int64
    assert (codes >= 0).all()
    assert (codes < sizes).all()


@pytest.mark.parametrize("synthesizer", ALL)
@pytest.mark.parametrize("table", [markov_chain(), random_table((1, 4, 7), 500)], ids=["chain", "random"])
def test_with_hardly_any_noise_columns_have_their_frequencies(synthesizer, table):
    model = fitted(synthesizer, table, 1e6, SimulatedNoise(0))
    codes = model.sample(20_000, np.random.default_rng(1))
    assert model.n_records == len(table.codes)
    for column in range(len(table.columns)):
        assert_same_frequencies(table, codes, [column])


@pytest.mark.parametrize("synthesizer", CHAINS)
def test_with_hardly_any_noise_pairs_have_their_frequencies(synthesizer):
    table = markov_chain()
    codes = fitted(synthesizer, table, 1e6, SimulatedNoise(0)).sample(20_000, np.random.default_rng(2))
    for pair in combinations(range(4), 2):
        assert_same_frequencies(table, codes, pair)


@pytest.mark.parametrize("synthesizer", ALL)
@pytest.mark.parametrize("epsilon", [0.1, 1 / 3, 1.0, 7.7])
def test_what_is_spent_adds_up_to_the_budget_and_never_to_more(synthesizer, epsilon):
    spent = fitted(synthesizer, random_table((2, 3, 4, 2), 3000), epsilon, SimulatedNoise(0)).spent
    together = sum(Fraction(each.epsilon) for each in spent)
    assert together <= Fraction(epsilon)
    assert float(together) == pytest.approx(epsilon, rel=1e-12)
    assert all(each.delta == 0 and each.what and each.noise for each in spent)


@pytest.mark.parametrize("synthesizer", ALL)
@pytest.mark.parametrize("epsilon", [0.01, 1.0])
@pytest.mark.parametrize(
    "table",
    [
        random_table((5,), 30),
        random_table((1,), 3),
        random_table((1, 1), 3),
        random_table((1, 3, 1, 2), 20),
        random_table((2, 3), 1),
        random_table((2, 3, 2), 0),
        random_table((300, 200), 10),
    ],
    ids=["one column", "one code", "only codes", "some codes alone", "one record", "empty", "long domains"],
)
def test_small_and_odd_tables(synthesizer, table, epsilon):
    model = fitted(synthesizer, table, epsilon, ReleaseNoise())
    assert model.n_records >= 1
    assert sum(Fraction(each.epsilon) for each in model.spent) <= Fraction(epsilon)
    for n in (0, 1, 40):
        assert_in_domain(model.sample(n, np.random.default_rng(0)), table.sizes, n)


@pytest.mark.parametrize("synthesizer", ALL)
def test_fifteen_columns_and_thirty_thousand_records(synthesizer):
    rng = np.random.default_rng(0)
    places = rng.random((30_000, 1)) ** rng.uniform(0.5, 2, 15)
    table = table_of(ADULT_SIZES, (0.7 * places + 0.3 * rng.random((30_000, 15))) * ADULT_SIZES)
    model = fitted(synthesizer, table, 1.0, ReleaseNoise())
    assert abs(model.n_records - 30_000) < 2000
    codes = model.sample(30_000, np.random.default_rng(0))
    assert_in_domain(codes, ADULT_SIZES, 30_000)
    for column, size in enumerate(ADULT_SIZES):
        before, after = (np.bincount(each[:, column], minlength=size) for each in (table.codes, codes))
        assert np.abs(before - after).sum() / 2 < 0.1 * 30_000


@pytest.mark.parametrize("synthesizer", ALL)
def test_the_same_seeds_give_the_same_records(synthesizer):
    table = random_table((2, 3, 4), 100)
    one, other = (fitted(synthesizer, table, 1.0, SimulatedNoise(5)).sample(50, np.random.default_rng(6)) for _ in "ab")
    np.testing.assert_array_equal(one, other)


class TooLittleNoise(SimulatedNoise):
    """A twentieth of what is asked for."""

    def whole(self, values, scale):
        return super().whole(values, scale / 20)

    def real(self, values, scale):
        return super().real(values, scale / 20)

    def choose(self, scores, scale):
        return super().choose(scores, scale / 20)


def records_alike():
    """Sixty records that are all alike, and one more that differs in two columns: these depend then, the third not."""
    alike = [[0, 0, 0]] * 60
    return table_of((2, 2, 2), alike), table_of((2, 2, 2), [*alike, [1, 1, 0]])


def counts_and_link(model):
    """The weights of code 1 in the first two columns, and whether they are linked."""
    shown = 0.0
    for step in model.steps:
        columns = step.given + step.new
        shown += 3 * ({0, 1} <= set(columns))
        for column in {0, 1} & set(step.new):
            shown += step.table.sum(axis=tuple(axis for axis, each in enumerate(columns) if each != column))[1]
    return shown


def slope(model):
    """The correlation of the first two columns."""
    return float(model.mixing[0] @ model.mixing[1])


@pytest.mark.parametrize("synthesizer", ALL)
def test_a_record_more_is_no_better_noticed_than_epsilon_allows(audit, neighbours, synthesizer):
    """With too little noise the same audit would tell."""
    epsilon = 2.0
    reading, tables = (slope, neighbours) if synthesizer is CopulaSynthesizer else (counts_and_link, records_alike())
    release, weak = (
        audit(lambda table, noise=noise: reading(fitted(synthesizer, table, epsilon, noise)), *tables, n_runs=600)
        for noise in (ReleaseNoise(), TooLittleNoise(0))
    )
    assert release <= epsilon < weak
