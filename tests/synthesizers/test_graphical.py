import math
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import norm

from epsilometer.errors import BadTable, MissingExtra, NotCertified, OutOfRange
from epsilometer.synthesizers import graphical
from epsilometer.synthesizers.budget import Budget, total
from epsilometer.synthesizers.chain import ChainModel, steps_through
from epsilometer.synthesizers.coded import CodedColumn, CodedTable
from epsilometer.synthesizers.graphical import AimSynthesizer, MstSynthesizer
from epsilometer.synthesizers.noise import SimulatedNoise

METHODS = MstSynthesizer, AimSynthesizer
BUDGET = Budget(20.0, 1e-6)


def coded(codes, sizes):
    return CodedTable(tuple(CodedColumn(f"x{i}", size, ordered=False) for i, size in enumerate(sizes)), codes)


def fit(method, table, budget=BUDGET):
    return method.fit(table, budget, SimulatedNoise(0))


def chained_table():
    """Each of nine columns is the one before it or, once in five, anything; a tenth column is constant."""
    rng = np.random.default_rng(0)
    codes = np.zeros((4000, 10), dtype=np.int64)
    codes[:, 0] = rng.choice(3, 4000, p=[0.5, 0.3, 0.2])
    for column in range(1, 9):
        codes[:, column] = np.where(rng.random(4000) < 0.8, codes[:, column - 1], rng.integers(0, 3, 4000))
    return coded(codes, [3] * 9 + [1])


@pytest.fixture(scope="module")
def chained():
    """Table, model and progress of MST; OpenDP 0.16 refuses every budget for nine columns by a last digit."""
    told = []
    table = chained_table()
    model = fit(MstSynthesizer(lambda what, done: told.append((what, done))), table)
    return table, model, told


class TestMst:
    def test_the_tree_is_found(self, chained):
        _, model, _ = chained
        links = {tuple(sorted((*step.given, *step.new))) for step in model.steps if len(step.given + step.new) == 2}
        assert links == set(pairwise(range(9)))

    def test_pairs_of_the_tree_are_drawn_as_they_are(self, chained):
        """Of 9 cells, chance moves a share of 0.006 and noise one of 0.002 on average."""
        table, model, _ = chained
        drawn = coded(model.sample(40_000, np.random.default_rng(1)), table.sizes)
        for pair in [*pairwise(range(9)), (0, 9)]:
            assert np.abs(drawn.counts(pair) / 40_000 - table.counts(pair) / 4000).sum() / 2 < 0.02

    def test_the_number_of_records_is_about_right(self, chained):
        _, model, _ = chained
        assert abs(model.n_records - 4000) < 20

    def test_opendp_states_a_guarantee_that_uses_up_the_budget(self, chained):
        _, model, _ = chained
        epsilon, delta = total(model.spent)
        assert 0.999 * BUDGET.epsilon < epsilon <= BUDGET.epsilon
        assert delta == BUDGET.delta
        assert "Gaussian" in model.spent[0].noise

    def test_drawing_is_repeatable(self, chained):
        _, model, _ = chained
        one, same, other = (model.sample(100, np.random.default_rng(seed)) for seed in (1, 1, 2))
        assert (one == same).all()
        assert (one != other).any()
        assert model.sample(0, np.random.default_rng(1)).shape == (0, 10)

    def test_progress_is_told(self, chained):
        _, _, told = chained
        assert told == [("fitting 9 noisy marginals", 9 / 17), ("fitting 17 noisy marginals", 1.0)]

    def test_a_single_column_gets_the_whole_budget(self):
        table = coded(np.repeat([0, 1, 2], [700, 200, 100])[:, None], [3])
        model = fit(MstSynthesizer(), table)
        assert len(model.steps) == 1
        assert np.abs(model.steps[0].table - [700, 200, 100]).max() < 10
        assert 0.999 * BUDGET.epsilon < model.spent[0].epsilon <= BUDGET.epsilon

    def test_an_empty_table_has_a_model_all_the_same(self):
        model = fit(MstSynthesizer(), coded(np.zeros((0, 2), dtype=np.int64), [2, 3]), Budget(1.0, 1e-6))
        assert model.n_records >= 1
        drawn = model.sample(50, np.random.default_rng(0))
        assert (drawn < [2, 3]).all()
        assert (drawn >= 0).all()


def test_aim_finds_what_only_three_columns_show():
    """Any two of the columns are independent; the third is whether the first two differ."""
    codes = np.random.default_rng(0).integers(0, 2, (4000, 3))
    codes[:, 2] = codes[:, 0] ^ codes[:, 1]
    told = []
    model = fit(AimSynthesizer(lambda what, done: told.append(done)), coded(codes, [2, 2, 2]))
    drawn = model.sample(1000, np.random.default_rng(1))
    assert (drawn[:, 2] == drawn[:, 0] ^ drawn[:, 1]).mean() > 0.95
    epsilon, delta = total(model.spent)
    assert 0 < epsilon <= BUDGET.epsilon
    assert delta == BUDGET.delta
    assert told == sorted(told)
    assert 0 < told[0] < told[-1] <= 1


