"""Models trained on synthetic records, against scikit-learn by hand and where the answer is known."""

import math
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from epsilometer.errors import BadTable, MissingExtra, UnknownChoice, UnknownColumn
from epsilometer.tables.records import Records, read_records
from epsilometer.utility import models
from epsilometer.utility.models import model_accuracy

pytest.importorskip("sklearn", reason="models are an optional extra")


def records(**columns):
    return Records(pa.table(columns), "people")


def people(n, rng, noise=1.0):
    age, town = rng.normal(50, 10, n), rng.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2])
    score = (age - 50) / 10 + (town == "b") + noise * rng.normal(0, 1, n)
    return pd.DataFrame({"age": age, "town": town, "rich": np.where(score > 0.5, "yes", "no")})


@pytest.fixture(scope="module")
def tables():
    rng = np.random.default_rng(1)
    return people(800, rng), people(500, rng, noise=5.0), people(600, rng)


def features_by_hand(training, frame):
    """Age standardised by the records trained on; a is the most frequent town."""
    age = (frame["age"] - training["age"].mean()) / training["age"].std(ddof=0)
    return np.column_stack([age, frame["town"] == "b", frame["town"] == "c"])


def test_accuracies_equal_those_of_scikit_learn_by_hand(tables):
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    original, synthetic, holdout = tables
    found = model_accuracy(*map(read_records, (original, synthetic)), "rich", read_records(holdout))
    for model, classifier in (("lr", LogisticRegression(max_iter=300)), ("svm", LinearSVC(random_state=0))):
        ours = next(accuracy for accuracy in found.models if accuracy.model == model)
        for training, estimate in ((original, ours.on_original), (synthetic, ours.on_synthetic)):
            fitted = classifier.fit(features_by_hand(training, training), training["rich"])
            right = int((fitted.predict(features_by_hand(training, holdout)) == holdout["rich"]).sum())
            assert estimate.value == pytest.approx(right / 600, abs=1 / 600)  # solvers stop at different last digits
    assert [accuracy.model for accuracy in found.models] == ["svm", "lr", "mlp"]
    assert found.baseline == pytest.approx((holdout["rich"] == original["rich"].mode()[0]).mean())
    assert (found.n_original, found.n_synthetic, found.n_tested) == (800, 500, 600)
    assert (found.target, found.holdout_given, found.rows_at_most, found.absent) == ("rich", True, 30_000, ())


def test_what_was_learned_is_better_than_nothing_and_noise_is_worse(tables):
    original, synthetic, holdout = map(read_records, tables)
    for accuracy in model_accuracy(original, synthetic, "rich", holdout).models:
        assert accuracy.converged
        assert accuracy.on_original.value > 0.75
        assert accuracy.on_synthetic.value < accuracy.on_original.value


def test_a_copy_of_the_original_does_as_well(tables):
    original, _, holdout = map(read_records, tables)
    for accuracy in model_accuracy(original, original, "rich", holdout, seed=3).models:
        assert accuracy.on_synthetic == accuracy.on_original


def test_the_network_learns_what_no_line_separates():
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, 4000))
    table = records(x=x, y=y, alike=(x * y > 0).astype(str))
    found = {accuracy.model: accuracy.on_synthetic.value for accuracy in model_accuracy(table, table, "alike").models}
    assert found["mlp"] > 0.9
    assert found["lr"] < 0.6
    assert found["svm"] < 0.6


