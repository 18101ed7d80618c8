"""How well models that were trained on synthetic records do on original ones."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from epsilometer.errors import BadTable, MissingExtra, UnknownChoice, UnknownColumn
from epsilometer.tables.records import check_alike, shared_codes
from epsilometer.utility.design_matrix import design_matrix
from epsilometer.utility.drawn_rows import some_rows
from epsilometer.vocabulary.share_intervals import wilson
from epsilometer.vocabulary.source import source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from epsilometer.tables.records import Records
    from epsilometer.vocabulary.arrays import FloatArray, IntArray
    from epsilometer.vocabulary.evidence import Estimate

ROWS_AT_MOST: Final = 30_000  # of each table; more make models slower and hardly better
HOLDOUT_SHARE: Final = 0.3
MOST_CLASSES: Final = 10  # of a target of numbers; with more it is a quantity
NETWORK: Final = (32,)  # hidden units; larger ones learn the records of a census by heart


@dataclass(frozen=True, slots=True)
class ModelAccuracy:
    """Shares of the held-out original records whose class a model gets right.

    Attributes:
        model: ``"svm"``, ``"lr"`` or ``"mlp"``.
        on_original: trained on original records.
        on_synthetic: trained on synthetic ones.
        converged: whether both trainings settled before they were stopped.
    """

    model: str
    on_original: Estimate
    on_synthetic: Estimate
    converged: bool


@dataclass(frozen=True, slots=True)
class ModelAccuracies:
    """The accuracy of several models, and what they were trained and tested on.

    Attributes:
        target: the column that was predicted.
        models: the models.
        baseline: accuracy of the class that is most frequent among the original records trained on.
        absent: classes that no synthetic record trained on has, and that no model trained on them can find.
        n_original: original records trained on.
        n_synthetic: synthetic records trained on.
        n_tested: original records tested on.
        holdout_given: whether these were given; otherwise the synthetic records may have been made from them.
        rows_at_most: how many were drawn of larger tables.
    """

    target: str
    models: tuple[ModelAccuracy, ...]
    baseline: float
    absent: tuple[str, ...]
    n_original: int
    n_synthetic: int
    n_tested: int
    holdout_given: bool
    rows_at_most: int


@dataclass(frozen=True, slots=True, eq=False)
class _Training:
    """Features and classes to learn from, and the features of the records to test on."""

    features: FloatArray
    classes: IntArray
    tested: FloatArray


@source("chen-2021", "Figures 6-8: accuracy of SVM, LR and MLP")
def model_accuracy(
    original: Records,
    synthetic: Records,
    target: str,
    holdout: Records | None = None,
    *,
    models: Sequence[str] = ("svm", "lr", "mlp"),
    seed: int = 0,
    rows_at_most: int = ROWS_AT_MOST,
) -> ModelAccuracies:
    """How good is a model of one column trained on synthetic records, against one trained on original ones?

    Both are tested on the same original records that the second was not trained on: ``holdout``, or else 30 % of
    ``original`` drawn with ``seed``. Without a holdout that was kept from the synthesizer, the first may do better
    than it deserves: synthetic records that copy those it is tested on count as good ones. ``models`` are a linear
    support vector machine, a logistic regression and a network with one hidden layer. The intervals hold for the
    records tested on, not for how training might have come out with others. A class that the synthetic records lack
    is never found; if they have a single class, it is what the model says.
    """
    _check(original, synthetic, target, holdout, models)
    rng = np.random.default_rng(seed)
    kept, tested_on = (original, holdout) if holdout else _split(original, rng)
    tables = [some_rows(records, rows_at_most, rng) for records in (kept, synthetic, tested_on)]
    (before, after, tested), values = shared_codes(target, tables)
    others = [name for name in original.columns if name != target]
    trainings = [
        _training(table, tables[2], others, classes) for table, classes in ((tables[0], before), (tables[1], after))
    ]
    return ModelAccuracies(
        target=target,
        models=tuple(_compared(name, trainings, tested, seed) for name in models),
        baseline=float(np.mean(tested == _most_frequent(before))),
        absent=tuple(str(values[int(code)].as_py()) for code in np.setdiff1d(before, after)),
        n_original=len(before),
        n_synthetic=len(after),
        n_tested=len(tested),
        holdout_given=holdout is not None,
        rows_at_most=rows_at_most,
    )


def _check(original: Records, synthetic: Records, target: str, holdout: Records | None, models: Sequence[str]) -> None:
    check_alike(original, synthetic)
    if holdout is not None:
        check_alike(original, holdout)
    elif len(original) == 1:
        raise BadTable(f"{original.name} has one record; one to train on and one to test on are needed.")
    if target not in original.columns:
        raise UnknownColumn(target, original.columns)
    if len(original.columns) == 1:
        raise BadTable(f"{original.name} has no column but {target!r}; a model needs others to predict it from.")
    if original.is_numeric(target) and len(np.unique(original.numbers(target))) > MOST_CLASSES:
        raise BadTable(
            f"Column {target!r} of {original.name} has more than {MOST_CLASSES} different numbers;"
            " a model predicts classes. Put it into bins first, in both tables alike."
        )
    for name in models:
        if name not in _CLASSIFIERS:
            raise UnknownChoice("model", name, _CLASSIFIERS)


def _split(records: Records, rng: np.random.Generator) -> tuple[Records, Records]:
    """The records to train on, and those held out."""
    order = rng.permutation(len(records))
    held_out, kept = np.split(order, [max(1, round(HOLDOUT_SHARE * len(records)))])
    return records.part(np.sort(kept)), records.part(np.sort(held_out))


def _training(table: Records, holdout: Records, columns: Sequence[str], classes: IntArray) -> _Training:
    """Features are scaled by the records trained on alone: nobody who has only them knows others."""
    features, tested = np.split(design_matrix([table, holdout], columns, n_learned=1).features, [len(table)])
    return _Training(features, classes, tested)


def _compared(name: str, trainings: Sequence[_Training], truth: IntArray, seed: int) -> ModelAccuracy:
    """Accuracy with either training."""
    predictions, converged = zip(*(_predicted(name, training, seed) for training in trainings), strict=True)
    on_original, on_synthetic = (wilson(int(np.sum(predicted == truth)), len(truth)) for predicted in predictions)
    return ModelAccuracy(name, on_original, on_synthetic, all(converged))


def _predicted(name: str, training: _Training, seed: int) -> tuple[IntArray, bool]:
    """Classes that a trained model gives to the records tested on, and whether its training settled."""
    try:
        from sklearn.exceptions import ConvergenceWarning
    except ImportError:
        raise MissingExtra("Training models", "synthesis") from None
    if not training.features.shape[1] or len(np.unique(training.classes)) == 1:
        return np.full(len(training.tested), _most_frequent(training.classes)), True
    model = _CLASSIFIERS[name](seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # said in the result
        model.fit(training.features, training.classes)
    return model.predict(training.tested), bool(np.max(model.n_iter_) < model.max_iter)


def _most_frequent(classes: IntArray) -> int:
    return int(np.bincount(classes).argmax())


def _svm(seed: int) -> Any:  # noqa: ANN401
    from sklearn.svm import LinearSVC

    return LinearSVC(dual="auto", random_state=seed)


def _lr(seed: int) -> Any:  # noqa: ANN401
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=300, random_state=seed)


def _mlp(seed: int) -> Any:  # noqa: ANN401
    from sklearn.neural_network import MLPClassifier

    return MLPClassifier(NETWORK, max_iter=200, tol=1e-3, n_iter_no_change=3, random_state=seed)


_CLASSIFIERS: Final[dict[str, Callable[[int], Any]]] = {"svm": _svm, "lr": _lr, "mlp": _mlp}