class TestBadInput:
    @pytest.mark.parametrize("method", METHODS)
    def test_a_delta_is_needed(self, method):
        with pytest.raises(
            OutOfRange, match=rf"^delta must be in \(0, 1\), got 0\.0\. {method.name} needs one: 1e-6 is"
        ):
            fit(method(), chained_table(), Budget(1.0))

    def test_an_epsilon_that_hides_nobody(self):
        with pytest.raises(OutOfRange, match=r"^epsilon must be in \(0, 1000\], got 1001\.0\. So much hides nobody\.$"):
            fit(MstSynthesizer(), chained_table(), Budget(1001.0, 1e-6))

    @pytest.mark.parametrize("method", METHODS)
    def test_columns_of_one_value(self, method):
        with pytest.raises(BadTable, match=f"^{method.name} has nothing to learn: no column has more than one value"):
            fit(method(), coded(np.zeros((5, 2), dtype=np.int64), [1, 1]))

    @pytest.mark.parametrize(("method", "sizes", "cells"), [(METHODS[0], [5000] * 2, 2), (METHODS[1], [300] * 3, 3)])
    def test_too_many_cells(self, method, sizes, cells):
        words = (
            f"^{method.name} counts combinations of {cells} columns, here up to {math.prod(sizes)} cells; at most 16777"
        )
        with pytest.raises(BadTable, match=words):
            fit(method(), coded(np.zeros((5, len(sizes)), dtype=np.int64), sizes))

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("package", ["mbi", "polars"])
    def test_without_the_extra(self, method, package, monkeypatch):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(MissingExtra, match=rf"^The method {method.name} needs the optional part synthesis"):
            fit(method(), chained_table())

    def test_more_than_the_budget_is_never_spent(self, monkeypatch):
        monkeypatch.setattr(graphical, "_rho_within", lambda *_: 1.0)
        with pytest.raises(
            NotCertified, match=r"^OpenDP states epsilon \d\S+ and delta 1e-06, above Budget\(epsilon=1\.0"
        ):
            fit(MstSynthesizer(), coded(np.zeros((5, 1), dtype=np.int64), [2]), Budget(1.0, 1e-6))


@pytest.mark.parametrize("epsilon", [1e-4, 0.1, 1.0, 10.0, 1000.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-6, 0.3, 0.9])
def test_the_loss_within_a_budget_lies_between_two_known_bounds(epsilon, delta):
    """Above what the classic conversion rho + 2 sqrt(rho log 1/delta) allows, below what Gaussian noise itself does."""
    rho = graphical._rho_within("mst", Budget(epsilon, delta))
    log = math.log(1 / delta)
    classic = (math.sqrt(log + epsilon) - math.sqrt(log)) ** 2
    assert rho > classic * (1 - 1e-6)
    mu = math.sqrt(2 * rho)
    exact = norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon + norm.logcdf(-mu / 2 - epsilon / mu))
    assert exact <= delta


@pytest.mark.parametrize("n_choices", [1, 7, 8, 16, 31, 64, 200])
@pytest.mark.parametrize("share", [1e-5, 0.0162373135730255, 3.0])
def test_what_mst_may_pay_its_choices_from_is_some_last_digits_less(n_choices, share):
    assert share * (1 - 1e-12) < graphical._payable(share, n_choices) <= share


@pytest.fixture(scope="module")
def cycle():
    """A model of four columns tied in a circle, and the counts of all its 36 cells."""
    from mbi import CliqueVector, Domain, Factor, MarkovRandomField

    sizes = 2, 3, 2, 3
    domain = Domain(list("0123"), sizes)
    ties = [("0", "1"), ("1", "2"), ("2", "3"), ("0", "3")]
    rng = np.random.default_rng(3)
    logs = {tie: 2 * rng.normal(size=domain.project(tie).shape) for tie in ties}
    potentials = CliqueVector(domain, ties, {tie: Factor(domain.project(tie), log) for tie, log in logs.items()})
    product = np.einsum("ab,bc,cd,ad->abcd", *(np.exp(logs[tie]) for tie in ties))
    return MarkovRandomField(potentials=potentials, marginals=potentials, total=50.0), product * 50 / product.sum()


def test_marginals_of_a_model_are_those_of_its_cells(cycle):
    model, cells = cycle
    found = graphical._marginals(model, [("0",), ("1", "3"), ("0", "1", "2")])
    for columns, others in {("0",): (1, 2, 3), ("1", "3"): (0, 2), ("0", "1", "2"): (3,)}.items():
        assert np.allclose(found[columns], cells.sum(axis=others), rtol=1e-5)