def test_wilsons_interval(tables):
    estimate = model_accuracy(*map(read_records, tables[:2]), "rich", models=["lr"]).models[0].on_original
    n, p, z = 240, estimate.value, 1.959963984540054
    middle = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * math.sqrt(p * (1 - p) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    assert estimate.interval.low == pytest.approx(middle - half)
    assert estimate.interval.high == pytest.approx(middle + half)
    assert estimate.interval.confidence == 0.95


def test_three_tenths_are_held_out_with_the_seed(tables):
    original, synthetic, _ = map(read_records, tables)
    found, same, another = (model_accuracy(original, synthetic, "rich", models=["lr"], seed=s) for s in (1, 1, 2))
    assert (found.n_original, found.n_tested, found.holdout_given) == (560, 240, False)
    assert found == same
    assert found.baseline != another.baseline


def test_nothing_held_out_is_trained_on():
    """Each record has a town of its own, which tells its class; of towns not trained on nothing is known."""
    towns = [f"t{number}" for number in range(40)]
    rich = ["yes"] * 20 + ["no"] * 20
    table = records(town=towns, rich=rich)
    found = model_accuracy(table, table, "rich", models=["lr"])
    assert found.models[0].on_synthetic.value > 0.7  # it has seen all of them
    assert found.models[0].on_original.value < 0.7


def test_large_tables_are_drawn_from(tables):
    found = model_accuracy(*map(read_records, tables[:2]), "rich", models=["lr"], rows_at_most=100)
    assert (found.n_original, found.n_synthetic, found.n_tested, found.rows_at_most) == (100, 100, 100, 100)


@pytest.mark.parametrize("model", ["svm", "lr", "mlp"])
def test_classes_that_the_synthetic_records_lack(model):
    rng = np.random.default_rng(3)
    x = rng.normal(size=300)
    named = np.digitize(x, [-0.5, 0.5])
    original = records(x=x, level=np.array(["low", "middle", "high"])[named])
    lacking = original.part(np.flatnonzero(named != 2))
    found = model_accuracy(original, lacking, "level", original, models=[model])
    assert found.absent == ("high",)
    assert found.models[0].on_synthetic.value <= np.mean(named != 2)
    constant = original.part(np.flatnonzero(named == 0))
    found = model_accuracy(original, constant, "level", original, models=[model])
    assert set(found.absent) == {"middle", "high"}
    assert found.models[0].on_synthetic.value == np.mean(named == 0)


def test_columns_that_tell_nothing_leave_the_most_frequent_class():
    table = records(x=[1.0] * 5, rich=["yes", "no", "no", "no", "yes"])
    found = model_accuracy(table, table, "rich", table, models=["lr"])
    assert (found.models[0].on_synthetic.value, found.baseline) == (0.6, 0.6)


def test_classes_may_be_missing_truth_values_or_few_numbers():
    x = np.arange(40.0)
    for target in ([0] * 20 + [1] * 20, [False] * 20 + [True] * 20, ["no"] * 20 + [None] * 20):
        table = records(x=x, target=target)
        assert model_accuracy(table, table, "target", table, models=["lr"]).models[0].on_synthetic.value > 0.9
    found = model_accuracy(table, records(x=[1.0], target=["no"]), "target", table, models=["lr"])
    assert found.absent == ("None",)


def test_training_that_does_not_settle_says_so(tables, monkeypatch):
    from sklearn.linear_model import LogisticRegression

    monkeypatch.setitem(models._CLASSIFIERS, "lr", lambda seed: LogisticRegression(max_iter=1))
    found = model_accuracy(*map(read_records, tables[:2]), "rich", models=["lr"])
    assert not found.models[0].converged


def test_what_cannot_be_asked(monkeypatch):
    table = records(x=np.arange(20), rich=["yes", "no"] * 10)
    with pytest.raises(BadTable, match=r"'x' of people has more than 10 different numbers; .* into bins first"):
        model_accuracy(table, table, "x")
    with pytest.raises(UnknownColumn, match="There is no column 'poor'"):
        model_accuracy(table, table, "poor")
    with pytest.raises(UnknownChoice, match="model must be one of svm, lr, mlp; got 'tree'"):
        model_accuracy(table, table, "rich", models=["tree"])
    with pytest.raises(BadTable, match=r"^people has no column but 'rich'; a model needs others to predict it from\.$"):
        model_accuracy(*[records(rich=["yes", "no"])] * 2, "rich")
    with pytest.raises(BadTable, match=r"^people has one record; one to train on and one to test on are needed\.$"):
        model_accuracy(*[records(x=[1], rich=["yes"])] * 2, "rich")
    for tables in ((records(x=[1]),), (table, records(x=[1]))):
        with pytest.raises(BadTable, match="The tables must have the same columns"):
            model_accuracy(table, tables[0], "rich", *tables[1:])
    monkeypatch.setitem(sys.modules, "sklearn.exceptions", None)
    with pytest.raises(MissingExtra, match=r"^Training models needs the optional part synthesis: .*\[synthesis\]"):
        model_accuracy(table, table, "rich")
