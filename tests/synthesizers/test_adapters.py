import sys
from types import ModuleType

import numpy as np
import pytest

from epsilometer.errors import BadQuestion, BadTable, NotCertified, OutOfRange
from epsilometer.synthesizers.adapters import DpCtganSynthesizer, PateCtganSynthesizer
from epsilometer.synthesizers.budget import Budget
from epsilometer.synthesizers.coded import CodedColumn, CodedTable
from epsilometer.synthesizers.noise import SimulatedNoise
from epsilometer.vocabulary.spending import Spending

METHODS = DpCtganSynthesizer, PateCtganSynthesizer
BUDGET = Budget(1.0, 1e-3)
COLUMNS = CodedColumn("age", 4, ordered=True), CodedColumn("sex", 2, ordered=False)


def people(n):
    codes = np.random.default_rng(0).integers(0, [3, 2], (n, 2))
    return CodedTable(COLUMNS, codes)


class Encoder:
    def __init__(self):
        self.largest = -1


class Transformer:
    def __init__(self, transformers):
        self.transformers = transformers

    def fit(self, rows):
        for row in rows:
            for value, encoder in zip(row, self.transformers, strict=True):
                encoder.largest = max(encoder.largest, value)


class Network:
    """The part of smartnoise-synth's interface that is used, with a memory; it draws as that does."""

    def __init__(self, method, **settings):
        self.method, self.settings, self.epsilon_list = method, settings, [0.5 * settings["epsilon"]]

    def fit(self, data, *, transformer):
        self.data, self.transformer = data, transformer

    def sample(self, n):
        sizes = [encoder.largest + 1 for encoder in self.transformer.transformers]
        return [tuple(np.random.randint(0, size) for size in sizes) for _ in range(n)]  # noqa: NPY002


class Overspent(Network):
    def fit(self, data, *, transformer):
        self.epsilon_list.append(2.0)


class Seeds:
    """Stands for torch.random: whatever is drawn within does not change what is drawn after."""

    def __init__(self, *, devices):
        assert devices == []

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        return None


@pytest.fixture
def library(monkeypatch):
    """Put a stand-in in the place of smartnoise-synth and torch; change its ``create`` for another network."""
    names = "snsynth", "snsynth.transform", "torch", "torch.random"
    snsynth, transform, torch, random = (ModuleType(name) for name in names)
    snsynth.Synthesizer = type("Synthesizer", (), {"create": staticmethod(Network)})
    transform.OneHotEncoder, transform.TableTransformer = Encoder, Transformer
    torch.random, torch.manual_seed = random, lambda seed: None
    random.fork_rng = Seeds
    for name, module in zip(names, (snsynth, transform, torch, random), strict=True):
        monkeypatch.setitem(sys.modules, name, module)
    return snsynth


def fit(method, table=None, budget=BUDGET):
    return method().fit(people(20) if table is None else table, budget, SimulatedNoise(0))


@pytest.mark.parametrize("method", METHODS)
def test_the_library_gets_codes_and_a_declared_domain(library, method):
    network = fit(method).network
    assert network.method == method.name
    assert network.data.to_numpy().tolist() == people(20).codes.tolist()
    assert list(network.data.columns) == ["age", "sex"]
    assert [each.largest for each in network.transformer.transformers] == [3, 1]  # no record has the 3


@pytest.mark.parametrize("method", METHODS)
def test_the_library_stops_short_of_the_budget_and_its_word_is_all_there_is(library, method):
    model = fit(method)
    assert model.network.settings == {"epsilon": 0.9, "delta": 1e-3, "cuda": False, "verbose": False}
    assert model.spent == (Spending("training", 1.0, 1e-3, noise="as smartnoise-synth states it, unchecked"),)
    assert model.n_records == 20


@pytest.mark.parametrize("method", METHODS)
def test_drawing_is_repeatable_and_leaves_the_generator_of_others_alone(library, method):
    model = fit(method)
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    one, same, other = (model.sample(50, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002
    assert one.dtype == np.int64
    assert one.shape == (50, 2)
    assert (one == same).all()
    assert (one != other).any()


def test_spending_above_the_budget_is_not_released(library):
    library.Synthesizer.create = staticmethod(Overspent)
    words = r"^dpctgan counts epsilon 2\.0, above 1\.0; nothing is released\. Try again\.$"
    with pytest.raises(NotCertified, match=words):
        fit(DpCtganSynthesizer)


@pytest.mark.parametrize("method", METHODS)
def test_what_cannot_be_trained_is_refused(library, method):
    with pytest.raises(OutOfRange, match=rf"^delta must be in \(0, 1\), got 0\.0\. {method.name} needs one: 1e-6 is"):
        fit(method, budget=Budget(1.0))
    with pytest.raises(BadTable, match=f"^{method.name} cannot be trained without records: the table is empty"):
        fit(method, people(0))


@pytest.mark.parametrize("method", METHODS)
def test_without_the_library_the_error_says_what_is_missing(monkeypatch, method):
    monkeypatch.setitem(sys.modules, "snsynth", None)
    words = (
        f"^{method.name} needs smartnoise-synth, which needs another OpenDP than this package: run it in an environment"
    )
    with pytest.raises(BadQuestion, match=words):
        fit(method)


@pytest.mark.parametrize(
    ("method", "budget"), [(DpCtganSynthesizer, Budget(1.0, 1e-3)), (PateCtganSynthesizer, Budget(0.1, 1e-3))]
)
@pytest.mark.filterwarnings("ignore")
def test_the_library_itself(method, budget):
    pytest.importorskip("snsynth", reason="smartnoise-synth needs another OpenDP, hence an environment of its own")
    model = fit(method, people(1500), budget)
    drawn = model.sample(700, np.random.default_rng(1))
    assert drawn.shape == (700, 2)
    assert (drawn >= 0).all()
    assert (drawn < [4, 2]).all()
    assert (drawn == model.sample(700, np.random.default_rng(1))).all()