def test_records_follow_a_model_whose_graph_has_to_be_triangulated(cycle):
    """In 200 000 records a share of 36 cells is off by more than 0.005 less than once in a thousand million times."""
    model, cells = cycle
    table = coded(np.zeros((0, 5), dtype=np.int64), [2, 3, 2, 3, 1])
    chain = ChainModel(steps_through(graphical._cliques_of(model, table)), 50, ())
    drawn = coded(chain.sample(200_000, np.random.default_rng(0)), table.sizes)
    assert np.abs(drawn.counts(range(4)) / 200_000 - cells / 50).max() < 0.005


@pytest.fixture(scope="module")
def scales():
    """The scale of the noise for each loss it was looked for."""
    return {}


class TestAudit:
    """All that MST and AIM measure of two columns, before a model is fitted to it, which cannot tell more."""

    BUDGET = Budget(1.5, 0.01)

    @pytest.fixture(params=[MstSynthesizer, AimSynthesizer], ids=["mst", "aim"])
    def method(self, request):
        return request.param

    @pytest.fixture
    def measure(self, method, monkeypatch, scales):
        """A function from a table to its noisy marginals; what is the same in all runs is worked out once."""
        from mbi import CliqueVector, Domain, MarkovRandomField
        from opendp.extras.mbi import _aim, _mst

        domain, pair = Domain(["0", "1"], [2, 2]), [("0", "1")]
        zeros, ones = CliqueVector.zeros(domain, pair), CliqueVector.ones(domain, pair)
        blank = MarkovRandomField(potentials=zeros, marginals=ones, total=4.0)
        seen, search = [], _mst.binary_search_chain
        rho = graphical._rho_within(method.name, self.BUDGET)

        def estimate(domain, measured, *, potentials=None):
            seen[:] = measured
            return blank

        def search_once(make, d_in, d_out, T):  # noqa: N803
            key = make.__code__, str(d_in), d_out

            def remember(scale):
                scales[key] = scale
                return make(scale)

            return make(scales[key]) if key in scales else search(remember, d_in=d_in, d_out=d_out, T=T)

        monkeypatch.setattr(graphical, "_rho_within", lambda *_: rho)
        monkeypatch.setattr(graphical, "_estimator", lambda *_, **__: estimate)
        for module in (_aim, _mst):
            monkeypatch.setattr(module, "binary_search_chain", search_once)

        def measured(table):
            fit(method(), table, self.BUDGET)
            return list(seen)

        return measured

    @pytest.fixture
    def weigh(self, measure):
        """The best that a record (1, 1) can be told by: its cells in all marginals, each by the size of its noise."""
        return lambda table: sum(float(each.noisy_measurement[-1]) / each.stddev**2 for each in measure(table))

    def test_two_tables_are_not_told_apart(self, audit, neighbours, weigh):
        assert audit(weigh, *neighbours, n_runs=100, delta=self.BUDGET.delta) <= self.BUDGET.epsilon

    def test_a_twentieth_of_the_noise_would_be_noticed(self, audit, neighbours, weigh, monkeypatch):
        rho = 400 * graphical._rho_within("mst", self.BUDGET)
        monkeypatch.setattr(graphical, "_rho_within", lambda *_: rho)
        monkeypatch.setattr(graphical, "_within", lambda *_: None)
        assert audit(weigh, *neighbours, n_runs=100, delta=self.BUDGET.delta) > self.BUDGET.epsilon

    @pytest.mark.parametrize("method", [MstSynthesizer], indirect=True, ids=["mst"])
    def test_the_noise_has_the_size_that_the_budget_asks_for(self, measure, neighbours):
        """The mean of 800 squares of standard noise is off by a quarter less than once in a million times.

        A record is in one cell of each marginal. Two thirds of the loss are spent on them, one on choosing the pair.
        """
        table = neighbours[1]
        runs = [measure(table) for _ in range(100)]
        truth = np.concatenate([table.counts(list(map(int, each.clique))).ravel() for each in runs[0]])
        noisy = np.array([np.concatenate([each.noisy_measurement for each in run]) for run in runs])
        stated = np.array([each.stddev for each in runs[0]])
        standard = (noisy - truth) / np.repeat(stated, [2, 2, 4])
        assert abs((standard**2).mean() - 1) < 0.25
        rho = graphical._rho_within("mst", self.BUDGET)
        assert (1 / (2 * stated**2)).sum() == pytest.approx(rho * 2 / 3, rel=1e-6)
        assert (1 / (2 * stated**2)).sum() <= rho * 2 / 3


def test_nothing_heavy_is_loaded_before_a_fit():
    code = "import sys, epsilometer.synthesizers.graphical; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"jax", "mbi", "polars", "opendp"}.intersection(loaded)
